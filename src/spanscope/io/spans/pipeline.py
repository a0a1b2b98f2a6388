"""What Hugging Face's token classification returns: entities, or the word pieces that they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spanscope.data.problems import problem_at
from spanscope.errors import InputError, shown
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.by_position import answer_of, open_answers
from spanscope.io.spans.one_file_each import note_left_aside
from spanscope.io.spans.reading import ALONE, Sides, translate_documents
from spanscope.io.spans.recognise_models import PREFIX, is_pipeline_row

OUTSIDE = "O"
BEGINS, ENDS = "BSU", "ESLU"  # prefixes of pieces that begin a span, and of those that end it
Span = dict[str, Any]


@dataclass
class Seen:
    """What was seen in all documents: what spans cannot hold, and spans that begin inside a word."""

    aside: Counter[str] = field(default_factory=Counter)
    split: int = 0


def read_pipeline(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a pipeline's output, aggregated or not."""
    found = open_answers(source, is_pipeline_row, options)
    prefixed, seen = _has_prefixes(found.values), Seen()

    def translate(value: Any, where: str) -> dict[str, Any]:
        answer = answer_of(value, is_pipeline_row, where)
        _refuse_nowhere(answer.rows, where)
        raw = ["entity" in row and "entity_group" not in row for row in answer.rows]
        if any(raw) and not all(raw):
            what = "holds entities beside word pieces"
            raise InputError(what, where=where, expected="the output of one pipeline")
        make = _join_pieces if any(raw) else _spans_of_entities
        return {"id": answer.id, "text": answer.text, "spans": make(answer.rows, seen, where, prefixed)}

    corpus = translate_documents(found, translate, options)
    note_left_aside(corpus, seen.aside, options)
    if seen.split:
        corpus.problems.insert(0, problem_at("split words", corpus.name, number=seen.split))
    return {ALONE: corpus}


def _refuse_nowhere(rows: Sequence[Mapping[str, Any]], where: str) -> None:
    """Refuse rows without offsets: nothing else says where in the text they stand."""
    for number, row in enumerate(rows):
        for name in ("start", "end"):
            if row.get(name) is None:
                raise InputError(
                    f"spans[{number}].{name} is null: this pipeline's tokenizer keeps no offsets",
                    where=where,
                    expected="start and end in every span",
                    hint="AutoTokenizer.from_pretrained(NAME, use_fast=True)   in Python: slow tokenizers and "
                    "transformers.js have no offsets",
                )


def _spans_of_entities(rows: Sequence[Mapping[str, Any]], seen: Seen, _where: str, _prefixed: bool) -> list[Span]:
    """Return entities as spans; their words are put together from pieces, and need not be the text."""
    own = [row for row in rows if row["entity_group"] != OUTSIDE]
    seen.aside["groups of tokens outside of entities"] += len(rows) - len(own)
    return [_span(row["start"], row["end"], row["entity_group"]) | {"score": row.get("score")} for row in own]


def _span(start: Any, end: Any, label: Any) -> Span:
    return {"start": start, "end": end, "label": label}


# ---------------------------------------------------------------- word pieces


def _has_prefixes(values: Sequence[Any]) -> bool:
    """Tell tags with prefixes, such as B-PER, from plain labels, of which E-MAIL may be one."""
    lists = (one.get("spans") or one.get("entities") if isinstance(one, Mapping) else one for one in values)
    rows = (row for own in lists if isinstance(own, (list, tuple)) for row in own if isinstance(row, Mapping))
    tags = {row.get("entity") for row in rows} - {OUTSIDE, None}
    found = [PREFIX.fullmatch(tag) if isinstance(tag, str) else None for tag in tags]
    return all(found) and any(one is not None and one[1] in "BISU" for one in found)


def _join_pieces(rows: Sequence[Mapping[str, Any]], seen: Seen, where: str, prefixed: bool) -> list[Span]:
    """Return the spans that word pieces make: neighbours of one label, each new one from its prefix B on.

    A piece is the neighbour of the one before where their numbers follow each other; those outside of entities are
    not returned. How sure the model is of a span, the confidences of its pieces do not say.
    """
    out: list[Span] = []
    before: tuple[int, str, str] | None = None  # number, prefix and label of the piece before
    for number, row in enumerate(rows):
        index, (prefix, label) = row["index"], _tag(row["entity"], f"spans[{number}].entity", where, prefixed)
        if not label:
            seen.aside["word pieces outside of entities"] += 1
            continue
        seen.aside["scores of word pieces"] += row.get("score") is not None
        follows = before is not None and before[0] + 1 == index and before[2] == label
        if follows and before is not None and prefix not in BEGINS and before[1] not in ENDS:
            out[-1]["end"] = row["end"]
        else:
            seen.split += bool(follows and prefix == "B" and out[-1]["end"] == row["start"])
            out.append(_span(row["start"], row["end"], label))
        before = (index, prefix, label)
    return out


def _tag(tag: Any, called: str, where: str, prefixed: bool) -> tuple[str, str]:
    """Return prefix and label of a tag: that of a plain label is I, and O has none."""
    if not isinstance(tag, str):
        raise InputError(f"{called} is {shown(tag)}", where=where, expected="a string")
    if tag == OUTSIDE:
        return "I", ""
    found = PREFIX.fullmatch(tag) if prefixed else None
    return (found[1], found[2]) if found is not None else ("I", tag)
