"""Queries of both sides beside each other: ties, repeats, tabs, levels, nothing in common."""

from pathlib import Path

import pytest

import spanscope
from tests.cli import write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_equal_scores_are_ordered_by_identifier_whatever_the_form() -> None:
    passages = [{"id": "d1", "score": 1.0}, {"id": "d2", "score": 1.0}]
    sides = [{"id": "q", "snippets": [{"id": "d2"}]}], [{"id": "q", "retrieved_passages": passages}]
    for gold, pred in (sides, ({"q": {"d2": 1}}, {"q": {"d1": 1.0, "d2": 1.0}})):
        result = spanscope.evaluate(gold, pred, "passages.ranking(k=1)")
        assert result.value("recall", average="document") == 1.0


def test_numbered_repeats_are_nobody_else() -> None:
    """The second q is not the query that is called q#2."""
    gold = [{"query": "q", "snippets": ["a"]}, {"query": "q#2", "snippets": ["c"]}]
    pred = [{"query": "q", "retrieved_passages": ["a"]}, {"query": "q", "retrieved_passages": ["c"]}]
    with pytest.raises(spanscope.DocumentError, match="has no document"):
        spanscope.evaluate(gold, pred)


def test_tabs_part_beirs_judgements() -> None:
    write(Path("b.tsv"), "query-id\tcorpus-id\tscore\nq one\td 1\t1\nq two\td2\t1\n")
    result = spanscope.evaluate("b.tsv", {"q one": {"d 1": 1.0}, "q two": {"x": 1.0}})
    assert result.value("map", "passages.trec", "document") == 0.5


def test_trec_evals_report_heeds_the_level() -> None:
    sides = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    result = spanscope.evaluate(*sides, ["passages.trec(level=2)", "passages.trec_cut(k=7, level=2)"])
    report = result.table("trec_eval")
    assert "num_rel               \tall\t1\n" in report
    assert "P_7                   \tall\t0.1429\n" in report


def test_a_run_of_other_queries_is_told() -> None:
    result = spanscope.evaluate({"q": {"a": 1}}, {"r": {"a": 1.0}})
    assert result.problems.number["nothing in common"] == 1


@pytest.mark.parametrize("first", ["q Q0 d 1\n", "\ufeffq 0 d 1\n"])
def test_judgements_are_known_by_their_columns(first: str) -> None:
    write(Path("q.txt"), first)
    write(Path("r.txt"), "q 0 d 1 inf tag\nq 0 e 2 0.5 tag\n")
    assert spanscope.evaluate("q.txt", "r.txt").value("map", "passages.trec", "document") == 1.0


def test_json_whose_first_query_has_nothing() -> None:
    write(Path("q.json"), '{"q1": {}, "q2": {"d": 1}}')
    write(Path("r.json"), '{"q1": {"d": 1.0}, "q2": {"d": 1.0}}')
    assert spanscope.evaluate("q.json", "r.json").value("map", "passages.trec", "document") == 0.5


def test_scores_of_some_passages_are_told() -> None:
    passages = [{"text": "b", "score": 1}, {"text": "a"}]
    sides = [{"query": "q", "snippets": ["a"]}], [{"query": "q", "retrieved_passages": passages}]
    assert spanscope.evaluate(*sides).problems.number == {"scores missing": 1}


def test_worst_first_looks_at_the_other_rates_too() -> None:
    gold = [{"query": name, "snippets": ["x"]} for name in ("near", "far")]
    pred = [
        {"query": "near", "retrieved_passages": ["x"]},
        {"query": "far", "retrieved_passages": ["a", "b", "x"]},
    ]
    ordered = spanscope.evaluate(gold, pred).by_document(worst=True)
    assert [one["document"] for one in ordered] == ["far", "near"]


def test_beta_means_nothing_here() -> None:
    with pytest.raises(spanscope.MeasureError, match="F-beta"):
        spanscope.evaluate([{"query": "q", "snippets": ["x"]}], [{"query": "q", "retrieved_passages": []}], beta=2)


def test_scores_beyond_single_precision_are_infinite_to_trec_eval() -> None:
    """And so equal: the last identifier comes first, and without identifiers they stay as given."""
    passages = [{"text": "b", "score": 1e300}, {"text": "a", "score": 2e300}]
    sides = [{"query": "q", "snippets": ["a"]}], [{"query": "q", "retrieved_passages": passages}]
    assert spanscope.evaluate(*sides).value("mrr", average="document") == 0.5


def test_queries_ranked_in_parts_are_ranked_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = {f"q{n}": {f"d{n % 3}": 1, "x": 1} for n in range(9)}
    run = {f"q{n}": {f"d{k}": float(k % (n + 1)) for k in range(5)} for n in range(9)}
    whole = spanscope.evaluate(qrels, run, "passages.trec").by_document()
    monkeypatch.setattr("spanscope.ranking.TOGETHER", 2)
    assert spanscope.evaluate(qrels, run, "passages.trec").by_document() == whole
