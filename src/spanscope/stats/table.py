"""Sums by cell of one run or two, ready to be weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import LARGEST_WEIGHT, Floats, Ints, Keys
from spanscope.counts import STAR, Counts
from spanscope.errors import InputError
from spanscope.rates import Rate, RateSet, Sums
from spanscope.stats.averages import Policy
from spanscope.stats.cells import CellSums, deal, fold


class Row(NamedTuple):
    """Which score a figure belongs to."""

    rate: str
    average: str
    label: str | None


class WeighedRows(NamedTuple):
    """What is weighed: rows of counts sorted by cell, and one line of means a cell."""

    keys: Keys  # of the cells, ascending
    cell: Ints  # rows
    code: Ints  # rows: place of the label among those that occur
    counts: Floats  # rows x (runs x columns)
    means: Floats  # cells x (runs x rates x 2): the sum of the values, and how many are defined
    codes: int


@dataclass(frozen=True, eq=False)
class Table:
    """Sums by cell of one run or two, ready to be weighed, and how they are read."""

    cells: WeighedRows
    runs: int
    columns: tuple[str, ...]
    names: tuple[str, ...]
    place: Ints  # of each name among the codes, -1 where it does not occur
    star: bool  # the first code is `*`
    rates: tuple[Rate, ...]
    rate_set: RateSet
    policy: Policy

    @property
    def units(self) -> int:
        """Return how many cells there are, those without rows included."""
        return len(self.cells.keys)

    def rows(self) -> list[Row]:
        """Return the scores in the order of `averages.scores`."""
        averages = ("micro", "macro", "weighted", "document") if self.names else ("micro", "document")
        return [
            row
            for rate in self.rates
            for row in (
                *(Row(rate.name, average, None) for average in averages),
                *(Row(rate.name, "label", name) for name in self.names),
            )
        ]

    def named(self, sums: Floats, axis: int) -> Sums:
        """Return the columns along an axis by name, each flat: a rate is a function of flat columns."""
        return {name: sums.take(i, axis).ravel() for i, name in enumerate(self.columns)}

    def read(self, rate: Rate, sums: Floats, axis: int) -> Floats:
        """Return the rate of sums with the columns along an axis; 0/0 as the policy says, infinity undefined."""
        return self.read_all((rate,), sums, axis)[0]

    def read_all(self, rates: Sequence[Rate], sums: Floats, axis: int) -> list[Floats]:
        """Return several rates of the same sums."""
        shape, columns = sums.shape[:axis] + sums.shape[axis + 1 :], self.named(sums, axis)
        values = [np.asarray(rate(columns), dtype=np.float64).reshape(shape) for rate in rates]
        values = [np.where(np.isnan(own), self.policy.undefined, own) for own in values]
        return [np.where(np.isfinite(own), own, np.nan) for own in values]

    def weight(self, sums: Floats, axis: int) -> Floats:
        """Return what labels weigh in a weighted average, from sums with the columns along an axis."""
        shape = sums.shape[:axis] + sums.shape[axis + 1 :]
        return np.asarray(self.rate_set.weight(self.named(sums, axis)), dtype=np.float64).reshape(shape)


def table(runs: Sequence[Counts], rates: Sequence[Rate], rate_set: RateSet, policy: Policy, keys: Keys) -> Table:
    """Prepare the counts of one run, or of two runs on the same documents, which are drawn by their keys."""
    if len(keys) != runs[0].documents:
        raise InputError(
            f"{len(keys):,} keys for {runs[0].documents:,} documents", expected="a key for each document"
        )
    dealt = deal(keys)
    return table_of([fold(run, rates, rate_set, policy, dealt) for run in runs], rates, rate_set, policy)


def table_of(runs: Sequence[CellSums], rates: Sequence[Rate], rate_set: RateSet, policy: Policy) -> Table:
    """Prepare the sums of one run by cell, or of two runs on the same documents.

    Labels are those of the policy, else those that occur in any run. The values of columns are rounded to a grid
    on which all weighted sums are exact.
    """
    first = runs[0]
    if any((own.labels, own.columns) != (first.labels, first.columns) for own in runs) or not all(
        np.array_equal(own.keys, first.keys) for own in runs
    ):
        raise InputError("the runs were not counted alike", expected="the same documents, labels and columns")
    width = len(first.labels) + 1
    places = [own.cell * width + own.label - STAR for own in runs]
    used, inverse = np.unique(np.concatenate(places), return_inverse=True)
    codes, code = np.unique(used % width, return_inverse=True)
    at = np.split(inverse, np.cumsum([len(own) for own in places])[:-1])
    rows = [_spread(run.table(), place, len(used)) for run, place in zip(runs, at, strict=True)]
    star = bool(len(codes)) and int(codes[0]) == 0
    seen = {first.labels[int(c) + STAR]: i for i, c in enumerate(codes) if c}
    names = _names(seen, len(codes), policy)
    cells = WeighedRows(
        first.keys,
        used // width,
        code,
        _round_to_grid(np.concatenate(rows, axis=1), len(runs)),
        _round_to_grid(np.concatenate([run.mean_parts() for run in runs], axis=1), len(runs)),
        len(codes),
    )
    place = np.array([seen.get(name, -1) for name in names], dtype=np.int64)
    return Table(cells, len(runs), first.columns, names, place, star, tuple(rates), rate_set, policy)


def _spread(run: Counts, at: Ints, size: int) -> Floats:
    """Return the counts of a run at places of a longer table, zeros elsewhere: rows x columns."""
    columns = [np.bincount(at, weights=column, minlength=size) for column in run.values]
    return np.stack(columns, axis=1) if columns else np.zeros((size, 0))


def _names(seen: Mapping[str, int], codes: int, policy: Policy) -> tuple[str, ...]:
    """Return the labels of the macro average, as `averages.label_sums` chooses them."""
    if not seen and (codes or policy.labels is None):
        return ()
    return tuple(sorted(seen) if policy.labels is None else policy.labels)


def _round_to_grid(values: Floats, runs: int) -> Floats:
    """Round the values of each column to multiples of a power of 2, so coarse that no weighted sum loses a bit.

    The power keeps largest value x largest weight x rows below 2**53, as exact as a sum of so many floats can be
    promised to be: with 1,000 rows values up to 1 are kept to 1e-12. Columns of whole numbers stay as they are;
    a column has the same grid in all runs. `values` is rows x (runs x columns).
    """
    wide = values.reshape(len(values), runs, values.shape[1] // runs)
    whole = (wide == np.rint(wide)).all(axis=(0, 1))
    if whole.all():
        return values
    most = np.abs(wide).max(axis=(0, 1), initial=0.0)
    up = 53 - np.frexp(most)[1] - (2 * LARGEST_WEIGHT).bit_length() - len(values).bit_length()
    return np.where(whole, wide, np.ldexp(np.rint(np.ldexp(wide, up)), -up)).reshape(values.shape)
