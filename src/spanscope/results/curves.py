"""The curve of a measure over its threshold, from what was matched once or, where it must be, step by step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanscope.errors import MeasureError
from spanscope.measures.registry import Measure
from spanscope.rates import COUNTED
from spanscope.settings.settle import steps
from spanscope.stats.averages import GRID, Ladder, Point, Rungs, breakpoints, count_codes, curve, point_at

if TYPE_CHECKING:
    from spanscope.results.result import Result


def curve_of(result: Result, measure: str | Measure | None, grid: Sequence[float] | str | None) -> list[Point]:
    """Return what `Result.curve` is asked for."""
    at = result.settings.headline if measure is None else result.index(measure)
    chosen, table = result.measures[at], result.tables[at]
    wanted = result.settings.thresholds if grid is None else steps(grid)
    if chosen.definition.rate_set is not COUNTED:
        raise MeasureError(f"{chosen} has no threshold and no matches, so it has no curve")
    rates, policy = result.settings.rates(chosen), result.settings.policy
    if chosen.threshold is None:
        return [_only_point(result, chosen)]
    ladder = _ladder(result, at)
    if ladder is None:
        if wanted == "exact":
            raise MeasureError("exact breakpoints need assignment=greedy", hint="a grid of thresholds")
        return [_solve(result, chosen, step) for step in wanted or GRID]
    if isinstance(ladder, Rungs):
        own = tuple(wanted or GRID)
        if not set(own) <= set(ladder.grid):
            result.needs("counts", "a curve with other thresholds than the evaluation was asked for")
        return curve(ladder, table, rates, policy, own)
    return curve(ladder, table, rates, policy, breakpoints(ladder) if wanted == "exact" else wanted or GRID)


def _only_point(result: Result, measure: Measure) -> Point:
    """Return the one point of a measure that has no threshold, at 1."""
    n = result.totals(measure)
    precision, recall, f1 = (result.value(rate, measure) for rate in ("precision", "recall", "f1"))
    wanted = (str(measure), "f1", "macro")
    macro = next((row.value for row in result.rows if (row.measure, row.rate, row.average) == wanted), math.nan)
    return Point(1.0, int(n["tp"]), int(n["pred"]), int(n["gold"]), precision, recall, f1, macro)


def _ladder(result: Result, at: int) -> Ladder | Rungs | None:
    if at == result.settings.headline:
        return result.found.ladder
    result.needs("spans", f"the curve of {result.measures[at].short}")
    view = result.settings.protocol.view(result.measures[at], result.comparison)
    outcome = result.outcome(result.measures[at])
    if outcome.ladder is None:
        return None
    return Ladder(view.gold.label[outcome.ladder.gold], outcome.ladder.score)


def _solve(result: Result, measure: Measure, step: float) -> Point:
    result.needs("spans", f"the curve of {measure.short}")
    view = result.settings.protocol.view(measure, result.comparison)
    outcome = measure.replace(threshold=step)(view)
    if outcome.match is None:
        raise MeasureError(f"{measure} has no matches, so it has no curve")
    found = count_codes(view.gold.label[outcome.match.gold], outcome.counts)
    return point_at(step, found, outcome.counts, result.settings.rates(measure), result.settings.policy)
