"""F1, rank-biased precision and how much is judged: figures of other tools, and cases worked by hand."""

from typing import Any

import pytest

import spanscope
from spanscope.measures.passages import answer_texts, legal_texts
from tests.oracle import oracle

TOLD = oracle("browsing")
MEASURES = {
    "rbp_0.8": "passages.rbp(p=0.8)",
    "rbp_0.5": "passages.rbp(p=0.5)",
    "rbp_0.95": "passages.rbp(p=0.95)",
    "ranx_rbp_0.8": "passages.rbp(p=0.8)",
    "judged_3": "passages.judged(k=3)",
    "judged_10": "passages.judged(k=10)",
    "f1_1": "passages.f1(k=1)",
    "f1_3": "passages.f1(k=3)",
    "f1_10": "passages.f1(k=10)",
}


@pytest.mark.parametrize("name", MEASURES)
def test_figures_of_other_tools(name: str) -> None:
    """ir_measures with cwl_eval, and ranx, query by query."""
    seen = 0
    for case in TOLD["cases"]:
        result = spanscope.evaluate(case["qrels"], case["run"], MEASURES[name], ci=False)
        rate = result.rows[0].rate
        found = {row["document"]: row[rate] for row in result.by_document()}
        assert found == pytest.approx(case["want"][name], abs=1e-12)
        seen += len(found)
    assert seen > 100


def one(gold: list[Any], passages: list[Any], *measures: str) -> dict[str, float]:
    sides = ([{"query": "q", "snippets": gold}], [{"query": "q", "retrieved_passages": passages}])
    result = spanscope.evaluate(*sides, list(measures), ci=False)
    return {row.rate: row.value for row in result.rows if row.average == "document"}


def test_by_texts() -> None:
    """Relevant at ranks 1 and 3, rank 2 judged and not relevant, rank 4 unknown; three gold answers."""
    gold: list[Any] = ["cat", "dog", "cow", {"answer": "bird", "relevance": 0}]
    found = one(
        gold,
        ["a cat", "a bird", "the dog", "nothing"],
        *("passages.rbp(p=0.5)", "passages.judged(k=4)", "passages.f1(k=4)"),
    )
    assert found["rbp"] == 0.5 * (1 + 0.25)
    assert found["residual"] == 0.5**4 + 0.5 * 0.125
    assert found["judged"] == 3 / 4
    assert found["f1"] == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))


def test_a_cutoff_leaves_the_rest_open() -> None:
    found = one(["cat"], ["a cat", "the cat"], "passages.rbp(p=0.8, k=1)")
    assert found["rbp"] == pytest.approx(0.2)
    assert found["residual"] == pytest.approx(0.8)


def test_several_cutoffs_and_nothing_retrieved() -> None:
    qrels, run = {"a": {"x": 1}, "b": {"x": 1}}, {"a": {"x": 1.0, "y": 0.5}, "b": {}}
    result = spanscope.evaluate(
        qrels, run, ["passages.judged", "passages.f1"], ci=False, score=spanscope.Scoring(k=[1, 2])
    )
    means = [row for row in result.rows if row.average == "document"]
    value = {(row.measure.partition("(")[0], "k=2" in row.measure): row.value for row in means}
    assert value["passages.judged", False] == 1.0  # b has no passages, and is left out
    assert value["passages.judged", True] == 0.5
    assert value["passages.f1", False] == 0.5  # b counts 0
    assert value["passages.f1", True] == pytest.approx((2 / 3) / 2)


def test_three_figures_called_ndcg() -> None:
    """The case of docs/passages.md: A, A again, then A and B; worked out there by the formulas of all three."""
    found = one(["cat", "dog"], ["a cat", "the cat", "cat and dog"], "passages.ranking")
    third = 1 / 1.584962500721156  # 1 / log2 3
    assert found["ndcg"] == pytest.approx(1.5 / (1 + third))
    assert round(1.5 / (1 + third), 4) == 0.9197
    assert round((1.5 + third) / (1 + third), 4) == 1.3066  # the document's own formula
    script = legal_texts.legal_query(["a cat", "the cat", "cat and dog"], ["cat", "dog"], 10, answer_texts.words)
    assert script["ndcg"] == pytest.approx(1.0)
