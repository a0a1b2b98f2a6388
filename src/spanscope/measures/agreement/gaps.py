"""Annotators who do not have every document: who is counted beside whom, and on which documents.

Documents that the same annotators have are a comparison of these alone, so that no measure has to know of gaps.
What is counted so is put into the columns of all annotators, with zeros for those who are not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.counts import Counts
from spanscope.measures.agreement.coded import column_names, number_names
from spanscope.measures.agreement.reading import Together
from spanscope.sides.comparison import Comparison


class Shared(NamedTuple):
    """Some annotators, by number, and documents that all of them have."""

    sides: tuple[int, ...]
    docs: Ints

    def comparison(self, c: Comparison) -> Comparison:
        """Return these annotators beside each other on these documents."""
        names = list(c.sides)
        return c.among([names[side] for side in self.sides], self.docs)


def by_those_present(c: Comparison) -> Iterator[Shared]:
    """Return every set of annotators that are those of some documents, with these documents."""
    patterns, which = np.unique(c.present(), axis=1, return_inverse=True)
    for at, there in enumerate(patterns.T):
        yield Shared(tuple(np.flatnonzero(there).tolist()), np.flatnonzero(which.ravel() == at))


def by_pair(c: Comparison) -> list[Shared]:
    """Return all pairs of annotators, with the documents that both have."""
    there = c.present()
    return [Shared((a, b), np.flatnonzero(there[a] & there[b])) for a, b in combinations(range(len(c.sides)), 2)]


def annotators_vary(c: Comparison) -> bool:
    """Tell whether some documents have more annotators than others."""
    number = c.present().sum(0)
    return bool((number != number[:1]).any())


def place_counts(part: Counts, own: Shared, c: Comparison) -> Counts:
    """Return counts of a part of the documents as counts of all of them."""
    return replace(part, documents=c.documents, doc=own.docs[part.doc])


def widen_counts(part: Counts, own: Shared, c: Comparison, reading: Together) -> Counts:
    """Return counts of some annotators with the columns of all; zeros for pairs and numbers that they are not."""
    if not reading.by:
        return part
    names, width = list(c.sides), len(reading.columns)
    every = list(combinations(range(len(names)), 2))
    if reading.by == "number":
        columns = [name for n in range(2, len(names) + 1) for name in number_names(n, len(names))]
        at = np.arange(len(part.columns))  # of two, of three, ..., of all who are here
    else:
        columns = [name for a, b in every for name in column_names(names[a], names[b], len(names))]
        place = {pair: number for number, pair in enumerate(every)}
        at = np.concatenate([place[pair] * width + np.arange(width) for pair in combinations(own.sides, 2)])
    values = np.zeros((len(columns), len(part.doc)), dtype=np.int64)  # positions, which are whole
    values[at] = part.values
    return replace(part, columns=tuple(columns), values=values)


def in_places_of(c: Comparison, part: Counts, names: Sequence[str]) -> Counts:
    """Return counts of documents with these names as counts of all documents, in the places that these have.

    Names that are not all known are of documents without shared ids: they stand in the order of the comparison.
    """
    place = {name: at for at, name in enumerate(c.names)}
    docs = np.array([place.get(name, -1) for name in names], dtype=np.int64)
    return part if (docs < 0).any() else replace(part, documents=c.documents, doc=docs[part.doc])


def nothing_of(like: Counts) -> Counts:
    """Return counts without rows, of two annotators who share no document."""
    none = np.zeros(0, dtype=np.int64)
    return replace(like, doc=none, label=none, values=like.values[:, :0])
