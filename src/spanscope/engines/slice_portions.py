"""Slices of portions of a corpus: counted with them, summed where only totals are kept, and put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from spanscope import counts as tables
from spanscope.arithmetic import Ints, Keys
from spanscope.counts import Counts
from spanscope.engines.slicing import how_of_slices, refuse_many
from spanscope.findings.slices import BUILT_IN
from spanscope.settings.run_settings import Settings
from spanscope.stats.cells import change_keys, deal
from spanscope.stats.slicings import Sliced, SliceSums, Slicing, add, align, names_of, sum_slices

Slices = Sequence[Sliced]


def sum_slicings(slices: Slices, settings: Settings, keys: Keys) -> tuple[Sliced, ...]:
    """Return the sums of slices; `keys` are those that documents are drawn by."""
    if not slices:
        return ()
    how, dealt = how_of_slices(settings)[0], deal(keys)
    return tuple(own if isinstance(own, SliceSums) else sum_slices(own, how, dealt) for own in slices)


def add_slices(one: Slices, other: Slices) -> tuple[Sliced, ...]:
    """Return the sums of the slices of two portions; one without documents has none."""
    if not (one and other):
        return tuple(one or other)
    out = []
    for pair in zip(one, other, strict=True):
        first, second = cast(list[SliceSums], align(pair))  # portions that are added up have sums alone
        if first.by not in BUILT_IN:
            refuse_many(first.by, names_of(first))
        out.append(add(first, second))
    return tuple(out)


def put_together(parts: Sequence[Slices], order: Ints | None) -> list[Sliced]:
    """Return the slices of portions as those of all documents; portions without documents have none.

    `order` are the documents in the order of gold, where portions are in another.
    """
    return [_whole(ways, order) for ways in zip(*(own for own in parts if own), strict=True)]


def _whole(parts: Slices, order: Ints | None) -> Sliced:
    aligned = align(parts)
    alone = aligned[0]
    if isinstance(alone, SliceSums):
        return alone
    each = [own for own in aligned if isinstance(own, Slicing)]
    counts = _merge([own.counts for own in each], order)
    same = all(own.read is own.counts for own in each)
    return Slicing(alone.by, counts, counts if same else _merge([own.read for own in each], order))


def _merge(parts: Sequence[Counts], order: Ints | None) -> Counts:
    whole = tables.merge(parts)
    return whole if order is None else tables.of_documents(whole, order)


def with_keys(slices: Slices, keys: Mapping[int, int] | None) -> Slices:
    """Return sums of slices whose cells get other keys, where there are some."""
    return slices if keys is None else [_with_keys(own, keys) for own in slices]


def _with_keys(own: Sliced, keys: Mapping[int, int]) -> Sliced:
    return replace(own, cells=change_keys(own.cells, keys)) if isinstance(own, SliceSums) else own
