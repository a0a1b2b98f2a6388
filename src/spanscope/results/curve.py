"""The curve of a result over thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from spanscope.counts import Counts, merge, overall_sums
from spanscope.errors import MeasureError
from spanscope.measures.registry import Measure
from spanscope.rates import COUNTED
from spanscope.settings.thresholds import steps
from spanscope.stats import averages
from spanscope.stats.averages import GRID, Ladder, Point, Rungs, Score, breakpoints, count_codes, point_at, scores

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
    if chosen.threshold is None and chosen.definition.rate_set is not COUNTED:
        raise MeasureError(f"{chosen} has no threshold and no matches, so it has no curve")
    if chosen.threshold is None:
        return [_only_point(result, chosen)]
    if chosen.definition.rate_set is not COUNTED:
        if wanted == "exact":
            raise MeasureError(f"{chosen.name} has no exact breakpoints", hint="a grid of thresholds")
        return _counted_again(result, chosen, tuple(wanted or GRID))
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
    rows = [row for row in result.rows if row.measure == str(measure)]
    return _point(result, measure, 1.0, result.totals(measure), rows)


def _point(
    result: Result, measure: Measure, step: float, sums: Mapping[str, float], rows: Sequence[Score]
) -> Point:
    """Return a point from score rows; `tp` are the gold spans found, where precision has a count of its own."""
    known = {(row.rate, row.average): row.value for row in rows if row.label is None}
    names = ("precision", "recall", "f1", result.settings.lead(measure).rate.name)
    micro, macro = ([known.get((name, average), math.nan) for name in names] for average in ("micro", "macro"))
    tp = sums["tp_gold"] if "tp_gold" in sums else sums["tp"]
    figures = (*micro[:3], macro[2], micro[3], macro[3])
    return Point(step, int(tp), int(sums["pred"]), int(sums["gold"]), *figures)


def _counted_again(result: Result, measure: Measure, grid: Sequence[float]) -> list[Point]:
    """Return the points of a measure that counts in its own way, which is asked at every threshold."""
    settings = result.settings
    result.needs("spans", f"the curve of {measure.short}")
    parts: list[list[Counts]] = [[] for _ in grid]
    for batch in result.comparison.batches(settings.family.batch):
        view = settings.protocol.view(measure, batch)
        for own, step in zip(parts, grid, strict=True):
            own.append(measure.replace(threshold=step)(view).counts)
    how = (settings.rates(measure), measure.definition.rate_set, settings.policy)
    out = []
    for step, own in zip(grid, parts, strict=True):
        table = merge(own)
        sums = dict(zip(table.columns, overall_sums(table).tolist(), strict=True))
        out.append(_point(result, measure, step, sums, scores(str(measure), table, *how)))
    return out


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
