"""True and false positives and false negatives by label, exact beside relaxed, the diagonal, labels left out."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

import spanscope

TEXT = "The old librarian shall renew the overdue loan of a member today."
#       0   4   8        17    24    30  34      42   47 50 52     59
# Actor: found exactly, and once too long (a boundary error); Action: never predicted; Thing: one that gold lacks.
GOLD = [(8, 17, "Actor"), (52, 58, "Actor"), (24, 29, "Action")]
PRED = [(8, 17, "Actor"), (50, 58, "Actor"), (42, 46, "Thing")]


def document(spans: list[tuple[int, int, str]]) -> list[dict[str, Any]]:
    return [{"id": 1, "text": TEXT, "spans": [{"start": a, "end": b, "label": name} for a, b, name in spans]}]


@pytest.fixture(scope="module")
def result() -> spanscope.Result:
    return spanscope.evaluate(document(GOLD), document(PRED), ci=False)


def table(result: spanscope.Result, title: str) -> list[str]:
    """Return the lines of a table below its head and rule."""
    lines = result.table().splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(title))
    rows = lines[first + 1 :]
    return rows[: rows.index("")]


def test_the_table_of_labels(result: spanscope.Result) -> None:
    """Relaxed at 0.5, Actor: IoU 6/8, "a member" and "member" 12/14 alike: 0.65 * 0.75 + 0.35 * 0.857 = 0.79."""
    head, _, *rows = table(result, "By label: spans.exact")
    names = ["Label", "Precision", "Recall", "F1", "Relaxed 0.5 F1", "TP", "FP", "FN", "Support", "Share"]
    assert [name.strip() for name in head.split("  ") if name.strip()] == names
    assert [row.split() for row in rows] == [
        ["Actor", "0.5000", "0.5000", "0.5000", "1.0000", "1", "1", "1", "2", "66.7", "%"],
        ["Action", "–", "0.0000", "0.0000", "0.0000", "0", "0", "1", "1", "33.3", "%"],
        ["Thing", "0.0000", "–", "0.0000", "0.0000", "0", "1", "0", "0", "0.0", "%"],
    ]


def test_exact_stands_beside_relaxed() -> None:
    result = spanscope.evaluate(document(GOLD), document(PRED), protocol="reqflow", ci=False)
    head, _, actor, *_ = table(result, "By label: spans.relaxed(threshold=0.5)")
    assert "Exact F1" in head
    assert actor.split()[3:5] == ["1.0000", "0.5000"]


def test_counts_in_the_csv(result: spanscope.Result) -> None:
    rows = list(csv.DictReader(io.StringIO(result.table("csv"))))
    assert [*rows[0]][:9] == [
        *("measure", "rate", "average", "label", "value", "low", "high", "documents", "undefined")
    ]
    exact = [row for row in rows if row["measure"].startswith("spans.exact") and row["rate"] == "f1"]
    found = {(row["average"], row["label"]): (row["tp"], row["fp"], row["fn"]) for row in exact}
    assert found["micro", ""] == ("1", "2", "2")
    assert found["label", "Actor"] == ("1", "1", "1")
    assert found["label", "Thing"] == ("0", "1", "0")
    assert found["macro", ""] == found["document", ""] == ("", "", "")


def test_the_diagonal_says_what_it_counts(result: spanscope.Result) -> None:
    """Both pairs of Actor stand on the diagonal, and one of them is a match."""
    head, _, *rows = table(result, "Confusion")
    assert head.split()[-1] == "TP"
    actor = next(row for row in rows if "Actor" in row).split()
    assert (actor[3], actor[-1]) == ("2", "1")
    assert "The diagonal counts all pairs with the same label, even with wrong boundaries" in " ".join(rows)


def test_a_diagonal_of_matches_alone_says_nothing() -> None:
    same = spanscope.evaluate(document(GOLD), document(GOLD), ci=False)
    head, _, *rows = table(same, "Confusion")
    assert "TP" not in head
    assert "wrong boundaries" not in " ".join(rows)


def test_labels_left_out_of_macro_are_named() -> None:
    """presidio-evaluator's F is undefined for a type without predictions, so its mean over types is 1."""
    tokens = {"tokens": ["John", "visited", "Boston"]}
    both = {**tokens, "tags": ["PERSON", "O", "LOCATION"], "predicted_tags": ["PERSON", "O", "O"]}
    result = spanscope.evaluate([both], protocol="presidio", ci=False)
    measure = "tokens.presidio_evaluator"
    assert result.value("recall", measure, label="LOCATION") == 0.0
    assert result.value("f2", measure, "macro") == 1.0
    words = " ".join(result.table().split())
    assert "Macro F2 leaves out labels where it is undefined: 1 of 2 labels for tokens.presidio_evaluator" in words
    assert "(LOCATION)" in words


def test_two_sided_counts() -> None:
    """Two gold spans under one prediction that reaches neither: nothing found, one prediction wrong."""
    gold = document([(4, 7, "Actor"), (8, 17, "Actor")])
    pred = document([(0, 29, "Actor")])
    result = spanscope.evaluate(gold, pred, "tokens.presidio", ci=False)
    row = table(result, "By label: tokens.presidio")[2].split()
    assert row[4:7] == ["0", "1", "2"]


def test_partial_matches_count_by_half() -> None:
    result = spanscope.evaluate(document(GOLD), document(PRED), "spans.semeval(mode=partial)", ci=False)
    actor = table(result, "By label: spans.semeval(mode=partial)")[2].split()
    assert actor[4:7] == ["1.5", "0.5", "0.5"]


def test_a_confusion_of_accepted_matches_says_where_boundary_errors_stand() -> None:
    """PII accepts a span by how much of it is covered: what is not accepted is no pair, and has no F1 if fixed."""
    text = "Maria del Carmen Lopez was here."
    gold = [{"id": "a", "text": text, "spans": [{"start": 0, "end": 22, "label": "NAME"}]}]
    pred = [{"id": "a", "text": text, "spans": [{"start": 0, "end": 5, "label": "NAME"}]}]
    result = spanscope.evaluate(gold, pred, protocol="pii", ci=False)
    assert result.confusion() == {"NAME": {"(none)": 1}, "(none)": {"NAME": 1}}
    assert "the two spans of a boundary error stand under – on either side" in " ".join(table(result, "Confusion"))
    head, _, row = table(result, "Errors: tokens.presidio(threshold=0.75)")[:3]
    assert head.split() == ["Kind", "Number", "Share"]
    assert row.split() == ["boundary", "1", "100.0", "%"]
