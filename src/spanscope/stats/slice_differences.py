"""Differences of two systems in slices: in each the figure of both, a paired interval and a paired test.

A slicing is a table of counts in which the labels are slices (`stats.slices`), so a slice is tested as a label is:
by the randomisation test over units (documents, or groups of them) of `stats.significance`, with the paired
bootstrap interval, and where a system has several files for documents and files (`stats.differences`). All look
only at the units that have something of the slice: what becomes of others changes nothing.

A slice in fewer than 20 units has no interval and one in fewer than 6 no test, as in `stats.slices`. All tests,
over slices, ways to slice and systems, are adjusted together by Holm's method.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Ints, ratio
from spanscope.counts import Counts
from spanscope.rates import Rate
from spanscope.stats.averages import Policy, scores
from spanscope.stats.cells import CellSums
from spanscope.stats.counted import How
from spanscope.stats.differences import differences
from spanscope.stats.slices import FEW, FEWEST, Slicing, Sure


class SliceTest(NamedTuple):
    """A slice under two systems; undefined values, bounds and p are NaN."""

    name: str
    documents: int  # that have something of the slice, in either system
    units: int  # documents or groups that are drawn, or cells of them
    base: Mapping[str, float]  # rates of the first system
    rates: Mapping[str, float]
    low: float
    high: float
    p: float


def names_of_slices(slicings: Sequence[Slicing]) -> tuple[str, ...]:
    """Return the slices that anything is in, in order."""
    seen = {one.read.labels[code] for one in slicings for code in np.unique(one.read.label).tolist()}
    return tuple(sorted(seen))


def lead_alone(how: How, lead: Rate, names: Sequence[str]) -> How:
    """Return how the rate that leads is read in slices of these names, which take the place of labels."""
    return (lead,), how[1], Policy(tuple(names), how[2].undefined)


def sliced_tests(
    systems: tuple[Sequence[CellSums], Sequence[CellSums]],
    slicings: tuple[Sequence[Slicing], Sequence[Slicing]],
    names: Sequence[str],
    trials: int,
    sure: Sure,
    how: How,
    lead: Rate,
) -> list[SliceTest]:
    """Return the slices of these names under two systems.

    `systems` are the sums by cell of the files of either system, `slicings` their counts.
    """
    alone = lead_alone(how, lead, names)
    held = differences(*systems, alone, trials, sure)
    columns = (held.cells.tolist(), held.low.tolist(), held.high.tolist(), held.p.tolist())
    every = zip(held.rows, *columns, strict=True)
    found = {row.label: line for row, *line in every if row.label is not None}
    first, second = (_rates(own, (how[0], *alone[1:])) for own in slicings)
    out = []
    for name in names:
        drawn, low, high, p = found[name]
        low, high = (low, high) if drawn >= FEW else (math.nan, math.nan)
        documents = _documents([one.counts for own in slicings for one in own], name)
        tested = p if drawn >= FEWEST else math.nan
        out.append(SliceTest(name, documents, drawn, first[name], second[name], low, high, tested))
    return out


def _documents(parts: Sequence[Counts], name: str) -> int:
    """Return how many documents have something of a slice in any of the files."""
    rows = [own.doc[own.label == own.labels.index(name)] for own in parts if name in own.labels]
    return len(np.unique(np.concatenate(rows))) if rows else 0


def _rates(slicings: Sequence[Slicing], how: How) -> dict[str, dict[str, float]]:
    """Return the rates of every slice: of several files the means of those that are defined."""
    each: dict[str, dict[str, list[float]]] = {}
    for one in slicings:
        for row in scores("", one.read, *how):
            if row.average == "label":
                each.setdefault(str(row.label), {}).setdefault(row.rate, []).append(row.value)
    return {name: {rate: _mean(values) for rate, values in own.items()} for name, own in each.items()}


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    if len(values) == 1:
        return values[0]
    return float(ratio(math.fsum(known), len(known)))


def of_documents(own: Slicing, rows: Ints) -> Slicing:
    """Return a slicing of some of the documents alone."""
    return Slicing(own.by, tables.of_documents(own.counts, rows), tables.of_documents(own.read, rows))
