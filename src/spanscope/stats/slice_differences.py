"""Differences of two systems in slices: in each the figure of both, a paired interval and a paired test.

In a slicing slices take the place of labels (`stats.slicings`), so a slice is tested as a label is: by the
randomisation test over units (documents, or groups of them) of `stats.significance`, with the paired bootstrap
interval, and where a system has several files for documents and files (`stats.differences`). All look only at the
units that have something of the slice: what becomes of others changes nothing.

A slice in fewer than 20 units has no interval and one in fewer than 6 no test, as in `stats.slices`. All tests,
over slices, ways to slice and systems, are adjusted together by Holm's method.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from spanscope.arithmetic import ratio
from spanscope.rates import Rate
from spanscope.stats.averages import Policy, scores
from spanscope.stats.counted import How
from spanscope.stats.differences import differences
from spanscope.stats.slices import FEW, FEWEST, Sure
from spanscope.stats.slicings import SliceSums, without_means


class SliceTest(NamedTuple):
    """A slice under two systems; undefined values, bounds and p are NaN."""

    name: str
    documents: int  # that have something of the slice, in the file where these are the most
    units: int  # documents or groups that are drawn, or cells of them
    base: Mapping[str, float]  # rates of the first system
    rates: Mapping[str, float]
    low: float
    high: float
    p: float


def names_of_slices(each: Sequence[SliceSums]) -> tuple[str, ...]:
    """Return the slices that anything is in, in order."""
    return tuple(sorted({name for one in each for name in one.having}))


def lead_alone(how: How, lead: Rate, names: Sequence[str]) -> How:
    """Return how the rate that leads is read in slices of these names, which take the place of labels."""
    return (lead,), how[1], Policy(tuple(names), how[2].undefined)


def sliced_tests(
    first: Sequence[SliceSums],
    second: Sequence[SliceSums],
    names: Sequence[str],
    trials: int,
    sure: Sure,
    how: How,
    lead: Rate,
) -> list[SliceTest]:
    """Return the slices of these names under two systems, each the sums of its files."""
    alone = lead_alone(how, lead, names)
    ours, theirs = ([without_means(one.cells, 1) for one in files] for files in (first, second))
    held = differences(ours, theirs, alone, trials, sure)
    columns = (held.cells.tolist(), held.low.tolist(), held.high.tolist(), held.p.tolist())
    every = zip(held.rows, *columns, strict=True)
    found = {row.label: line for row, *line in every if row.label is not None}
    before, after = (_rates(files, (how[0], *alone[1:])) for files in (first, second))
    out = []
    for name in names:
        drawn, low, high, p = found[name]
        low, high = (low, high) if drawn >= FEW else (math.nan, math.nan)
        documents = max(one.having.get(name, 0) for one in (*first, *second))
        tested = p if drawn >= FEWEST else math.nan
        out.append(SliceTest(name, documents, drawn, before[name], after[name], low, high, tested))
    return out


def _rates(files: Sequence[SliceSums], how: How) -> dict[str, dict[str, float]]:
    """Return the rates of every slice: of several files the means of those that are defined."""
    each: dict[str, dict[str, list[float]]] = {}
    for one in files:
        for row in scores("", one.read.table(), *how):
            if row.average == "label":
                each.setdefault(str(row.label), {}).setdefault(row.rate, []).append(row.value)
    return {name: {rate: _mean(values) for rate, values in own.items()} for name, own in each.items()}


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    if len(values) == 1:
        return values[0]
    return float(ratio(math.fsum(known), len(known)))
