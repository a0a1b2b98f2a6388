"""The figures of trec_eval, recorded: doubles of pytrec_eval-terrier 0.5.11, printed digits of 9.0.8 and 10.0.

Left out by name, because another rule is behind them:

* `num_rel` of all queries with -c and a level above 1: the programs then count every grade above 0;
* version 10.0's iprec_at_recall and 11pt_avg, which it rounds in another way.

trec_eval's own test files are not part of this repository: SPANSCOPE_TREC names their folder to compare them too.
"""

import os
from pathlib import Path

import pytest

from spanscope.match.ranking import trec, trec_average
from tests.oracle import Json, oracle

CASES = oracle("trec_random100")["cases"]
FILES = oracle("trec_testfiles")["cases"]
FOLDER = os.environ.get("SPANSCOPE_TREC", "")
ROUNDED_OTHERWISE = ("iprec_at_recall", "11pt_avg")
Figures = dict[str, float]
Judgements = dict[str, dict[str, int]]
Runs = dict[str, dict[str, float]]

cases = pytest.mark.parametrize("case", CASES, ids=[f"{case['id']}-{case['kind']}" for case in CASES])


def printed(name: str, value: float) -> str:
    return f"{value:.0f}" if name.startswith("num_") else f"{value:.4f}"


def averages(qrels: Judgements, run: Runs, names: list[str], level: int, complete: bool) -> dict[str, str]:
    """Return the figures of all queries as trec_eval prints them; `complete` is its option -c."""
    queries = [query for query in qrels if complete or query in run]
    found = trec_average(trec(qrels[query], run.get(query, {}), names, level) for query in queries)
    return {name: printed(name, value) for name, value in found.items()}


def comparable(figures: Json, level: int, version: int = 9, complete: bool = True) -> Json:
    """Return the printed figures without the named exceptions."""
    return {
        name: text
        for name, text in figures.items()
        if not (complete and level > 1 and name == "num_rel")
        and not (version == 10 and name.startswith(ROUNDED_OTHERWISE))
    }


# ---------------------------------------------------------------- random cases


def test_all_cases_are_there() -> None:
    assert len(CASES) == 50
    assert sum(len(query) for case in CASES for query in case["per_query"].values()) == 10_692


@cases
def test_every_figure_of_every_query_is_the_same_double(case: Json) -> None:
    assert set(case["per_query"]) == set(case["qrels"]) & set(case["run"])
    for query, want in case["per_query"].items():
        assert trec(case["qrels"][query], case["run"][query], list(want), case["relevance_level"]) == want


@cases
def test_figures_do_not_depend_on_what_else_is_asked_for(case: Json) -> None:
    for query, want in case["per_query"].items():
        for name, value in want.items():
            found = trec(case["qrels"][query], case["run"][query], [name], case["relevance_level"])
            assert found == {name: value}


@cases
@pytest.mark.parametrize("version", [9, 10])
def test_averages_with_missing_queries_print_the_same_digits(case: Json, version: int) -> None:
    level = case["relevance_level"]
    theirs = case[{9: "trec_eval_9_0_8_c_all", 10: "trec_eval_10_0_c_all"}[version]]
    want = comparable(theirs, level, version)
    assert len(want) >= 81 - 13
    assert averages(case["qrels"], case["run"], list(want), level, complete=True) == want


def test_num_rel_of_all_queries_takes_no_notice_of_the_level_in_trec_eval_with_c() -> None:
    graded = [case for case in CASES if case["relevance_level"] > 1]
    assert len(graded) == 3
    for case in graded:
        positive = sum(grade > 0 for query in case["qrels"].values() for grade in query.values())
        assert case["trec_eval_9_0_8_c_all"]["num_rel"] == str(positive)


# ---------------------------------------------------------------- trec_eval's own files


def read(name: str) -> list[list[str]]:
    return [line.split() for line in (Path(FOLDER) / name).read_text("latin-1").splitlines()]


def judgements(name: str) -> Judgements:
    out: Judgements = {}
    for query, _, document, grade in read(name):
        out.setdefault(query, {})[document] = int(grade)
    return out


def runs(name: str) -> Runs:
    out: Runs = {}
    for query, _, document, _, score, *_ in read(name):
        out.setdefault(query, {})[document] = float(score)
    return out


@pytest.mark.skipif(not FOLDER, reason="needs SPANSCOPE_TREC, the folder of trec_eval's test files")
@pytest.mark.parametrize("case", FILES, ids=[case["name"] for case in FILES])
def test_trec_evals_own_files(case: Json) -> None:
    level, complete = case["relevance_level"], "-c" in case["flags"]
    qrels = judgements(case["qrels_file"])
    run = runs("results.trunc" if "trunc" in case["name"] else "results.test")
    for query, want in case["pytrec_eval"].items():
        assert trec(qrels[query], run[query], list(want), level) == want
    for version, key in ((9, "trec_eval_9_0_8"), (10, "trec_eval_10_0")):
        for query, theirs in case[key].items():
            want = comparable(theirs, level, version, complete)
            if query == "all":
                assert averages(qrels, run, list(want), level, complete) == want
            else:
                found = trec(qrels[query], run.get(query, {}), list(want), level)
                assert {name: printed(name, value) for name, value in found.items()} == want
