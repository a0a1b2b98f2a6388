"""Scores of agreement: figures read from the sums of all labels and pairs of annotators at once.

They are resampled by the same draws as other scores, and their intervals are made by the same lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, Keys, draws, poisson
from spanscope.counts import STAR, Counts
from spanscope.measures.agreement.reading import Coefficient, Together, mean_over_pairs
from spanscope.stats.averages import Score
from spanscope.stats.bootstrap import FEWEST_CELLS, Interval, Method, limits
from spanscope.stats.cells import counts_by_cell, deal
from spanscope.stats.jackknife import acceleration_of, moments

NUMBERS_AT_ONCE = 4_000_000  # numbers of sums that are held at a time


@dataclass(frozen=True)
class SidedScore(Score):
    """A score row, with the two annotators it is about; None where it is about all of them."""

    sides: tuple[str, str] | None = None


class Key(NamedTuple):
    """What a figure is: the rate, the label (None over all) and the pair of annotators (None over all)."""

    rate: Coefficient
    label: int | None = None
    pair: int | None = None


@dataclass(frozen=True, eq=False)
class Figures:
    """The counts of one measure of agreement, and the figures that are read from their sums."""

    measure: str
    counts: Counts
    reading: Together
    rates: tuple[Coefficient, ...]  # of the reading: those that were asked for
    labels: tuple[str, ...]  # by which there are figures; none where they would mean nothing

    @property
    def parts(self) -> int:
        """Return how often there are the columns: once, or for every pair of annotators, or number of them."""
        return len(self.counts.columns) // len(self.reading.columns)

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Return what every figure is: overall, by label, by pair where there are several."""
        out: list[Key] = []
        for rate in self.rates:
            out.append(Key(rate))
            out += [Key(rate, at) for at in range(len(self.labels))] if rate.labelled else []
            out += [Key(rate, None, at) for at in range(self.parts)] if rate.pairwise and self.parts > 1 else []
        return tuple(out)

    @cached_property
    def columns(self) -> Any:
        """Return documents x (labels, all of them) x columns, flat: a sparse matrix of scipy, or a dense one.

        Whole numbers are sparse: there can be very many labels. The last label holds the overall rows, else the
        sums over all labels.
        """
        counts, width = self.counts, len(self.counts.columns)
        starred = bool((counts.label == STAR).any())
        places = [np.where(counts.label == STAR, len(counts.labels), counts.label)]
        places += [] if starred else [np.full(len(counts.label), len(counts.labels))]
        shape = (counts.documents, (len(counts.labels) + 1) * width)
        if counts.values.dtype != np.int64:
            out = np.zeros((counts.documents, len(counts.labels) + 1, width))
            row, at = np.tile(counts.doc, len(places)), np.concatenate(places)
            out[row, at] = np.tile(counts.values, len(places)).T
            return out.reshape(shape)
        from scipy.sparse import coo_matrix

        line, entry = np.nonzero(counts.values)  # of many pairs of annotators most have few of the documents
        column = np.concatenate([place[entry] * width + line for place in places])
        entries = np.tile(counts.values[line, entry].astype(np.float64), len(places))
        return coo_matrix((entries, (np.tile(counts.doc[entry], len(places)), column)), shape=shape).tocsr()

    def read(self, sums: Floats) -> Floats:
        """Return the figures (..., figures) of sums (..., labels x columns)."""
        own = self.reading.columns
        lead, size = sums.shape[:-1], len(self.counts.labels) + 1
        wide = np.moveaxis(sums.reshape(*lead, size, self.parts, len(own)), -3, -2)  # pairs, labels, columns
        named = {name: wide[..., at] if self.reading.by else wide[..., 0, :, at] for at, name in enumerate(own)}
        out: list[Floats] = []
        for rate in self.rates:
            found = rate(named)
            whole = mean_over_pairs(found) if rate.pairwise else found
            out.append(whole[..., -1:])
            out += [whole[..., : len(self.labels)]] if rate.labelled else []
            out += [found[..., -1]] if rate.pairwise and self.parts > 1 else []
        return np.concatenate(out, axis=-1)

    def values(self) -> Floats:
        """Return the figures of all documents together."""
        sums = np.asarray(self.columns.sum(axis=0), dtype=np.float64).reshape(1, -1)
        return np.asarray(self.read(sums)[0])

    def by_document(self) -> Floats:
        """Return documents x figures: each document's own."""
        parts = [self.read(part) for part in self._parts()]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.keys)))

    def _parts(self) -> Iterator[Floats]:
        """Return the columns, some documents at a time."""
        size, width = self.columns.shape
        step = max(1, NUMBERS_AT_ONCE // max(width, 1))
        for at in range(0, size, step):
            part = self.columns[at : at + step]
            yield np.asarray(part.toarray() if hasattr(part, "toarray") else part, dtype=np.float64)

    def resampled(self, keys: Keys, number: int, seed: int) -> Floats:
        """Return resamples x figures: cells weighted by Poisson(1) draws, keyed by cell."""
        step = int(np.clip(NUMBERS_AT_ONCE // max(*self.columns.shape, 1), 1, number))
        parts = []
        for first in range(0, number, step):
            drawn = poisson(draws(seed, keys, min(step, number - first), first=first))
            parts.append(self.read(np.asarray(self.columns.T @ drawn.astype(np.float64)).T))
        return np.concatenate(parts)

    def acceleration(self) -> Floats:
        """Return the acceleration of BCa of every figure: what it does without each cell."""
        total = np.asarray(self.columns.sum(axis=0), dtype=np.float64).reshape(1, -1)
        value, out = self.values(), np.zeros((5, len(self.keys)))
        for part in self._parts():
            change = self.read(total - part) - value
            for figure in range(len(self.keys)):
                own = change[:, figure]
                out[:, figure] += moments(own, np.zeros(len(own), dtype=np.int64), 1, len(own))[:, 0]
        return acceleration_of(*out[:4])

    def in_order(self, order: Ints) -> Figures:
        """Return the figures of the documents in another order, on which the last digit of a sum may depend."""
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return replace(self, counts=replace(self.counts, doc=rank[self.counts.doc]))


def intervals(
    found: Figures, keys: Keys, documents: Ints, *, resamples: int, level: float, seed: int, method: Method
) -> list[Interval]:
    """Return the bootstrap interval of every figure; `documents` is how many stand behind each."""
    dealt = deal(keys)
    cells = replace(found, counts=counts_by_cell(found.counts, dealt))
    drawn = cells.resampled(dealt.keys, resamples, seed).T
    skew = cells.acceleration() if method == "bca" else None
    return limits(found.values(), drawn, documents >= FEWEST_CELLS, level, method, skew)


def scores(
    found: Figures, names: Sequence[str], behind: Sequence[int], between: Sequence[Interval] | None
) -> Iterator[SidedScore]:
    """Return the score rows; `names` are the annotators, `behind` is how many documents stand behind each figure.

    The average is `pairs` where a figure of two is the mean over several pairs, and micro otherwise: sums.
    """
    pairs = list(combinations(names, 2))
    values = found.values().tolist()
    lost = {key.rate.name: 0 for key in found.keys}
    for key, value in zip(found.keys, values, strict=True):
        lost[key.rate.name] += key.pair is not None and math.isnan(value)
    for at, (key, value) in enumerate(zip(found.keys, values, strict=True)):
        average = "label" if key.label is not None else "micro"
        if key.rate.pairwise and found.parts > 1 and key.label is None and key.pair is None:
            average = "pairs"
        none = between is None or math.isnan(value) or math.isnan(between[at].low)
        yield SidedScore(
            found.measure,
            key.rate.name,
            average,
            None if key.label is None else found.labels[key.label],
            value,
            None if none or between is None else between[at].low,
            None if none or between is None else between[at].high,
            behind[at],
            lost[key.rate.name] if average == "pairs" else int(math.isnan(value)),
            sides=None if key.pair is None else pairs[key.pair],
        )
