"""Figures fit for a paper, drawn with matplotlib (pip install 'spanscope[plot]').

    from spanscope.report import figures
    figure = figures.curve(result, look=figures.Look(style="print", width=3.4))
    content, _ = figures.to_bytes(figure, ".pdf")

Every number that is drawn is one that the result has; each function returns a matplotlib Figure, without pyplot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from spanscope.report.figures.confidence import calibration, confidence
from spanscope.report.figures.curves import curve
from spanscope.report.figures.differences import critical_difference
from spanscope.report.figures.ranking import leaderboard
from spanscope.report.figures.ribbons import segments
from spanscope.report.figures.runs import compare, cutoffs
from spanscope.report.figures.scores import confusion, labels
from spanscope.report.figures.style import ENDINGS, SIZES, THEMES, Look, check, ending_of, to_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS: dict[str, Callable[..., Figure]] = {
    "curve": curve,
    "labels": labels,
    "confusion": confusion,
    "compare": compare,
    "leaderboard": leaderboard,
    "critical-difference": critical_difference,
    "segments": segments,
    "cutoffs": cutoffs,
    "confidence": confidence,
    "calibration": calibration,
}

__all__ = [
    "ENDINGS",
    "KINDS",
    "SIZES",
    "THEMES",
    "Look",
    "calibration",
    "check",
    "compare",
    "confidence",
    "confusion",
    "critical_difference",
    "curve",
    "cutoffs",
    "ending_of",
    "labels",
    "leaderboard",
    "segments",
    "to_bytes",
]
