"""Holm's adjustment, and how many documents it takes: by hand and by tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from spanscope.counts import Counts
from spanscope.errors import MeasureError
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.cells import deal, fold
from spanscope.stats.jackknife import jackknife
from spanscope.stats.power import documents_needed, plan, smallest_difference
from spanscope.stats.significance import holm
from spanscope.stats.table import Row, table
from tests.stats.test_significance import RATES, compared, keys, plain, two_runs

# ---------------------------------------------------------------- Holm


@pytest.mark.parametrize(
    ("p", "adjusted"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.02, 0.03, 0.04], [0.04, 0.06, 0.06, 0.06]),  # 4 x .01, 3 x .02, 2 x .03, 1 x .04 kept at .06
        ([0.04, 0.01, 0.03, 0.02], [0.06, 0.04, 0.06, 0.06]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # the usual textbook case
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
        ([0.02, math.nan, 0.03], [0.04, math.nan, 0.04]),
        ([math.nan], [math.nan]),
        ([0.0, 1.0], [0.0, 1.0]),
    ],
)
def test_holm_by_hand(p: list[float], adjusted: list[float]) -> None:
    assert holm(p) == pytest.approx(adjusted, abs=1e-15, nan_ok=True)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_lies_between_p_and_bonferroni_and_keeps_the_order(p: list[float]) -> None:
    found = holm(p)
    for one, other in zip(p, found, strict=True):
        assert one <= other <= min(1.0, one * len(p)) or other == pytest.approx(one)
    for i in range(len(p)):
        for j in range(len(p)):
            assert p[i] > p[j] or found[i] <= found[j]


# ---------------------------------------------------------------- power


def test_smallest_difference_by_tables() -> None:
    """z(0.975) = 1.959964 and z(0.8) = 0.841621; z(0.995) = 2.575829 and z(0.9) = 1.281552, as in any table."""
    assert smallest_difference(0.01) == pytest.approx(0.02801585, abs=1e-8)
    assert smallest_difference(1, alpha=0.01, power=0.9) == pytest.approx(3.857381, abs=1e-6)


def test_documents_needed_by_hand() -> None:
    """Differences with a standard deviation of 1: (2.801585 / 0.5)**2 = 31.4, so 32; of 0.2: 196.2, so 197."""
    assert documents_needed(1 / math.sqrt(50), 50, 0.5) == 32
    assert documents_needed(1 / math.sqrt(50), 50, -0.5) == 32
    assert documents_needed(1 / math.sqrt(10), 10, 0.2) == 197
    assert documents_needed(0.0, 10, 0.2) == 6  # fewer cannot reach p = 0.05


def pilot_of(counts: Counts) -> tuple[Any, ...]:
    """Return what `plan` is called with: the sums by cell of a pilot, its documents and how figures are read."""
    how = (RATES, COUNTED, Policy())
    return fold(counts, *how, deal(keys(counts.documents))), counts.documents, *how


def test_plan_by_hand() -> None:
    """Recall 1, 1/2, 1/2, 0 in four documents: mean 1/2, standard deviation sqrt(1/6), standard error sqrt(1/24).

    At a correlation of 0.5 the difference has the same error. For 0.1: 4 x 2.801585**2 / 24 / 0.01 = 130.8.
    """
    pilot = plain([(0, 0, 2, 2, 2), (1, 0, 1, 1, 2), (2, 0, 1, 1, 2), (3, 0, 0, 1, 2)], 4)
    arguments = pilot_of(pilot)
    found = plan(*arguments, rate="recall", average="document", detect=0.1)
    assert (found.documents, found.pilot, found.scale, found.correlation) == (131, 4, 1.0, 0.5)
    assert (found.value, found.error, found.difference_error) == pytest.approx((0.5, 24**-0.5, 24**-0.5), abs=1e-9)
    # 0.9: sqrt(0.09 / 0.25) = 0.6 of the error, 0.36 of the documents: 47.09. Without correlation twice as many.
    found = plan(*arguments, rate="recall", average="document", detect=0.1, expect=0.9)
    assert (found.documents, found.scale) == (48, pytest.approx(0.6))
    assert plan(*arguments, rate="recall", average="document", detect=0.1, correlation=0).documents == 262
    micro = plan(*arguments, rate="recall", detect=0.1)
    assert micro.error == pytest.approx(24**-0.5, abs=1e-9)  # documents of equal size: the same mean


def test_plan_of_two_pilots_by_hand() -> None:
    """Recall 1, 1/2, 1/2, 0 beside 1, 1, 1/2, 1/2: differences 0, 1/2, 0, 1/2 with the standard error sqrt(1/48).

    The errors are sqrt(1/24) and sqrt(1/48), so that the correlation is (2 + 1 - 1) / (2 sqrt(2)) = sqrt(1/2).
    For 0.1: 4 x 2.801585**2 / 48 / 0.01 = 65.4.
    """
    one = plain([(0, 0, 2, 2, 2), (1, 0, 1, 1, 2), (2, 0, 1, 1, 2), (3, 0, 0, 1, 2)], 4)
    other = plain([(0, 0, 2, 2, 2), (1, 0, 2, 2, 2), (2, 0, 1, 1, 2), (3, 0, 1, 1, 2)], 4)
    arguments, second = pilot_of(one), pilot_of(other)[0]
    found = plan(*arguments, other=second, rate="recall", average="document", detect=0.1)
    assert found.documents == 66
    assert (found.difference_error, found.correlation) == pytest.approx((48**-0.5, 0.5**0.5), abs=1e-9)
    assert found.other == pytest.approx((0.75, 48**-0.5), abs=1e-9)
    # two values, as often: their kurtosis is 1, and no variance is known better; n - 1 = 3 degrees of freedom
    need = 4 * 2.801585**2 / 48 / 0.01
    ends = [math.ceil(need * 3 / stats.chi2.ppf(share, 3)) for share in (0.975, 0.025)]
    assert [found.low, found.high] == ends
    swapped = plan(*pilot_of(other), other=arguments[0], rate="recall", average="document", detect=0.1)
    assert (swapped.documents, swapped.low, swapped.high) == (found.documents, found.low, found.high)
    # 0.9 of a mean of 5/8: 0.09 / (15/64) of the documents
    scaled = plan(*arguments, other=second, rate="recall", average="document", detect=0.1, expect=0.9)
    assert scaled.documents == math.ceil(need * 0.09 * 64 / 15)


@given(st.integers(0, 10_000))
def test_degrees_of_the_error_against_a_twin(seed: int) -> None:
    """2 n / (kurtosis - 1) of the figures without a document, as SciPy has the kurtosis; at most n - 1."""
    counts = two_runs(seed, 15, labels="A")[0]
    held = table([counts], RATES, COUNTED, Policy(("A",)), keys(15))
    place = held.rows().index(Row("f1", "micro", None))
    tp, pred, gold = (np.bincount(counts.doc, weights=column, minlength=15) for column in counts.values)
    without = 2 * (tp.sum() - tp) / (pred.sum() - pred + gold.sum() - gold)
    kurtosis = stats.kurtosis(without, fisher=False)
    assert jackknife(held).degrees[place] == pytest.approx(min(14, 30 / (kurtosis - 1)), rel=1e-6)


def test_two_runs_that_do_not_differ_are_no_pilot() -> None:
    arguments = pilot_of(two_runs(1, 9)[0])
    with pytest.raises(MeasureError, match="the runs' f1 do not differ from document to document"):
        plan(*arguments, other=arguments[0], rate="f1", detect=0.1)


def test_what_is_refused() -> None:
    a, b = two_runs(1, 5)
    arguments = pilot_of(a)
    with pytest.raises(MeasureError, match="0 trials"):
        compared(a, b, trials=0)
    with pytest.raises(MeasureError, match="did you mean 'f1 micro'"):
        plan(*arguments, rate="f2", detect=0.1)
    with pytest.raises(MeasureError, match="cannot be planned for"):
        plan(*arguments, rate="f1", detect=0.0)
    with pytest.raises(MeasureError, match="a correlation of 1"):
        plan(*arguments, rate="f1", detect=0.1, correlation=1.0)
    with pytest.raises(MeasureError, match=r"expect is 1\.5"):
        plan(*arguments, rate="f1", detect=0.1, expect=1.5)
    with pytest.raises(MeasureError, match="alpha is 5 and power"):
        smallest_difference(0.1, alpha=5)
    with pytest.raises(MeasureError, match="the standard error is nan"):
        documents_needed(math.nan, 5, 0.1)
    perfect = plain([(d, 0, 1, 1, 1) for d in range(3)], 3)
    with pytest.raises(MeasureError, match="does not vary"):
        plan(*pilot_of(perfect), rate="f1", detect=0.1)
    empty = plain([(d, 0, 0, 0, 0) for d in range(3)], 3)
    with pytest.raises(MeasureError, match="the pilot's f1 is undefined"):
        plan(*pilot_of(empty), rate="f1", detect=0.1)
