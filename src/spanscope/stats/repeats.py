"""Systems that were run several times: two random effects, the documents and the runs (of several seeds, say).

Of a system with J runs, documents are drawn as for a single run, with the same weights for all runs, and what is
watched is the mean over the runs. With, of every figure,

    V    the variance over resamples of the mean over the runs, or of the difference of two such means
    s2   the variance of the figures between the runs of a system (divided by J - 1)
    w    what documents alone contribute to s2: the mean over resamples of the variance between the runs of how far
         each has moved

the variance is V for the documents, and for the runs the sum over systems of E = max(s2 - w, 0) / J. What a run
does otherwise than its fellows on single documents is in V already, which is why w is taken out of s2. A system
with one run adds nothing: how much it would vary is not known.

    t = difference / sqrt(V + sum E)
    degrees of freedom = (V + sum E)**2 / (V**2 / (cells - 1) + sum E (s2 / J) / (J - 1))

This is Satterthwaite's formula, but for E (s2 / J) in place of E**2: of few runs E is often too small by chance,
and then E**2 promises too much. Where documents do not matter it is Welch's t test of the runs' figures, where
runs do not vary a test over documents alone; docs/statistics.md has its type-I errors. No p is smaller than what
swaps of so many cells between the systems can reach, 2 / 2**cells.

Source: Satterthwaite (1946), An approximate distribution of estimates of variance components; Welch (1947), The
generalization of Student's problem when several different population variances are involved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, draws, keys_of, ratio
from spanscope.stats.bootstrap import FEWEST_CELLS, FEWEST_WITH_LABEL, Interval, cells_behind, mean_of_arrays
from spanscope.stats.boundary_safe import degrees_of_cells, independent_trials, wilson
from spanscope.stats.student import student_reach
from spanscope.stats.sums import observed_values, resampled_sums_of_all, statistic
from spanscope.stats.table import Table

STREAM = 3  # of random draws: another one than those of weights, coins and orders
Systems = Sequence[Sequence[Table]]  # the tables of the runs of one system, or of two: a run each


class Repeated(NamedTuple):
    """Of every row: the mean over runs, or the difference of two such means, and what it varies by."""

    value: Floats
    documents: Floats  # variance for the documents
    runs: Floats  # variance for the runs
    doubt: Floats  # the sum over systems of E (s2 / J) / (J - 1)
    numbers: tuple[Floats, ...]  # of every system: the runs in which the figure is defined
    cells: Ints  # behind the figure
    enough: Bools  # they are enough for an interval

    @property
    def error(self) -> Floats:
        """Return the standard error for both."""
        return np.asarray(np.sqrt(self.documents + self.runs))

    def degrees(self, of_documents: Floats) -> Floats:
        """Return the degrees of freedom of both; those of documents where nothing varies."""
        below = ratio(self.documents**2, of_documents) + self.doubt
        found = np.where(below > 0, ratio((self.documents + self.runs) ** 2, below), of_documents)
        return np.asarray(np.maximum(found, 1.0))


class Tested(NamedTuple):
    """Of every row: the difference, its bounds, p, and the degrees of freedom of both."""

    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    degrees: Floats


def variation_of(systems: Systems, resamples: int, seed: int) -> Repeated:
    """Return what a system's figures vary by, or the differences of two systems, second minus first."""
    tables = [held for own in systems for held in own]
    ends = np.cumsum([len(own) for own in systems]).tolist()
    observed = [observed_values(held) for held in tables]
    whole, within = _Moments(len(observed[0])), [_Moments(len(observed[0])) for _ in systems]
    for moved in _moves(tables, observed, resamples, seed):
        whole.add(_value(moved, ends))
        for sums, own in zip(within, _split(moved, ends), strict=True):
            sums.add(_variance(own))
    figures = zip(_split(observed, ends), [sums.mean() for sums in within], strict=True)
    return _put_together(_value(observed, ends), whole.variance(), list(figures), tables)


class _Moments:
    """How many values of every row are defined in the resamples, their sum, and that of their squares."""

    def __init__(self, rows: int) -> None:
        self.number, self.first, self.second = np.zeros((3, rows))

    def add(self, values: Floats) -> None:
        """Add the values of some resamples: rows x resamples."""
        known = ~np.isnan(values)
        values = np.where(known, values, 0.0)
        self.number += known.sum(axis=1)
        self.first += values.sum(axis=1)
        self.second += (values**2).sum(axis=1)

    def mean(self) -> Floats:
        """Return the mean of every row; 0 where no value is defined."""
        return ratio(self.first, self.number, empty=0.0)

    def variance(self) -> Floats:
        """Return the variance of every row."""
        square = np.maximum(self.second - self.mean() * self.first, 0.0)
        return np.where(self.number > 1, ratio(square, self.number - 1), np.nan)


def _put_together(
    value: Floats, documents: Floats, systems: Sequence[tuple[Sequence[Floats], Floats]], tables: Sequence[Table]
) -> Repeated:
    """Return the parts of the variance, from the figures of each system's runs and what documents add to them."""
    runs, doubt = np.zeros((2, len(value)))
    numbers = []
    for own, within in systems:
        number = np.asarray(sum((~np.isnan(one)).astype(np.float64) for one in own))
        between = np.nan_to_num(_variance([one[:, None] for one in own])[:, 0])
        extra = ratio(np.maximum(between - within, 0.0), number, empty=0.0)
        runs = runs + extra
        doubt = doubt + ratio(extra * between, number * (number - 1), empty=0.0)
        numbers.append(number)
    cells = np.maximum.reduce([cells_behind(held) for held in tables])
    fewest = np.where([row.label is None for row in tables[0].rows()], FEWEST_CELLS, FEWEST_WITH_LABEL)
    enough = (cells >= fewest) & ~np.isnan(value) & ~np.isnan(documents)
    return Repeated(value, documents, runs, doubt, tuple(numbers), cells, enough)


def _moves(
    tables: Sequence[Table], observed: Sequence[Floats], resamples: int, seed: int
) -> Iterator[list[Floats]]:
    """Return how far every run's figures have moved in some resamples at a time: rows x resamples."""
    for parts in resampled_sums_of_all(tables, resamples, seed):
        lines = zip(tables, parts, observed, strict=True)
        yield [statistic(held, part) - own[:, None] for held, part, own in lines]


def _split(each: Sequence[Floats], ends: Sequence[int]) -> list[Sequence[Floats]]:
    return [each[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _value(each: Sequence[Floats], ends: Sequence[int]) -> Floats:
    """Return the mean over the runs of the only system, or that of the second less that of the first."""
    means = [mean_of_arrays(own) for own in _split(each, ends)]
    return means[0] if len(means) == 1 else means[1] - means[0]


def _variance(each: Sequence[Floats]) -> Floats:
    """Return the variance between runs, undefined values left out; NaN where fewer than two are defined."""
    if len(each) == 1:
        return np.full_like(each[0], np.nan)
    number = np.asarray(sum((~np.isnan(one)).astype(np.float64) for one in each))
    mean = mean_of_arrays(each)
    square = np.asarray(sum(np.nan_to_num(one - mean) ** 2 for one in each))
    return np.where(number > 1, ratio(square, number - 1), np.nan)


def judge(found: Repeated, level: float) -> Tested:
    """Return the interval and the p-value of every difference of two systems, for documents and runs."""
    from scipy.special import stdtr  # the distribution of Student's t

    error = found.error
    degrees = found.degrees(np.maximum(found.cells - 1, 1).astype(np.float64))
    t = np.where(error > 0, ratio(np.abs(found.value), error), np.where(found.value == 0, 0.0, np.inf))
    p = np.minimum(1.0, np.maximum(2 * stdtr(degrees, -t), 2 * 0.5**found.cells))
    half = np.where(found.enough, student_reach(level, degrees) * error, np.nan)
    p = np.where(np.isnan(found.value), np.nan, p)
    return Tested(found.value, found.value - half, found.value + half, p, degrees)


def intervals_of_mean(found: Repeated, tables: Sequence[Table], level: float) -> list[Interval]:
    """Return the interval of every mean over the runs of one system, for documents and runs.

    Shares have Wilson's, for 1 / (1 / m + runs / (v (1 - v))) trials, where m is what they are worth for the
    documents alone, in a mean run (`stats.boundary_safe`). Other figures have t standard errors on either side.
    """
    error, value = np.sqrt(found.documents), found.value
    worth = mean_of_arrays([independent_trials(held, value, error, found.cells) for held in tables])
    share = ~np.isnan(worth)
    spread = value * (1 - value)
    trials = ratio(1, ratio(1, worth) + ratio(found.runs, np.where(spread > 0, spread, 0.0), empty=0.0))
    of_documents = np.where(share, degrees_of_cells(found.cells), np.maximum(found.cells - 1, 1))
    reach = student_reach(level, found.degrees(of_documents))
    half = np.where(found.error > 0, reach * found.error, np.nan)
    low, high = wilson(value, trials, reach)
    bounds = (np.where(share, low, value - half), np.where(share, high, value + half), found.error)
    first, last, errors = (np.where(found.enough, column, np.nan).tolist() for column in bounds)
    lines = zip(first, last, errors, strict=True)
    return [Interval(below, above, own, 0) for below, above, own in lines]


def drawn_runs(found: Repeated, row: int, name: str, resamples: int, seed: int) -> Floats:
    """Return by how much the mean of a system's runs may be off in every resample, for the runs alone.

    Student's t with one degree of freedom less than there are runs, times their standard error: keyed by the name
    of the system, so that two of them are off independently.
    """
    from scipy.special import stdtrit  # the inverse of the distribution of Student's t

    number, error = float(found.numbers[0][row]), math.sqrt(found.runs[row])
    if not (number > 1 and error > 0):
        return np.zeros(resamples)
    share = (draws(seed, keys_of([name]), resamples, STREAM)[0] + 0.5) / 2**16
    return np.asarray(error * stdtrit(number - 1, share))
