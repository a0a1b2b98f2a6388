"""Ranked lists: the order, slots for golds, figures of passages; laws and cases worked by hand."""

import math
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from spanscope.errors import InputError, MeasureError
from spanscope.match.gold_ranking import (
    average_precision_slots,
    hit_at,
    ndcg_slots,
    precision_at,
    r_precision_slots,
    recall_at,
    reciprocal_rank,
    slots,
)
from spanscope.match.ranking import Gain, judge, ndcg, trec, trec_average, trec_order

Matched = list[list[int]]
Query = tuple[Matched, int]
LOG3 = 1 / math.log2(3)  # what the second rank counts
CUTS = st.one_of(st.none(), st.integers(1, 12))
EVERY = [
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "ndcg", "recip_rank", "Rprec", "bpref"),
    *("infAP", "11pt_avg", "set_P", "set_recall", "set_F", "set_map", "P_3", "recall_3", "success_3"),
    *("map_cut_3", "ndcg_cut_3", "iprec_at_recall_0.00", "iprec_at_recall_0.35", "iprec_at_recall_1.00"),
]


@st.composite
def queries(draw: DrawFn, one_to_one: bool = False) -> Query:
    """Draw which golds each passage satisfies: any, or at most one each and none twice."""
    golds = draw(st.integers(0, 5))
    if one_to_one:
        order = draw(st.permutations([*range(golds), *[None] * draw(st.integers(0, 5))]))
        kept = order[: draw(st.integers(0, len(order)))]
        return [[] if gold is None else [gold] for gold in kept], golds
    numbers = st.lists(st.integers(0, golds - 1), max_size=3) if golds else st.just([])
    return draw(st.lists(numbers, max_size=10)), golds


def derived(ranking: list[int], golds: int) -> tuple[dict[str, int], dict[str, float]]:
    """Return a ranking of golds as judgements and a run for trec_eval."""
    names = iter(f"g{number:03}" for number in range(golds))
    order = [next(names) if slot else f"x{rank:03}" for rank, slot in enumerate(ranking)]
    qrels = {f"g{number:03}": 1 for number in range(golds)}
    return qrels, {name: float(-rank) for rank, name in enumerate(order)}


# ---------------------------------------------------------------- laws of slots


@given(query=queries(), k=CUTS, drop=st.booleans())
@example(query=([[0], [0]], 1), k=10, drop=False)  # 1.63 where every passage that matches has a gain
@example(query=([[0, 1]], 2), k=1, drop=False)  # 1.63 where k counts passages
def test_figures_are_between_0_and_1(query: Query, k: int | None, drop: bool) -> None:
    matched, golds = query
    ranking = slots(matched, golds, drop_repeats=drop)
    found = [
        ndcg_slots(ranking, golds, k),
        average_precision_slots(ranking, golds, k),
        r_precision_slots(ranking, golds),
        recall_at(matched, golds, k),
        precision_at(matched, k),
        hit_at(matched, k),
        reciprocal_rank(matched, k),
    ]
    assert all(0.0 <= figure <= 1.0 for figure in found)


@given(query=queries(), k=CUTS)
def test_ndcg_is_1_if_and_only_if_golds_come_first(query: Query, k: int | None) -> None:
    matched, golds = query
    ranking = slots(matched, golds)
    best = min(golds, k or golds)
    assert (ndcg_slots(ranking, golds, k) == 1.0) == (golds > 0 and ranking[:best] == [1] * best)


@given(golds=st.integers(1, 3000), k=CUTS)
def test_ndcg_of_a_perfect_ranking_is_exactly_1(golds: int, k: int | None) -> None:
    assert ndcg_slots([1] * golds + [0] * 5, golds, k) == 1.0


@given(query=queries(one_to_one=True), k=st.integers(1, 12))
def test_slots_of_one_to_one_matches_are_the_passages(query: Query, k: int) -> None:
    matched, golds = query
    ranking = slots(matched, golds)
    assert ranking == [len(numbers) for numbers in matched]
    names = [f"ndcg_cut_{k}", f"map_cut_{k}", f"recall_{k}", f"P_{k}", f"success_{k}", "Rprec"]
    plain = trec(*derived(ranking, golds), names)
    ours = [ndcg_slots(ranking, golds, k), average_precision_slots(ranking, golds, k)]
    ours += [recall_at(matched, golds, k), precision_at(matched, k), hit_at(matched, k)]
    ours.append(r_precision_slots(ranking, golds))
    assert list(plain.values()) == ours


@given(query=queries(), k=st.integers(1, 12))
def test_figures_of_slots_are_trec_evals_on_the_derived_run(query: Query, k: int) -> None:
    matched, golds = query
    ranking = slots(matched, golds)
    found = trec(*derived(ranking, golds), [f"ndcg_cut_{k}", "ndcg", f"map_cut_{k}", "map", "Rprec"])
    assert list(found.values()) == [
        ndcg_slots(ranking, golds, k),
        ndcg_slots(ranking, golds),
        average_precision_slots(ranking, golds, k),
        average_precision_slots(ranking, golds),
        r_precision_slots(ranking, golds),
    ]


@given(query=queries(), k=st.integers(1, 12), more=st.integers(0, 5))
def test_passages_without_golds_after_k_change_nothing_at_k(query: Query, k: int, more: int) -> None:
    matched, golds = query
    longer = matched + [[]] * (max(0, k - len(matched)) + more)
    before, after = slots(matched, golds), slots(longer, golds)
    assert ndcg_slots(before, golds, k) == ndcg_slots(after, golds, k)
    assert average_precision_slots(before, golds, k) == average_precision_slots(after, golds, k)
    assert recall_at(matched, golds, k) == recall_at(longer, golds, k)
    assert precision_at(matched, k) == precision_at(longer, k)
    assert hit_at(matched, k) == hit_at(longer, k)
    assert reciprocal_rank(matched, k) == reciprocal_rank(longer, k)


@given(query=queries())
def test_every_gold_has_one_slot(query: Query) -> None:
    matched, golds = query
    assert sum(slots(matched, golds)) == len({number for numbers in matched for number in numbers})
    assert recall_at(matched, golds) == (sum(slots(matched, golds)) / golds if golds else 0.0)
    assert len(slots(matched, golds)) >= len(matched) >= len(slots(matched[:1], golds)[:1])


@given(query=queries(), k=CUTS)
def test_dropping_repeats_never_lowers_a_figure(query: Query, k: int | None) -> None:
    matched, golds = query
    kept, dropped = slots(matched, golds), slots(matched, golds, drop_repeats=True)
    assert ndcg_slots(dropped, golds, k) >= ndcg_slots(kept, golds, k)
    assert average_precision_slots(dropped, golds, k) >= average_precision_slots(kept, golds, k)
    assert r_precision_slots(dropped, golds) >= r_precision_slots(kept, golds)


@given(query=queries(), k=CUTS, gain=st.sampled_from(["linear", "exponential"]), draw=st.data())
def test_figures_of_grades(query: Query, k: int | None, gain: Gain, draw: st.DataObject) -> None:
    matched, golds = query
    grades = draw.draw(st.lists(st.integers(1, 6), min_size=golds, max_size=golds))
    ranking = slots(matched, golds, grades=grades)
    found = ndcg_slots(ranking, golds, k, grades=grades, gain=gain)
    assert 0.0 <= found <= 1.0
    best = sorted(grades, reverse=True)[: k or golds]
    assert (found == 1.0) == (golds > 0 and ranking[: len(best)] == best)
    assert [min(grade, 1) for grade in ranking] == slots(matched, golds)


# ---------------------------------------------------------------- slots by hand


def test_a_gold_in_two_passages_counts_once() -> None:
    ranking = slots([[0], [0], [1]], 2)
    assert ranking == [1, 0, 1]
    assert ndcg_slots(ranking, 2) == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))
    assert average_precision_slots(ranking, 2) == pytest.approx((1 + 2 / 3) / 2)
    assert (r_precision_slots(ranking, 2), recall_at([[0], [0], [1]], 2, 2)) == (0.5, 0.5)
    assert precision_at([[0], [0], [1]], 2) == 1.0  # the second is a passage that matches, if no new one


def test_a_passage_with_two_golds_fills_two_slots() -> None:
    assert slots([[1, 0, 1]], 2) == [1, 1]
    assert ndcg_slots([1, 1], 2, 1) == 1.0
    assert average_precision_slots([1, 1], 2, 1) == 0.5  # over all golds, as trec_eval does


def test_the_higher_grade_of_a_passage_comes_first() -> None:
    ranking = slots([[0, 1], [0], [2]], 3, grades=[1, 3, 2])
    assert ranking == [3, 1, 0, 2]
    assert ndcg_slots(ranking, 3, 2, grades=[1, 3, 2]) == pytest.approx((3 + LOG3) / (3 + 2 * LOG3))
    steep = ndcg_slots(ranking, 3, 2, grades=[1, 3, 2], gain="exponential")
    assert steep == pytest.approx((7 + LOG3) / (7 + 3 * LOG3))
    assert average_precision_slots(ranking, 3) == pytest.approx((1 + 1 + 3 / 4) / 3)


def test_nothing_to_find_is_0() -> None:
    assert slots([[], []], 0) == [0, 0]
    assert {ndcg_slots([0, 0], 0), average_precision_slots([0], 0), r_precision_slots([0], 0)} == {0.0}
    assert {recall_at([[]], 0), precision_at([], None), hit_at([]), reciprocal_rank([])} == {0.0}


def test_a_cut_off_beyond_the_list() -> None:
    matched = [[], [0]]
    assert (recall_at(matched, 1, 50), hit_at(matched, 50), reciprocal_rank(matched, 50)) == (1.0, 1.0, 0.5)
    assert (precision_at(matched, 50), precision_at(matched)) == (0.02, 0.5)
    assert (reciprocal_rank(matched, 1), hit_at(matched, 1)) == (0.0, 0.0)


@pytest.mark.parametrize("number", [-1, 2])
def test_golds_that_do_not_exist_are_refused(number: int) -> None:
    with pytest.raises(InputError, match=f"satisfies gold {number} of 2 golds"):
        slots([[0, number]], 2)


@pytest.mark.parametrize("k", [0, -3])
def test_cut_offs_below_1_are_refused(k: int) -> None:
    with pytest.raises(MeasureError, match=f"k is {k}"):
        ndcg_slots([1], 1, k)
    with pytest.raises(MeasureError, match=f"k is {k}"):
        precision_at([[0]], k)


def test_exponential_gain() -> None:
    seen, ideal = [(1, 1), (2, 3)], [3, 2, 1]
    assert ndcg(seen, ideal, 2, "exponential") == pytest.approx((1 + 7 / math.log2(3)) / (7 + 3 / math.log2(3)))
    assert ndcg([(2, 1)], [1], gain="exponential") == ndcg([(2, 1)], [1])
    with pytest.raises(InputError, match="grade 5000"):
        ndcg([(1, 5000)], [5000], gain="exponential")


# ---------------------------------------------------------------- the order


SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 1.0 - 1e-9, 1.0 + 1e-7, 1e-45, 2e-46, 1e39, 2e39, -1e39]),
    st.floats(allow_nan=False),
    st.integers(-3, 3).map(float),
)
RUNS = st.dictionaries(st.text("abé𝔘", min_size=1, max_size=2), SCORES, max_size=12)


@given(run=RUNS, level=st.integers(1, 3), draw=st.data())
def test_ranks_by_bisection_are_those_of_the_order(run: dict[str, float], level: int, draw: st.DataObject) -> None:
    qrels = draw.draw(st.dictionaries(st.sampled_from([*run, "none"]), st.integers(-2, 4), max_size=12))
    place = {name: rank for rank, name in enumerate(trec_order(run), start=1)}
    found = judge(qrels, run, level)
    assert found.seen == sorted((place[name], grade) for name, grade in qrels.items() if name in run)
    assert found.hits == [rank for rank, grade in found.seen if grade >= level]
    assert found.relevant == sum(grade >= level for grade in qrels.values())
    assert found.nonrelevant == sum(0 <= grade < level for grade in qrels.values())
    positive, without = judge(qrels, run, level, pool=False), [pair for pair in found.seen if pair[1] > 0]
    assert [pair for pair in positive.seen if pair[1] > 0] == without
    assert positive._replace(seen=[]) == found._replace(seen=[])


@pytest.mark.parametrize(
    "qrels",
    [{"a": 0}, {"a": 0, "b": -1}, {"a": -1}],
)
def test_without_the_pool_only_grades_above_0_are_looked_up(qrels: dict[str, int]) -> None:
    found = judge({"x": 1, **qrels}, {"a": 0.5, "b": 0.4, "x": 0.1}, pool=False)
    assert (found.seen, found.hits) == ([(3, 1)], [3])


def test_ties_go_to_the_last_name() -> None:
    assert trec_order({"a": 1.0, "é": 1.0, "b": 1.0, "z": 0.5, "𝔘": 1.0}) == ["𝔘", "é", "b", "a", "z"]
    assert trec_order({}) == []


def test_scores_are_equal_when_they_are_in_single_precision() -> None:
    assert trec_order({"a": 1.0 + 1e-9, "b": 1.0}) == ["b", "a"]
    assert trec_order({"a": 1.0 + 1e-6, "b": 1.0}) == ["a", "b"]
    assert trec({"a": 1}, {"a": 1.0 + 1e-9, "b": 1.0}, ["recip_rank"]) == {"recip_rank": 0.5}
    assert trec({"a": 1}, {"a": math.inf, "b": 1e300}, ["recip_rank"]) == {"recip_rank": 0.5}


def test_the_order_of_a_run_does_not_matter() -> None:
    names = [f"d{number}" for number in range(30)]
    run = {name: float(number % 4) for number, name in enumerate(names)}
    qrels = {name: number % 3 - 1 for number, name in enumerate(names)}
    want = trec(qrels, run, EVERY)
    for seed in range(5):
        random.Random(seed).shuffle(names)
        assert trec(qrels, {name: run[name] for name in names}, EVERY) == want


@pytest.mark.parametrize("others", [{}, {"b": 1.0}, {"b": math.inf, "c": -math.inf}])
def test_scores_that_are_no_numbers_are_refused(others: dict[str, float]) -> None:
    with pytest.raises(InputError, match="score of 'a' is not a number"):
        trec_order({**others, "a": math.nan})
    with pytest.raises(InputError, match="score of 'a' is not a number"):
        trec({"b": 1, "a": 1}, {"a": math.nan, **others}, ["map"])


# ---------------------------------------------------------------- trec by hand


@given(
    run=RUNS,
    qrels=st.dictionaries(st.text("abé𝔘", min_size=1, max_size=2), st.integers(-2, 4)),
    level=st.integers(1, 3),
)
def test_figures_of_trec_are_between_0_and_1(run: dict[str, float], qrels: dict[str, int], level: int) -> None:
    found = trec(qrels, run, EVERY, level)
    assert list(found) == EVERY
    for name, value in found.items():
        if name == "gm_map":
            assert value <= 0.0
        elif not name.startswith("num_"):
            assert 0.0 <= value <= 1.0 + 1e-12


def test_an_empty_run() -> None:
    found = trec({"a": 2, "b": 1, "c": 0}, {}, EVERY, level=2)
    want = {"num_q": 1.0, "num_rel": 1.0, "gm_map": math.log(1e-5)}
    assert found == {name: want.get(name, 0.0) for name in EVERY}


def test_averages() -> None:
    asked = ["num_q", "num_rel", "map", "gm_map"]
    found = trec_average([trec({"a": 1}, {"a": 1.0}, asked), trec({"a": 1, "b": 1}, {}, asked)])
    assert found == {"num_q": 2.0, "num_rel": 3.0, "map": 0.5, "gm_map": pytest.approx(math.sqrt(1e-5))}
    assert trec_average([]) == {}


@pytest.mark.parametrize(
    "name", ["ncdg", "P", "P_0", "P_-1", "P_x", "P_05", "map_10", "iprec_at_recall_1.5", "ndcg_cut_10 ", ""]
)
def test_unknown_measures_are_refused(name: str) -> None:
    with pytest.raises(MeasureError, match="is not a known measure of trec_eval"):
        trec({"a": 1}, {"a": 1.0}, [name])


def test_near_misses_are_named() -> None:
    with pytest.raises(MeasureError, match="did you mean 'ndcg'"):
        trec({}, {}, ["ncdg"])


@pytest.mark.parametrize("level", [0, -1])
def test_levels_below_1_are_refused(level: int) -> None:
    with pytest.raises(MeasureError, match=f"level of relevance is {level}"):
        trec({"a": 1}, {"a": 1.0}, ["map"], level)
