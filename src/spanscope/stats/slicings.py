"""What the slices of a corpus count: of every document, or where these are not kept the sums alone.

A slicing is a table of counts in which the labels are slices: one row per document and a slice that it is in, or
that spans of it are in. Its sums, by cell and over all documents, are the whole state of the figures of slices, of
their intervals and of their tests, as the sums by label are that of a measure (`stats.counted`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Ints
from spanscope.counts import Counts, Numbers
from spanscope.stats import cells as by_cell
from spanscope.stats.cells import CellSums, Dealt
from spanscope.stats.counted import Counted, Documents, How
from spanscope.stats.exact import ExactSums


class Slicing(NamedTuple):
    """One way to slice: the counts by document and slice, and the table from which figures are read."""

    by: str
    counts: Counts
    read: Counts  # the counts themselves, where figures are read from these
    members: tuple[Ints, Ints] | None = None  # of both sides, where not documents are sliced

    def with_tables(self, change: Callable[[Counts], Counts]) -> Slicing:
        """Return the slicing with both tables changed; where they are one, they stay one."""
        counts = change(self.counts)
        return self._replace(counts=counts, read=counts if self.read is self.counts else change(self.read))


@dataclass(frozen=True, eq=False)
class SliceSums:
    """The sums of one way to slice: of all documents, and by cell."""

    by: str
    having: Mapping[str, int]  # documents by slice, of the slices that something is in
    counts: CellSums  # all documents in one cell
    read: CellSums  # the same of the table from which figures are read
    cells: CellSums  # of that table

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all slices, also of those that nothing is in."""
        return self.cells.labels

    def with_cells(self, change: Callable[[CellSums], CellSums]) -> SliceSums:
        """Return the sums with all of their tables changed."""
        return replace(self, counts=change(self.counts), read=change(self.read), cells=change(self.cells))


Sliced = Slicing | SliceSums


def slice_documents(by: str, counts: Counts, read: Counts, names: tuple[str, ...], code: Ints) -> Slicing:
    """Return the counts of documents under the slice that each is in."""
    return Slicing(by, counts, read).with_tables(lambda own: _overall_by_slice(own, names, code))


def _overall_by_slice(counts: Counts, names: tuple[str, ...], code: Ints) -> Counts:
    whole = tables.overall_rows(counts)
    return replace(whole, labels=names, label=code[whole.doc])


def sums_of(own: Sliced, how: How, counted: Counted) -> SliceSums:
    """Return the sums of a way to slice what was counted, from the counts of documents where these are kept."""
    if isinstance(own, SliceSums):
        return own
    return sum_slices(own, how, cast(Documents, counted).dealt)  # where only totals are kept, slices are sums too


def sum_slices(own: Slicing, how: How, dealt: Dealt) -> SliceSums:
    """Return the sums of a slicing, by cell and of all documents."""
    rows = tables.rows_by_label(own.counts)[1:].tolist()
    having = {name: number for name, number in zip(own.counts.labels, rows, strict=True) if number}
    alone = by_cell.all_in_one(own.counts.documents)
    counts = by_cell.fold(own.counts, *how, alone, values=())
    read = counts if own.read is own.counts else by_cell.fold(own.read, *how, alone, values=())
    return SliceSums(own.by, having, counts, read, by_cell.fold(own.read, *how, dealt, values=()))


def add(one: SliceSums, other: SliceSums) -> SliceSums:
    """Return the sums of the documents of both; slices have the same codes in both."""
    names = dict.fromkeys((*one.having, *other.having))
    having = {name: one.having.get(name, 0) + other.having.get(name, 0) for name in names}
    counts, cells = by_cell.add(one.counts, other.counts), by_cell.add(one.cells, other.cells)
    same = one.read is one.counts and other.read is other.counts
    return SliceSums(one.by, having, counts, counts if same else by_cell.add(one.read, other.read), cells)


def align(parts: Sequence[Sliced]) -> list[Sliced]:
    """Return one way to slice portions of documents with one table of slices for all of them."""
    each = [names_of(own) for own in parts]
    if all(names == each[0] for names in each):
        return list(parts)
    names = tuple(sorted({name for own in each for name in own}))
    return [_with_names(own, names) for own in parts]


def names_of(own: Sliced) -> tuple[str, ...]:
    """Return the names of all slices."""
    return own.names if isinstance(own, SliceSums) else own.counts.labels


def _with_names(own: Sliced, names: tuple[str, ...]) -> Sliced:
    if isinstance(own, SliceSums):
        return own.with_cells(lambda sums: by_cell.with_labels(sums, names))
    code = {name: at for at, name in enumerate(names)}
    table = np.array([code[name] for name in own.counts.labels], dtype=np.int64)
    return own.with_tables(lambda counts: replace(counts, labels=names, label=table[counts.label]))


def rename(own: Sliced, names: Mapping[str, str]) -> Sliced:
    """Return slices under other names, in the order of these; no two get the same."""
    order = tuple(sorted(names[name] for name in names_of(own)))
    if isinstance(own, SliceSums):
        having = {names[name]: number for name, number in own.having.items()}
        called = tuple(names[name] for name in own.names)
        renamed = own.with_cells(lambda sums: by_cell.with_labels(replace(sums, labels=called), order))
        return replace(renamed, having=having)
    code = {name: at for at, name in enumerate(order)}
    return put_together(own, order, [code[names[name]] for name in own.counts.labels])


def put_together(own: Slicing, names: tuple[str, ...], codes: Sequence[int]) -> Slicing:
    """Return slices of which several become one: each gets the code that stands at its place."""
    table = np.array(codes, dtype=np.int64)
    members = own.members and (table[own.members[0]], table[own.members[1]])
    return own.with_tables(lambda counts: _recode(counts, names, table))._replace(members=members)


def _recode(counts: Counts, names: tuple[str, ...], table: Ints) -> Counts:
    """Return the counts by other slices, one row per document and slice again."""
    place = counts.doc * len(names) + table[counts.label]
    used, at = np.unique(place, return_inverse=True)
    shape = len(counts.columns), len(used)
    values: Numbers = np.zeros(shape, dtype=np.int64) if counts.values.dtype == np.int64 else np.zeros(shape)
    for line, column in zip(values, counts.values, strict=True):
        np.add.at(line, at, column)
    return Counts(counts.documents, names, counts.columns, used // len(names), used % len(names), values)


def of_documents(own: Slicing, rows: Ints) -> Slicing:
    """Return a slicing of some of the documents alone."""
    return own.with_tables(lambda counts: tables.of_documents(counts, rows))._replace(members=None)


def without_means(cells: CellSums, rates: int) -> CellSums:
    """Return sums by cell as those of so many rates, whose means over documents nobody asks of a slice."""
    empty = ExactSums((0,), np.zeros((1, 2 * rates, len(cells.keys)), dtype=np.int64))
    return replace(cells, means=empty)
