"""Intervals of shares: against a plain twin, SciPy and statsmodels' definition, and at the boundaries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from spanscope.arithmetic import Floats
from spanscope.counts import Counts
from spanscope.rates import COUNTED, NamedRates, mean, share
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import Interval, intervals
from spanscope.stats.boundary_safe import wilson
from spanscope.stats.student import student_reach
from spanscope.stats.table import Row, table
from tests.stats.test_resample import RATES, corpus, floats, named_keys
from tests.stats.test_resample_corners import plain
from tests.twins import boundary_safe as twin


def found(counts: Counts, method: str = "wilson") -> dict[Row, Interval]:
    keys = named_keys(counts.documents)
    rows = table([counts], RATES, COUNTED, Policy(), keys).rows()
    return dict(zip(rows, intervals(counts, RATES, COUNTED, Policy(), keys, method=method), strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
def test_student_against_scipy_and_a_finite_sum(level: float) -> None:
    degrees = np.array([1.0, 1.5, 2.0, 3.7, 10.0, 51.0, 4095.0])
    reach = student_reach(level, degrees)
    np.testing.assert_allclose(reach, stats.t.ppf((1 + level) / 2, degrees), rtol=1e-7)
    for own, v in zip(reach.tolist(), degrees.tolist(), strict=True):
        if v == int(v):
            assert twin.student(own, int(v)) == pytest.approx(level, abs=1e-8)


@pytest.mark.parametrize(("good", "trials"), [(0, 12), (1, 12), (7, 31), (12, 12), (400, 401)])
def test_wilson_against_scipy(good: int, trials: int) -> None:
    """For independent trials and a normal distribution it is the interval that SciPy gives."""
    low, high = wilson(np.array([good / trials]), np.array([float(trials)]), np.array([stats.norm.ppf(0.975)]))
    theirs = stats.binomtest(good, trials).proportion_ci(method="wilson")
    assert (low[0], high[0]) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def edges(v: float, trials: float, cells: int) -> tuple[float, float]:
    """Return the ends of the shares that may be true, by halving: the twin knows no formula for them."""
    reach = float(stats.t.ppf(0.975, max(1, (cells - 1) / 2)))
    ends = []
    for outside in (0.0, 1.0):
        held, lost = v, outside
        if twin.inside(outside, v, trials, reach):
            ends.append(outside)
            continue
        for _ in range(60):
            middle = (held + lost) / 2
            held, lost = (middle, lost) if twin.inside(middle, v, trials, reach) else (held, middle)
        ends.append(held)
    return ends[0], ends[1]


def sums(counts: Counts, label: int | None = None) -> Floats:
    rows = slice(None) if label is None else counts.label == label
    return np.asarray(counts.values[:, rows].sum(axis=1), dtype=np.float64)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_against_the_twin(seed: int) -> None:
    """Errors are those over resamples, which percentile intervals have too; all else is worked again."""
    counts, cells = corpus(seed, documents=40), 40
    ours, errors = found(counts), found(counts, "percentile")
    tp, pred, gold = sums(counts)
    micro = Row("f1", "micro", None)
    trials, effect = twin.pooled(
        2 * tp / (pred + gold), twin.trials_of_f1(tp, pred, gold), errors[micro].error, cells
    )
    assert ours[micro][:2] == pytest.approx(edges(2 * tp / (pred + gold), trials, cells), abs=1e-8)
    parts = []
    for code, name in enumerate(counts.labels):
        row, with_label = Row("f1", "label", name), int((counts.label == code).sum())
        own = sums(counts, code)
        v = 2 * own[0] / (own[1] + own[2])
        n = twin.of_label(v, twin.trials_of_f1(*own), errors[row].error, with_label, effect)
        parts.append((v, n, errors[row].error))
        assert ours[row][:2] == pytest.approx(edges(v, n, with_label), abs=1e-8)
    macro = Row("f1", "macro", None)
    value = sum(v for v, _, _ in parts) / len(parts)
    n = twin.of_macro(parts, errors[macro].error)
    assert ours[macro][:2] == pytest.approx(edges(value, n, cells), abs=1e-8)
    document = Row("f1", "document", None)
    by_document = [np.bincount(counts.doc, weights=column, minlength=cells) for column in counts.values]
    both = by_document[1] + by_document[2]
    v = float(np.where(both == 0, 1.0, 2 * by_document[0] / np.maximum(both, 1)).mean())
    n = twin.of_documents(v, cells, errors[document].error)
    assert ours[document][:2] == pytest.approx(edges(v, n, cells), abs=1e-8)


def test_perfect_documents_by_hand() -> None:
    """Twelve spans found, one in each of 12 documents: 12 trials, and t with 5.5 degrees of freedom."""
    ours = found(plain([(d, 0, 1, 1, 1) for d in range(12)], 12))
    square = stats.t.ppf(0.975, 5.5) ** 2
    low, high, error, _ = ours[Row("recall", "micro", None)]
    assert (low, high, error) == (pytest.approx(12 / (12 + square)), 1.0, 0.0)
    low, high = ours[Row("f1", "micro", None)][:2]  # gold and predictions are the same spans: 24 trials
    assert (low, high) == (pytest.approx(24 / (24 + square)), 1.0)


def test_a_label_too_rare_for_an_interval_still_counts_in_the_macro_average() -> None:
    """A label in one of twelve documents, all found: the average may be lower, as one document says little."""
    ours = found(plain([(d, 0, 1, 1, 1) for d in range(12)] + [(0, 1, 1, 1, 1)], 12))
    often, seldom = twin.of_label(1.0, 24, 0.0, 12, 1.0), twin.of_label(1.0, 2, 0.0, 1, 1.0)
    n = twin.of_macro([(1.0, often, 0.0), (1.0, seldom, 0.0)], 0.0)
    low, high, error, _ = ours[Row("f1", "macro", None)]
    assert (low, high, error) == (pytest.approx(edges(1.0, n, 12)[0], abs=1e-8), 1.0, 0.0)
    assert np.isnan(ours[Row("f1", "label", "B")].low)


def test_a_cell_is_never_worth_more_than_ten_trials_where_all_is_perfect() -> None:
    """Characters of one document are right together: a thousand of each say no more than ten."""
    ours = found(plain([(d, 0, 1000, 1000, 1000) for d in range(12)], 12))
    square = stats.t.ppf(0.975, 5.5) ** 2
    assert ours[Row("recall", "micro", None)].low == pytest.approx(120 / (120 + square))


def test_a_label_in_two_documents_has_no_interval() -> None:
    counts = plain([(d, 0, 1, 1, 1) for d in range(9)] + [(0, 1, 1, 1, 1), (1, 1, 0, 1, 1)], 9)
    ours = found(counts)
    assert math.isnan(ours[Row("f1", "label", "B")].low)
    assert ours[Row("f1", "label", "A")].low < 1


def test_bounds_stay_in_the_range_and_hold_the_value() -> None:
    for seed in range(5):
        counts = corpus(seed, documents=12)
        for row, one in found(counts).items():
            if not math.isnan(one.low):
                assert 0 <= one.low <= one.high <= 1, row


def test_figures_that_are_no_shares_keep_their_quantiles() -> None:
    """A mean of any size has percentile bounds, and none where all documents are alike."""
    rates = NamedRates((share("part", "sum", "n"), mean("size", "sum", "n")), perfect=False)
    counts, keys = floats(5, 40), named_keys(40)
    ours, theirs = (
        intervals(counts, rates.named, rates, Policy(), keys, method=m) for m in ("wilson", "percentile")
    )  # type: ignore[arg-type]
    assert ours[2:] == theirs[2:]
    alike = Counts(40, counts.labels, counts.columns, counts.doc, counts.label, np.ones_like(counts.values))
    same = intervals(alike, rates.named, rates, Policy(), keys)
    assert same[0].low < 1 == same[0].high
    assert math.isnan(same[2].low)
