"""Tables of what the scores of predictions are worth: by score, and average precision by label."""

from __future__ import annotations

import math

import numpy as np

from spanscope.report.names import visible
from spanscope.report.rounding import round_number
from spanscope.report.table import MAIN, Cell, Column, Table, row_name
from spanscope.report.tables import MOST_ROWS, rows_left_out
from spanscope.results.confidence import AREA, Confidence, ScoredPoint
from spanscope.results.result import Result

STEPS = 10  # rows where scores are not from 0 to 1


def of_result(result: Result, digits: int, sure: tuple[Column, ...]) -> list[Table]:
    """Return the tables of a result whose predictions all have scores; `sure` is the column of intervals."""
    found = result.confidence()
    short = result.measures[result.index(found.measure)].short
    return [by_confidence(found, short, digits), average_precision(found, short, digits, sure)]


def by_confidence(found: Confidence, short: str, digits: int = 4) -> Table:
    """Return the curve over the score, and where scores are shares how many are right in each bin of them.

    A row is about the predictions above that score; the last columns are about its bin alone.
    """
    rows: list[tuple[Cell, ...]] = []
    for row, least in enumerate(_steps(found)):
        point = _point_at(found, least, above=bool(found.bins) and least > 0)
        figures = (None, None, None) if point is None else (point.precision, point.recall, point.value)
        in_bin: tuple[Cell, ...] = ()
        if found.bins:
            own = found.bins[-1 - row]
            in_bin = (own.pred, own.mean, own.accuracy)
        rows.append((least, 0 if point is None else point.pred, *figures, *in_bin))
    word = found.rate.upper()
    columns = [
        row_name("Above" if found.bins else "From", left=False)._replace(digits=None),
        Column("Predictions", style="count"),
        Column("Precision", digits, better="higher"),
        Column("Recall", digits, better="higher"),
        Column(word, digits, better="higher", priority=MAIN),
    ]
    if found.bins:
        columns += [Column("In bin", style="count", priority=2), Column("Mean score", digits, priority=2)]
        columns += [Column("Right", digits, priority=2)]
    return Table(f"By confidence: {short}", tuple(columns), rows, _note(found, word, digits))


def _steps(found: Confidence) -> list[float]:
    """Return the lowest scores of the rows, highest first: edges of bins, else scores evenly by their places."""
    if found.bins:
        return [one.low for one in reversed(found.bins)]
    last = len(found.curve.score) - 1
    at = np.unique(np.linspace(0, last, min(STEPS, last + 1)).astype(np.int64))
    return [float(score) for score in found.curve.score[at]]


def _point_at(found: Confidence, least: float, *, above: bool) -> ScoredPoint | None:
    """Return the point of all predictions with at least a score, or above it; None where there are none."""
    number = int(np.searchsorted(-found.curve.score, -least, "left" if above else "right"))
    return found.point(number - 1) if number else None


def _note(found: Confidence, word: str, digits: int) -> str:
    """Return the figures about all scores in a sentence or two."""
    said = []
    if found.best is not None:
        value = round_number(found.best.value, digits)
        said.append(f"Best {word} {value} from a score of {found.best.score!r}, chosen on these documents.")
    if found.bins:
        error = round_number(found.error, digits)
        said.append(f"Expected calibration error {error}, in {len(found.bins)} bins.")
    else:
        said.append("No calibration: scores below 0 or above 1 are not probabilities.")
    return " ".join(said)


def average_precision(found: Confidence, short: str, digits: int, sure: tuple[Column, ...]) -> Table:
    """Return the average precision over all labels, its mean over them, and that of every label."""
    names = {"micro": "All predictions", "macro": "Mean over labels"}
    rows: list[tuple[Cell, ...]] = []
    for row in found.rows:
        if row.rate == AREA:
            bounds = (None if row.low is None else (row.low, row.high),) * len(sure)
            name = names[row.average] if row.label is None else visible(row.label)
            rows.append((name, None if math.isnan(row.value) else row.value, *bounds))
    columns = (row_name("Label"), Column("AP", digits, better="higher", priority=MAIN), *sure)
    said = f"{found.unsure} {rows_left_out(len(rows))}".strip()
    return Table(f"Average precision: {short}", columns, rows[:MOST_ROWS], said)
