"""Spans as codes of positions: what every annotator says of each character or token.

Positions are never listed one by one. The boundaries of all annotators cut a document into elementary cells, in
each of which everybody says one thing; a cell weighs as much as it is long. The cost follows the spans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.data.corpus import Spans, Tokens

OUTSIDE = -1


class Marks(NamedTuple):
    """Stretches of one annotator, sorted by document and start: half-open, none empty."""

    doc: Ints
    start: Ints
    end: Ints
    label: Ints


@dataclass(frozen=True)
class CodedCells:
    """Elementary cells: document, length, and a row of codes an annotator (OUTSIDE where nothing was marked)."""

    doc: Ints
    start: Ints
    length: Ints
    code: Ints  # annotators x cells

    @property
    def silent(self) -> Bools:
        """Tell which cells all annotators left outside."""
        return np.asarray((self.code == OUTSIDE).all(axis=0))

    def of(self, documents: Bools) -> CodedCells:
        """Return the cells of the chosen documents."""
        own = documents[self.doc]
        return CodedCells(self.doc[own], self.start[own], self.length[own], self.code[:, own])


def marks(spans: Spans) -> Marks:
    """Return the fragments of spans as marks; empty ones mark nothing."""
    pieces = spans.fragments()
    kept = pieces.end > pieces.start
    span, start, end = pieces.span[kept], pieces.start[kept], pieces.end[kept]
    doc, label = spans.doc[span], spans.label[span]
    order = np.lexsort((label, -end, start, doc))
    return Marks(doc[order], start[order], end[order], label[order])


def to_token_offsets(spans: Spans, tokens: Tokens) -> Spans:
    """Return spans whose offsets are token numbers: every token is in that shares a character with the span.

    A span that touches no token (white space between two) becomes empty, at the number of the next one.
    """
    size = np.diff(tokens.first)
    owner = np.repeat(np.arange(len(size)), size)
    width = int(max(tokens.end.max(initial=0), spans.end.max(initial=0))) + 2
    starts, ends = owner * width + tokens.start, owner * width + tokens.end
    base, pieces = spans.doc * width, spans.pieces
    first = np.searchsorted(ends, base + spans.start, "right") - tokens.first[spans.doc]
    last = np.searchsorted(starts, base + spans.end, "left") - tokens.first[spans.doc]
    if pieces is not None:
        at = base[pieces.span]
        lead = tokens.first[spans.doc[pieces.span]]
        one = np.searchsorted(ends, at + pieces.start, "right") - lead
        two = np.searchsorted(starts, at + pieces.end, "left") - lead
        pieces = replace(pieces, start=one, end=np.maximum(one, two))
    return replace(spans, start=first, end=np.maximum(first, last), pieces=pieces)


def without_overlaps(found: Marks) -> tuple[Marks, Ints]:
    """Return marks without overlaps, and how many positions have several labels.

    Where marks of one annotator overlap, a position has the label of the one that started last: the inner one of
    nested spans. Of marks that start together the shorter one counts, then the label first by name. The second
    array has one element a mark of the input: the positions of its cluster, at the first mark of each.
    """
    several = np.zeros(len(found.doc), dtype=np.int64)
    if len(found.doc) < 2:
        return found, several
    first = _clusters(found)
    sizes = np.diff(np.append(first, len(found.doc)))
    if (sizes == 1).all():
        return found, several
    alone = np.repeat(sizes == 1, sizes)
    rows = [np.stack([column[alone] for column in found])]
    for at, size in zip(first[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        pieces, many = _resolve_cluster([column[at : at + size].tolist() for column in found])
        rows.append(np.array(pieces, dtype=np.int64).reshape(-1, 4).T)
        several[at] = many
    doc, start, end, label = np.concatenate(rows, axis=1)
    order = np.lexsort((start, doc))
    return Marks(doc[order], start[order], end[order], label[order]), several


def _clusters(found: Marks) -> Ints:
    """Return where clusters of marks that overlap directly or by way of others begin."""
    width = int(found.end.max()) + 1
    start, end = found.doc * width + found.start, found.doc * width + found.end
    reached = np.maximum.accumulate(end)[:-1]
    return np.flatnonzero(np.concatenate(([True], start[1:] >= reached)))


def _resolve_cluster(columns: list[list[int]]) -> tuple[list[tuple[int, int, int, int]], int]:
    """Return the stretches of one cluster, and how long those under several labels are.

    Neighbouring stretches of one mark are one again, so that a mark which nothing interrupts stays whole.
    """
    doc, start, end, label = columns
    order = sorted(range(len(start)), key=lambda i: (start[i], -end[i], -label[i]))  # the last one covers
    edges = sorted({*start, *end})
    out: list[list[int]] = []
    begun: list[int] = []  # marks in their order, from which those that ended are taken once they are the last
    ending: list[tuple[int, int]] = []  # of the marks that are open here: a heap of ends, with labels
    number: Counter[int] = Counter()  # of open marks by label
    many, next_one, before = 0, 0, -1
    for left, right in pairwise(edges):
        while ending and ending[0][0] <= left:
            number[(ended := heappop(ending)[1])] -= 1
            if not number[ended]:
                del number[ended]
        while next_one < len(order) and start[order[next_one]] <= left:
            begun.append(order[next_one])
            heappush(ending, (end[begun[-1]], label[begun[-1]]))
            number[label[begun[-1]]] += 1
            next_one += 1
        while begun and end[begun[-1]] <= left:
            begun.pop()
        if not begun:
            before = -1
            continue
        many += (right - left) * (len(number) > 1)
        if begun[-1] == before:
            out[-1][2] = right
        else:
            out.append([doc[0], left, right, label[begun[-1]]])
        before = begun[-1]
    return [(a, b, c, d) for a, b, c, d in out], many


def coded_cells(sides: Sequence[Marks], lengths: Ints) -> CodedCells:
    """Return the elementary cells of documents that several annotators marked without overlaps of their own.

    Marks past the end of a document (where its length is not known) must have been counted into `lengths`.
    """
    width = int(lengths.max(initial=0)) + 1
    base = np.arange(len(lengths)) * width
    keys = [base, base + lengths]
    keys += [side.doc * width + column for side in sides for column in (side.start, side.end)]
    edges = np.unique(np.concatenate(keys))
    first, last = edges[:-1], edges[1:]
    doc = first // width
    inner = (first - doc * width) < lengths[doc]
    first, last, doc = first[inner], last[inner], doc[inner]
    code = np.stack([_codes(side, first, width) for side in sides])
    return CodedCells(doc, first - doc * width, last - first, code)


def _codes(side: Marks, first: Ints, width: int) -> Ints:
    """Return what an annotator says of the cells that begin at `first`."""
    if not len(side.doc):
        return np.full(len(first), OUTSIDE)
    start, end = side.doc * width + side.start, side.doc * width + side.end
    at = np.searchsorted(start, first, "right") - 1
    inside = (at >= 0) & (end[at] > first)
    return np.where(inside, side.label[at], OUTSIDE)


class LabelPairs(NamedTuple):
    """Sparse rows of a contingency table: document, the first one's label, the other's, and the weight."""

    doc: Ints
    label: Ints
    other: Ints
    weight: Ints


def label_pairs(found: CodedCells, first: int, second: int, labels: int) -> LabelPairs:
    """Return how long each pair of labels met in each document; the code `labels` stands for outside."""
    one, two = (np.where(found.code[side] == OUTSIDE, labels, found.code[side]) for side in (first, second))
    width = labels + 1
    keys, inverse = np.unique((found.doc * width + one) * width + two, return_inverse=True)
    weight = np.bincount(inverse, weights=found.length, minlength=len(keys)).astype(np.int64)
    return LabelPairs(keys // (width * width), keys // width % width, keys % width, weight)
