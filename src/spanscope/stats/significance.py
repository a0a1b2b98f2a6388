"""Is a difference between two runs more than luck: randomisation, paired intervals, Holm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Keys, coins, ratio
from spanscope.counts import Counts
from spanscope.errors import MeasureError, shown
from spanscope.rates import Rate, RateSet
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import METHOD, Interval, Method, intervals_of_table
from spanscope.stats.sums import Draws, Weights, observed_values, statistic, sums_of, total_sums
from spanscope.stats.table import Row, Table, WeighedRows, table

FEWEST = 6  # documents below which randomisation cannot reach p = 0.05: 2 / 2**5 is 0.0625
TOLERANCE = 1e-12  # differences this near, relative to the larger of difference and 1, are ties


class Verdict(NamedTuple):
    """The difference of one score, second run minus first, its p-value, and how many trials were undefined."""

    row: Row
    difference: float
    p: float
    undefined: int


class Randomisation(NamedTuple):
    """The verdicts in the order of `averages.scores`, and how they were reached.

    `exact` says that all patterns of swaps were tried (`trials` of them), not a sample; `differ` is the number of
    cells in which the counts of the runs differ.
    """

    verdicts: list[Verdict]
    trials: int
    exact: bool
    differ: int


def randomisation(
    a: Counts,
    b: Counts,
    rates: Sequence[Rate],
    rate_set: RateSet,
    policy: Policy,
    keys: Keys,
    *,
    trials: int = 10_000,
    seed: int = 0,
) -> Randomisation:
    """Test every score of two runs for a difference, by paired approximate randomisation over cells.

    A cell is a document or a group of them (`stats.cells`). In a trial each cell's counts change sides with
    probability 1/2, and the difference is read again:

        p = (1 + number of trials with |difference*| >= |difference|) / (1 + trials)

    two-sided, ties included (up to a relative 1e-12). Cells with the same counts on both sides change nothing,
    so only the others are drawn. Where those have no more than `trials` patterns of swaps, every pattern is tried
    once, and p is the share of patterns, without the ones. A trial in which the difference is undefined counts
    as at least as large, which can only raise p. A difference that is itself undefined has no p (NaN).
    Labels are those of the policy, else those of either run.

    Source: Noreen (1989), Computer-intensive methods for testing hypotheses; Yeh (2000), More accurate tests for
    the statistical significance of result differences; the ones: Phipson and Smyth (2010).
    """
    return randomise_table(table([a, b], rates, rate_set, policy, keys), trials, seed)


def randomise_table(held: Table, trials: int, seed: int) -> Randomisation:
    """Test the differences of a table of two runs, as `randomisation` does."""
    if trials < 1:
        raise MeasureError(f"{shown(trials)} trials", expected="1 or more, such as 10000")
    cells = _rows_that_differ(held)
    differ = len(cells.keys)
    exact = differ < 63 and 2**differ <= trials
    number = 2**differ if exact else trials
    base, value = total_sums(held), observed_values(held)
    near = _must_reach(value)
    reached, undefined = np.zeros(len(value)), np.zeros(len(value), dtype=np.int64)
    for part in sums_of(held, cells, number, _all_patterns if exact else _coin_weights(seed)):
        swapped = statistic(held, _swap_runs(base, part))
        lost = np.isnan(swapped)
        undefined += lost.sum(axis=1)
        reached += (lost | (np.abs(swapped) >= near[:, None])).sum(axis=1)
    p = ratio(reached, number) if exact else ratio(1 + reached, 1 + number)
    p = np.where(np.isnan(value), np.nan, p)
    lines = zip(held.rows(), value.tolist(), p.tolist(), undefined.tolist(), strict=True)
    return Randomisation([Verdict(*line) for line in lines], number, exact, differ)


def _must_reach(value: Floats) -> Floats:
    """Return what a difference must reach to count as no smaller."""
    return np.abs(value) - TOLERANCE * np.maximum(1.0, np.abs(value))


def _rows_that_differ(held: Table) -> WeighedRows:
    """Return second minus first, of the cells that differ only."""
    cells = held.cells
    (before, after), (was, now) = (np.split(part, 2, axis=1) for part in (cells.counts, cells.means))
    change, moved = after - before, now - was
    rows, docs = (change != 0).any(axis=1), (moved != 0).any(axis=1)
    docs[cells.cell[rows]] = True
    place = np.cumsum(docs) - 1
    return WeighedRows(
        cells.keys[docs], place[cells.cell[rows]], cells.code[rows], change[rows], moved[docs], cells.codes
    )


def _coin_weights(seed: int) -> Weights:
    return lambda keys, n, first: coins(seed, keys, n, first=first)


def _all_patterns(keys: Keys, n: int, first: int) -> NDArray[np.uint8]:
    """Return all patterns of swaps, one after the other: the bits of a counter, a bit a cell.

    There are few cells where all patterns can be tried, so they come in one block.
    """
    bits = np.arange(len(keys))[:, None]
    return ((np.arange(first, first + n) >> bits) & 1).astype(np.uint8)


def _swap_runs(base: Draws, change: Draws) -> Draws:
    """Return the sums of both runs after swaps: what one gains the other loses."""
    labels = np.stack([base.labels[:, 0] + change.labels[:, 0], base.labels[:, 1] - change.labels[:, 0]], axis=1)
    return Draws(labels, np.stack([base.means[0] + change.means[0], base.means[1] - change.means[0]]))


def paired_intervals(
    a: Counts,
    b: Counts,
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
    """Return the bootstrap interval of every difference, second run minus first, aligned with `randomisation`.

    Both runs get the same weights in a resample, so what makes a document hard for both cancels out. Methods and
    corner cases are those of `bootstrap.intervals`; a difference is undefined where one of its sides is.
    """
    return intervals_of_table(table([a, b], rates, rate_set, policy, keys), resamples, level, seed, method)


def holm(p: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for being several, by Holm's step-down method.

    The k-th smallest of m is multiplied by m - k + 1, is never below the one before it, and never above 1. Ties
    get the same value. NaN stays NaN and does not count among the m. Source: Holm (1979), A simple sequentially
    rejective multiple test procedure.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    known = sorted((value, i) for i, value in enumerate(p) if not math.isnan(value))
    out, last = [float("nan")] * len(p), 0.0
    for k, (value, i) in enumerate(known):
        last = max(last, min(1.0, value * (len(known) - k)))
        out[i] = last
    return out
