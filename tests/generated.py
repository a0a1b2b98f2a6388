"""Generated corpora: labelled spans with all that files have and should not have, and other families."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from spanscope.settings.options import Ci
from tests import streaming_support

Json = dict[str, Any]
LABELS = ("Actor", "Action", "Ünit")
TEXTS = (
    "The \U0001f600 operator shall log in within two seconds.",
    "Ein Zähler misst 42 kWh, e\u0301 und ß.",
    "no word",
    "",
)
NAMES = {
    "id": ("id", "_input_hash"),
    "text": ("text", "full_text"),
    "spans": ("spans", "ents", "entities"),
    "start": ("start", "start_position"),
    "end": ("end", "end_position"),
    "label": ("label", "tag", "type", "entity_type"),
    "span_text": ("text", "entity_value"),
    "score": ("score", "confidence"),
}


@dataclass
class Corpus:
    """Documents of both sides, how they are written, and what is asked of them."""

    seed: int
    gold: list[Json]
    pred: list[Json]
    options: Json
    bom: bool = False
    blank: bool = False
    broken: int | None = None  # the document whose line is no JSON
    traits: set[str] = field(default_factory=set)


def corpus(seed: int) -> Corpus:
    """Draw a corpus; what is unusual about it is drawn first, so that most corpora have few odd things at once."""
    draw = random.Random(f"corpus {seed}")
    traits = {name for name, often in TRAITS.items() if draw.random() < often}
    number = draw.choice((1, 2, 5, 9, 14))
    gold = [_document(draw, row, traits) for row in range(number)]
    pred = [_predicted(draw, one, traits) for one in gold]
    out = Corpus(seed, gold, pred, _options(draw, traits), "bom" in traits, "blank" in traits, traits=traits)
    for trait in ("no ids", "repeated", "missing", "extra", "order"):
        if trait in traits:
            CHANGES[trait](draw, out)
    if "odd" in traits:
        _spoil(draw, draw.choice((out.gold, out.pred)))
    if "broken" in traits:
        out.broken = draw.randrange(len(out.gold))
    if "names" in traits:
        out.gold, out.pred = ([_renamed(draw, one) for one in side] for side in (out.gold, out.pred))
    return out


def of_family(family: str, seed: int) -> Corpus:
    """Draw documents of another family, with what can be wrong about documents of every family."""
    draw = random.Random(f"{family} {seed}")
    traits = {name for name in CHANGES if draw.random() < TRAITS[name] + 0.1}
    gold, pred = streaming_support.documents(family, draw.choice((2, 9, 20)), seed)
    out = Corpus(seed, gold, pred, {**_options(draw, traits), "measures": None, "labels": None}, traits=traits)
    for trait in CHANGES:
        if trait in traits and not (trait == "extra" and "no ids" in traits):
            CHANGES[trait](draw, out)
    return out


TRAITS = {
    "no text": 0.15,
    "some texts": 0.2,
    "lent texts": 0.2,
    "fragments": 0.35,
    "names": 0.4,
    "quotes": 0.4,
    "mismatch": 0.15,
    "nulls": 0.2,
    "scores": 0.25,
    "numbers": 0.15,
    "no ids": 0.15,
    "repeated": 0.25,
    "missing": 0.2,
    "extra": 0.15,
    "order": 0.4,
    "odd": 0.15,
    "broken": 0.05,
    "blank": 0.2,
    "bom": 0.2,
}


def _document(draw: random.Random, row: int, traits: set[str]) -> Json:
    text = draw.choice(TEXTS)
    spans = [_span(draw, text, traits) for _ in range(draw.randrange(4))]
    out: Json = {"id": row if "numbers" in traits else f"d{row}", "text": text, "spans": spans}
    if "no text" in traits or ("some texts" in traits and draw.random() < 0.4):
        del out["text"]
    elif "nulls" in traits and draw.random() < 0.3:
        out["text"] = None
    return out


def _span(draw: random.Random, text: str, traits: set[str]) -> Json:
    start = draw.randrange(len(text) + 1)
    end = draw.randrange(start, len(text) + 1)
    out: Json = {"start": start, "end": end, "label": draw.choice(LABELS)}
    if "fragments" in traits and draw.random() < 0.5:
        middle = draw.randrange(start, end + 1)
        out["fragments"] = draw.choice(([[start, middle], [middle, end]], [[start, middle]], [[start, end]]))
        if end - start > 3:
            out["fragments"] = [[start, start + 1], [end - 1, end]]
    if "quotes" in traits and draw.random() < 0.7 and "fragments" not in out:
        out["text"] = text[start:end] if "mismatch" not in traits or draw.random() < 0.7 else "another text"
    if "scores" in traits and draw.random() < 0.7:
        out["score"] = draw.choice((0.25, 1, 0))
    if "nulls" in traits and draw.random() < 0.3:
        out |= {name: out.get(name) for name in ("fragments", "text", "score")}
    return out


def _predicted(draw: random.Random, gold: Json, traits: set[str]) -> Json:
    spans = [dict(one) for one in gold["spans"] if draw.random() < 0.8]
    for one in spans:
        if draw.random() < 0.2:
            one["label"] = draw.choice(LABELS)
        if one["end"] > one["start"] and draw.random() < 0.3 and one.get("fragments") is None:
            one["end"] -= 1
            one.pop("text", None)
        if draw.random() < 0.3:
            one.pop("fragments", None)
    out = {**gold, "spans": spans}
    if "lent texts" in traits:
        out.pop("text", None)
    return out


def _options(draw: random.Random, traits: set[str]) -> Json:
    out: Json = {"ci": Ci(40), "measures": draw.choice((None, "spans.exact", ["spans.iou", "spans.overlap"]))}
    if "missing" in traits and draw.random() < 0.7:
        out["missing"] = draw.choice(("empty", "skip"))
    if "extra" in traits and draw.random() < 0.7:
        out["extra"] = "skip"
    if "repeated" in traits and draw.random() < 0.7:
        out["repeated"] = "number"
    if draw.random() < 0.2:
        out["labels"] = ["Actor", "Action"]
    if draw.random() < 0.1:
        out["strict"] = True
    return out


def _without_ids(_draw: random.Random, out: Corpus) -> None:
    for one in (*out.gold, *out.pred):
        one.pop("id")


def _repeat(draw: random.Random, out: Corpus) -> None:
    """Give documents the ids of others; q#2 is what a second q is called, unless somebody else is."""
    for _ in range(draw.choice((1, 3))):
        row, other = draw.randrange(len(out.gold)), draw.randrange(len(out.gold))
        ids = [one.get("id") for one in out.gold]
        again = f"{ids[other]}#2" if draw.random() < 0.2 and isinstance(ids[other], str) else ids[other]
        for side in (out.gold, out.pred):
            if "id" in side[row]:
                side[row]["id"] = again


def _drop(draw: random.Random, out: Corpus) -> None:
    out.pred = [one for one in out.pred if draw.random() < 0.7] or out.pred[:1]


def _add(draw: random.Random, out: Corpus) -> None:
    out.pred += [{**one, "id": f"x{at}"} for at, one in enumerate(out.pred[: draw.randrange(1, 3)])]


def _reorder(draw: random.Random, out: Corpus) -> None:
    draw.shuffle(out.pred)


CHANGES: dict[str, Callable[[random.Random, Corpus], None]] = {
    "no ids": _without_ids,
    "repeated": _repeat,
    "missing": _drop,
    "extra": _add,
    "order": _reorder,
}


def _spoil(draw: random.Random, side: list[Json]) -> None:
    """Make one document wrong, or merely unusual."""
    rows = [row for row, one in enumerate(side) if one["spans"]]
    if not rows:
        return
    document = side[draw.choice(rows)]
    span = draw.choice(document["spans"])
    draw.choice(
        (
            lambda: span.update(end=10_000),
            lambda: span.update(start=-1),
            lambda: span.update(label=None),
            lambda: span.update(label="*"),
            lambda: span.pop("start"),
            lambda: span.update(fragments=[[3, 1]]),
            lambda: span.update(note={"more": [1]}),
            lambda: document.update(answer="accept", _task_hash=5),
            lambda: document.update(answer="reject", _task_hash=5),
            lambda: document.update(id=None),
        )
    )()


def _renamed(draw: random.Random, document: Json) -> Json:
    """Return a document with other names for its fields, drawn anew for every document and every span."""
    out = {_name(draw, key, ("id", "text", "spans")): value for key, value in document.items()}
    spans = next(value for key, value in out.items() if key in NAMES["spans"])
    spans[:] = [{_span_name(draw, key): value for key, value in one.items()} for one in spans]
    return out


def _name(draw: random.Random, key: str, known: Sequence[str]) -> str:
    return draw.choice(NAMES[key]) if key in known else key


def _span_name(draw: random.Random, key: str) -> str:
    key = "span_text" if key == "text" else key
    return _name(draw, key, ("start", "end", "label", "span_text", "score"))
