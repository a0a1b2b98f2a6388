"""Sparse rows of counts: (document, label, columns). Everything after counting works on these sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Bools, Floats, Ints, total

Numbers = NDArray[np.int64] | NDArray[np.float64]
Columns = Mapping[str, Ints | Floats | Bools]
STAR = -1
STAR_NAME = "*"


@dataclass(frozen=True, eq=False)
class Counts:
    """Named columns, one row for each document and label that has something to count.

    `values` holds one line per column, so that a column is contiguous.
    `label` holds codes into `labels`; the code -1 is the reserved label `*`: the overall row of a measure
    whose overall figure is not the sum over its labels. `documents` counts those without rows too.
    """

    documents: int
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    doc: Ints
    label: Ints
    values: Numbers

    @cached_property
    def label_sums(self) -> tuple[Ints, Numbers]:
        """Return the label codes that occur, and the sums of the columns for each of them."""
        rows = rows_by_label(self)
        codes = np.flatnonzero(rows)
        if self.values.dtype != np.int64:
            return codes + STAR, self._exact_sums()
        if rows[0] == len(self.label) > 0:  # nothing but overall rows
            return np.array([STAR]), np.asarray(self.values.sum(axis=1)[None])
        return codes + STAR, _sums(self.label - STAR, len(rows), self.values)[codes]

    def _exact_sums(self) -> Numbers:
        """Return sums that are rounded once, at the end: the same digits in whatever order documents come."""
        parts = (self.values[:, rows] for _, rows in rows_of_labels(self))
        return np.array([[total(column) for column in part] for part in parts]).reshape(-1, len(self.columns))

    def column(self, name: str) -> Numbers:
        """Return one column by name."""
        return np.asarray(self.values[self.columns.index(name)])


def make(documents: int, labels: tuple[str, ...], doc: Ints, label: Ints, columns: Columns) -> Counts:
    """Build counts from columns by name."""
    found = np.stack(list(columns.values())) if columns else np.zeros((0, len(doc)), dtype=np.int64)
    floats = found.dtype.kind == "f"
    values: Numbers = found.astype(np.float64, copy=False) if floats else found.astype(np.int64, copy=False)
    return Counts(documents, labels, tuple(columns), doc, label, values)


def concat(first: Counts, *others: Counts) -> Counts:
    """Put rows of the same documents under each other (rows by label, and their `*` rows)."""
    parts = (first, *others)
    return Counts(
        first.documents,
        first.labels,
        first.columns,
        np.concatenate([part.doc for part in parts]),
        np.concatenate([part.label for part in parts]),
        np.concatenate([part.values for part in parts], axis=1),
    )


def merge(parts: Sequence[Counts]) -> Counts:
    """Join the counts of consecutive batches of documents into the counts of all of them."""
    return merge_tables([(part,) for part in parts])[0]


def merge_tables(parts: Sequence[Sequence[Counts]]) -> tuple[Counts, ...]:
    """Join the counts of several measures; measures that share their rows, as most do, go on sharing them."""
    if len(parts) == 1:
        return tuple(parts[0])
    rows: dict[tuple[int, ...], tuple[Ints, Ints]] = {}
    out = []
    for tables in zip(*parts, strict=True):
        same = tuple(id(array) for table in tables for array in (table.doc, table.label))
        if same not in rows:
            shift = np.cumsum([0] + [table.documents for table in tables[:-1]])
            doc = np.concatenate([table.doc + by for table, by in zip(tables, shift, strict=True)])
            rows[same] = doc, np.concatenate([table.label for table in tables])
        values = np.concatenate([table.values for table in tables], axis=1)
        documents = sum(table.documents for table in tables)
        out.append(Counts(documents, tables[0].labels, tables[0].columns, *rows[same], values))
    return tuple(out)


def rows_by_label(counts: Counts) -> Ints:
    """Return how many rows, which is how many documents, each label has: `*` first, then in order of codes."""
    return np.bincount(counts.label - STAR, minlength=len(counts.labels) + 1)


def rows_of_labels(counts: Counts) -> Iterator[tuple[int, Ints]]:
    """Return every label code that occurs, in order, with its rows."""
    order = np.argsort(counts.label, kind="stable")
    codes, first = np.unique(counts.label[order], return_index=True)
    return zip(codes.tolist(), np.split(order, first)[1:], strict=True)


def overall_sums(counts: Counts) -> Numbers:
    """Return the sums over all labels: the `*` rows where there are any."""
    codes, sums = counts.label_sums
    return np.asarray(sums[0] if len(codes) and codes[0] == STAR else sums.sum(axis=0))


def sums_by_document(counts: Counts) -> Numbers:
    """Return the overall sums of every document, a row each; zeros where nothing was counted."""
    doc, values, star = counts.doc, counts.values, np.flatnonzero(counts.label == STAR)
    if 0 < len(star) < len(doc):
        doc, values = doc[star], values[:, star]
    if len(star) == counts.documents and (np.diff(doc) > 0).all():
        return values.T  # one row per document already
    return _sums(doc, counts.documents, values)


def overall_rows(counts: Counts) -> Counts:
    """Return the counts with nothing but an overall row for each document."""
    every = np.arange(counts.documents)
    return replace(counts, doc=every, label=np.full(len(every), STAR), values=sums_by_document(counts).T.copy())


def of_documents(counts: Counts, documents: Ints) -> Counts:
    """Return the counts of some documents, in the order in which they are named."""
    place = np.full(counts.documents, -1)
    place[documents] = np.arange(len(documents))
    doc = place[counts.doc]
    rows = np.flatnonzero(doc >= 0)
    rows = rows[np.argsort(doc[rows], kind="stable")]
    return replace(
        counts,
        documents=len(documents),
        doc=doc[rows],
        label=counts.label[rows],
        values=counts.values[:, rows],
    )


def name_of(counts: Counts, code: int) -> str:
    """Return the name of a label code."""
    return STAR_NAME if code == STAR else counts.labels[code]


def _sums(group: Ints, size: int, values: Numbers) -> Numbers:
    """Return one row per group: the sums of each column."""
    if len(group) and bool((group[1:] >= group[:-1]).all()):  # sorted, as rows by document are
        first = np.flatnonzero(np.concatenate(([True], group[1:] != group[:-1])))
        shape = size, len(values)
        out: Numbers = np.zeros(shape, dtype=np.int64) if values.dtype == np.int64 else np.zeros(shape)
        if len(first) == len(group):  # one row per group
            out[group] = values.T
            return out
        if values.dtype != np.int64:
            out[group[first]] = np.add.reduceat(values, first, axis=1).T
            return out
        last = np.append(first[1:], len(group)) - 1
        for number, column in enumerate(values):  # differences of running sums are exact, and take half the time
            out[group[first], number] = np.diff(np.cumsum(column)[last], prepend=0)
        return out
    columns = [np.bincount(group, weights=column, minlength=size) for column in values]
    summed = np.stack(columns, axis=1) if columns else np.zeros((size, 0))
    return summed.astype(np.int64) if values.dtype == np.int64 else summed


def align_labels(parts: Sequence[Counts]) -> list[Counts]:
    """Return counts of the same documents with one table of labels for all: runs have labels of their own."""
    labels = tuple(sorted({label for part in parts for label in part.labels}))
    code = {label: at for at, label in enumerate(labels)}
    out = []
    for part in parts:
        table = np.array([*(code[label] for label in part.labels), STAR], dtype=np.int64)  # the last is `*`
        out.append(Counts(part.documents, labels, part.columns, part.doc, table[part.label], part.values))
    return out


def put_beside(parts: Sequence[Counts], names: Sequence[Sequence[str]]) -> Counts:
    """Return counts of the same documents and labels as one table, the columns of each part under its names."""
    first = parts[0]
    width = len(first.labels) + 1
    keys = [part.doc * width + part.label - STAR for part in parts]
    rows, at = np.unique(np.concatenate(keys), return_inverse=True)
    places = np.split(at, np.cumsum([len(own) for own in keys])[:-1])
    lines = [
        np.bincount(own, weights=column, minlength=len(rows)).astype(column.dtype)
        for part, own in zip(parts, places, strict=True)
        for column in part.values
    ]
    columns = tuple(name for own in names for name in own)
    return Counts(first.documents, first.labels, columns, rows // width, rows % width + STAR, np.stack(lines))
