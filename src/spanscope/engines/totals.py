"""Totals: what is left of the documents where nothing is kept that grows with their number.

Counts are summed by label and by cell, pairs as how many reach each step of the curve. Totals of portions add up
to those of all documents; scores and intervals are read from them by the code that reads them from counts.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Keys
from spanscope.counts import Counts
from spanscope.findings.findings import Findings
from spanscope.match.verdicts import Confusion
from spanscope.settings.run_settings import Settings
from spanscope.stats.averages import GRID, Ladder, Rungs, rungs_of
from spanscope.stats.cells import deal
from spanscope.stats.counted import Total, total_of


def totals_of(found: Findings, settings: Settings, keys: Keys) -> tuple[Total, ...]:
    """Return all that scores and intervals need of what was counted; `keys` are those that are drawn by."""
    dealt, resamples = deal(keys), resamples_of(settings)
    pairs = zip(settings.measures, found.counts, strict=True)
    return tuple(total_of(table, settings.how(measure), dealt, resamples) for measure, table in pairs)


def resamples_of(settings: Settings) -> int | None:
    """Return how many resamples there will be, where that is known."""
    return None if settings.ci is None else settings.ci.resamples


def sum_documents(found: Findings, settings: Settings, totals: tuple[Total, ...]) -> Findings:
    """Return findings with one row per label, as if all were of one document."""
    grid = settings.thresholds if isinstance(settings.thresholds, tuple) else GRID
    ladder = found.ladder
    if isinstance(ladder, Ladder):
        ladder = rungs_of(ladder, len(found.counts[0].labels), grid)
    sums = tuple(total.summary.sums for total in totals)
    return replace(drop_documents(found), counts=sums, ladder=ladder)


def drop_documents(found: Findings) -> Findings:
    """Return findings without what nobody asks of single documents once their spans are gone."""
    kinds = None if found.kinds is None else sum_by_label(found.kinds)
    confused = None if found.confused is None else _sum_confusion(found.confused)
    return replace(found, kinds=kinds, confused=confused, verdicts=None)


def sum_by_label(counts: Counts) -> Counts:
    """Return the counts with one row per label, as if all were of one document."""
    codes, sums = counts.label_sums
    once = np.zeros(len(codes), dtype=np.int64)
    return Counts(counts.documents, counts.labels, counts.columns, once, codes, sums.T.copy())


def _sum_confusion(confused: Confusion) -> Confusion:
    """Return every pair of labels once."""
    gold, pred, number = confused
    width = int(max(gold.max(initial=0), pred.max(initial=0))) + 1
    pairs, inverse = np.unique(gold * width + pred, return_inverse=True)
    sums = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(sums, inverse, number)
    return pairs // width, pairs % width, sums


def add_findings(one: Findings, other: Findings) -> Findings:
    """Return what both found beside the counts; the labels have the same codes in both."""
    confused = one.confused or other.confused
    if one.confused is not None and other.confused is not None:
        gold, pred, number = (np.concatenate(pair) for pair in zip(one.confused, other.confused, strict=True))
        confused = _sum_confusion((gold, pred, number))
    kinds = one.kinds or other.kinds
    if one.kinds is not None and other.kinds is not None:
        kinds = add_sums(one.kinds, other.kinds)
    return Findings((), _add_rungs(one.ladder, other.ladder), kinds, confused, None)


def _add_rungs(one: Ladder | Rungs | None, other: Ladder | Rungs | None) -> Rungs | None:
    kept = [own for own in (one, other) if isinstance(own, Rungs)]
    if len(kept) < 2:
        return kept[0] if kept else None
    return Rungs(kept[0].grid, kept[0].found + kept[1].found)


def add_sums(one: Counts, other: Counts) -> Counts:
    """Return the sums by label of the documents of both, one row per label."""
    return replace(sum_by_label(tables.concat(one, other)), documents=one.documents + other.documents)
