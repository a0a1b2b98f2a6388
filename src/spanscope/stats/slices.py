"""Figures of slices: parts of a corpus, each with its figure, its interval, and its difference from the rest.

What slices count is a table in which they take the place of labels (`stats.slicings`). So the figure of a slice is
that of a label, its interval is that of a label, and the rest is the sum over the other slices. Documents are not
matched again for it.

Whether a slice differs from the rest is tested in one of two ways.

    permutation   where every unit that is drawn (a document, or a group of them) is in one slice only: units
                  change their slices at random, as many being in each as before, and
                      p = (1 + number of trials with |difference*| >= |difference|) / (1 + trials)
                  two-sided, ties included, undefined differences counted as at least as large. There must be 6
                  units or more on both sides.
    t             elsewhere (slices of spans, groups in several slices, more than 4,096 documents):
                      t = difference / sqrt(sum u**2)
                      u = (residual of the unit in the slice) / c - (its residual in the rest) / (1 - c)
                  with residuals about the figure of all, as if the slice were no different, and c the share of the
                  slice in the denominator of the rate; on as many degrees of freedom as the smaller side has
                  units, less one. There must be 20 units or more on both sides. Residuals about each side's own
                  figure make the error small where few errors make the difference large: near 0 and 1 that called
                  too many slices different.

All tests of a run are adjusted together by Holm's method; where there are two slices, each is the other's rest,
and they count as one test.

Source: Good (2005), Permutation, parametric and bootstrap tests of hypotheses, for the first; for the second
Boos (1992), On generalized score tests.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Bools, Floats, Ints, Keys, draws, ratio
from spanscope.counts import Counts
from spanscope.jsonable import plain
from spanscope.rates import Rate, RateSet, Sums
from spanscope.stats.averages import Policy, document_sums, document_values
from spanscope.stats.bootstrap import Method, intervals_of_table
from spanscope.stats.cells import CellSums
from spanscope.stats.counted import How
from spanscope.stats.significance import TOLERANCE, holm
from spanscope.stats.slicings import SliceSums, without_means
from spanscope.stats.table import Table, table_of

FEW = 20  # units of a slice below which its interval would say little
FEWEST = 6  # units below which chance alone gives almost any figure, and nothing is tested
TRIALS = 10_000
FAR = 1_000.0  # copies of the corpus that a unit is added to, so that it moves the figure in a straight line
STREAM = 2  # of random draws: another one than those of weights and of coins
AT_ONCE = 2_000_000  # numbers that are put into a random order at once


class Sure(NamedTuple):
    """How intervals are made, as `settings.options.Ci` says; resamples and seed are those of tests, too."""

    resamples: int
    level: float
    seed: int
    method: Method


@dataclass(frozen=True)
class Slice:
    """A slice with its counts and rates; of the rate that leads its interval, the rest, and the test of both."""

    by: str
    name: str
    documents: int
    units: int  # documents or groups that are drawn, or cells of them
    counts: Mapping[str, int | float]
    rates: Mapping[str, float]
    value: float
    rest: float
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    adjusted: float = math.nan

    @property
    def difference(self) -> float:
        """Return how much larger the figure is than that of the rest."""
        return self.value - self.rest


class MeansOfDocuments(NamedTuple):
    """Rates that are means over documents, read from sums of values and of how many are defined."""

    names: tuple[Rate, ...]

    def rates(self, beta: float = 1.0, *, harmonic: bool = False) -> tuple[Rate, ...]:  # noqa: ARG002
        """Return the rates."""
        return tuple(Rate(one.name, _columns_of(one.name).mean, one.best) for one in self.names)

    def weight(self, sums: Sums) -> Floats:
        """Return what a slice weighs: nothing, for slices are not averaged."""
        return np.zeros(_size(sums))

    def empty(self, sums: Sums) -> Bools:
        """Tell where there is nothing: nowhere."""
        return np.zeros(_size(sums), dtype=bool)


def _size(sums: Sums) -> int:
    return len(next(iter(sums.values())))


def _columns_of(name: str) -> _Columns:
    return _Columns(f"{name} sum", f"{name} number", f"{name} infinite")


class _Columns(NamedTuple):
    total: str
    number: str
    infinite: str

    def mean(self, sums: Sums) -> Floats:
        return np.where(sums[self.infinite] > 0, np.inf, ratio(sums[self.total], sums[self.number]))


def values_as_counts(counts: Counts, how: How) -> Counts:
    """Return one row per document with its value of every rate, so that their means are ratios of sums."""
    rates, rate_set, policy = how
    each = document_sums(counts)
    columns: dict[str, Floats] = {}
    for rate in rates:
        values = document_values(each, rate, rate_set, policy)
        part, finite = _columns_of(rate.name), np.isfinite(values)
        columns[part.total] = np.where(finite, values, 0.0)
        columns[part.number] = finite.astype(np.float64)
        columns[part.infinite] = np.isinf(values).astype(np.float64)
    every = np.arange(counts.documents)
    return tables.make(counts.documents, counts.labels, every, np.full(len(every), tables.STAR), columns)


def measure_slices(each: Sequence[SliceSums], how: How, lead: Rate, sure: Sure | None) -> list[Slice]:
    """Return all slices, each with how sure its figure is; the worst first, behind them those too small to tell.

    `how` says how rates are read from the sums, `lead` is the one that leads. The worst is the one whose
    figure is farthest from the best value of the rate. Without `sure` there are no intervals and no tests.
    """
    parts = [_measure(own, how, lead, sure) for own in each]
    told, best = _adjust(parts), 0.0 if math.isnan(lead.best) else lead.best
    return sorted(told, key=lambda one: (one.units < FEWEST, math.isnan(one.value), _nearness(one.value, best)))


def number_of_tests(found: Sequence[Slice]) -> int:
    """Return how many tests there were among slices: of two slices by one thing, one."""
    each = [[not math.isnan(one.p) for one in found if one.by == by] for by in {one.by for one in found}]
    return sum(sum(own) if len(own) != 2 else min(1, sum(own)) for own in each)


def _adjust(parts: Sequence[list[Slice]]) -> list[Slice]:
    """Return all slices with p adjusted for how many were tested; of two slices, one test."""
    tested = [own[:1] if len(own) == 2 else own for own in parts]
    p = iter(holm([one.p for own in tested for one in own]))
    made = [[replace(one, adjusted=next(p)) for one in own] for own in tested]
    for own, first in zip(parts, made, strict=True):
        first += [replace(one, adjusted=first[0].adjusted) for one in own[len(first) :]]
    return [one for own in made for one in own]


def _nearness(value: float, best: float) -> float:
    return 0.0 if math.isnan(value) else -abs(value - best)


def _measure(own: SliceSums, how: How, lead: Rate, sure: Sure | None) -> list[Slice]:
    rates, rate_set, policy = how
    policy = Policy(None, policy.undefined)  # which labels are scored was decided before: here they are slices
    sums = without_means(own.cells, len(rates))
    held = table_of([sums], rates, rate_set, policy)
    codes = np.unique(sums.label)
    each = _by_slice(held)
    values = {rate.name: held.read(rate, each, 1) for rate in rates}
    value, rest = values[lead.name], held.read(lead, each.sum(axis=0) - each, 1)
    units = np.bincount(sums.label, minlength=len(own.names))[codes]
    low, high = (np.full(len(codes), np.nan) for _ in range(2))
    p = low
    if sure is not None:
        low, high = _bounds(held, lead, units, sure)
        p = _test(held, sums, lead, value - rest, units, sure)
    counted = own.counts.table().label_sums[1].tolist()
    names = (own.names[code] for code in codes.tolist())
    lines = zip(*(column.tolist() for column in (units, value, rest, low, high, p)), strict=True)
    return [
        Slice(
            own.by,
            name,
            own.having[name],
            int(line[0]),
            {column: plain(n) for column, n in zip(own.counts.columns, sums_of_it, strict=True)},
            {rate: float(of[at]) for rate, of in values.items()},
            *line[1:],
        )
        for at, (name, sums_of_it, line) in enumerate(zip(names, counted, lines, strict=True))
    ]


def _bounds(held: Table, lead: Rate, units: Ints, sure: Sure) -> tuple[Floats, Floats]:
    """Return the interval of every slice that has enough units; its sums are those of a label."""
    found = zip(held.rows(), intervals_of_table(held, *sure), strict=True)
    own = {row.label: one for row, one in found if (row.rate, row.average) == (lead.name, "label")}
    order = [own[name] for name in (held.names[at] for at in np.argsort(held.place).tolist())]
    return (
        np.where(units >= FEW, [one.low for one in order], np.nan),
        np.where(units >= FEW, [one.high for one in order], np.nan),
    )


def _by_slice(held: Table) -> Floats:
    """Return the sums of every slice: slices x columns."""
    cells = held.cells
    columns = [np.bincount(cells.code, weights=own, minlength=cells.codes) for own in cells.counts.T]
    return np.stack(columns, axis=1) if columns else np.zeros((cells.codes, 0))


def _test(held: Table, sums: CellSums, lead: Rate, difference: Floats, units: Ints, sure: Sure) -> Floats:
    """Return p of the difference between every slice and the rest; NaN where nothing is tested."""
    fewer = np.minimum(units, _units_of_rest(held))
    alone = not sums.hashed and bool((np.bincount(held.cells.cell) <= 1).all())
    told = (fewer >= (FEWEST if alone else FEW)) & ~np.isnan(difference)
    if not told.any():
        return np.full(len(units), np.nan)
    p = permutation(held, lead, difference, sure.seed) if alone else _by_t(held, lead, difference, fewer - 1)
    return np.where(told, p, np.nan)


def _units_of_rest(held: Table) -> Ints:
    """Return for every slice how many units have something of another slice."""
    cells = held.cells
    slices = np.bincount(cells.cell, minlength=held.units)  # of every unit
    only = np.bincount(cells.code[slices[cells.cell] == 1], minlength=cells.codes)
    return int((slices > 0).sum()) - only


def permutation(held: Table, rate: Rate, difference: Floats, seed: int, trials: int = TRIALS) -> Floats:
    """Return p of every slice's difference from the rest, units changing their slices at random."""
    order = np.argsort(held.cells.code, kind="stable")
    counts, code = held.cells.counts[order], held.cells.code[order]
    keys = held.cells.keys[held.cells.cell[order]]
    first = np.searchsorted(code, np.arange(held.cells.codes))
    whole = counts.sum(axis=0)
    least = np.abs(difference) - TOLERANCE * np.maximum(1.0, np.abs(difference))
    reached, step = np.zeros(len(difference)), max(1, AT_ONCE // max(counts.size, 1))
    for start in range(0, trials, step):
        number = min(step, trials - start)
        parts = np.add.reduceat(counts[_orders(seed, keys, number, start)], first, axis=1)
        moved = held.read(rate, parts, 2) - held.read(rate, whole - parts, 2)
        reached += (np.isnan(moved) | (np.abs(moved) >= least)).sum(axis=0)
    return ratio(1 + reached, 1 + trials)


def _orders(seed: int, keys: Keys, number: int, first: int) -> Ints:
    """Return random orders of the units, trials x units: by 64 random bits each."""
    parts = draws(seed, keys, 4 * number, STREAM, 4 * first).reshape(len(keys), number, 4)
    bits = np.ascontiguousarray(parts).view(np.uint64)[:, :, 0]
    return np.argsort(bits.T, axis=1, kind="stable")


def _by_t(held: Table, lead: Rate, difference: Floats, freedom: Ints) -> Floats:
    """Return p of every difference by Student's t, with the variance that it has if the slice is as the rest."""
    from scipy.special import stdtr  # the distribution of Student's t

    error = np.sqrt(_variance_if_alike(held, lead))
    t = np.abs(ratio(difference, np.where(error > TOLERANCE, error, 0.0)))
    return np.where(freedom > 0, 2 * stdtr(np.maximum(freedom, 1), -t), np.nan)


def _variance_if_alike(held: Table, rate: Rate) -> Floats:
    """Return the variance of every slice's difference from the rest: the sum over units of squared residuals.

    A unit's residual in a part of the corpus is how far what it has there moves the figure of all, divided by the
    share c that the part has of the whole denominator. A unit without the slice has one in the rest alone.
    """
    cells, each = held.cells, _by_slice(held)
    whole = each.sum(axis=0)
    value = held.read(rate, whole, 0)
    added = ratio(held.read(rate, whole + each, 1) - value, held.read(rate, each, 1) - value, empty=0.5)
    share = ratio(added, 1 - added)  # with a denominator D of the whole and d of the slice, added is d / (D + d)
    units: Floats = np.stack(
        [np.bincount(cells.cell, weights=own, minlength=held.units) for own in cells.counts.T], axis=1
    )

    def residual(sums: Floats) -> Floats:
        return FAR * (held.read(rate, FAR * whole + sums, sums.ndim - 1) - value)

    inside, every = residual(cells.counts), residual(units)
    outside = residual(units[cells.cell] - cells.counts)
    own = share[cells.code]
    here = (ratio(inside, own) - ratio(outside, 1 - own)) ** 2
    both = np.bincount(cells.code, weights=here, minlength=cells.codes)
    with_slice = np.bincount(cells.code, weights=every[cells.cell] ** 2, minlength=cells.codes)
    return both + ratio((every**2).sum() - with_slice, (1 - share) ** 2)


def how_of_means(how: How) -> How:
    """Return how means over documents are read from `values_as_counts`."""
    rates, _, policy = how
    own: RateSet = MeansOfDocuments(tuple(rates))
    return own.rates(), own, Policy(None, policy.undefined)
