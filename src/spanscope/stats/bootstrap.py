"""Intervals by the bootstrap over cells: weights keyed by cell, times the sums of counts in it.

A cell is a document or a group of documents, or where there are more than 4,096 of these those of one hash
(`stats.cells`). A resample gives every cell a Poisson(1) weight drawn from (seed, key of the cell). Each rate is
read again from the weighted sums, by the rules of `averages.scores`. All sums are exact: whole numbers are far
below 2**53; other values are added without rounding, and the sums rounded to a grid on which weighted sums stay
exact too (`stats.table`). So order, partition, block size, threads and machine cannot change a digit.

One table holds one run, or two side by side; of two, every value here is the difference, second minus first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, Keys, ratio
from spanscope.counts import Counts
from spanscope.errors import MeasureError, shown
from spanscope.rates import Rate, RateSet
from spanscope.stats.averages import Policy, label_sums
from spanscope.stats.cells import CellSums, overall
from spanscope.stats.sums import observed_values, resampled_sums, resampled_sums_of_all, statistic
from spanscope.stats.table import Table, table, table_of

MOST_LABELLED = 10_000_000  # labels x resamples: a quarter of a minute, and a quarter of a gigabyte a measure
VALUES_AT_ONCE = 4_000_000  # resampled values that are sorted at once
Method = Literal["wilson", "percentile", "basic", "bca"]
METHOD: Method = "wilson"
FEWEST_CELLS = 2  # for an interval of a figure
FEWEST_WITH_LABEL = 3  # for an interval of a label's figure: two cells say next to nothing of how much they vary


class Interval(NamedTuple):
    """Bounds (NaN where there are none), the bootstrap standard error, and how many resamples were undefined."""

    low: float
    high: float
    error: float
    undefined: int


def intervals(
    counts: Counts,
    rates: Sequence[Rate],
    rate_set: RateSet,
    policy: Policy,
    keys: Keys,
    *,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    method: Method = METHOD,
) -> list[Interval]:
    """Return the bootstrap interval of every score, in the order of `averages.scores`.

    wilson      of shares Wilson's interval for as many trials as the standard error over resamples says there are
                (`stats.boundary_safe`); of figures that are no shares, such as distances, as percentile.
    percentile  quantiles (1 - level) / 2 and (1 + level) / 2 of the resampled values.
    basic       2 value - those quantiles, in reverse; may leave the range of the rate and is not cut.
    bca         quantiles moved for bias (share of resamples below the value, ties half) and for skewness
                (jackknife over cells). Source: Efron (1987), Better bootstrap confidence intervals.

    Quantiles are interpolated linearly. A resample in which a score is undefined is left out and counted. No
    bounds (NaN) with fewer than 2 cells, for a label in fewer than 3 cells, where the value itself is
    undefined or infinite, and where fewer than 2 resamples are defined. Where all resamples agree, both bounds
    are the value; with wilson there are none then, unless the figure is a share.
    """
    return intervals_of_table(table([counts], rates, rate_set, policy, keys), resamples, level, seed, method)


def intervals_of_all(
    cells: Sequence[CellSums],
    read: Sequence[tuple[Sequence[Rate], RateSet, Policy]],
    labels: Sequence[int],
    *,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    method: Method = METHOD,
) -> list[list[Interval]]:
    """Return the intervals of several measures of the same documents: those of `intervals`, weights made once.

    `labels` says of how many labels every measure has figures; where they are too many, those of labels and of
    averages over labels have no interval.
    """
    _check_number(resamples)
    _check(level, method)
    narrow = [number * resamples > MOST_LABELLED for number in labels]
    weighed = [overall(own) if many else own for own, many in zip(cells, narrow, strict=True)]
    tables = [table_of([own], *how) for own, how in zip(weighed, read, strict=True)]
    drawn: list[list[Floats]] = [[] for _ in tables]
    for parts in resampled_sums_of_all(tables, resamples, seed):
        for own, held, part in zip(drawn, tables, parts, strict=True):
            own.append(statistic(held, part))
    out = []
    for at, held in enumerate(tables):
        found = bounds(held, np.concatenate(drawn[at], axis=1), level, method)
        drawn[at] = []
        out.append(fill_in_labels(found, labels[at]) if narrow[at] else found)
    return out


def count_labels(counts: Counts, policy: Policy) -> int:
    """Return how many labels there are figures of."""
    return len(label_sums(counts, policy)[0])


def fill_in_labels(found: Sequence[Interval], labels: int) -> list[Interval]:
    """Return intervals of micro averages and of means over documents as those of all scores: others have none."""
    none = Interval(math.nan, math.nan, math.nan, 0)
    rates = zip(found[0::2], found[1::2], strict=True)
    return [one for micro, mean in rates for one in (micro, none, none, mean, *[none] * labels)]


def intervals_of_table(held: Table, resamples: int, level: float, seed: int, method: Method) -> list[Interval]:
    """Return the interval of every row of a table, of two runs that of the difference."""
    _check(level, method)
    return bounds(held, drawn_values(held, resamples, seed), level, method)


def drawn_values(held: Table, resamples: int, seed: int) -> Floats:
    """Return the values of every row in every resample: rows x resamples."""
    _check_number(resamples)
    return np.concatenate([statistic(held, part) for part in resampled_sums(held, resamples, seed)], axis=1)


def mean_of_arrays(parts: Sequence[Floats]) -> Floats:
    """Return the mean of arrays of the same shape, undefined values left out."""
    if len(parts) == 1:
        return parts[0]
    defined = sum((~np.isnan(part)).astype(np.float64) for part in parts)
    return ratio(sum(np.nan_to_num(part) for part in parts), defined)


def bounds(held: Table, drawn: Floats, level: float, method: Method) -> list[Interval]:
    """Return the interval of every row from its resampled values, rows x resamples.

    A difference of two runs is no share, and its interval that of percentile where wilson was asked for.
    """
    if method == "wilson" and held.runs > 1:
        method = "percentile"
    value = observed_values(held)
    skew = None
    if method == "bca":
        from spanscope.stats.jackknife import jackknife

        skew = jackknife(held).acceleration
    cells = cells_behind(held)
    fewest = np.where([row.label is None for row in held.rows()], FEWEST_CELLS, FEWEST_WITH_LABEL)
    enough = cells >= fewest
    if method != "wilson":
        return limits(value, drawn, enough, level, method, skew)
    every = limits(value, drawn, cells > 0, level, method)  # averages need the errors of all labels
    found = _with_shares(every, held, value, cells, level)
    return [
        one if told else Interval(math.nan, math.nan, math.nan, one.undefined)
        for one, told in zip(found, enough.tolist(), strict=True)
    ]


def _with_shares(
    found: Sequence[Interval], held: Table, value: Floats, cells: Ints, level: float
) -> list[Interval]:
    """Return intervals with Wilson's in place of those of shares."""
    from spanscope.stats.boundary_safe import bounds_of_shares

    error = np.array([one.error for one in found])
    low, high, share = bounds_of_shares(held, value, error, cells, level)
    out = []
    for one, *new, taken in zip(found, low.tolist(), high.tolist(), share.tolist(), strict=True):
        out.append(one if not taken or math.isnan(one.error) else one._replace(low=new[0], high=new[1]))
    return out


def limits(
    value: Floats, drawn: Floats, enough: Bools, level: float, method: Method, skew: Floats | None = None
) -> list[Interval]:
    """Return the interval of every row from its value and its resampled values.

    Rows that are not over `enough` cells have none. `skew` is the acceleration of every row, which bca needs. With
    wilson these are the intervals of figures that are no shares.
    """
    _check(level, method)
    step = max(1, VALUES_AT_ONCE // max(1, drawn.shape[1]))
    parts = [slice(at, at + step) for at in range(0, len(value), step)]
    return [
        one
        for part in parts
        for one in _limits(
            value[part], drawn[part], enough[part], level, method, None if skew is None else skew[part]
        )
    ]


def _limits(
    value: Floats, drawn: Floats, enough: Bools, level: float, method: Method, skew: Floats | None
) -> list[Interval]:
    drawn = np.sort(np.ascontiguousarray(drawn), axis=1)  # NaN comes last
    number = np.isfinite(drawn).sum(axis=1)
    tail = (1 - level) / 2
    share = np.tile([[tail], [1 - tail]], len(value))
    if skew is not None:
        share = _bca_shares(share[:, 0], drawn, value, number, skew)
    low, high = (quantiles(drawn, number, at) for at in share)
    if method == "basic":
        low, high = 2 * value - high, 2 * value - low
    error = _deviation(drawn, number)
    barred = (number < 2) | np.isnan(value) | ~enough
    missing = (drawn.shape[1] - number).tolist()
    no_bounds = barred | ((low == high) & (method == "wilson"))
    columns = (np.where(no_bounds, np.nan, column).tolist() for column in (low, high))
    lines = zip(*columns, np.where(barred, np.nan, error).tolist(), missing, strict=True)
    return [Interval(*line) for line in lines]


def _check_number(resamples: int) -> None:
    if resamples < 2:
        raise MeasureError(f"{shown(resamples)} resamples", expected="2 or more, such as 1000")


def _check(level: float, method: str) -> None:
    if method not in get_args(Method):
        raise MeasureError(f"no interval method {shown(method)}", expected=", ".join(get_args(Method)))
    if not 0 < level < 1:
        raise MeasureError(f"the level of an interval is {shown(level)}", expected="between 0 and 1, such as 0.95")


def quantiles(drawn: Floats, number: Ints, share: Floats) -> Floats:
    """Return a quantile of each line of sorted values, among its first `number`, interpolated linearly."""
    at = share * np.maximum(number - 1, 0)
    below = np.floor(at).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(number - 1, 0))
    lines = np.arange(len(drawn))
    low, high = drawn[lines, below], drawn[lines, above]
    return low + (high - low) * (at - below)


def _bca_shares(share: Floats, drawn: Floats, value: Floats, number: Ints, acceleration: Floats) -> Floats:
    """Return the shares of BCa: 2 x rows.

    The share of resamples below the value is kept half a resample away from 0 and 1, where the bias would be
    infinite. Where the correction for skewness has no finite answer the bound is the outermost resample.
    """
    from scipy.special import ndtr, ndtri  # the normal distribution and its inverse

    near = 1e-12 * np.maximum(1.0, np.abs(value))[:, None]
    equal = np.abs(drawn - value[:, None]) <= near
    below = (drawn < value[:, None] - near).sum(axis=1) + equal.sum(axis=1) / 2
    edge = ratio(0.5, number, empty=0.5)
    bias = ndtri(np.clip(ratio(below, number, empty=0.5), edge, 1 - edge))
    out = []
    for tail in share:
        moved = bias + ndtri(tail)
        slack = 1 - acceleration * moved
        z = np.where(slack > 0, bias + ratio(moved, slack), np.copysign(np.inf, moved))
        out.append(ndtr(z))
    return np.array(out)


def _deviation(drawn: Floats, number: Ints) -> Floats:
    """Return the standard deviation of the defined values of each line."""
    away = np.nan_to_num(drawn - drawn[:, :1])  # from the first, so that equal values deviate by nothing
    mean = ratio(away.sum(axis=1), number)[:, None]
    square = np.where(np.isnan(drawn), 0.0, (away - mean) ** 2).sum(axis=1)
    return np.asarray(np.sqrt(ratio(square, number - 1)))


def cells_behind(held: Table) -> Ints:
    """Return how many cells stand behind each row: for a label those with a row of it."""
    with_label = np.append(np.bincount(held.cells.code, minlength=held.cells.codes), 0)[held.place]
    averages = np.full(4 if held.names else 2, held.units)
    return np.tile(np.concatenate([averages, with_label]), len(held.rates))
