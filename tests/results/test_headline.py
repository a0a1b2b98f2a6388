"""One figure leads: the table, `value()`, the signature, gates, comparisons and pages all mean the same one."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import spanscope
from spanscope import Scoring
from spanscope.results.gate import missed_gates
from spanscope.serve.job_files import summary_of
from spanscope.settings.protocols import Protocol
from spanscope.viewer.payload import payload

Json = dict[str, Any]


def cut(name: str, *boundaries: int) -> Json:
    """Return a document of ten characters, cut at the boundaries."""
    edges = [0, *boundaries, 10]
    return {"id": name, "text": "abcdefghij", "segments": [[a, b] for a, b in pairwise(edges)]}


# a: 1 of 4 boundaries is found and nothing else, F1 = 2 * 1 / (4 + 1) = 0.4; b: F1 = 1. The mean is 0.7; of the
# sums of both, 2 found of 5 with 2 predicted, it is 4 / 7 = 0.571.
GOLD = [cut("a", 2, 4, 6, 8), cut("b", 5)]
PRED = [cut("a", 2), cut("b", 5)]
MEASURE = "segments.boundaries(tolerance=0)"


def segmentations() -> spanscope.Result:
    return spanscope.evaluate(GOLD, PRED, MEASURE, ci=False)


def marked(result: Any) -> str:
    """Return the line of the report that is marked as the primary figure."""
    return next(line for line in result.table().splitlines() if line.startswith("▸"))


def test_segmentations_lead_with_the_mean_over_documents() -> None:
    result = segmentations()
    assert result.value("f1", average="micro") == pytest.approx(4 / 7)
    assert result.value() == result.value("f1") == pytest.approx(0.7)
    assert marked(result).split()[:4] == ["▸", MEASURE, "f1", "0.7000"]
    assert "|avg:document|" in result.signature()
    assert repr(result).startswith(f"<Result of {MEASURE}: f1 0.7 (document), ")
    assert result.to_dict()["headline"] == {
        "measure": str(result.measures[0]),
        "rate": "f1",
        "average": "document",
    }


def test_gates_test_the_headline() -> None:
    assert not missed_gates(segmentations(), ["f1=0.65"])
    assert [str(one) for one in missed_gates(segmentations(), ["f1=0.75"])] == ["f1 is 0.7, below 0.75"]
    assert [one.value for one in missed_gates(segmentations(), ["micro_f1=0.65"])] == [pytest.approx(4 / 7)]


def test_ceilings_test_the_headline() -> None:
    result = spanscope.evaluate(GOLD, PRED, "segments.pk", ci=False)
    mean = result.value("pk", average="document")
    assert mean != result.value("pk", average="micro")
    assert [one.value for one in missed_gates(result, ceilings=["pk=0"])] == [mean]


def test_comparisons_lead_with_it() -> None:
    compared = spanscope.compare(GOLD, PRED, GOLD, measures=MEASURE, trials=100)
    row = compared.value()
    assert (row.average, row.rate, row.base, row.value) == ("document", "f1", pytest.approx(0.7), 1.0)
    assert compared.value("f1") == row
    assert compared.to_dict()["headline"]["average"] == "document"


def test_pages_and_the_list_of_runs_lead_with_it() -> None:
    result = segmentations()
    page = payload(result)
    assert page["measures"][page["headline"]]["lead"] == {"rate": "f1", "average": "document"}
    assert "|avg:document|" in page["line"]
    from spanscope.commands.runs import of_result

    figure = summary_of(of_result(result), result.rows)["figure"]
    assert (figure["rate"], figure["average"], figure["value"]) == ("f1", "document", pytest.approx(0.7))


def test_plans_are_about_it() -> None:
    gold = [*GOLD, *(cut(name, 3, 6) for name in "cdef")]
    pred = [*PRED, *(cut(name, 3) for name in "cdef")]
    found = spanscope.plan(spanscope.evaluate(gold, pred, MEASURE, ci=False), detect=0.1)
    assert (found.rate, found.average) == ("f1", "document")


def retrieved() -> spanscope.Result:
    """Return what LegalBench-RAG's rules make of two queries: all 10 characters found, and 0 of 90."""
    gold = [
        {"query": "one", "snippets": [{"file_path": "f", "span": [0, 10]}]},
        {"query": "two", "snippets": [{"file_path": "f", "span": [100, 190]}]},
    ]
    pred = [
        {"query": "one", "retrieved": [{"file_path": "f", "span": [0, 10]}]},
        {"query": "two", "retrieved": [{"file_path": "f", "span": [300, 310]}]},
    ]
    return spanscope.evaluate(gold, pred, protocol="legalbench-rag", ci=False)


def test_passages_lead_with_the_mean_over_queries() -> None:
    result = retrieved()
    assert result.value("recall", average="micro") == pytest.approx(0.1)
    assert result.value() == result.value("recall") == pytest.approx(0.5)
    assert not missed_gates(result, ["recall=0.4"])
    assert marked(result).split()[:4] == ["▸", "passages.legalbench_rag(k=1000000)", "recall", "0.5000"]


def spans(name: str, *labelled: tuple[int, int, str]) -> Json:
    return {"id": name, "spans": [{"start": a, "end": b, "label": label} for a, b, label in labelled]}


# By document: a has 1 of 1 predicted right and finds 1 of 3, b 1 of 4 right and finds 1 of 1.
# F1 is 2 / 4 and 2 / 5; F2 = 5 tp / (4 gold + pred) is 5 / 13 and 5 / 8. The worst is b by F1, a by F2.
WIDE = [spans("a", (0, 2, "X"), (3, 5, "X"), (6, 8, "Y")), spans("b", (0, 2, "X"))]
FOUND = [spans("a", (0, 2, "X")), spans("b", (0, 2, "X"), (3, 5, "X"), (6, 8, "X"), (9, 11, "X"))]


def test_f_beta_leads_where_a_beta_is_asked_for() -> None:
    usual = spanscope.evaluate(WIDE, FOUND, "spans.exact", ci=False)
    assert [one["document"] for one in usual.by_document(worst=True)] == ["b", "a"]
    result = spanscope.evaluate(WIDE, FOUND, "spans.exact", ci=False, score=Scoring(beta=2))
    assert [one["document"] for one in result.by_document(worst=True)] == ["a", "b"]
    assert result.value() == pytest.approx(5 * 2 / (4 * 4 + 5))
    assert usual.value() == pytest.approx(2 * 2 / (4 + 5))
    assert "f2 " in repr(result)


def test_a_curve_has_the_rate_that_leads() -> None:
    result = spanscope.evaluate(WIDE, FOUND, "spans.iou(threshold=0.5)", ci=False, score=Scoring(beta=2))
    last = result.curve()[-1]
    assert (last.f1, last.value) == (pytest.approx(4 / 9), pytest.approx(10 / 21))
    # X: 2 of 3 found with 5 predicted, F2 = 10 / (12 + 5); Y: never predicted, 0.
    assert last.macro == pytest.approx((10 / 17 + 0) / 2)
    assert "Macro F2" in result.table()


def test_a_protocol_can_declare_the_rate_that_leads() -> None:
    ours = Protocol("ours", "Recall leads.", ("spans.exact", "spans.overlap"), rate="recall")
    result = spanscope.evaluate(WIDE, FOUND, protocol=ours, ci=False)
    assert result.value() == result.value("recall") == pytest.approx(2 / 4)
    assert "Macro Recall" in result.table()
    assert [one["document"] for one in result.by_document(worst=True)] == ["a", "b"]


def test_every_form_of_a_report_marks_the_primary_figure() -> None:
    """Of segmentations the row that leads is not the first of its table."""
    result = spanscope.evaluate(GOLD, PRED, [MEASURE, "segments.overlap"], ci=False)
    own = result.settings.headline
    name, value = own.rate.name, f"{result.value():.4f}"
    first = next(row for row in result.rows if row.average == own.average)
    assert (first.measure, first.rate) != (str(own.measure), name)
    lines = {form: result.table(form) for form in ("table", "markdown", "latex")}
    assert f"▸ {own.measure.short}" in lines["table"]
    row = next(line for line in lines["markdown"].splitlines() if line.startswith("| ▸"))
    assert row.split(" | ")[1:3] == [name, value]
    assert "## Overall (▸ primary figure)" in lines["markdown"]
    assert f"\\caption{{Overall. Primary figure: {own.measure.short}" in lines["latex"].replace("\\_", "_")
    html = result._repr_html_()
    assert "(▸ primary figure)</caption>" in html
    assert f">▸ {own.measure.short}<" in html


@pytest.mark.parametrize("runs", [2, 3])
def test_comparisons_mark_the_primary_figure_and_sign_it(runs: int) -> None:
    gold = [{"id": "1", "spans": [[0, 4, "A"], [5, 9, "B"]]}, {"id": "2", "spans": [[0, 4, "A"]]}]
    pred = [{"id": "1", "spans": [[0, 4, "A"]]}, {"id": "2", "spans": [[0, 4, "A"]]}]
    named = [(str(n), pred) for n in range(runs)]
    found = spanscope.compare(gold, *named, measures=["spans.exact", "spans.iou"], trials=9)
    rows = [line.split() for line in found.table().splitlines() if line.startswith("▸")]
    # 2 of 3 gold spans are found, by 2 predictions: F1 = 4 / 5, the mean of the rows of the headline.
    assert [row[1:3] for row in rows] == [["micro", "f1"]] * (runs - 1)
    assert all("0.8000" in row for row in rows)
    assert found.table().count("▸ primary figure") == 1
    assert "|avg:micro|" in found.table().splitlines()[-1]


def test_queries_and_segments_are_called_so() -> None:
    queries = [{"id": "q", "query": "?", "snippets": [{"text": "x"}]}]
    found = [{"id": "q", "query": "?", "retrieved_passages": [{"text": "x"}]}]
    assert "a, b: 1 query," in spanscope.compare(queries, ("a", found), ("b", found), trials=9).table()
    assert "2 documents, 7 segments" in spanscope.evaluate(GOLD, PRED, MEASURE, ci=False).table()
