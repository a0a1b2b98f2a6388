"""What is kept of the documents of a run: the counts of every document, or only their sums.

Scores are read from either, and both give the sums by cell from which intervals and tests are made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from spanscope.arithmetic import Floats, Keys
from spanscope.counts import STAR, Counts, rows_by_label
from spanscope.rates import Rate, RateSet
from spanscope.stats import cells as by_cell
from spanscope.stats.averages import Mean, Policy, Score, Summary, scores_of_summary, summary, values_of
from spanscope.stats.bootstrap import MOST_LABELLED
from spanscope.stats.cells import CellSums, Dealt, RowsOfCells
from spanscope.stats.exact import column_total, deviation, round_sums

How = tuple[tuple[Rate, ...], RateSet, Policy]  # how the figures of a measure are read from its counts
WIDTH = 4  # columns of a rate where documents are added up: sum, number, and the two parts of the squares
RESAMPLES = 1000  # that sums by label must be small enough for, where nobody says how many there will be


@dataclass(frozen=True, eq=False)
class Documents:
    """Counts of every document, and the keys by which documents, or groups of them, are drawn."""

    counts: Sequence[Counts]
    keys: Callable[[], Keys]

    @property
    def documents(self) -> int:
        """Return how many documents were counted."""
        return self.counts[0].documents if self.counts else 0

    @cached_property
    def dealt(self) -> Dealt:
        """Return the cell of every document."""
        return by_cell.deal(self.keys())

    @property
    def units(self) -> int | None:
        """Return how many documents or groups are drawn; None where they are so many that cells are."""
        return None if self.dealt.hashed else len(self.dealt.keys)

    @cached_property
    def _rows(self) -> dict[tuple[int, int], RowsOfCells]:
        return {}

    @cached_property
    def _last(self) -> dict[int, list[Floats]]:
        return {}

    def scores(self, at: int, name: str, how: How) -> list[Score]:
        """Return the scores of a measure."""
        return scores_of_summary(name, summary(self.counts[at], self._values(at, how)), *how)

    def cells(self, at: int, how: How) -> CellSums:
        """Return the sums by cell of a measure."""
        return by_cell.fold(self.counts[at], *how, self.dealt, self._rows, values=self._values(at, how))

    def _values(self, at: int, how: How) -> list[Floats]:
        """Return the values of every rate by document, those of the measure asked for last being remembered.

        They depend on no labels: whatever these are, the values of a measure stay.
        """
        if at not in self._last:
            self._last.clear()
            self._last[at] = values_of(self.counts[at], *how)
        return self._last[at]


@dataclass(frozen=True, eq=False)
class Total:
    """What is left of the counts of one measure where those of documents are not kept."""

    documents: int
    having: Mapping[str, int]  # documents by label
    sums: CellSums  # of all documents in one cell, with the squares of their values
    cells: CellSums

    @property
    def narrow(self) -> bool:
        """Tell whether the sums by cell are over all labels, because there are too many of these."""
        return bool((self.cells.label == STAR).all() and (self.sums.label != STAR).any())

    @cached_property
    def summary(self) -> Summary:
        """Return what scores are read from."""
        counts = replace(self.sums.table(), documents=self.documents)
        means = self.sums.means
        values, number = round_sums(means)[0::WIDTH, 0], round_sums(means)[1::WIDTH, 0]
        out = []
        for rate, (value, defined) in enumerate(zip(values.tolist(), number.tolist(), strict=True)):
            std = None
            if defined > 1 and np.isfinite(value):
                high, low = (column_total(means, WIDTH * rate + at) for at in (2, 3))
                std = deviation(int(defined), column_total(means, WIDTH * rate), high.plus(low))
            out.append(Mean(int(defined), self.documents - int(defined), float(value), std))
        return Summary(counts, self.having, tuple(out))


@dataclass(frozen=True, eq=False)
class Totals:
    """The totals of all measures."""

    totals: Sequence[Total]

    @property
    def counts(self) -> Sequence[Counts]:
        """Return the sums of every measure, one row per label, as if all were of one document."""
        return [one.summary.sums for one in self.totals]

    @property
    def documents(self) -> int:
        """Return how many documents were counted."""
        return self.totals[0].documents

    @property
    def units(self) -> int | None:
        """Return how many documents or groups are drawn; None where they are so many that cells are."""
        own = self.totals[0].cells
        return None if own.hashed else len(own.keys)

    def scores(self, at: int, name: str, how: How) -> list[Score]:
        """Return the scores of a measure."""
        return scores_of_summary(name, self.totals[at].summary, *how)

    def cells(self, at: int, how: How) -> CellSums:  # noqa: ARG002
        """Return the sums by cell of a measure."""
        return self.totals[at].cells


Counted = Documents | Totals


def total_of(counts: Counts, how: How, dealt: Dealt, resamples: int | None) -> Total:
    """Return the totals of the counts of a measure."""
    having = dict(zip(counts.labels, rows_by_label(counts)[1:].tolist(), strict=True))
    whole = by_cell.fold(counts, *how, by_cell.all_in_one(counts.documents), spread=True)
    return without_label_cells(
        Total(counts.documents, having, whole, by_cell.fold(counts, *how, dealt)), resamples
    )


def add(one: Total, other: Total, resamples: int | None) -> Total:
    """Return the totals of the documents of both; labels have the same codes in both."""
    names = (*one.having, *other.having)
    having = {name: one.having.get(name, 0) + other.having.get(name, 0) for name in names}
    both = [one, other]
    if any(own.narrow for own in both):
        both = [replace(own, cells=by_cell.overall(own.cells)) for own in both]
    cells = by_cell.add(both[0].cells, both[1].cells)
    out = Total(one.documents + other.documents, having, by_cell.add(one.sums, other.sums), cells)
    return without_label_cells(out, resamples)


def without_label_cells(own: Total, resamples: int | None) -> Total:
    """Return totals without sums by cell and label where there are so many labels that none has an interval."""
    if int((own.sums.label != STAR).sum()) * (resamples or RESAMPLES) <= MOST_LABELLED:
        return own
    return replace(own, cells=by_cell.overall(own.cells))


def with_labels(own: Total, labels: tuple[str, ...]) -> Total:
    """Return totals with the codes that their labels have among others."""
    return replace(own, sums=by_cell.with_labels(own.sums, labels), cells=by_cell.with_labels(own.cells, labels))
