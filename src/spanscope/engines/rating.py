"""Rates read from what was counted, and how sure they are: one way for counts of documents and for totals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace

from spanscope.counts import Counts
from spanscope.data.problems import Problem
from spanscope.engines.load import Progress
from spanscope.errors import MeasureError
from spanscope.settings.run_settings import Settings
from spanscope.stats.averages import Score
from spanscope.stats.bootstrap import MOST_LABELLED, Interval, count_labels, intervals_of_all
from spanscope.stats.counted import Counted

MOST_ROWS = 1_000_000  # figures of labels: two gigabytes as JSON


def _refuse_many_labels(labels: Sequence[int], rates: Sequence[int]) -> None:
    """Refuse so many labels that their figures would take minutes and gigabytes, which nobody could read."""
    if sum(many * each for many, each in zip(labels, rates, strict=True)) > MOST_ROWS:
        raise MeasureError(
            f"there are {max(labels):,} labels, each with {sum(rates)} figures",
            expected=f"at most {MOST_ROWS:,} figures of labels",
            hint="--labels A,B,C   for some of them, or fewer measures",
        )


def rate(settings: Settings, counted: Counted, progress: Progress) -> list[Score]:
    """Read the rates of every measure, and how sure they are from resamples of the documents."""
    hows = [settings.how(one) for one in settings.measures]
    labels = [count_labels(one, settings.policy) for one in counted.counts]
    _refuse_many_labels(labels, [len(rates) for rates, *_ in hows])
    rows, cells = [], []
    sure = settings.ci is not None and counted.documents > 1
    for at, (measure, how) in enumerate(zip(settings.measures, hows, strict=True)):
        rows.append(counted.scores(at, str(measure), how))
        cells += [counted.cells(at, how)] if sure else []
    if settings.ci is not None and cells:
        progress("resampling", 0, len(rows))
        found = intervals_of_all(cells, hows, labels, **asdict(settings.ci))
        rows = [_add_intervals(own, one) for own, one in zip(rows, found, strict=True)]
        progress("resampling", len(rows), len(rows))
    return [row for own in rows for row in own]


def _add_intervals(rows: Sequence[Score], found: Sequence[Interval]) -> list[Score]:
    """Return scores with their intervals, where they have one."""
    return [
        row if math.isnan(one.low) else replace(row, low=one.low, high=one.high)
        for row, one in zip(rows, found, strict=True)
    ]


def note_missing_intervals(settings: Settings, counts: Sequence[Counts]) -> list[Problem]:
    """Note intervals that are left out because there are too many labels."""
    if settings.ci is None or not counts or counts[0].documents < 2:
        return []
    number, resamples = max(count_labels(one, settings.policy) for one in counts), settings.ci.resamples
    if number * resamples <= MOST_LABELLED:
        return []
    values = {"labels": number, "resamples": resamples, "most": MOST_LABELLED}
    return [Problem("no intervals", "labels", values=values)]
