"""Where there is no interval and no p, the report says why."""

from __future__ import annotations

from typing import Any

import spanscope
from spanscope import Ci

Documents = list[dict[str, Any]]


def documents(number: int, rare: int = 0) -> Documents:
    """Return documents with spans of A and B; in so many of them there is one of C, too."""
    out: Documents = []
    for n in range(number):
        spans = [{"start": 5 * at, "end": 5 * at + 4, "label": "AB"[at % 2]} for at in range(2 + n % 3)]
        spans += [{"start": 90, "end": 94, "label": "C"}] if n < rare else []
        out.append({"id": f"d{n}", "source": "xy"[n % 2], "spans": spans})
    return out


def with_errors(gold: Documents) -> Documents:
    """Return predictions that lack the first span of every third document."""
    return [one | {"spans": one["spans"][n % 3 == 0 :]} for n, one in enumerate(gold)]


def said(found: object) -> str:
    return " ".join(str(found).split())


def test_a_single_document() -> None:
    gold = documents(1)
    words = "No intervals: a single document does not show how much figures vary."
    assert words in said(spanscope.evaluate(gold, with_errors(gold), "spans.exact"))
    assert words not in said(spanscope.evaluate(gold, with_errors(gold), "spans.exact", ci=False))
    assert words not in said(spanscope.evaluate(documents(2), documents(2), "spans.exact"))


def test_labels_in_two_documents() -> None:
    words = "No interval (–): the label occurs in fewer than 3 documents."
    for rare in (1, 2, 3):
        gold = documents(30, rare)
        found = spanscope.evaluate(gold, with_errors(gold), "spans.exact")
        row = next(row for row in found.rows if (row.rate, row.label) == ("f1", "C"))
        assert (row.low is None) == (rare < 3)
        assert (words in said(found)) == (rare < 3)


def test_labels_in_two_groups() -> None:
    gold = [one | {"author": n // 2} for n, one in enumerate(documents(60, 4))]
    found = spanscope.evaluate(gold, with_errors(gold), "spans.exact", group="author")
    assert "No interval (–): the label occurs in fewer than 3 groups of documents." in said(found)


def test_agreement_that_never_varies() -> None:
    gold = documents(30)
    words = "No interval (–): the figure is the same whichever documents are drawn."
    asked: dict[str, Any] = {"measures": ["spans.exact"], "ci": Ci(resamples=50)}
    assert words in said(spanscope.agree(gold, gold, **asked))
    assert words not in said(spanscope.agree(gold, with_errors(gold), **asked))


def test_differences_of_rare_labels_and_of_equal_runs() -> None:
    same, rare = "the difference is the same whichever documents", "for labels in fewer than 3 documents"
    dash = "Detectable is a dash (–) where fewer than 6 documents, or none that differ"
    asked: dict[str, Any] = {"measures": "spans.exact", "trials": 50, "ci": Ci(resamples=50)}

    def compared(rare: int, other: bool) -> str:
        gold = documents(30, rare)
        worse = [one | {"spans": one["spans"][1 + n % 2 :]} for n, one in enumerate(gold)]
        wrong = [[{"start": 99, "end": 100 + n % 2, "label": "AB"[n % 2]}] * (n % 3) for n in range(30)]
        lost = [one | {"spans": [*one["spans"][1 : n % 4], *wrong[n]]} for n, one in enumerate(gold)]
        return said(spanscope.compare(gold, worse, lost if other else worse, **asked))

    assert [words in compared(0, False) for words in (same, rare, dash)] == [True, False, True]
    assert [words in compared(0, True) for words in (same, rare, dash)] == [False, False, False]
    assert [words in compared(2, True) for words in (same, rare, dash)] == [False, True, True]


def test_slices_without_a_rest() -> None:
    words = "No p (–): there is no rest, or the slice or the rest is in too few documents"
    gold = documents(30)
    both = [one | {"source": "x"} for one in gold]
    assert words in said(spanscope.evaluate(both, with_errors(gold), "spans.exact", by=["source"]))
    assert words not in said(spanscope.evaluate(gold, with_errors(gold), "spans.exact", by=["source"]))
