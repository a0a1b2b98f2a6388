"""Intervals where there is little to go by: corner cases worked by hand, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import norm

from spanscope.arithmetic import draws, poisson, ratio
from spanscope.counts import Counts
from spanscope.errors import InputError, MeasureError
from spanscope.rates import COUNTED, NamedRates, Rate, share
from spanscope.stats.averages import Policy, scores
from spanscope.stats.bootstrap import Method, _bca_shares, intervals
from spanscope.stats.sums import resampled_sums
from spanscope.stats.table import Row, table
from tests.stats.test_resample import COLUMNS, METHODS, RATES, corpus, floats, interval_array, named_keys, row


def plain(rows: Sequence[tuple[int, int, int, int, int]], documents: int, labels: str = "AB") -> Counts:
    """Return counts from rows (document, label, tp, pred, gold)."""
    doc, label, *values = (np.array(column) for column in zip(*rows, strict=True))
    return Counts(documents, tuple(labels), COLUMNS, doc, label, np.stack(values))


@pytest.mark.parametrize("method", METHODS)
def test_perfect_documents_give_a_point(method: Method) -> None:
    counts = plain([(d, d % 2, 3 + d, 3 + d, 3 + d) for d in range(8)], 8)
    found = interval_array(counts, method)
    assert found[:, :3].tolist() == [[1.0, 1.0, 0.0]] * len(found)


@pytest.mark.parametrize("method", METHODS)
def test_equal_documents_give_a_point(method: Method) -> None:
    counts = plain([(d, label, 1, 2, 3) for d in range(8) for label in (0, 1)], 8)
    values = np.array([s.value for s in scores("m", counts, RATES, COUNTED, Policy())])
    np.testing.assert_allclose(
        interval_array(counts, method)[:, :2], np.stack([values, values], axis=1), atol=1e-12
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("documents", [0, 1])
def test_no_interval_for_fewer_than_two_documents(method: Method, documents: int) -> None:
    one = plain([(0, 0, 1, 2, 2)], 1)
    counts = one if documents else Counts(0, one.labels, COLUMNS, one.doc[:0], one.label[:0], one.values[:, :0])
    found = interval_array(counts, method)
    assert len(found) == len(scores("m", counts, RATES, COUNTED, Policy()))
    assert np.isnan(found[:, :3]).all()


@pytest.mark.parametrize("method", METHODS)
def test_labels_in_few_documents(method: Method) -> None:
    """A label in two documents has no interval. In three: a resample with none is left out, e^-3 of them."""
    rows = [(0, 0, 1, 2, 2), (1, 1, 1, 1, 1), (2, 1, 0, 1, 1), (3, 0, 0, 0, 1), (3, 1, 0, 2, 0)]
    counts, one = plain([*rows, (4, 0, 1, 1, 1)], 5), plain(rows, 5)
    names = [row(s) for s in scores("m", counts, RATES, COUNTED, Policy())]
    label = names.index(Row("recall", "label", "A"))
    assert np.isnan(interval_array(one, method)[label, :2]).all()
    low, high, error, undefined = interval_array(counts, method)[label]
    weights = poisson(draws(0, named_keys(5), 1000))
    assert undefined == (weights[[0, 3, 4]] == 0).all(axis=0).sum()
    assert 25 < undefined < 75
    assert error > 0
    assert low < high


def test_undefined_values_have_no_interval() -> None:
    counts = plain([(d, 0, 0, 0, 2) for d in range(5)], 5)
    found = dict(
        zip((row(s) for s in scores("m", counts, RATES, COUNTED, Policy())), interval_array(counts), strict=True)
    )
    assert np.isnan(found[Row("precision", "micro", None)][:3]).all()
    assert found[Row("precision", "micro", None)][3] == 1000
    low, high = found[Row("recall", "micro", None)][:2]
    square = 4.302653**2  # none of 10 found in 5 documents: Student's t with 2 degrees of freedom
    assert (low, high) == (0.0, pytest.approx(square / (10 + square), abs=1e-6))


def test_infinite_values_have_no_interval() -> None:
    """One infinite document makes a mean infinite (RT-SEG's displacement); a finite rate beside it stays."""
    far = Rate("far", lambda s: np.where(s["n"] > 1, np.inf, ratio(s["sum"], s["n"])), 0.0)
    rate_set = NamedRates((share("mean", "sum", "n"), far), perfect=False)
    counts = floats(5, 40)
    found = intervals(counts, rate_set.named, rate_set, Policy(), named_keys(40))
    assert [math.isnan(line.low) for line in found] == [False, False, True, True]


@pytest.mark.parametrize(
    ("drawn", "below"),
    [
        ([0.4, 0.5, 0.5, 0.6], 1 / 2),  # ties count half: (1 + 2/2) / 4
        ([0.3, 0.4, 0.45, 0.6], 3 / 4),
        ([0.6, 0.7, 0.8, 0.9], 1 / 8),  # none below: half a resample
        ([0.1, 0.2, 0.3, 0.4], 7 / 8),  # all below
    ],
)
def test_bias_correction_by_hand(drawn: list[float], below: float) -> None:
    """Without skewness the shares are F(2 z0 - 1.96) and F(2 z0 + 1.96), with F(z0) the share below 0.5."""
    found = _bca_shares(np.array([0.025, 0.975]), np.array([drawn]), np.array([0.5]), np.array([4]), np.zeros(1))
    assert found[:, 0] == pytest.approx(norm.cdf(2 * norm.ppf(below) + norm.ppf([0.025, 0.975])), abs=1e-12)


def test_skewness_without_an_answer_takes_the_outermost_resample() -> None:
    """No bias and an acceleration of 1: 1 - 1 x 1.96 is negative. Below: F(-1.96 / (1 + 1.96)) as ever."""
    arguments = (np.array([[0.4, 0.5, 0.6]]), np.array([0.5]), np.array([3]), np.array([1.0]))
    low, high = _bca_shares(np.array([0.025, 0.975]), *arguments)[:, 0]
    z = norm.ppf(0.975)
    assert (low, high) == (pytest.approx(norm.cdf(-z / (1 + z)), abs=1e-12), 1.0)


def test_basic_may_leave_the_range() -> None:
    """Nine perfect documents and a bad one: 2 x value - quantile is above 1, and is not cut."""
    counts = plain([(d, 0, 4, 4, 4) for d in range(9)] + [(9, 0, 0, 9, 9)], 10)
    assert interval_array(counts, "basic")[0, 1] > 1
    assert interval_array(counts, "percentile")[0, 1] <= 1


def test_numbers_beyond_single_precision_stay_exact() -> None:
    """Characters of long documents: a sum of resampled 10^9 is whole to the last digit."""
    counts = plain([(d, 0, 10**9 + d, 10**9 + 3 * d, 10**9 + 7) for d in range(50)], 50)
    held = table([counts], RATES, COUNTED, Policy(), named_keys(50))
    part = next(iter(resampled_sums(held, 30, 0)))
    weights = poisson(draws(0, held.cells.keys, 30)).astype(object)
    d = np.array([int(np.flatnonzero(named_keys(50) == key)[0]) for key in held.cells.keys], dtype=object)
    assert part.labels[0, 0, 1].tolist() == (weights * (10**9 + 3 * d)[:, None]).sum(axis=0).tolist()


def test_what_is_refused() -> None:
    counts, keys = corpus(1), named_keys(12)
    with pytest.raises(MeasureError, match="no interval method 'bsa'"):
        intervals(counts, RATES, COUNTED, Policy(), keys, method="bsa")  # type: ignore[arg-type]
    for level in (0.0, 1.0, 95.0, math.nan):
        with pytest.raises(MeasureError, match="the level of an interval is"):
            intervals(counts, RATES, COUNTED, Policy(), keys, level=level)
    with pytest.raises(MeasureError, match="1 resamples"):
        intervals(counts, RATES, COUNTED, Policy(), keys, resamples=1)
    with pytest.raises(InputError, match="11 keys for 12 documents"):
        intervals(counts, RATES, COUNTED, Policy(), keys[1:])
    with pytest.raises(InputError, match="not counted alike"):
        table([counts, corpus(1, labels="ABC")], RATES, COUNTED, Policy(), keys)
