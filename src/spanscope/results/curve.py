"""The curve of a result over thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanscope.errors import MeasureError
from spanscope.measures.registry import Measure
from spanscope.rates import COUNTED
from spanscope.settings.thresholds import steps
from spanscope.stats import averages
from spanscope.stats.averages import GRID, Ladder, Point, Rungs, breakpoints, count_codes, point_at

if TYPE_CHECKING:
    from spanscope.results.result import Result


def curve(
    result: Result, measure: str | Measure | None = None, grid: Sequence[float] | str | None = None
) -> list[Point]:
    """Return the figures at every threshold, as `Result.curve` says."""
    settings = result.settings
    at = settings.curved if measure is None else result.index(measure)
    chosen = result.measures[at]
    wanted = settings.thresholds if grid is None else steps(grid)
    if chosen.definition.rate_set is not COUNTED:
        raise MeasureError(f"{chosen} has no threshold and no matches, so it has no curve")
    if chosen.threshold is None:
        return [_only_point(result, chosen)]
    ladder = _ladder(result, at)
    if ladder is None:
        if wanted == "exact":
            raise MeasureError("exact breakpoints need assignment=greedy", hint="a grid of thresholds")
        return [_solve(result, chosen, step) for step in wanted or GRID]
    how = (result.tables[at], settings.curve_rates(chosen), settings.policy)
    if isinstance(ladder, Rungs):
        own = tuple(wanted or GRID)
        if not set(own) <= set(ladder.grid):
            result.needs("counts", "a curve with other thresholds than the evaluation was asked for")
        return averages.curve(ladder, *how, own)
    return averages.curve(ladder, *how, breakpoints(ladder) if wanted == "exact" else wanted or GRID)


def _only_point(result: Result, measure: Measure) -> Point:
    """Return the one point of a measure that has no threshold, at 1."""
    n = result.totals(measure)
    known = {(row.measure, row.rate, row.average): row.value for row in result.rows if row.label is None}
    names = [rate.name for rate in result.settings.curve_rates(measure)]
    micro, macro = (
        [known.get((str(measure), name, average), math.nan) for name in names] for average in ("micro", "macro")
    )
    figures = (*micro[:3], macro[2], micro[3], macro[3])
    return Point(1.0, int(n["tp"]), int(n["pred"]), int(n["gold"]), *figures)


def _ladder(result: Result, at: int) -> Ladder | Rungs | None:
    if at == result.settings.curved:
        return result.found.ladder
    measure = result.measures[at]
    result.needs("spans", f"the curve of {measure.short}")
    view = result.settings.protocol.view(measure, result.comparison)
    outcome = result.outcome(measure)
    if outcome.ladder is None:
        return None
    return Ladder(view.gold.label[outcome.ladder.gold], outcome.ladder.score)


def _solve(result: Result, measure: Measure, step: float) -> Point:
    settings = result.settings
    result.needs("spans", f"the curve of {measure.short}")
    view = settings.protocol.view(measure, result.comparison)
    outcome = measure.replace(threshold=step)(view)
    if outcome.match is None:
        raise MeasureError(f"{measure} has no matches, so it has no curve")
    found = count_codes(view.gold.label[outcome.match.gold], outcome.counts)
    return point_at(step, found, outcome.counts, settings.curve_rates(measure), settings.policy)
