"""Figures of what the scores of predictions are worth: precision over recall, and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanscope.errors import MeasureError
from spanscope.measures.registry import Measure
from spanscope.report.figures.scores import words_of
from spanscope.report.figures.style import Look, page
from spanscope.report.rounding import round_number
from spanscope.results.confidence import MOST_POINTS
from spanscope.results.result import Result
from spanscope.results.written import WrittenResult

FEW = 10  # predictions of a bin below which its mark is hollow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from spanscope.results.confidence import Bin, Confidence


def confidence(
    result: Result | WrittenResult, measure: str | Measure | None = None, *, look: Look | None = None
) -> Figure:
    """Draw precision over recall as the lowest score falls, in the steps whose area is the average precision.

    The point with the best F is marked, with its score; it was chosen on these documents.
    """
    look = look or Look()
    found = result.confidence(measure)
    area = round_number(found.value(), 3)
    title = f"Precision over recall: {_short(result, found)}, AP {area}"
    with page(look, result.signature(found.measure), title, *look.scaled(4.2, 3.6)) as figure:
        axes = figure.subplots()
        axes.set(xlim=(0, 1.005), ylim=(0, 1.02), xlabel="recall", ylabel="precision")
        axes.grid()
        points = found.points(MOST_POINTS)
        recall, precision = [one.recall for one in points], [one.precision for one in points]
        axes.plot(
            [0.0, *recall],
            [precision[0], *precision] if points else [0.0],
            color=look.theme.accent,
            linewidth=1.8,
            drawstyle="steps-pre",
            gid="curve",
        )
        if found.best is not None:
            _mark_best(axes, found, look)
    return figure


def _mark_best(axes: Axes, found: Confidence, look: Look) -> None:
    """Mark the point with the best F, its figure and its score in words below."""
    best = found.best
    if best is None:
        return
    axes.plot([best.recall], [best.precision], "o", color=look.theme.ink, markersize=6, gid="best", zorder=3)
    axes.annotate(
        f"best {words_of(found.rate)} {round_number(best.value, 3)} from score {best.score:.3g}",
        (0.0, 0.0),
        (6, 6),
        textcoords="offset points",
        color=look.theme.quiet,
    )


def calibration(
    result: Result | WrittenResult, measure: str | Measure | None = None, *, look: Look | None = None
) -> Figure:
    """Draw the share of right predictions over their mean score, by bins, and how many predictions each bin has.

    On the dashed line scores mean what they say; above it a system is less sure than it could be, below it more.
    """
    look = look or Look()
    found = result.confidence(measure)
    if not found.bins:
        raise MeasureError(
            "scores below 0 or above 1 cannot be calibrated", expected="scores that are probabilities"
        )
    error = round_number(found.error, 3)
    title = f"Calibration: {_short(result, found)}, error {error}"
    with page(look, result.signature(found.measure), title, *look.scaled(4.2, 4.4)) as figure:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        above.set(xlim=(0, 1), ylim=(0, 1.02), ylabel="share that is right")
        above.grid()
        above.plot([0, 1], [0, 1], color=look.theme.quiet, linestyle=(0, (5, 2)), linewidth=1.0)
        own = [one for one in found.bins if one.pred]
        means, shares = [one.mean for one in own], [one.accuracy for one in own]
        above.plot(means, shares, "-", color=look.theme.accent, linewidth=1.4, zorder=2)
        _mark_bins(above, own, look)
        lows, widths = [one.low for one in found.bins], [one.high - one.low for one in found.bins]
        numbers = [one.pred for one in found.bins]
        below.bar(lows, numbers, widths, align="edge", color=look.theme.shade, edgecolor=look.theme.paper)
        hollow = f" (hollow: fewer than {FEW} predictions)" if any(one.pred < FEW for one in own) else ""
        below.set(xlabel=f"score{hollow}", ylabel="predictions")
    return figure


def _mark_bins(axes: Axes, own: Sequence[Bin], look: Look) -> None:
    """Mark bins; hollow where a share of so few predictions says little."""
    for few in (False, True):
        some = [one for one in own if (one.pred < FEW) == few]
        if not some:  # marks that are nowhere would be given room all the same, at the corner of the figure
            continue
        axes.plot(
            [one.mean for one in some],
            [one.accuracy for one in some],
            "o",
            color=look.theme.accent,
            markerfacecolor=look.theme.paper if few else look.theme.accent,
            markersize=5.5,
            clip_on=False,
            zorder=3,
            gid="few" if few else "bins",
        )


def _short(result: Result | WrittenResult, found: Confidence) -> str:
    return result.measures[result.index(found.measure)].short
