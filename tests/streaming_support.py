"""Files of JSON Lines of every family, and what the tests of blocks and totals say about results."""

import gzip
import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from spanscope import Result, Running
from spanscope.commands.evaluate import evaluate
from spanscope.engines import streaming
from spanscope.errors import SpanscopeError
from spanscope.io import line_blocks as blocks
from spanscope.settings.options import grouped

Json = dict[str, Any]
Files = tuple[str, str]
FAMILIES = ("spans", "segments", "tokens", "passages")
SIZE = 60
LINE = "the court may grant a stay of the order and shall set out its reasons in full"
WORDS = LINE.split()


def put(path: Path, documents: Sequence[Any]) -> str:
    """Write documents as JSON Lines, packed where the name says so; a string is a line as it is."""
    text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in documents)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return str(path)


def documents(
    family: str, number: int = SIZE, seed: int = 0, *, ids: bool = True
) -> tuple[list[Json], list[Json]]:
    """Draw documents of a family, gold and predicted."""
    draw = random.Random(f"{family} {seed}")
    both = [MAKE[family](draw, row, number) for row in range(number)]
    name = [{"id": f"d{row}"} if ids else {} for row in range(number)]
    gold, pred = ([{**own, **pair[at]} for own, pair in zip(name, both, strict=True)] for at in (0, 1))
    return gold, pred


def spans(draw: random.Random, row: int, number: int) -> tuple[Json, Json]:
    """Draw labelled spans; one label is seen in the last documents only."""
    text = " ".join(draw.choice(WORDS) for _ in range(12))
    labels = "ABC" if row < number - 5 else "ABCLate"
    gold = []
    for _ in range(draw.randrange(4)):
        start = draw.randrange(len(text) - 9)
        label = draw.choice(["A", "B", "C"] if labels == "ABC" else ["A", "Late"])
        gold.append({"start": start, "end": start + draw.randrange(1, 9), "label": label})
    pred = [{**one, "end": one["end"] + draw.choice((0, 0, 1))} for one in gold if draw.random() < 0.8]
    if draw.random() < 0.3:
        pred.append({"start": 0, "end": 4, "label": "B"})
    return {"text": text, "spans": gold}, {"spans": pred}


def segments(draw: random.Random, _row: int, _number: int) -> tuple[Json, Json]:
    """Draw masses of segments that cover the same length."""
    length = draw.randrange(20, 60)
    sides = []
    for _ in range(2):
        cuts = sorted(draw.sample(range(1, length), draw.randrange(1, 6)))
        sides.append({"masses": [b - a for a, b in zip([0, *cuts], [*cuts, length], strict=True)]})
    return sides[0], sides[1]


def tokens(draw: random.Random, _row: int, _number: int) -> tuple[Json, Json]:
    """Draw tags in IOB2 that no other scheme fits: two chunks that touch, in every document."""
    words = [draw.choice(WORDS) for _ in range(10)]
    gold = ["B-PER", "I-PER", "B-PER", "O", "B-LOC", "I-LOC", "I-LOC", "O", "O", "B-ORG"]
    pred = list(gold)
    for _ in range(draw.randrange(3)):
        pred[draw.choice((3, 7, 8))] = draw.choice(("O", "B-LOC"))
    if draw.random() < 0.3:
        pred[9] = "O"
    return {"tokens": words, "tags": gold}, {"tokens": words, "tags": pred}


def passages(draw: random.Random, row: int, _number: int) -> tuple[Json, Json]:
    """Draw queries with places of answers, and passages that were found."""

    def place() -> Json:
        start, size = draw.randrange(0, 20), draw.randrange(5, 30)
        text = LINE[start : start + size]
        return {"file_path": draw.choice(("a.txt", "b.txt")), "span": [start, start + len(text)], "text": text}

    gold = [place() for _ in range(draw.randrange(1, 3))]
    found = [place() for _ in range(5)] + ([gold[0]] if draw.random() < 0.5 else [])
    draw.shuffle(found)
    query = f"question {row}"
    answers = [{**one, "answer": one["text"]} for one in gold]
    return {"query": query, "snippets": answers}, {"query": query, "retrieved_passages": found}


MAKE = {"spans": spans, "segments": segments, "tokens": tokens, "passages": passages}


def files(folder: Path, family: str, number: int = SIZE, *, ids: bool = True) -> Files:
    """Write a corpus of a family."""
    gold, pred = documents(family, number, ids=ids)
    return put(folder / "gold.jsonl", gold), put(folder / "pred.jsonl", pred)


def whole(gold: str, pred: str, **options: Any) -> Result:
    """Return the result of reading both files at once."""
    return evaluate(gold, pred, run=Running(memory="spans"), **grouped(options))


def told(result: Result, *, without: Sequence[str] = ()) -> Json:
    """Return the JSON of a result, but for what may differ."""
    return {key: value for key, value in result.to_dict().items() if key not in ("timings", "memory", *without)}


def same_rows(one: Result, other: Result) -> None:
    """Check that all figures are the same to the digit, undefined ones too."""
    assert [repr(row) for row in one.rows] == [repr(row) for row in other.rows]


def same(one: Result, other: Result) -> None:
    """Check that two results are the same to the digit."""
    same_rows(one, other)
    assert told(one) == told(other)


def close(one: Result, other: Result, bounds: float = 1e-12, *, intervals: bool = True) -> None:
    """Check that whole numbers are the same and that other numbers agree."""
    assert len(one.rows) == len(other.rows)
    for ours, theirs in zip(one.rows, other.rows, strict=True):
        where = (ours.measure, ours.rate, ours.average, ours.label)
        assert where == (theirs.measure, theirs.rate, theirs.average, theirs.label)
        assert (ours.documents, ours.undefined) == (theirs.documents, theirs.undefined), where
        for name, limit in (("value", 1e-12), ("std", 1e-12), ("low", bounds), ("high", bounds)):
            a, b = getattr(ours, name), getattr(theirs, name)
            if a is None or b is None or math.isnan(a) or math.isnan(b):
                assert repr(a) == repr(b), (where, name)
            elif intervals or name not in ("low", "high"):
                assert a == pytest.approx(b, abs=limit, rel=limit), (where, name)
    parts = ("counts", "confusion", "errors", "signatures", "documents", "inputs", "settings", "curve")
    ours, theirs = one.to_dict(), other.to_dict()
    for part in parts:
        assert ours[part] == theirs[part], part


def refusal(gold: Any, pred: Any, **options: Any) -> tuple[type[Exception], str]:
    """Return with what an evaluation is refused."""
    with pytest.raises(SpanscopeError) as caught:
        evaluate(gold, pred, **grouped(options))
    return type(caught.value), str(caught.value)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make blocks and temporary files so small that there are several."""
    monkeypatch.setattr(blocks, "LINES", 7)
    monkeypatch.setattr(streaming, "ROOM", 2000)
