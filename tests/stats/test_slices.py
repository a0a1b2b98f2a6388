"""Figures of slices: restricted counts, intervals of labels, and tests held to those tried one by one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from spanscope.counts import STAR, Counts, make
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy, scores
from spanscope.stats.bootstrap import intervals
from spanscope.stats.cells import deal
from spanscope.stats.slices import (
    FEW,
    FEWEST,
    Slice,
    Sure,
    how_of_means,
    measure_slices,
    number_of_tests,
    values_as_counts,
)
from spanscope.stats.slicings import slice_documents, sum_slices
from tests.twins import slices as twin
from tests.twins.slices import all_choices

HOW = COUNTED.rates(), COUNTED, Policy()
F1 = HOW[0][2]
SURE = Sure(200, 0.95, 0, "percentile")
Rows = list[tuple[int, int, int]]


def counted(rows: Rows) -> Counts:
    every = np.arange(len(rows))
    tp, pred, gold = np.array(rows, dtype=np.int64).T
    return make(len(rows), ("A",), every, np.full(len(rows), STAR), {"tp": tp, "pred": pred, "gold": gold})


def some(number: int, seed: int = 1) -> Rows:
    """Return tp, pred and gold of documents."""
    random = np.random.default_rng(seed)
    gold = random.integers(1, 6, number)
    tp = random.binomial(gold, 0.7)
    return list(zip(tp.tolist(), (tp + random.binomial(3, 0.3, number)).tolist(), gold.tolist(), strict=True))


def keys(number: int) -> Any:
    return np.arange(number, dtype=np.uint64) * np.uint64(7919)


def sliced(
    rows: Rows, code: list[int], sure: Sure | None = SURE, units: list[int] | None = None
) -> dict[str, Slice]:
    names = tuple("abcdef"[: max(code) + 1])
    counts = counted(rows)
    own = slice_documents("by", counts, counts, names, np.array(code))
    drawn = keys(len(rows)) if units is None else np.array(units, dtype=np.uint64)
    return {one.name: one for one in measure_slices([sum_slices(own, HOW, deal(drawn))], HOW, F1, sure)}


def test_a_slice_has_the_figures_and_bounds_of_its_documents_alone() -> None:
    rows, code = some(90), [at % 3 for at in range(90)]
    found = sliced(rows, code, SURE._replace(method="percentile"))
    for number, name in enumerate("abc"):
        chosen = [at for at in range(90) if code[at] == number]
        alone = counted([rows[at] for at in chosen])
        bounds = intervals(alone, *HOW, keys(90)[chosen], resamples=200, method="percentile")
        own = {(row.rate, row.average): at for at, row in enumerate(scores("m", alone, *HOW))}
        value = scores("m", alone, *HOW)[own["f1", "micro"]].value
        assert found[name].value == found[name].rates["f1"] == value
        assert (found[name].low, found[name].high) == bounds[own["f1", "micro"]][:2]
        others = counted([rows[at] for at in range(90) if code[at] != number])
        assert found[name].rest == scores("m", others, *HOW)[own["f1", "micro"]].value
        assert found[name].difference == found[name].value - found[name].rest


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_p_is_the_share_of_all_choices(seed: int) -> None:
    """12 documents, 6 of them in a slice: 924 choices, tried one by one in plain Python."""
    rows, code = some(12, seed), [0, 1] * 6
    expected = all_choices(rows, [at for at in range(12) if code[at] == 0])
    found = sliced(rows, code)
    assert found["a"].p == found["b"].p == pytest.approx(expected, abs=0.015)  # 10,000 trials


def test_p_is_that_of_scipy() -> None:
    """Recall where every document has one gold span is a mean: SciPy permutes the same."""
    random = np.random.default_rng(5)
    right = random.random(60) < np.where(np.arange(60) < 20, 0.5, 0.8)
    rows = [(int(one), int(one), 1) for one in right]
    counts, recall = counted(rows), HOW[0][1]
    own = slice_documents("by", counts, counts, ("a", "b"), (np.arange(60) >= 20).astype(np.int64))
    one = next(
        o for o in measure_slices([sum_slices(own, HOW, deal(keys(60)))], HOW, recall, SURE) if o.name == "a"
    )
    test = stats.permutation_test(
        (right[:20] * 1.0, right[20:] * 1.0),
        lambda a, b: abs(a.mean() - b.mean()),
        alternative="greater",
        n_resamples=10_000,
        rng=np.random.default_rng(1),
    )
    assert one.p == pytest.approx(test.pvalue, abs=0.015)


def test_means_over_documents_are_sliced_as_means() -> None:
    """The mean of a slice is the mean of its documents' values, undefined ones left out."""
    rows: Rows = [(1, 1, 2), (2, 2, 2), (0, 0, 1), (1, 1, 1), (0, 0, 0), (1, 4, 1)]
    counts, how = counted(rows), HOW
    read, own = values_as_counts(counts, how), how_of_means(how)
    code = np.array([0, 0, 0, 1, 1, 1])
    sums = sum_slices(slice_documents("by", counts, read, ("a", "b"), code), own, deal(keys(6)))
    found = measure_slices([sums], own, own[0][0], None)
    precision = {one.name: one.value for one in found}
    assert precision == {"a": 1.0, "b": pytest.approx((1 + 1 + 0.25) / 3)}  # nothing on both sides is perfect
    assert found[0].counts.keys() == {"tp", "pred", "gold"}


def test_too_few_say_so() -> None:
    rows = some(60)
    code = [0] * (FEWEST - 1) + [1] * (FEW - 1) + [2] * (60 - FEWEST - FEW + 2)
    found = sliced(rows, code)
    assert math.isnan(found["a"].low)
    assert math.isnan(found["a"].p)
    assert math.isnan(found["b"].low)
    assert not math.isnan(found["b"].p)
    assert not math.isnan(found["c"].low)
    assert not math.isnan(found["c"].p)
    assert list(found)[-1] == "a"  # behind those that can be told
    assert number_of_tests(list(found.values())) == 2


def test_a_single_slice_has_no_rest() -> None:
    (one,) = sliced(some(40), [0] * 40).values()
    assert math.isnan(one.rest)
    assert math.isnan(one.p)
    assert not math.isnan(one.low)


def test_holm_over_all_slices_and_of_two_only_one_test() -> None:
    rows = some(80)
    counts = counted(rows)
    ways = [
        slice_documents("two", counts, counts, ("a", "b"), np.arange(80) % 2),
        slice_documents("three", counts, counts, ("a", "b", "c"), np.arange(80) % 3),
    ]
    found = measure_slices([sum_slices(one, HOW, deal(keys(80))) for one in ways], HOW, F1, SURE)
    each = {(one.by, one.name): one for one in found}
    p = sorted([each["two", "a"].p, *(each["three", name].p for name in "abc")])
    assert number_of_tests(found) == 4
    assert min(one.adjusted for one in found) == min(1.0, 4 * p[0])
    assert each["two", "a"].adjusted == each["two", "b"].adjusted


def test_groups_in_several_slices_are_told_apart_by_t() -> None:
    """Where groups are in two slices, p is that of the difference by its bootstrap error; twins cancel out."""
    rows = some(60, 3)
    doubled = [row for row in rows for _ in range(2)]
    found = sliced(doubled, [0, 1] * 60, units=[at // 2 for at in range(120)])
    assert found["a"].value == found["b"].value
    assert math.isnan(found["a"].p)
    worse = [row if at % 2 else (0, row[1], row[2]) for at, row in enumerate(doubled)]
    assert sliced(worse, [0, 1] * 60, units=[at // 2 for at in range(120)])["a"].p < 1e-6
    few = sliced(worse[:30], [0, 1] * 15, units=[at // 2 for at in range(30)])
    assert math.isnan(few["a"].p)  # 15 groups


def test_t_is_students() -> None:
    """Recall of one gold span in either slice of each group is a paired t test, but for the error's estimate."""
    random = np.random.default_rng(2)
    right = random.random((300, 2)) < (0.62, 0.68)
    rows = [(int(one), int(one), 1) for pair in right for one in pair]
    counts = counted(rows)
    own = slice_documents("by", counts, counts, ("a", "b"), np.tile([0, 1], 300))
    dealt = deal(np.repeat(keys(300), 2))
    one = measure_slices([sum_slices(own, HOW, dealt)], HOW, HOW[0][1], Sure(2000, 0.95, 0, "percentile"))[0]
    assert one.p == pytest.approx(stats.ttest_rel(right[:, 0] * 1.0, right[:, 1] * 1.0).pvalue, abs=0.015)


def test_t_against_the_twin() -> None:
    """F1 of two slices in the same 40 groups, all of which have something in both."""
    random = np.random.default_rng(8)
    rows = []
    for _ in range(80):
        gold = int(random.poisson(3))
        tp = int(random.binomial(gold, 0.8))
        rows.append((tp, tp + int(random.poisson(0.5)), gold))
    rows = [(0, 1, 0) if row == (0, 0, 0) else row for row in rows]
    found = sliced(rows, [0, 1] * 40, units=[at // 2 for at in range(80)])["a"]
    t = twin.t_if_alike(rows[0::2], rows[1::2])
    assert found.p == pytest.approx(2 * stats.t.sf(t, 39), rel=1e-3)


def test_slices_do_not_depend_on_the_order_of_documents() -> None:
    rows, code = some(70), [at % 4 for at in range(70)]
    names, order = ("a", "b", "c", "d"), np.random.default_rng(1).permutation(70)
    out = []
    for own in (np.arange(70), order):
        counts = counted([rows[at] for at in own])
        way = slice_documents("by", counts, counts, names, np.array(code)[own])
        out.append(measure_slices([sum_slices(way, HOW, deal(keys(70)[own]))], HOW, F1, SURE))
    assert repr(out[0]) == repr(out[1])
