"""Is a difference between two runs more than luck: randomisation, paired intervals, Holm, power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Keys, coins, ratio
from spanscope.counts import Counts
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.rates import Rate, RateSet
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import METHOD, Interval, Method, intervals_of_table, mean_of_arrays
from spanscope.stats.cells import CellSums
from spanscope.stats.jackknife import jackknife
from spanscope.stats.sums import Draws, Weights, observed_values, statistic, sums_of, total_sums
from spanscope.stats.table import Row, Table, WeighedRows, table, table_of

FEWEST = 6  # documents below which randomisation cannot reach p = 0.05: 2 / 2**5 is 0.0625
MOST_SHARE = 1e9  # of the standard error in a difference: beyond it 10**18 documents would be needed
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
    held = table([a, b], rates, rate_set, policy, keys)
    return randomise_tables([held], trials, seed)


def randomise_tables(tables: Sequence[Table], trials: int, seed: int) -> Randomisation:
    """Test the mean difference of tables of two runs each, with the same rows: pairs of files of two systems.

    The counts of a cell change sides in all pairs at once. Several pairs are always drawn, never enumerated.
    """
    if trials < 1:
        raise MeasureError(f"{shown(trials)} trials", expected="1 or more, such as 10000")
    if len(tables) > 1:
        return _randomise(tables, trials, seed)
    held = tables[0]
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


def _randomise(tables: Sequence[Table], trials: int, seed: int) -> Randomisation:
    parts, differ = [], set()
    for held in tables:
        cells, base = _rows_that_differ(held), total_sums(held)
        differ |= set(cells.keys.tolist())
        swaps = sums_of(held, cells, trials, _coin_weights(seed))
        parts.append(np.concatenate([statistic(held, _swap_runs(base, part)) for part in swaps], axis=1))
    swapped, value = mean_of_arrays(parts), mean_of_arrays([observed_values(held) for held in tables])
    lost = np.isnan(swapped)
    reached = (lost | (np.abs(swapped) >= _must_reach(value)[:, None])).sum(axis=1)
    p = np.where(np.isnan(value), np.nan, ratio(1 + reached, 1 + trials))
    lines = zip(tables[0].rows(), value.tolist(), p.tolist(), lost.sum(axis=1).tolist(), strict=True)
    return Randomisation([Verdict(*line) for line in lines], trials, False, len(differ))


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


def smallest_difference(error: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest true difference that a two-sided test would show with this power.

        (z(1 - alpha/2) + z(power)) x error        2.80 x error as it stands

    `error` is the standard error of the paired difference (`Interval.error`), on as many documents as gave it.
    Normal approximation. Source: Cohen (1988), Statistical power analysis for the behavioral sciences.
    """
    return _reach(alpha, power) * error


def documents_needed(
    error: float, documents: int, detect: float, *, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Return how many documents show a true difference of `detect` with this power, from a pilot.

        documents x ((z(1 - alpha/2) + z(power)) x error / detect)**2, rounded up, at least 6

    `error` is the standard error of the paired difference on the pilot's `documents`; it falls with the
    square root of their number.
    """
    if not (detect != 0 and math.isfinite(detect)):
        raise MeasureError(
            f"a difference of {shown(detect)} cannot be planned for", expected="a number that is not 0"
        )
    if not (error >= 0 and math.isfinite(error)):
        raise MeasureError(f"the standard error is {shown(error)}", expected="a number of 0 or more")
    reach = _reach(alpha, power) * error
    if reach > MOST_SHARE * abs(detect):
        raise MeasureError(
            f"a difference of {shown(detect)} would take more documents than there are",
            expected="a larger difference, such as 0.02",
        )
    need = documents * float(ratio(reach, detect)) ** 2
    return max(FEWEST, math.ceil(need - 1e-9 * need))  # a hair above a whole number is rounding


def _reach(alpha: float, power: float) -> float:
    """Return how many standard errors a true difference must span."""
    if not (0 < alpha < 1 and 0 < power < 1):
        what = f"alpha is {shown(alpha)} and power {shown(power)}"
        raise MeasureError(what, expected="both between 0 and 1, such as 0.05 and 0.8")
    from scipy.special import ndtri  # the inverse of the normal distribution

    return float(ndtri(1 - alpha / 2) + ndtri(power))


class Plan(NamedTuple):
    """How many documents it takes, and what that rests on."""

    documents: int
    pilot: int  # documents of the pilot
    value: float  # of the pilot
    error: float  # standard error of the pilot's value, by the jackknife
    scale: float  # by which the error was multiplied for a rate of `expect` instead of `value`
    difference_error: float  # standard error of a difference on as many documents as the pilot
    correlation: float  # assumed between the two runs


def plan(
    pilot: CellSums,
    documents: int,
    rates: Sequence[Rate],
    rate_set: RateSet,
    policy: Policy,
    *,
    rate: str,
    detect: float,
    expect: float | None = None,
    average: str = "micro",
    label: str | None = None,
    correlation: float = 0.5,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Plan:
    """Return how many documents it would take to tell two runs apart that differ by `detect`.

    From one pilot run: its standard error s on n documents (jackknife over cells), and two assumptions that the
    result repeats. Both runs vary as the pilot does, and their values on a document correlate by `correlation`, so
    that

        error of the difference = s x sqrt(2 (1 - correlation))

    A rate between 0 and 1 varies most in the middle: with `expect`, s is multiplied by
    sqrt(expect (1 - expect) / (value (1 - value))), as for a proportion. With two pilot runs, `documents_needed`
    on the error of their paired difference needs neither assumption.
    """
    held = table_of([pilot], rates, rate_set, policy)
    place = _find(held.rows(), Row(rate, average, label))
    value, error = float(observed_values(held)[place]), float(jackknife(held).error[place])
    if not -1 <= correlation < 1:
        raise MeasureError(
            f"a correlation of {shown(correlation)}", expected="from -1 to less than 1, such as 0.5"
        )
    if not error > 0:
        raise MeasureError(
            f"the pilot's {rate} is {value:g} and does not vary from document to document",
            expected="a pilot of several documents, some of them imperfect",
        )
    scale = 1.0 if expect is None else _scale(value, expect)
    both = error * scale * math.sqrt(2 * (1 - correlation))
    number = documents_needed(both, documents, detect, alpha=alpha, power=power)
    return Plan(number, documents, value, error, scale, both, correlation)


def _scale(value: float, expect: float) -> float:
    """Return the ratio of the standard deviations of two proportions."""
    if not (0 < value < 1 and 0 < expect < 1):
        raise MeasureError(
            f"expect is {shown(expect)} and the pilot's value {value:g}",
            expected="both between 0 and 1",
            hint="leaving out expect: the pilot's own spread is taken as it is",
        )
    return math.sqrt(float(ratio(expect * (1 - expect), value * (1 - value))))


def _find(rows: Sequence[Row], wanted: Row) -> int:
    if wanted in rows:
        return rows.index(wanted)
    known = [" ".join(filter(None, row)) for row in rows]
    asked = " ".join(filter(None, wanted))
    raise MeasureError(f"no score {asked!r}{did_you_mean(asked, known)}", expected=", ".join(known[:8]))
