"""Cells: what is drawn for intervals and changes sides in tests, and the sums of counts in each of them.

Up to 4,096 documents (or groups of documents) are a cell each, known by its key. More of them are dealt into 4,096
cells by a hash of their keys. The sums by cell are all that intervals and tests need of a corpus, whatever its
size: those of portions add up to those of all documents, without any rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import CELLS, Floats, Ints, Keys, cell_numbers
from spanscope.counts import STAR, Counts, Numbers
from spanscope.rates import Rate, RateSet
from spanscope.stats.averages import Policy, values_of
from spanscope.stats.exact import ExactSums, add_into, round_sums, squares, sum_by_group, take

DENSE = 4  # places a row of counts may have where rows are found by counting instead of sorting


class Dealt(NamedTuple):
    """Which cell every document is in."""

    keys: Keys  # of the cells, ascending
    at: Ints  # the cell of each document
    hashed: bool  # there were more documents or groups than cells: a cell has several


class RowsOfCells(NamedTuple):
    """The rows of counts by cell and label, in order, and where every row by document and label goes."""

    cell: Ints
    label: Ints
    at: Ints


@dataclass(frozen=True, eq=False)
class CellSums:
    """Sums of the counts of one measure by cell and label, and of what means over documents are made of."""

    keys: Keys  # of the cells, ascending
    hashed: bool
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    cell: Ints  # of every row, in order
    label: Ints
    counts: ExactSums  # columns by row
    means: ExactSums  # a rate two columns, the sum of the values and how many are defined, by cell
    whole: bool  # the counts are whole numbers

    def table(self) -> Counts:
        """Return the sums as counts, as if every cell were a document."""
        values: Numbers = round_sums(self.counts)
        values = values if self.whole else values.astype(np.float64)
        return Counts(len(self.keys), self.labels, self.columns, self.cell, self.label, values)

    def mean_parts(self) -> Floats:
        """Return cells x (rates x 2); an infinite mean has no interval, and its rate is undefined throughout."""
        values = round_sums(self.means).astype(np.float64).T
        endless = ~np.isfinite(values[:, 0::2]).all(axis=0)
        values[:, np.repeat(endless, 2)] = 0.0
        return values


def deal(keys: Keys, cells: int | None = None) -> Dealt:
    """Return the cell of every document from its key, or that of its group; the same key is the same cell."""
    cells = CELLS if cells is None else cells
    known, at = np.unique(np.asarray(keys, dtype=np.uint64), return_inverse=True)
    if len(known) <= cells:
        return Dealt(known, at, hashed=False)
    used, own = np.unique(cell_numbers(known, cells), return_inverse=True)
    return Dealt(used, own[at], hashed=True)


def all_in_one(documents: int) -> Dealt:
    """Return the one cell of documents that are only to be added up."""
    return Dealt(np.zeros(1, dtype=np.uint64), np.zeros(documents, dtype=np.int64), hashed=True)


def fold(
    counts: Counts,
    rates: Sequence[Rate],
    rate_set: RateSet,
    policy: Policy,
    dealt: Dealt,
    known: dict[tuple[int, int], RowsOfCells] | None = None,
    *,
    values: Sequence[Floats] | None = None,
    spread: bool = False,
) -> CellSums:
    """Return the sums of counts by cell.

    `known` are the rows of tables folded before into the same cells: most measures share theirs; `values` are
    those of every rate by document, where somebody has them. `spread` adds their squares, two columns more a rate,
    for the standard deviation.
    """
    memory = {} if known is None else known
    own = (id(counts.doc), id(counts.label))
    rows = memory[own] = memory.get(own) or _rows(dealt.at[counts.doc], counts.label, len(counts.labels), dealt)
    sums = sum_by_group(list(counts.values), rows.at, len(rows.cell))
    known_values = values_of(counts, rates, rate_set, policy) if values is None else values
    means = _means(known_values, dealt, spread=spread)
    whole = counts.values.dtype == np.int64
    return CellSums(
        dealt.keys, dealt.hashed, counts.labels, counts.columns, rows.cell, rows.label, sums, means, whole
    )


def counts_by_cell(counts: Counts, dealt: Dealt) -> Counts:
    """Return the sums of counts by cell, as if every cell were a document."""
    rows = _rows(dealt.at[counts.doc], counts.label, len(counts.labels), dealt)
    values = round_sums(sum_by_group(list(counts.values), rows.at, len(rows.cell)))
    return Counts(len(dealt.keys), counts.labels, counts.columns, rows.cell, rows.label, values)


def _rows(cell: Ints, label: Ints, labels: int, dealt: Dealt) -> RowsOfCells:
    """Return the pairs of cell and label that occur, in order, and the one of every row."""
    width = labels + 1
    place = cell * width + label - STAR
    size = len(dealt.keys) * width
    if size > DENSE * len(place):
        used, at = np.unique(place, return_inverse=True)
    else:
        there = np.zeros(size, dtype=bool)
        there[place] = True
        used = np.flatnonzero(there)
        at = (np.cumsum(there) - 1)[place]
    return RowsOfCells(used // width, used % width + STAR, at)


def _means(each: Sequence[Floats], dealt: Dealt, *, spread: bool) -> ExactSums:
    """Return the sums of every rate's values by document, and of how many of them are defined."""
    columns: list[Numbers] = []
    for values in each:
        lost = np.isnan(values)
        known = np.where(lost, 0.0, values) if lost.any() else values
        columns += [known, (~lost).astype(np.int64)]
        columns += squares(np.where(np.isinf(known), 0.0, known)) if spread else ()
    return sum_by_group(columns, dealt.at, len(dealt.keys))


def add(one: CellSums, other: CellSums) -> CellSums:
    """Return the sums of the documents of both; labels have the same codes in both."""
    keys = np.union1d(one.keys, other.keys)
    if one.hashed or other.hashed or len(keys) > CELLS:
        one, other = hash_cells(one), hash_cells(other)
        keys = np.union1d(one.keys, other.keys)
    return _put_together([one, other], [np.searchsorted(keys, own.keys) for own in (one, other)], keys)


def hash_cells(sums: CellSums) -> CellSums:
    """Return sums by hash of the keys, whatever their number."""
    if sums.hashed:
        return sums
    keys, at = np.unique(cell_numbers(sums.keys, CELLS), return_inverse=True)
    return replace(_put_together([sums], [at], keys), hashed=True)


def _put_together(parts: Sequence[CellSums], places: Sequence[Ints], keys: Keys) -> CellSums:
    """Return the sums of parts whose cells stand at the given places among `keys`."""
    first = parts[0]
    width = len(first.labels) + 1
    at = [place[own.cell] * width + own.label - STAR for own, place in zip(parts, places, strict=True)]
    used, inverse = np.unique(np.concatenate(at), return_inverse=True)
    rows = np.split(inverse, np.cumsum([len(own) for own in at])[:-1])
    return replace(
        first,
        keys=keys,
        hashed=any(own.hashed for own in parts),
        cell=used // width,
        label=used % width + STAR,
        counts=add_into([(own.counts, row) for own, row in zip(parts, rows, strict=True)], len(used)),
        means=add_into([(own.means, place) for own, place in zip(parts, places, strict=True)], len(keys)),
        whole=all(own.whole for own in parts),
    )


def change_keys(sums: CellSums, keys: Mapping[int, int]) -> CellSums:
    """Return the sums of cells that have other keys now."""
    new = np.array([keys[key] for key in sums.keys.tolist()], dtype=np.uint64)
    order = np.argsort(new, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return _put_together([sums], [rank], new[order])


def with_labels(sums: CellSums, labels: tuple[str, ...]) -> CellSums:
    """Return the sums with the codes that their labels have among others."""
    if labels == sums.labels:
        return sums
    code = {name: at for at, name in enumerate(labels)}
    table = np.array([*(code[name] for name in sums.labels), STAR], dtype=np.int64)
    label = table[sums.label]
    order = np.lexsort((label, sums.cell))
    counts = take(sums.counts, order)
    return replace(sums, labels=labels, cell=sums.cell[order], label=label[order], counts=counts)


def align(parts: Sequence[CellSums]) -> list[CellSums]:
    """Return sums of the same cells with one table of labels for all: runs have labels of their own."""
    labels = tuple(sorted({label for part in parts for label in part.labels}))
    return [with_labels(part, labels) for part in parts]


def overall(sums: CellSums) -> CellSums:
    """Return the sums with nothing but an overall row for each cell: the `*` rows where there are any."""
    rows = np.flatnonzero(sums.label == STAR)
    rows = rows if len(rows) else np.arange(len(sums.label))
    counts = add_into([(take(sums.counts, rows), sums.cell[rows])], len(sums.keys))
    every = np.arange(len(sums.keys))
    return replace(sums, cell=every, label=np.full(len(every), STAR), counts=counts)
