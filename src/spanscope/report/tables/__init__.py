"""The tables of every kind of result, the most important first: columns and rows, and no layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanscope.arithmetic import CELLS
from spanscope.errors import plural, shown
from spanscope.measures.registry import Measure
from spanscope.results.resampled import FEW
from spanscope.results.result import Result
from spanscope.sides.groups import MARKED

if TYPE_CHECKING:
    from spanscope.results.written import WrittenResult

MOST_ROWS = 1_000  # of labels and of thresholds
ROW = ("measure", "rate", "average", "label", "value", "low", "high", "documents", "undefined")  # of CSV

FIGURES = {  # what figures of segmentations are called in every table, where the rate's own name says too little
    ("segments.b_score", "f1"): "B-score",
    ("segments.soft", "f1"): "Soft F1",
    ("segments.displacement", "displacement"): "Displacement",
    ("segments.bias", "bias"): "Bias",
    ("segments.pk", "pk"): "Pk",
    ("segments.window_diff", "window_diff"): "WindowDiff",
    ("segments.boundaries", "f1"): "Boundary F1",
    ("segments.overlap", "iou"): "IoU",
    ("segments.overlap", "dice"): "Dice",
    ("segments.density_jsd", "jsd"): "JSD",
    ("segments.cover", "cover"): "Cover",
    ("segments.edit_distance", "b"): "Fournier B",
    ("segments.agreement", "agreement"): "Boundary agreement",
    ("segments.agreement", "pi"): "Boundary pi",
    ("segments.agreement", "kappa"): "Boundary kappa",
    ("segments.agreement", "bias"): "Annotator bias",
}


def figure_name(measure: Measure, rate: str) -> str:
    """Return what a figure is called at the head of a column."""
    return FIGURES.get((measure.name, rate)) or f"{measure.name.partition('.')[2]} {rate}"


def noun(result: Result | WrittenResult) -> str:
    """Return what the family calls a document."""
    return result.settings.family.document


def rows_left_out(rows: int) -> str:
    """Say how many rows are left out of a table that nobody could read."""
    return f"{plural(rows - MOST_ROWS, 'more row')}: --format json has them all." if rows > MOST_ROWS else ""


def drawn_groups(group: str, units: int | None, nouns: str = "documents") -> str:
    """Return what intervals and tests draw where it is groups, and whether these are too few."""
    named = "that the file marks" if group == MARKED else f"by {shown(group)}"
    number = f"{CELLS:,} cells of groups" if units is None else plural(units, "group")
    said = f"Intervals and tests resample {number} of {nouns} {named}"
    few = units is not None and units < FEW
    return f"{said}; fewer than {FEW} groups: intervals are unreliable" if few else said
