"""Live comparison with pytrec_eval-terrier (trec_eval 9.0.8): every figure of every query is the same double.

Twice: the functions of one query, and `evaluate` from dicts and from TREC's files, with means over queries.

Kept away from it, because it crashes or answers with other queries' figures: queries whose judgements are all
below 0, scores that are not numbers. Where we differ: an empty run.
"""

import math
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from spanscope.match.gold_ranking import slots
from spanscope.match.ranking import trec, trec_average
from tests.support import needs

pytrec_eval = needs("pytrec_eval")
CUTS = (1, 2, 3, 5, 10, 100)
AT_K = ("P", "recall", "success", "map_cut", "ndcg_cut")
WHOLE = (
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "ndcg", "recip_rank", "Rprec", "bpref"),
    *("infAP", "11pt_avg", "set_P", "set_recall", "set_F", "set_map"),
)
RECALLS = ("0.00", "0.10", "0.20", "0.30", "0.35", "0.50", "0.70", "0.90", "1.00")
NAMES = [
    *WHOLE,
    *(f"{measure}_{k}" for measure in AT_K for k in CUTS),
    *(f"iprec_at_recall_{recall}" for recall in RECALLS),
]
ASKED = {
    *WHOLE,
    *(f"{measure}.{','.join(map(str, CUTS))}" for measure in AT_K),
    f"iprec_at_recall.{','.join(RECALLS)}",
}
Judgements = dict[str, dict[str, int]]
Runs = dict[str, dict[str, float]]
Figures = dict[str, dict[str, float]]

IDS = st.one_of(st.text("abAé𝔘_", min_size=1, max_size=2), st.sampled_from(["d1", "d10", "d2", "d9"]))
SCORES = st.one_of(
    st.integers(-2, 3).map(float),
    st.sampled_from([1.0 + 1e-9, 1.0 - 1e-9, 1.0 + 1e-7, 1e-45, -1e-46, 1e38]),
    st.floats(-1e38, 1e38),
)


@st.composite
def corpora(draw: DrawFn) -> tuple[Judgements, Runs]:
    """Draw queries with ties, grades, unjudged documents; some are on one side only."""
    qrels: Judgements = {}
    run: Runs = {}
    for query in draw(st.lists(st.sampled_from(["q1", "q2", "q3", "q4", "ß"]), unique=True, min_size=1)):
        where = draw(st.sampled_from(["both", "both", "both", "judged", "run"]))
        if where != "run":
            grades = draw(st.dictionaries(IDS, st.integers(-2, 4), max_size=12))
            qrels[query] = {**grades, draw(IDS): draw(st.integers(0, 2))}
        if where != "judged":
            run[query] = draw(st.dictionaries(IDS, SCORES, min_size=1, max_size=20))
    return qrels, run


def theirs(qrels: Judgements, run: Runs, level: int = 1) -> Figures:
    found: Figures = pytrec_eval.RelevanceEvaluator(qrels, ASKED, relevance_level=level).evaluate(run)
    return found


def ours(qrels: Judgements, run: Runs, level: int = 1) -> Figures:
    return {query: trec(qrels[query], run[query], NAMES, level) for query in run if query in qrels}


@given(corpus=corpora(), level=st.integers(1, 3))
def test_every_figure_of_every_query(corpus: tuple[Judgements, Runs], level: int) -> None:
    assert ours(*corpus, level) == theirs(*corpus, level)


# ---------------------------------------------------------------- through the flow

FLOW = ("map", "ndcg", "recip_rank", "Rprec", "bpref", "num_rel", "num_rel_ret", "num_ret")


def evaluated(gold: Any, pred: Any, level: int = 1) -> tuple[Figures, dict[str, float]]:
    """Return the figures of every query, and their means, by trec_eval's names."""
    forms = [f"passages.trec(level={level})", *(f"passages.trec_cut(k={k}, level={level})" for k in CUTS)]
    result = spanscope.evaluate(gold, pred, forms, protocol="trec", ci=False)
    found: Figures = {}
    means: dict[str, float] = {}
    for measure in result.measures:
        end = f"_{dict(measure.params)['k']}" if measure.name == "passages.trec_cut" else ""
        names = AT_K if end else FLOW
        for row in result.by_document(measure):
            found.setdefault(row["document"], {}).update({f"{name}{end}": row[name] for name in names})
        rows = [row for row in result.rows if row.measure == str(measure) and row.average == "document"]
        means.update({f"{row.rate}{end}": row.value for row in rows})
    return found, means


def agree(corpus: tuple[Judgements, Runs], level: int, found: Figures, means: dict[str, float]) -> None:
    """Hold our figures against theirs; queries that the run lacks count as 0, as trec_eval -c has it."""
    qrels, run = corpus
    recorded = theirs(qrels, run, level)
    assert set(found) == set(qrels)
    for query, want in recorded.items():
        assert found[query] == {name: want[name] for name in found[query]}
    for query in set(found) - set(recorded):
        assert {name for name, value in found[query].items() if value} <= {"num_rel"}
    assert len(means) == len(FLOW) - 3 + len(AT_K) * len(CUTS)
    for name, mean in means.items():
        total = sum(figures[name] for figures in recorded.values())
        assert mean == pytest.approx(total / len(qrels), abs=1e-12)


def as_files(qrels: Judgements, run: Runs, folder: Path) -> tuple[str, str]:
    """Write judgements and run as trec_eval reads them, the ranks wrong, as they may be."""
    lines = [f"{q} 0 {d} {grade}\n" for q, own in qrels.items() for d, grade in own.items()]
    (folder / "qrels").write_text("".join(lines), "utf-8")
    lines = [f"{q}\tQ0\t{d}\t7\t{score!r}\tt\n" for q, own in run.items() for d, score in own.items()]
    (folder / "run").write_text("".join(lines), "utf-8")
    return str(folder / "qrels"), str(folder / "run")


@given(corpus=corpora().filter(lambda both: bool(both[0])), level=st.integers(1, 3))
def test_evaluate_dicts(corpus: tuple[Judgements, Runs], level: int) -> None:
    agree(corpus, level, *evaluated(*corpus, level))


@given(corpus=corpora().filter(all), level=st.integers(1, 3))
def test_evaluate_files(corpus: tuple[Judgements, Runs], level: int) -> None:
    with TemporaryDirectory() as folder:
        agree(corpus, level, *evaluated(*as_files(*corpus, Path(folder)), level))


@given(corpus=corpora().filter(lambda both: bool(both[0])), level=st.integers(1, 3))
def test_evaluate_judgements_as_snippets(corpus: tuple[Judgements, Runs], level: int) -> None:
    gold = [
        {"id": query, "snippets": [{"id": name, "relevance": grade} for name, grade in own.items()]}
        for query, own in corpus[0].items()
    ]
    agree(corpus, level, *evaluated(gold, corpus[1], level))


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_evaluate_longer_runs(seed: int, level: int, tmp_path: Path) -> None:
    corpus = drawn(seed)
    agree(corpus, level, *evaluated(*corpus, level))
    agree(corpus, level, *evaluated(*as_files(*corpus, tmp_path), level))


@given(corpus=corpora().filter(lambda both: bool(both[0])), k=st.sampled_from(CUTS))
def test_ranking_by_identifiers_is_theirs(corpus: tuple[Judgements, Runs], k: int) -> None:
    """passages.ranking on identifiers has trec_eval's figures, over queries with relevant documents."""
    names = {"recall": "recall", "precision": "P", "hit": "success", "map": "map_cut", "ndcg": "ndcg_cut"}
    result = spanscope.evaluate(*corpus, f"passages.ranking(k={k})", protocol="trec", ci=False)
    recorded = theirs(*corpus)
    for row in result.by_document():
        want = recorded.get(row["document"], {})
        if not row["queries"]:
            assert all(row[name] is None for name in (*names, "r_precision"))
            assert all(grade <= 0 for grade in corpus[0][row["document"]].values())
            continue
        found = {**{f"{name}_{k}": row[ours] for ours, name in names.items()}, "Rprec": row["r_precision"]}
        assert found == pytest.approx({name: want.get(name, 0.0) for name in found}, abs=1e-12)


def drawn(seed: int) -> tuple[Judgements, Runs]:
    """Draw a corpus of longer runs: a third of them with ties, a third with ties in single precision only."""
    rng = random.Random(seed)
    qrels: Judgements = {}
    run: Runs = {}
    for number in range(40):
        names = [f"d{rng.randrange(500)}" for _ in range(rng.choice([1, 10, 150]))]
        digits = rng.choice([1, 8, 17])
        grades = [rng.choice([-2, -1, 0, 0, 1, 1, 2, 4]) for _ in range(60)]
        if number % 7:
            qrels[f"q{number}"] = {f"d{rng.randrange(500)}": grade for grade in grades} | {"d0": 0}
        if number % 11:
            run[f"q{number}"] = {name: round(rng.uniform(0, 0.001) + number, digits) for name in names}
    return qrels, run


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_longer_runs(seed: int, level: int) -> None:
    qrels, run = drawn(seed)
    found = ours(qrels, run, level)
    assert len(found) > 25
    assert found == theirs(qrels, run, level)


def test_averages_over_the_queries_of_both() -> None:
    qrels, run = drawn(7)
    recorded = theirs(qrels, run)
    found = trec_average(ours(qrels, run).values())
    for name in NAMES:
        want = pytrec_eval.compute_aggregated_measure(name, [figures[name] for figures in recorded.values()])
        assert found[name] == pytest.approx(want, abs=1e-12)


@given(st.lists(st.lists(st.integers(0, 4), max_size=3), min_size=1, max_size=8))
def test_slots_are_a_run(matched: list[list[int]]) -> None:
    names = iter("01234")
    order = [next(names) if slot else f"x{rank}" for rank, slot in enumerate(slots(matched, 5))]
    qrels, run = {"q": dict.fromkeys("01234", 1)}, {"q": {name: -float(rank) for rank, name in enumerate(order)}}
    assert ours(qrels, run) == theirs(qrels, run)


def test_they_have_no_number_for_an_empty_run() -> None:
    qrels: Judgements = {"q": {"a": 1}}
    recorded = theirs(qrels, {"q": {}})["q"]
    found = ours(qrels, {"q": {}})["q"]
    strange = {name for name, value in recorded.items() if math.isnan(value)}
    assert strange == {"iprec_at_recall_0.00", "11pt_avg"}
    assert {name: found[name] for name in NAMES if name not in strange} == {
        name: recorded[name] for name in NAMES if name not in strange
    }
    assert {found[name] for name in strange} == {0.0}
