"""The column of intervals, how far they can be trusted, and why there is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanscope.errors import plural
from spanscope.report.names import visible
from spanscope.report.table import MAIN, Column
from spanscope.report.tables import drawn_groups, noun
from spanscope.results.resampled import FEW
from spanscope.results.result import Result
from spanscope.stats.averages import Score
from spanscope.stats.bootstrap import FEWEST_WITH_LABEL

if TYPE_CHECKING:
    from spanscope.results.written import WrittenResult


def intervals(result: Result | WrittenResult, digits: int) -> tuple[Column, ...]:
    """Return the column of intervals, where there are any."""
    ci = result.settings.ci
    if ci is None or result.documents < 2:
        return ()
    return (Column(f"{100 * ci.level:g} % interval", digits, priority=MAIN),)


def interval(row: Score, sure: Sequence[Column]) -> tuple[tuple[float, float | None] | None, ...]:
    """Return the interval of a score as cells of such a column."""
    return (None if row.low is None else (row.low, row.high),) * len(sure)


def interval_note(result: Result | WrittenResult) -> str:
    """Return how far intervals can be trusted."""
    if result.settings.ci is not None and result.documents == 1:
        return f"No intervals: a single {noun(result)} does not show how much figures vary."
    if not intervals(result, 0):
        return ""
    nouns, group = plural(2, noun(result)).removeprefix("2 "), result.settings.group
    if group is None:
        return f"Fewer than {FEW} {nouns}: intervals are unreliable." if result.documents < FEW else ""
    if isinstance(result, Result):
        return drawn_groups(group, result.counted.units, nouns) + "."
    if "resampled" not in result.data:  # results of older versions do not say how many
        return f"Intervals resample groups of {nouns} by {visible(group)}."
    return drawn_groups(group, result.data["resampled"]["number"], nouns) + "."


def without_interval(result: Result | WrittenResult, rows: Sequence[Score]) -> str:
    """Say why labels whose figure is defined have no interval; that labels are too many is told elsewhere."""
    if not intervals(result, 0) or "no intervals" in result.problems.number:
        return ""
    if not any(row.low is None and math.isfinite(row.value) for row in rows):
        return ""
    nouns = plural(2, noun(result)).removeprefix("2 ")
    units = nouns if result.settings.group is None else f"groups of {nouns}"
    return f"No interval (–): the label occurs in fewer than {FEWEST_WITH_LABEL} {units}."
