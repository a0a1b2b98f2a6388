"""The intervals of the rate that leads along a curve over thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from spanscope.counts import Counts, merge
from spanscope.measures.registry import Measure
from spanscope.stats.averages import GRID
from spanscope.stats.bootstrap import count_labels, intervals_of_all
from spanscope.stats.cells import deal, fold
from spanscope.stats.table import Row, table_of

if TYPE_CHECKING:
    from spanscope.results.result import Result

MOST_STEPS_OF_DOCUMENTS = 2_500_000  # documents times steps: beyond it no band is worked out


def band(result: Result, measure: Measure, average: str) -> list[tuple[float, float, float]]:
    """Return the threshold and the interval of F at every step of the curve that has one.

    Every step is matched and counted as the measure at that threshold is, and drawn with the weights of all other
    intervals. There is none without intervals, without the spans, and where it would take long.
    """
    ci, settings = result.settings.ci, result.settings
    grid = settings.thresholds if isinstance(settings.thresholds, tuple) else GRID
    if ci is None or result.kept != "spans" or not 2 <= result.documents <= MOST_STEPS_OF_DOCUMENTS // len(grid):
        return []
    how = (settings.lead(measure).rate,), measure.definition.rate_set, settings.policy
    dealt = deal(result.comparison.drawn_keys())
    tables = [_count_at(result, measure, step) for step in grid]
    cells = [fold(own, *how, dealt) for own in tables]
    labels = [count_labels(own, settings.policy) for own in tables]
    found = intervals_of_all(cells, [how] * len(cells), labels, **asdict(ci))
    wanted = Row(how[0][0].name, average, None)
    out = []
    for step, own, sums in zip(grid, found, cells, strict=True):
        rows = table_of([sums], *how).rows()
        interval = own[rows.index(wanted)] if wanted in rows else None
        if interval is not None and not math.isnan(interval.low):
            out.append((step, interval.low, interval.high))
    return out


def _count_at(result: Result, measure: Measure, step: float) -> Counts:
    """Return the counts by document at one threshold."""
    parts: Sequence[Counts] = [
        measure.replace(threshold=step)(result.settings.protocol.view(measure, batch)).counts
        for batch in result.comparison.batches(result.settings.family.batch)
    ]
    return merge(parts)
