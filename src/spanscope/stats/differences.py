"""Differences of two systems, second minus first: by swaps of cells, or for documents and the runs of a system.

Where both have one run, intervals are paired ones of the bootstrap and p is by randomisation (`significance`);
where one of them has several, both are by t and include how much runs vary (`repeats`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints
from spanscope.stats.bootstrap import cells_behind, intervals_of_table
from spanscope.stats.cells import CellSums, align
from spanscope.stats.counted import How
from spanscope.stats.repeats import judge, variation_of
from spanscope.stats.significance import TOLERANCE, randomise_table
from spanscope.stats.slices import Sure
from spanscope.stats.table import Row, table_of


class Differences(NamedTuple):
    """Of every row the difference and how sure it is; what is undefined is NaN."""

    rows: list[Row]
    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    documents: Floats  # standard error for the documents
    runs: Floats  # standard error for the runs; NaN where both systems have one
    degrees: Floats  # of freedom of both errors together; infinite where both systems have one run
    cells: Ints  # behind each row
    trials: int  # of swaps; 0 where there were none
    exact: bool  # all patterns of swaps were tried, or none was


def differences(
    first: Sequence[CellSums], second: Sequence[CellSums], how: How, trials: int, sure: Sure
) -> Differences:
    """Return the difference of every row of two systems, each the sums by cell of its runs.

    Where every resample has the same difference, as where two systems have the same figures in every document,
    there is no interval: that so many documents do not vary does not bound how much others would.
    """
    found = _differences_with_bounds(first, second, how, trials, sure)
    flat = found.high - found.low <= TOLERANCE
    return found._replace(low=np.where(flat, np.nan, found.low), high=np.where(flat, np.nan, found.high))


def _differences_with_bounds(
    first: Sequence[CellSums], second: Sequence[CellSums], how: How, trials: int, sure: Sure
) -> Differences:
    both = align([*first, *second])
    if len(first) == len(second) == 1:
        return _by_swaps(both, how, trials, sure)
    tables = [table_of([own], *how) for own in both]
    found = variation_of((tables[: len(first)], tables[len(first) :]), sure.resamples, sure.seed)
    own = judge(found, sure.level)
    errors = np.sqrt(found.documents), np.sqrt(found.runs)
    rows = tables[0].rows()
    return Differences(rows, own.difference, own.low, own.high, own.p, *errors, own.degrees, found.cells, 0, True)


def _by_swaps(pair: Sequence[CellSums], how: How, trials: int, sure: Sure) -> Differences:
    """Return the differences of two runs."""
    held = table_of(pair, *how)
    trial, between = randomise_table(held, trials, sure.seed), intervals_of_table(held, *sure)
    low, high, error, _ = np.array(between, dtype=np.float64).T
    difference, p = np.array([(one.difference, one.p) for one in trial.verdicts]).T
    none = np.full(len(p), np.nan)
    cells = cells_behind(held)
    rows = [one.row for one in trial.verdicts]
    infinite = np.full(len(p), np.inf)
    return Differences(rows, difference, low, high, p, error, none, infinite, cells, trial.trials, trial.exact)
