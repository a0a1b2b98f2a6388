"""Runs beside each other by slice: the headline of each in it, and the test of every difference to the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple

from spanscope.engines.slicing import how_of_slices, name_shown
from spanscope.errors import MeasureError
from spanscope.findings.slices import SETTLED
from spanscope.results.compared import read_difference
from spanscope.results.runs import Run
from spanscope.results.slice_difference import SliceDifference, worst_first
from spanscope.settings.options import Ci
from spanscope.stats.counted import How
from spanscope.stats.significance import holm
from spanscope.stats.slice_differences import SliceTest, names_of_slices, sliced_tests
from spanscope.stats.slices import Sure
from spanscope.stats.slicings import SliceSums, sums_of


def compare_slices(
    systems: Mapping[str, Sequence[Run]], ci: Ci, trials: int, left_out: int | None
) -> list[SliceDifference]:
    """Return every slice of every run but the first, largest loss first; p adjusted over all of them."""
    runs = [run for own in systems.values() for run in own]
    ways = [one.by for one in runs[0].slicings if all(one.by in [own.by for own in run.slicings] for run in runs)]
    _refuse_other_documents(ways, left_out)
    base, *others = systems
    settings, sure = runs[0].settings, Sure(*astuple(ci))
    how, lead = how_of_slices(settings)
    found: list[tuple[str, str, SliceTest]] = []
    for by in ways:
        sums = {name: [_sums(run, by, how) for run in own] for name, own in systems.items()}
        names = names_of_slices([one for own in sums.values() for one in own])
        for name in others:
            tests = sliced_tests(sums[base], sums[name], names, trials, sure, how, lead)
            found += [(by, name, one) for one in tests]
    adjusted = holm([one.p for *_, one in found])
    rows = []
    for (by, run, one), p in zip(found, adjusted, strict=True):
        before, after = one.base[lead.name], one.rates[lead.name]
        shown, reading = name_shown(by, one.name, settings), read_difference(before, after, p, lead.best)
        about = (by, shown, run, one.documents, one.units, one.base, one.rates, before, after)
        rows.append(SliceDifference(*about, one.low, one.high, one.p, p, reading))
    return worst_first(rows, lead.best)


def _sums(run: Run, by: str, how: How) -> SliceSums:
    """Return the sums of the slices of a run, by cell: what the file of a system is tested by."""
    return sums_of(next(one for one in run.slicings if one.by == by), how, run.counted)


def _refuse_other_documents(ways: Sequence[str], left_out: int | None) -> None:
    """Refuse slices that every run would make of its own documents, where some run lacks some."""
    odd = [by for by in ways if by in SETTLED]
    if left_out and odd:
        raise MeasureError(
            f"{odd[0]} depends on which documents there are, and the runs do not have the same",
            expected="other slices, or runs of the same documents",
            hint="[[missing=empty]]",
        )
