"""The figure of the curve over thresholds: of one run with its rates and a band, or of several runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from spanscope.errors import InputError, MeasureError
from spanscope.measures.registry import Measure
from spanscope.report.figures.scores import main_rate, words_of
from spanscope.report.figures.style import DASHES, Look, Theme, line_ends, name_of, page
from spanscope.report.rounding import round_number
from spanscope.results.result import Result
from spanscope.results.written import WrittenResult
from spanscope.stats.averages import Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = (("precision", "P", (0, (5, 2))), ("recall", "R", (0, (1, 1.5))))
SIZE = (4.8, 3.2)
OF_F = {"micro": "value", "macro": "macro"}  # the fields of a point with the F that leads
FAINT = 0.16  # of the band
MOST_BANDS = 3  # of several runs: more bands hide each other


def curve(
    result: Result | WrittenResult | Mapping[str, Result | WrittenResult],
    measure: str | Measure | None = None,
    *,
    average: str = "micro",
    look: Look | None = None,
) -> Figure:
    """Draw precision (dashed), recall (dotted) and F (solid) over the threshold; of several runs F alone.

    The points are those of `result.curve()`; the threshold that was asked for is marked, with its F. A
    threshold at which a rate is undefined leaves a gap. Measures without a threshold have no curve. Of a result
    that has its documents and intervals, a band shows those of F. With average="macro" F is the mean over labels,
    and alone: its precision and recall are not what it is made of. Several runs, by name, have a line each.
    """
    look = look or Look()
    if average not in OF_F:
        raise MeasureError(f"there is no curve of average={average!r}", expected="micro or macro")
    runs = result if isinstance(result, Mapping) else {"": result}
    first = next(iter(runs.values()))
    chosen = first.measures[first.settings.curved if measure is None else first.index(measure)]
    if chosen.threshold is None:
        raise MeasureError(
            f"{chosen.short} has no threshold, so it has no curve", hint="-m 'spans.relaxed(threshold=0.5)'"
        )
    _refuse_others(runs, chosen)
    word = words_of(main_rate(first, chosen))
    title = f"Threshold curve: {chosen.name}" + (f", {word}" if len(runs) > 1 else "")
    with page(look, first.signature(chosen), title, *look.scaled(*SIZE)) as figure:
        axes = figure.subplots()
        axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="threshold", ylabel=f"{_scale(runs, word)} ({average})")
        axes.grid(axis="y")
        draw = _several if len(runs) > 1 else _draw_one_run
        draw(axes, runs, chosen, average, look)
    return figure


def _scale(runs: Mapping[str, Any], word: str) -> str:
    return word if len(runs) > 1 else "score"


def _refuse_others(runs: Mapping[str, Result | WrittenResult], measure: Measure) -> None:
    """Refuse runs that were scored by other measures: their curves would not be of one thing."""
    rates = {main_rate(one, measure) for one in runs.values() if measure in one.measures}
    odd = next((name for name, one in runs.items() if measure not in one.measures), None)
    if odd is not None or len(rates) > 1:
        what = "another F leads" if odd is None else f"{measure.short} was not run"
        raise InputError(what, where=odd or "", expected="runs that were scored alike")


def _draw_one_run(
    axes: Axes, runs: Mapping[str, Result | WrittenResult], measure: Measure, average: str, look: Look
) -> None:
    """Draw the rates of one run, with the band of F, and the threshold that was asked for."""
    result = next(iter(runs.values()))
    points, theme = result.curve(measure), look.theme
    asked = result.curve(measure, [measure.threshold or 0.0])[0]
    at, lead, ends = [point.threshold for point in points], words_of(main_rate(result, measure)), []
    _band(axes, result, measure, average, theme.accent)
    lines = [(rate, word, dash, theme.ink, 1.3) for rate, word, dash in LINES] if average == "micro" else []
    for rate, word, dash, colour, width in [*lines, (OF_F[average], lead, "solid", theme.accent, 2.0)]:
        values = [getattr(point, rate) for point in points]
        axes.plot(at, values, color=colour, linestyle=dash, linewidth=width, label=word)
        ends += _end(word, values, colour)
    line_ends(axes, look, ends, look.tall(*SIZE) * 0.75, at[-1])
    _mark_threshold(axes, asked, getattr(asked, OF_F[average]), lead, theme)


def _several(
    axes: Axes, runs: Mapping[str, Result | WrittenResult], measure: Measure, average: str, look: Look
) -> None:
    """Draw F of every run in a colour and dashes of its own; of few runs with bands."""
    theme, ends, last = look.theme, [], 1.0
    for number, (name, result) in enumerate(runs.items()):
        colour = theme.ink if look.style == "print" else theme.labels[number % len(theme.labels)]
        points = result.curve(measure)
        values = [getattr(point, OF_F[average]) for point in points]
        at, last = [point.threshold for point in points], points[-1].threshold
        if len(runs) <= MOST_BANDS:
            _band(axes, result, measure, average, colour)
        dash = DASHES[number % len(DASHES)]
        axes.plot(at, values, color=colour, linestyle=dash, linewidth=1.6, label=name, gid="run")
        ends += _end(name_of(name), values, colour)
    line_ends(axes, look, ends, look.tall(*SIZE) * 0.75, last)


def _end(word: str, values: Sequence[float], colour: str) -> list[tuple[str, float, str]]:
    """Return the name of a line at its last defined value; nothing where there is none."""
    last = next((value for value in reversed(values) if not math.isnan(value)), math.nan)
    return [] if math.isnan(last) else [(word, last, colour)]


def _band(axes: Axes, result: Result | WrittenResult, measure: Measure, average: str, colour: str) -> None:
    """Shade the intervals of F, where the documents are there to make them from."""
    if not isinstance(result, Result):
        return
    from spanscope.results.curve_band import band

    found = band(result, measure, average)
    if found:
        at, low, high = zip(*found, strict=True)
        axes.fill_between(at, low, high, color=colour, alpha=FAINT, linewidth=0, gid="band")


def _mark_threshold(axes: Axes, asked: Point, value: float, word: str, theme: Theme) -> None:
    """Mark the threshold that was asked for, its F in words below the curves."""
    axes.axvline(asked.threshold, color=theme.quiet, linewidth=0.8, gid="asked")
    marker: dict[str, Any] = {"markeredgecolor": theme.paper, "markersize": 7, "label": "asked", "zorder": 3}
    axes.plot([asked.threshold], [value], "o", color=theme.accent, **marker)
    left = asked.threshold > 0.6  # where there is no room to the right of the line
    axes.annotate(
        f"{word} {round_number(value, 3)} at {asked.threshold:g}",
        (asked.threshold, 0.0),
        (-5 if left else 5, 6),
        textcoords="offset points",
        ha="right" if left else "left",
        color=theme.quiet,
    )
