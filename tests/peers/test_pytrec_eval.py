"""Live comparison with pytrec_eval-terrier (trec_eval 9.0.8): every figure of every query is the same double.

Kept away from it, because it crashes or answers with other queries' figures: queries whose judgements are all
below 0, scores that are not numbers. Where we differ: an empty run.
"""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from spanscope.ranking import slots, trec, trec_average
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
