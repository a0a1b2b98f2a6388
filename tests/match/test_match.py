"""Which pairs are taken: best first, the most pairs, or one prediction after the other."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from spanscope.match.one_to_one import Match, choose_in_turn, greedy, optimal, stand_alone
from spanscope.measures.registry import parse
from spanscope.stats.averages import GRID
from tests.strategies import corpora
from tests.support import Json, counted, documents, scored
from tests.twins import spans as twins

Candidates = dict[tuple[int, int], float]
Sides = tuple[list[Json], list[Json]]
SCORES = st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.75, 1.0]) | st.floats(0, 1)


@st.composite
def candidates(draw: DrawFn, most: int = 5) -> Candidates:
    """Draw scores for some pairs of at most five gold and five predicted spans; ties are common."""
    rows = st.tuples(st.integers(0, most - 1), st.integers(0, most - 1))
    return draw(st.dictionaries(rows, SCORES, max_size=12))


def columns(pairs: Candidates) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    both = np.array(list(pairs), dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1], np.array(list(pairs.values()), dtype=np.float64)


def take_greedy(pairs: Candidates) -> set[tuple[int, int]]:
    gold, pred, score = columns(pairs)
    taken = greedy(gold, pred, (-score, pred, gold))
    return set(zip(gold[taken].tolist(), pred[taken].tolist(), strict=True))


def take_optimal(pairs: Candidates) -> set[tuple[int, int]]:
    gold, pred, score = columns(pairs)
    taken = optimal(gold, pred, score)
    return set(zip(gold[taken].tolist(), pred[taken].tolist(), strict=True))


def one_to_one(pairs: set[tuple[int, int]]) -> bool:
    return len({g for g, _ in pairs}) == len({p for _, p in pairs}) == len(pairs)


# ---------------------------------------------------------------- greedy


@given(pairs=candidates())
def test_greedy_takes_the_best_pair_whose_spans_are_free_until_none_is_left(pairs: Candidates) -> None:
    wanted: set[tuple[int, int]] = set()
    rest = dict(pairs)
    while rest:
        g, p = min(rest, key=lambda pair: (-rest[pair], pair[1], pair[0]))
        wanted.add((g, p))
        rest = {pair: score for pair, score in rest.items() if pair[0] != g and pair[1] != p}
    assert take_greedy(pairs) == wanted


@given(pairs=candidates(), draw=st.data())
def test_greedy_and_optimal_do_not_depend_on_the_order_of_the_pairs(
    pairs: Candidates, draw: st.DataObject
) -> None:
    other = dict(draw.draw(st.permutations(list(pairs.items()))))
    assert take_greedy(other) == take_greedy(pairs)
    assert len(take_optimal(other)) == len(take_optimal(pairs))


@given(pairs=candidates(), threshold=SCORES)
def test_greedy_at_a_threshold_is_the_part_of_greedy_at_zero_that_reaches_it(
    pairs: Candidates, threshold: float
) -> None:
    high = {pair: score for pair, score in pairs.items() if score >= threshold}
    assert take_greedy(high) == {pair for pair in take_greedy(pairs) if pairs[pair] >= threshold}


def test_ties_go_to_the_earlier_prediction_then_to_the_earlier_gold() -> None:
    assert take_greedy({(0, 1): 0.5, (0, 0): 0.5}) == {(0, 0)}
    assert take_greedy({(1, 0): 0.5, (0, 0): 0.5}) == {(0, 0)}
    assert take_greedy({(0, 1): 0.5, (1, 0): 0.5, (0, 0): 0.5, (1, 1): 0.4}) == {(0, 0), (1, 1)}


def test_no_pairs_no_match() -> None:
    assert take_greedy({}) == take_optimal({}) == set()


@given(pairs=candidates())
def test_a_pair_stands_alone_when_neither_span_is_in_another_pair(pairs: Candidates) -> None:
    gold, pred, _ = columns(pairs)
    wanted = [not any((g == h) != (p == q) for h, q in pairs) for g, p in pairs]
    assert stand_alone(gold, pred).tolist() == wanted


def test_a_match_keeps_scores_at_the_threshold() -> None:
    match = Match(np.array([0, 1, 2]), np.array([2, 1, 0]), np.array([0.4, 0.5, 0.6]))
    assert match.at_least(0.5).gold.tolist() == [1, 2]
    assert len(match.at_least(0.7)) == 0


# ---------------------------------------------------------------- optimal


def best_of_all(pairs: Candidates) -> tuple[int, float]:
    """Try every set of pairs: the largest number, then the largest total."""
    found = [
        (size, math.fsum(pairs[pair] for pair in some))
        for size in range(min(len(pairs), 5) + 1)
        for some in combinations(pairs, size)
        if one_to_one(set(some))
    ]
    return max(found)


@given(pairs=candidates())
def test_optimal_takes_the_most_pairs_then_the_largest_total(pairs: Candidates) -> None:
    taken = take_optimal(pairs)
    number, total = best_of_all(pairs)
    assert one_to_one(taken)
    assert len(taken) == number
    assert math.isclose(math.fsum(pairs[pair] for pair in taken), total, abs_tol=1e-12)


@given(pairs=candidates())
def test_optimal_takes_as_many_pairs_as_the_twin_and_never_fewer_than_greedy(pairs: Candidates) -> None:
    taken = take_optimal(pairs)
    assert len(taken) == len(twins.optimal(pairs))
    assert len(taken) >= len(take_greedy(pairs))


def test_one_more_pair_outweighs_any_total() -> None:
    assert take_optimal({(0, 0): 1.0, (0, 1): 0.0, (1, 0): 0.0}) == {(0, 1), (1, 0)}


def test_optimal_solves_components_apart() -> None:
    pairs = {(0, 0): 0.2, (0, 1): 0.9, (1, 1): 0.8, (5, 5): 0.1, (7, 8): 0.3, (8, 8): 0.4, (8, 9): 0.5}
    assert take_optimal(pairs) == {(0, 0), (1, 1), (5, 5), (7, 8), (8, 9)}


def test_optimal_refuses_a_component_that_needs_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.match.one_to_one.LARGEST_COMPONENT", 3)
    with pytest.raises(spanscope.MeasureError) as refusal:
        take_optimal({(0, 0): 0.5, (0, 1): 0.5, (1, 1): 0.5})
    assert str(refusal.value) == (
        "optimal assignment over 2 gold and 2 predicted spans that all overlap in one chain needs too much "
        "memory\n  try       assignment=greedy"
    )


# Gold A[0,10] and A[10,15]; predictions A[2,12] and A[0,6].
#   IoU   A[0,10]         A[10,15]
#   p1    8/12 = 0.667    2/13 = 0.154
#   p2    6/10 = 0.600    none
# Best first takes p1 with A[0,10], and p2 is left without a partner.
# The most pairs are p1 with A[10,15] and p2 with A[0,10].
GREEDY_LOSES = ("A[0,10] A[10,15]", "A[2,12] A[0,6]")


@pytest.mark.parametrize(
    ("threshold", "by_greedy", "by_optimal"), [(0.1, 1, 2), (0.15, 1, 2), (0.16, 1, 1), (0.6, 1, 1), (0.7, 0, 0)]
)
def test_greedy_may_lose_a_match_that_optimal_keeps(threshold: float, by_greedy: int, by_optimal: int) -> None:
    for assignment, tp in (("greedy", by_greedy), ("optimal", by_optimal)):
        form = f"spans.iou(threshold={threshold}, assignment={assignment})"
        assert counted(*GREEDY_LOSES, form) == {"A": {"tp": tp, "pred": 2, "gold": 2}}


def test_optimal_prefers_the_larger_total_among_as_many_pairs() -> None:
    result = scored("A[0,10] A[0,8]", "A[0,10] A[0,8]", "spans.iou(threshold=0.1, assignment=optimal)")
    assert [record["score"] for record in result.matches()] == [1.0, 1.0]


# ---------------------------------------------------------------- one after the other


def test_in_turn_a_prediction_takes_its_first_choice_before_an_earlier_second_choice() -> None:
    gold, pred = np.array([0, 1]), np.array([0, 0])
    first = np.array([False, True])
    as_first, as_second = choose_in_turn(gold, pred, first, ~first)
    assert as_first.tolist() == [False, True]
    assert as_second.tolist() == [False, False]


def test_in_turn_an_earlier_prediction_takes_the_gold_that_a_later_one_would_have_had() -> None:
    gold, pred = np.array([0, 0]), np.array([0, 1])
    first = np.array([False, True])
    as_first, as_second = choose_in_turn(gold, pred, first, ~first)
    assert as_first.tolist() == [False, False]
    assert as_second.tolist() == [True, False]


def test_in_turn_the_nearest_first_choice_wins_and_the_earlier_of_two_as_near() -> None:
    gold, pred, yes = np.array([0, 1, 2]), np.array([0, 0, 0]), np.ones(3, dtype=bool)
    as_first, _ = choose_in_turn(gold, pred, yes, ~yes, np.array([5, 2, 2]))
    assert as_first.tolist() == [False, True, False]


# ---------------------------------------------------------------- the curve over thresholds

CURVED = [
    "spans.iou",
    "spans.iou(assignment=optimal)",
    "spans.relaxed",
    "spans.relaxed(rules=reqflow)",
    "spans.relaxed(assignment=optimal)",
]


def number(value: float) -> float | None:
    return None if math.isnan(value) else value


def run_at(sides: Sides, form: str, threshold: float) -> tuple[float | None, ...]:
    """Run the measure at that very threshold."""
    result = spanscope.evaluate(
        *sides, parse(form).replace(threshold=threshold), score=spanscope.Scoring(errors=False), ci=False
    )
    macro = [row.value for row in result.rows if (row.rate, row.average) == ("f1", "macro")]
    totals = result.totals()
    return (
        *(totals[name] for name in ("tp", "pred", "gold")),
        *(number(result.value(rate)) for rate in ("precision", "recall", "f1")),
        number(macro[0]) if macro else None,
    )


def check_curve(sides: Sides, form: str, grid: list[float] | str | None) -> None:
    for point in spanscope.evaluate(*sides, form, score=spanscope.Scoring(errors=False), ci=False).curve(
        grid=grid
    ):
        shown = (point.precision, point.recall, point.f1, point.macro_f1)
        found = (point.tp, point.pred, point.gold, *map(number, shown))
        assert found == pytest.approx(run_at(sides, form, point.threshold), abs=1e-12), point


@pytest.mark.parametrize("form", CURVED)
@given(sides=corpora(), more=st.lists(st.floats(0, 1), max_size=2))
def test_a_point_of_the_curve_is_the_measure_run_at_that_threshold(
    form: str, sides: Sides, more: list[float]
) -> None:
    check_curve(sides, form, [0.0, 0.25, 1 / 3, 0.5, 1.0, *more])


@pytest.mark.parametrize("form", [form for form in CURVED if "optimal" not in form])
@given(sides=corpora())
def test_breakpoints_are_exact(form: str, sides: Sides) -> None:
    check_curve(sides, form, "exact")


@pytest.mark.parametrize("form", CURVED)
def test_every_step_of_the_usual_grid_is_the_measure_run_there(form: str) -> None:
    assert list(GRID) == [n / 20 for n in range(21)]
    text = "the quick brown fox jumps over it"
    gold = documents("A[0,9] A[4,15] B[10,19] A[20,25] C[3,3]", text=text)
    pred = documents("A[0,8] A[4,9] B[10,15] B[11,19] A[21,28] C[3,3]", text=text)
    check_curve((gold, pred), form, None)


# Gold A[0,4], A[10,14], B[20,24]; predictions A[0,4] (IoU 1), A[11,14] (3/4), B[22,24] (1/2).
@pytest.mark.parametrize(
    ("threshold", "tp", "f1", "macro"),
    [(0.0, 3, 1.0, 1.0), (0.5, 3, 1.0, 1.0), (0.51, 2, 2 / 3, 0.5), (0.75, 2, 2 / 3, 0.5), (0.76, 1, 1 / 3, 0.25)],
)
def test_a_curve_worked_by_hand(threshold: float, tp: int, f1: float, macro: float) -> None:
    for assignment in ("greedy", "optimal"):
        form = f"spans.iou(threshold=0.3, assignment={assignment})"
        result = scored("A[0,4] A[10,14] B[20,24]", "A[0,4] A[11,14] B[22,24]", form)
        (point,) = result.curve(grid=[threshold])
        assert (point.threshold, point.tp, point.pred, point.gold) == (threshold, tp, 3, 3)
        assert (point.precision, point.recall, point.f1) == pytest.approx((f1, f1, f1))
        assert point.macro_f1 == pytest.approx(macro)


def test_breakpoints_are_the_scores_of_the_pairs_that_were_taken() -> None:
    result = scored("A[0,4] A[10,14] B[20,24]", "A[0,4] A[11,14] B[22,24]", "spans.iou")
    assert [point.threshold for point in result.curve(grid="exact")] == [0.5, 0.75, 1.0]


def test_breakpoints_are_for_greedy_only() -> None:
    result = scored("A[0,4]", "A[0,4]", "spans.iou(assignment=optimal)")
    with pytest.raises(spanscope.MeasureError, match="exact breakpoints need assignment=greedy"):
        result.curve(grid="exact")


def test_a_measure_without_a_threshold_has_one_point_at_1() -> None:
    (point,) = scored("A[0,4] A[5,9]", "A[0,4]", "spans.exact").curve()
    assert (point.threshold, point.tp, point.pred, point.gold) == (1.0, 1, 1, 2)
    assert (point.precision, point.recall, point.f1, point.macro_f1) == pytest.approx((1, 0.5, 2 / 3, 2 / 3))


def test_the_curve_of_a_later_measure_can_be_asked_for() -> None:
    result = spanscope.evaluate(
        *([[{"start": 0, "end": end, "label": "A"}]] for end in (4, 2)), ["spans.exact", "spans.iou"], ci=False
    )
    points = result.curve("spans.iou", grid=[0.5, 0.6])
    assert [point.tp for point in points] == [1, 0]
