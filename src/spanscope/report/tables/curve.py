"""The table of the curve over thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence

from spanscope.report.table import MAIN, Column, Table, bar_column, row_name
from spanscope.report.tables import MOST_ROWS, rows_left_out
from spanscope.results.result import Result

GUIDE = (0.3, 0.5, 0.7, 0.8, 1.0)  # the steps of ReqFlow's guide to thresholds


def thresholds(result: Result, digits: int = 4, grid: Sequence[float] = GUIDE) -> Table | None:
    """Return the curve at the thresholds asked for, else at those of a grid; JSON has the whole curve."""
    measure = result.measures[result.settings.curved]
    if measure.threshold is None or not result.has_curve:
        return None
    points = result.curve(measure, result.settings.thresholds or grid)
    rows = [
        (
            one.threshold,
            one.precision,
            one.recall,
            one.value,
            one.macro,
            0.0 if math.isnan(one.value) else one.value,
        )
        for one in points[:MOST_ROWS]
    ]
    word = word_for(result.settings.lead(measure).rate.name)
    columns = (
        row_name("Threshold")._replace(digits=2),
        *(Column(name, digits, better="higher") for name in ("Precision", "Recall")),
        Column(word, digits, better="higher", priority=MAIN),
        Column(f"Macro {word}", digits, better="higher"),
        bar_column(f"{word} from 0 to 1"),
    )
    return Table(f"Over thresholds: {measure.name}", columns, rows, rows_left_out(len(points)))


def word_for(rate: str) -> str:
    """Return what a rate is called at the head of a column."""
    return rate.upper() if rate.startswith("f") else rate.capitalize()
