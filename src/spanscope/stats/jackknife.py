"""What every score does without one cell: skewness and standard error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.rates import Rate
from spanscope.stats.sums import second_minus_first, total_sums, values
from spanscope.stats.table import Table


class Jackknife(NamedTuple):
    """Of every row: the acceleration of BCa, the standard error of the jackknife, and how well that is known."""

    acceleration: Floats
    error: Floats
    degrees: Floats  # of freedom of the error


def jackknife(held: Table) -> Jackknife:
    """Leave out each cell once, and return what the values then do.

        acceleration = sum (m - v_i)**3 / (6 (sum (m - v_i)**2)**1.5)      error**2 = (n - 1) / n sum (v_i - m)**2

        degrees = 2 n / (k - 1), at most n - 1      k = n sum (v_i - m)**4 / (sum (v_i - m)**2)**2

    with v_i the value without cell i and m their mean. A variance of values with the kurtosis k varies as one with
    so many degrees of freedom: n for normal values, fewer where few cells carry the figure. A cell without which a
    value is undefined is left out. Source: Efron and Tibshirani (1993), An introduction to the bootstrap, (11.5)
    and (14.15); Cramer (1946), Mathematical methods of statistics, 27.4, for the variance of a variance.
    """
    sums = total_sums(held)
    value = values(held, sums)[:, :, 0]
    whole = (sums.labels[0] if held.star else sums.labels.sum(axis=0))[:, :, 0]
    labels = np.concatenate([sums.labels[..., 0], np.zeros((1, *whole.shape))])[held.place]
    known, size = _label_rows(held), held.units
    rest = labels[known.label] - known.counts
    out: list[Floats] = []
    for i, rate in enumerate(held.rates):
        row = len(value) // len(held.rates) * i
        means = held.cells.means.reshape(size, held.runs, len(held.rates), 2)[:, :, i]
        each = sums.means[:, i, :, 0] - means
        lines = [held.read(rate, whole - _by_cell(held), 2), ratio(each[..., 0], each[..., 1])]
        if held.names:
            lines[1:1] = _averages_without(held, rate, labels, rest, known, size)
        for line in lines:
            out.append(moments(second_minus_first(line - value[row], 1), np.zeros(size, dtype=np.int64), 1, size))
            row += 1
        changes = held.read(rate, rest, 2) - value[row : row + len(labels)][known.label]
        out.append(moments(second_minus_first(changes, 1), known.label, len(labels), size))
    n, first, second, third, fourth = np.concatenate(out, axis=1)
    square = _square(n, first, second)
    error = np.where(np.isnan(second_minus_first(value, 1)), np.nan, np.sqrt(ratio(n - 1, n) * square))
    acceleration = acceleration_of(n, first, second, third)
    return Jackknife(acceleration, error, _degrees_of(n, first, second, third, fourth))


def _degrees_of(n: Floats, first: Floats, second: Floats, third: Floats, fourth: Floats) -> Floats:
    """Return the degrees of freedom of the variance; NaN where nothing varies."""
    mean = ratio(first, n)
    away = fourth - 4 * mean * third + 6 * mean**2 * second - 3 * n * mean**4
    kurtosis = ratio(n * away, _square(n, first, second) ** 2)
    return np.where(kurtosis > 1, np.minimum(ratio(2 * n, kurtosis - 1), n - 1), n - 1 + 0 * kurtosis)


def acceleration_of(n: Floats, first: Floats, second: Floats, third: Floats) -> Floats:
    """Return the acceleration from the number of values without a document and the sums of their powers 1 to 3."""
    mean = ratio(first, n)
    cube = third - 3 * mean * second + 2 * n * mean**3
    return ratio(-cube, 6 * _square(n, first, second) ** 1.5, empty=0.0)


def _square(n: Floats, first: Floats, second: Floats) -> Floats:
    """Return the sum of squares about the mean."""
    return np.asarray(np.maximum(second - n * ratio(first, n) ** 2, 0.0))


class LabelRows(NamedTuple):
    """The rows of the labels that are averaged over."""

    cell: Ints
    label: Ints  # place among the names
    counts: Floats  # rows x runs x columns


def _label_rows(held: Table) -> LabelRows:
    cells = held.cells
    name = np.full(cells.codes + 1, -1)
    name[held.place] = np.arange(len(held.names))
    label = name[cells.code]
    inside = label >= 0
    counts = cells.counts[inside].reshape(-1, held.runs, len(held.columns))
    return LabelRows(cells.cell[inside], label[inside], counts)


def _by_cell(held: Table) -> Floats:
    """Return the overall sums of every cell: cells x runs x columns."""
    cells = held.cells
    rows = cells.code == 0 if held.star else np.ones(len(cells.code), dtype=bool)
    return _sum_by_group(cells.counts[rows], cells.cell[rows], held.units).reshape(
        -1, held.runs, len(held.columns)
    )


def _averages_without(
    held: Table, rate: Rate, labels: Floats, rest: Floats, known: LabelRows, size: int
) -> list[Floats]:
    """Return the macro and the weighted average without each cell: cells x runs, twice.

    Only the labels of a cell change without it, so each average is the whole one plus the changes.
    """
    before, after = held.read(rate, labels, 2), held.read(rate, rest, 2)
    weights = held.weight(labels, 2), held.weight(rest, 2)
    out = []
    for old, new, empty in (
        (np.ones_like(before), np.ones_like(after), float("nan")),
        (*weights, held.policy.undefined),
    ):
        sums = []
        for top in (True, False):
            was, now = (
                np.where(np.isnan(each), 0.0, weight * each if top else weight)
                for each, weight in ((before, old), (after, new))
            )
            sums.append(was.sum(axis=0) + _sum_by_group(now - was[known.label], known.cell, size))
        out.append(ratio(*sums, empty=empty))
    return out


def _sum_by_group(rows: Floats, group: Ints, size: int) -> Floats:
    """Return the sums of rows by group: size x columns."""
    columns = [np.bincount(group, weights=column, minlength=size) for column in rows.T]
    return np.stack(columns, axis=1) if columns else np.zeros((size, rows.shape[1]))


def moments(change: Floats, group: Ints, groups: int, size: int) -> Floats:
    """Return by group the number of defined changes and the sums of their powers 1 to 4: 5 x groups.

    A group has `size` changes; those that are not given are 0.
    """
    lost = np.isnan(change)
    kept = np.where(lost, 0.0, change)
    powers = [np.bincount(group, weights=kept**power, minlength=groups) for power in (1, 2, 3, 4)]
    return np.stack([size - np.bincount(group, weights=lost, minlength=groups), *powers])
