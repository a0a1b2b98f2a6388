"""Documents of the two sides beside each other: missing, extra, repeated, by position, and in batches."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.counts import merge
from spanscope.data.problems import Problem
from spanscope.errors import DocumentError, InputError
from spanscope.families import FAMILIES, SPANS
from spanscope.sides.comparison import Comparison
from spanscope.sides.join import join
from tests.cli import refused, run, write
from tests.strategies import corpora
from tests.support import NAMES, Json, measures_of, rows

GOLD = [{"id": key, "spans": [[0, 1, "A"]]} for key in ("a", "b", "c")]
MISSING = (
    "  expected  every document of gold, with an empty list where nothing was found\n"
    "  try       --missing empty   to count them as nothing found, --missing skip to leave them out"
)
EXTRA = "  expected  only documents of gold\n  try       --extra skip   to leave them out"
Row = tuple[str, int, int, str]


def beside(gold: Any, pred: Any, **options: Any) -> tuple[Comparison, list[Problem]]:
    return join(spanscope.read(gold, name="gold"), spanscope.read(pred, name="pred"), **options)


def refusal(gold: Any, pred: Any, **options: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        beside(gold, pred, **options)
    return str(caught.value)


def placed(c: Comparison, side: str) -> list[Row]:
    """Return the spans of a side: document, start, end, label."""
    spans = c.sides[side]
    return [
        (c.names[doc], int(start), int(end), c.labels[label])
        for doc, start, end, label in zip(spans.doc, spans.start, spans.end, spans.label, strict=True)
    ]


# ---------------------------------------------------------------- missing and extra documents


def test_the_same_documents_in_another_order() -> None:
    c, problems = beside(GOLD, GOLD[::-1])
    assert list(c.names) == ["a", "b", "c"]
    assert placed(c, "gold") == placed(c, "pred") == [(key, 0, 1, "A") for key in "abc"]
    assert problems == []


def test_missing_is_an_error() -> None:
    assert refusal(GOLD, GOLD[:2]) == f"pred has no document 'c'\n{MISSING}"
    assert refusal(GOLD, GOLD[:1]) == f"pred has no document 'b' (and 1 more of 3)\n{MISSING}"
    assert refusal(GOLD, []).startswith("pred has no document ")


def test_missing_as_empty() -> None:
    c, problems = beside(GOLD, GOLD[1:2], missing="empty")
    assert list(c.names) == ["a", "b", "c"]
    assert placed(c, "pred") == [("b", 0, 1, "A")]
    what = "2 documents of gold are missing here, counted as nothing found; first 'a'"
    assert [(p.kind, p.where, p.what, p.number) for p in problems] == [("missing document", "pred", what, 2)]
    assert spanscope.evaluate(GOLD, GOLD[1:2], "spans.exact", missing="empty").totals() == {
        "tp": 1,
        "pred": 1,
        "gold": 3,
    }


def test_missing_left_out() -> None:
    c, problems = beside(GOLD, GOLD[1:], missing="skip")
    assert list(c.names) == ["b", "c"]
    assert placed(c, "gold") == [("b", 0, 1, "A"), ("c", 0, 1, "A")]
    assert [(p.kind, p.where, p.number) for p in problems] == [("missing document", "pred", 1)]
    assert problems[0].what.startswith("1 document of gold is missing here, left out")


def test_extra_is_an_error() -> None:
    assert refusal(GOLD[:2], GOLD) == f"gold has no document 'c', pred has\n{EXTRA}"
    assert refusal(GOLD[:1], GOLD) == f"gold has no document 'b', pred has (and 1 more of 3)\n{EXTRA}"


def test_extra_left_out() -> None:
    c, problems = beside(GOLD[:1], GOLD, extra="skip")
    assert list(c.names) == ["a"]
    assert placed(c, "pred") == [("a", 0, 1, "A")]
    what = "2 documents are not in gold, left out; first 'b'"
    assert [(p.kind, p.where, p.what, p.number) for p in problems] == [("extra document", "pred", what, 2)]


def test_missing_and_extra() -> None:
    gold, pred = GOLD[:2], GOLD[1:]
    assert refusal(gold, pred) == f"pred has no document 'a'\n{MISSING}"
    assert refusal(gold, pred, missing="skip") == f"gold has no document 'c', pred has\n{EXTRA}"
    assert list(beside(gold, pred, missing="skip", extra="skip")[0].names) == ["b"]
    assert list(beside(gold, pred, missing="empty", extra="skip")[0].names) == ["a", "b"]


def test_nothing_in_common() -> None:
    result = spanscope.evaluate(GOLD[:1], GOLD[1:], "spans.exact", missing="skip", extra="skip")
    assert result.documents == 0
    assert result.problems.number == {"missing document": 1, "extra document": 2, "nothing in common": 1}
    assert np.isnan(result.value())


def test_nothing_on_either_side() -> None:
    result = spanscope.evaluate([], [], "spans.exact")
    assert (result.documents, result.totals()) == (0, {"tp": 0, "pred": 0, "gold": 0})


# ---------------------------------------------------------------- repeated ids

TWICE = [
    {"id": "q", "spans": [[0, 1, "A"]]},
    {"id": "r", "spans": []},
    {"id": "q", "spans": [[5, 6, "A"]]},
    {"id": "q", "spans": [[7, 8, "A"]]},
]


def test_repeated_is_an_error() -> None:
    tail = (
        "  expected  one document for each id\n  try       --repeated number   to pair repeated ids in their order"
    )
    assert refusal(TWICE, GOLD) == f"gold[2]: the id 'q' is repeated (first at gold[0])\n{tail}"
    assert refusal(GOLD, TWICE[::-1]) == f"pred[1]: the id 'q' is repeated (first at pred[0])\n{tail}"


def test_repeated_are_numbered() -> None:
    c, _ = beside(TWICE, [TWICE[0], TWICE[2], TWICE[3], TWICE[1]], repeated="number")
    assert list(c.names) == ["q", "r", "q#2", "q#3"]
    assert placed(c, "gold") == placed(c, "pred") == [("q", 0, 1, "A"), ("q#2", 5, 6, "A"), ("q#3", 7, 8, "A")]


def test_repeated_less_often_on_one_side() -> None:
    assert refusal(TWICE, TWICE[:3], repeated="number") == f"pred has no document 'q#3'\n{MISSING}"


def test_a_numbered_id_that_is_taken() -> None:
    """The id `q#2` of a document of its own must not be confused with the second `q`."""
    documents = [{"id": key, "spans": [[n, n + 1, "A"]]} for n, key in enumerate(("q", "q", "q#2"))]
    c, _ = beside(documents, documents, repeated="number")
    assert len(set(c.names)) == 3
    c, _ = beside(documents, documents[::-1], repeated="number")
    assert {row[1] for row in placed(c, "gold") if row in placed(c, "pred")} >= {2}
    assert len(placed(c, "gold")) == len(placed(c, "pred")) == 3


# ---------------------------------------------------------------- without ids


def test_by_position() -> None:
    nameless = [{"spans": d["spans"]} for d in GOLD]
    c, _ = beside(nameless, nameless)
    assert list(c.names) == ["#1", "#2", "#3"]
    assert refusal(nameless, nameless[:2]) == (
        "gold has 3 documents, pred has 2, and neither has ids\n"
        "  expected  as many documents on both sides, in the same order, or an id on each\n"
        "  try       --field id=NAME   if the ids stand under another name"
    )


def test_ids_on_one_side_only() -> None:
    nameless = [{"spans": d["spans"]} for d in GOLD]
    tail = (
        "  expected  ids on both sides, or on neither (documents are then paired by position)\n"
        "  try       --field id=NAME   if the ids of one file stand under another name"
    )
    assert refusal(GOLD, nameless) == f"pred has no document ids, gold has\n{tail}"
    assert refusal(nameless, GOLD) == f"gold has no document ids, pred has\n{tail}"


def test_columns_beside_documents() -> None:
    """Columns hold no empty documents, so one that only the other side has counts as empty there."""
    columns = {"doc": ["b"], "start": [0], "end": [1], "label": ["A"]}
    for gold, pred in ((GOLD, columns), (columns, GOLD)):
        c, problems = beside(gold, pred)
        assert sorted(c.names) == ["a", "b", "c"]
        assert [(one.kind, one.number) for one in problems] == [("no row", 2)]


# ---------------------------------------------------------------- texts


def test_texts_that_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    gold = [{"id": n, "text": f"text {n}", "spans": []} for n in range(3)]
    pred = [gold[2], {"id": 1, "spans": []}, {**gold[0], "text": "TEXT 0"}]
    write(Path("gold.jsonl"), gold)
    write(Path("pred.jsonl"), pred)
    what = "the text differs from the text of the same document at gold.jsonl:1"
    result = spanscope.evaluate("gold.jsonl", "pred.jsonl", "spans.exact")
    assert result.problems.number == {"different texts": 1}
    assert result.problems.first == {"different texts": [f"pred.jsonl:3: {what}"]}
    assert result.comparison.texts is not None
    assert result.comparison.texts.tolist() == ["text 0", "text 1", "text 2"]
    with pytest.raises(InputError) as caught:
        spanscope.evaluate("gold.jsonl", "pred.jsonl", "spans.exact", score=spanscope.Scoring(strict=True))
    strict = (
        f"pred.jsonl:3: {what}\n  expected  no data problems, as --strict asks\n"
        "  try       spanscope check   to list them all"
    )
    assert str(caught.value) == strict
    assert refused(run("eval", "gold.jsonl", "pred.jsonl", "-m", "spans.exact", "--strict")) == f"{strict}\n"


def test_texts_of_one_side_serve_both() -> None:
    text = [{"id": 1, "text": "Anna met Bob.", "spans": [[0, 4, "A"]]}]
    bare = [{"id": 1, "spans": [[0, 4, "A"]]}]
    for gold, pred in ((text, bare), (bare, text)):
        assert spanscope.evaluate(gold, pred, "spans.text").value() == 1.0


def test_strict_lets_pass_what_was_asked_for() -> None:
    result = spanscope.evaluate(
        GOLD, GOLD[:1], "spans.exact", missing="skip", score=spanscope.Scoring(strict=True)
    )
    assert result.problems.number == {"missing document": 2}


# ---------------------------------------------------------------- labels

MIXED = [{"id": 1, "spans": [[0, 1, "A"], [2, 3, "B"], [4, 5, "C"], [6, 7, "B"]]}]


def test_labels_are_those_of_both_sides() -> None:
    c, _ = beside(MIXED, [{"id": 1, "spans": [[0, 1, "Z"]]}])
    assert c.labels == ("A", "B", "C", "Z")


def test_labels_restricted() -> None:
    c, problems = beside(MIXED, [{"id": 1, "spans": [[0, 1, "A"]]}], labels=["C", "A", "none"])
    assert c.labels == ("C", "A", "none")
    assert placed(c, "gold") == [("1", 0, 1, "A"), ("1", 4, 5, "C")]
    assert placed(c, "pred") == [("1", 0, 1, "A")]
    assert [(p.kind, p.where, p.what, p.number) for p in problems] == [
        ("other label", "gold", "2 spans of other labels left out: B", 2)
    ]


def test_labels_restricted_on_the_command_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", MIXED)
    done = run("eval", path, path, "-m", "spans.exact", "--labels", "A, B", "-f", "csv")
    assert done.code == 0
    assert "spans.exact(duplicates=list),f1,macro,,1.0,,,1,0,,,\n" in done.out


def test_labels_that_nothing_has() -> None:
    result = spanscope.evaluate(MIXED, MIXED, "spans.exact", labels=["Z"])
    assert result.counts() == {"Z": {"tp": 0, "pred": 0, "gold": 0}}
    assert np.isnan(result.value())


# ---------------------------------------------------------------- batches


def texts(c: Comparison, side: str) -> list[str | None]:
    found = c.text(side)
    return [] if found is None else found.tolist()


@given(corpora(), st.integers(1, 4))
def test_batches_hold_the_whole(sides: tuple[list[Json], list[Json]], size: int) -> None:
    whole, _ = beside(*sides)
    parts = list(whole.batches(size))
    for side in ("gold", "pred"):
        assert [row for part in parts for row in placed(part, side)] == placed(whole, side)
        assert [text for part in parts for text in texts(part, side)] == texts(whole, side)
        assert [part.rows.get(side, 0) for part in parts] == [
            sum(len(earlier.sides[side]) for earlier in parts[:n]) for n in range(len(parts))
        ]
    assert [name for part in parts for name in part.names] == list(whole.names)
    assert all(part.labels == whole.labels for part in parts)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_batches_count_the_same(name: str, data: st.DataObject) -> None:
    whole, _ = beside(*data.draw(corpora()))
    measure = data.draw(st.sampled_from(measures_of(name)))
    parts = [measure(part).counts for part in whole.batches(data.draw(st.integers(1, 3)))]
    assert rows(merge(parts)) == rows(measure(whole).counts)


@given(corpora())
def test_results_of_batches(sides: tuple[list[Json], list[Json]]) -> None:
    """The errors, the curve and the matches do not depend on how documents are cut into batches."""
    from spanscope.commands.evaluate import evaluate

    with pytest.MonkeyPatch.context() as patch:
        results = []
        for size in (1, 2, 10):
            patch.setitem(FAMILIES, "spans", SPANS._replace(batch=size))
            results.append(evaluate(*sides).to_dict(matches=True, documents=True))
    for result in results:
        del result["timings"]
    assert results[0] == results[1] == results[2]
