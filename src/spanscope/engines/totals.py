"""Totals: what is left of the documents where nothing is kept that grows with their number.

Counts are summed by label, means over documents and resamples are kept as sums, pairs as how many reach each step
of the curve. Totals of portions add up to those of all documents; scores and intervals are read from them by the
code that reads them from counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Keys
from spanscope.counts import Counts
from spanscope.engines.rating import How
from spanscope.errors import EngineError
from spanscope.findings.findings import Findings
from spanscope.match.verdicts import Confusion
from spanscope.settings.options import Ci
from spanscope.settings.settle import Settings
from spanscope.stats import folded
from spanscope.stats.averages import (
    GRID,
    Ladder,
    Rungs,
    Score,
    Summary,
    add_means,
    exact_parts,
    rungs_of,
    scores_of_summary,
    summary,
)
from spanscope.stats.bootstrap import Interval

Exact = Mapping[tuple[str, str], tuple[float, ...]]  # by label and column: parts of a sum that is rounded once


@dataclass(frozen=True)
class Total:
    """What is left of the counts of one measure."""

    summary: Summary
    exact: Exact  # sums of columns that are not whole numbers
    drawn: folded.Folded | None  # None without intervals


@dataclass(frozen=True)
class Totals:
    """The totals of all measures, from which rates are read as from counts of documents."""

    totals: Sequence[Total]

    @property
    def counts(self) -> Sequence[Counts]:
        """Return the sums of every measure."""
        return [one.summary.sums for one in self.totals]

    @property
    def documents(self) -> int:
        """Return how many documents were counted."""
        return self.totals[0].summary.documents

    def scores(self, names: Sequence[str], hows: Sequence[How]) -> list[list[Score]]:
        """Return the scores of every measure."""
        return [
            scores_of_summary(name, own.summary, *how)
            for name, own, how in zip(names, self.totals, hows, strict=True)
        ]

    def intervals(self, hows: Sequence[How], ci: Ci) -> Iterator[list[Interval]]:
        """Return the intervals of every measure, one after the other."""
        for own, how in zip(self.totals, hows, strict=True):
            if own.drawn is not None:
                yield folded.intervals_of_folded(own.summary, own.drawn, *how, level=ci.level, method=ci.method)


def total_of(found: Findings, settings: Settings, keys: Keys) -> tuple[Findings, tuple[Total, ...]]:
    """Return the sums of what was counted: as findings with a row a label, and all that scores need."""
    totals = []
    for measure, table in zip(settings.measures, found.counts, strict=True):
        how = (settings.rates(measure), measure.definition.rate_set, settings.policy)
        drawn = None
        if (ci := settings.ci) is not None:
            drawn = folded.fold(table, *how, keys, resamples=ci.resamples, seed=ci.seed)
        own = summary(table, *how, exactly=True)
        totals.append(Total(replace(own, sums=sum_by_label(table)), _exact_sums(table), drawn))
    grid = settings.thresholds if isinstance(settings.thresholds, tuple) else GRID
    ladder = found.ladder
    if isinstance(ladder, Ladder):
        ladder = rungs_of(ladder, len(found.counts[0].labels), grid)
    sums = tuple(total.summary.sums for total in totals)
    return replace(drop_documents(found), counts=sums, ladder=ladder), tuple(totals)


def drop_documents(found: Findings) -> Findings:
    """Return findings without what nobody asks of single documents once their spans are gone."""
    kinds = None if found.kinds is None else sum_by_label(found.kinds)
    confused = None if found.confused is None else _sum_confusion(found.confused)
    return replace(found, kinds=kinds, confused=confused, verdicts=None)


def sum_by_label(counts: Counts) -> Counts:
    """Return the counts with one row a label, as if all were of one document."""
    codes, sums = tables.sums_by_label(counts)
    once = np.zeros(len(codes), dtype=np.int64)
    return Counts(counts.documents, counts.labels, counts.columns, once, codes, sums.T.copy())


def _exact_sums(counts: Counts) -> Exact:
    """Return the sums of columns by label without any rounding, where they are not whole numbers."""
    if counts.values.dtype == np.int64:
        return {}
    out = {}
    for code, rows in tables.rows_of_labels(counts):
        for name, column in zip(counts.columns, counts.values[:, rows], strict=True):
            out[tables.name_of(counts, code), name] = exact_parts(column.tolist())
    return out


def _sum_confusion(confused: Confusion) -> Confusion:
    """Return every pair of labels once."""
    gold, pred, number = confused
    width = int(max(gold.max(initial=0), pred.max(initial=0))) + 1
    pairs, inverse = np.unique(gold * width + pred, return_inverse=True)
    sums = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(sums, inverse, number)
    return pairs // width, pairs % width, sums


def add_findings(one: Findings, other: Findings) -> Findings:
    """Return the sums of both; the labels have the same codes in both."""
    both = tuple(add_sums(*pair) for pair in zip(one.counts, other.counts, strict=True))
    confused = one.confused or other.confused
    if one.confused is not None and other.confused is not None:
        gold, pred, number = (np.concatenate(pair) for pair in zip(one.confused, other.confused, strict=True))
        confused = _sum_confusion((gold, pred, number))
    kinds = one.kinds or other.kinds
    if one.kinds is not None and other.kinds is not None:
        kinds = add_sums(one.kinds, other.kinds)
    return Findings(both, _add_rungs(one.ladder, other.ladder), kinds, confused, None)


def _add_rungs(one: Ladder | Rungs | None, other: Ladder | Rungs | None) -> Rungs | None:
    kept = [own for own in (one, other) if isinstance(own, Rungs)]
    if len(kept) < 2:
        return kept[0] if kept else None
    return Rungs(kept[0].grid, kept[0].found + kept[1].found)


def add_sums(one: Counts, other: Counts) -> Counts:
    """Return the sums by label of the documents of both, a row a label."""
    return replace(sum_by_label(tables.concat(one, other)), documents=one.documents + other.documents)


def add_totals(one: Total, other: Total, sums: Counts) -> Total:
    """Return the total of the documents of both, with the sums by label that they have together."""
    if (one.drawn is None) != (other.drawn is None):
        raise EngineError("only some portions have resampled sums", expected="portions counted alike")
    exact: Exact = {}
    if one.exact or other.exact:
        parts = [_parts(own) for own in (one, other)]
        exact = {at: exact_parts([n for own in parts for n in own.get(at, ())]) for at in {*parts[0], *parts[1]}}
    drawn = None if one.drawn is None or other.drawn is None else folded.add(one.drawn, other.drawn)
    ours, theirs = one.summary, other.summary
    having = {
        name: ours.having.get(name, 0) + theirs.having.get(name, 0) for name in (*ours.having, *theirs.having)
    }
    means = tuple(add_means(*pair) for pair in zip(ours.means, theirs.means, strict=True))
    return Total(Summary(_round_sums(sums, exact), having, means), exact, drawn)


def _parts(own: Total) -> Exact:
    """Return the exact parts of all sums; whole numbers are their own."""
    if own.exact:
        return own.exact
    sums = own.summary.sums
    names = [tables.name_of(sums, code) for code in sums.label.tolist()]
    rows = zip(sums.columns, sums.values.tolist(), strict=True)
    return {(name, column): (float(n),) for column, row in rows for name, n in zip(names, row, strict=True)}


def _round_sums(sums: Counts, exact: Exact) -> Counts:
    """Return the sums, those of columns that are not whole numbers rounded once from their exact parts."""
    if not exact:
        return sums
    names = [tables.name_of(sums, code) for code in sums.label.tolist()]
    values = [[math.fsum(exact.get((name, column), ())) for name in names] for column in sums.columns]
    return replace(sums, values=np.array(values).reshape(len(sums.columns), len(names)))
