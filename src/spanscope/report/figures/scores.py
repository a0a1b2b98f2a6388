"""Figures of one result: the labels, the confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spanscope.errors import MeasureError
from spanscope.measures.registry import Measure
from spanscope.report.few_groups import few_beside
from spanscope.report.figures.style import Look, Theme, columns, name_of, page, pale
from spanscope.report.rounding import round_number
from spanscope.report.table import DASH
from spanscope.report.tables.errors import accepted_matches
from spanscope.results.result import Result
from spanscope.results.written import WrittenResult
from spanscope.stats.averages import Score

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OVERALL = ("micro", "macro")
ROOM = 9.0  # inches that a matrix takes at most, unless its names need more
SLANTED = 12  # labels up to which the names under a matrix are slanted; beyond they stand upright


def words_of(rate: str) -> str:
    """Return a rate as it is written in a figure: F1, F0.5, else its own name."""
    return rate.upper() if rate[:1] == "f" and rate[1:].replace(".", "").isdigit() else rate


def main_rate(result: Result | WrittenResult, measure: Measure) -> str:
    """Return the rate a figure of one rate shows: the one that leads."""
    return result.settings.lead(measure).rate.name


# ---------------------------------------------------------------- labels


def labels(
    result: Result | WrittenResult, measure: str | Measure | None = None, *, look: Look | None = None
) -> Figure:
    """Draw F by label as bars with their intervals, the overall averages above.

    Bars are in descending order of the number of gold spans (beside them), ties by name. Up to eight labels have a
    colour each; with more, colours could not tell them apart and all are alike. An undefined figure is a dash.
    """
    look = look or Look()
    chosen = result.measures[result.index(measure)]
    rate = main_rate(result, chosen)
    own = [row for row in result.rows if (row.measure, row.rate) == (str(chosen), rate)]
    gold = {name: counts.get("gold", 0) for name, counts in result.counts(chosen).items()}
    each = sorted(
        (row for row in own if row.label is not None),
        key=lambda row: (-gold.get(str(row.label), 0), str(row.label)),
    )
    if not each:
        raise MeasureError(f"{chosen.short} has no figures by label", expected="labelled spans or tokens")
    whole = [row for average in OVERALL for row in own if row.average == average]
    title = f"{words_of(rate)} by label: {chosen.short}"
    rows = [*whole, *each]
    places = [*range(len(whole)), *(place + len(whole) + 0.6 for place in range(len(each)))]
    with page(look, result.signature(chosen), title, 5.6, look.inches(1.6 * (len(each) + 4)) + 0.6) as figure:
        axes = figure.subplots()
        _bars(axes, places, rows, _colours(look.theme, len(whole), len(each)), look.theme)
        counted = ["" if row.label is None else f"{gold.get(row.label, 0):,}" for row in rows]
        figures = [round_number(row.value, 3) for row in rows]
        columns(axes, places, {words_of(rate): figures, "gold": counted}, (3.6, 3.6))
        axes.set_yticks(places, [row.average if row.label is None else name_of(row.label) for row in rows])
        axes.set(xlim=(0, 1), ylim=(places[-1] + 0.6, -0.6), xlabel=words_of(rate) + _interval_note(result))
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")
    return figure


def _interval_note(result: Result | WrittenResult) -> str:
    ci = result.settings.ci
    return (
        "" if ci is None or result.documents < 2 else f", with {100 * ci.level:g} % interval{few_beside(result)}"
    )


def _colours(theme: Theme, whole: int, each: int) -> list[str]:
    own = theme.labels if each <= len(theme.labels) else (theme.shade,)
    return [theme.quiet] * whole + [own[at % len(own)] for at in range(each)]


def _bars(axes: Axes, places: list[float], rows: list[Score], colours: list[str], theme: Theme) -> None:
    """Draw one bar per row and the interval over it, in a colour that shows on the bar and beside it."""
    axes.barh(
        places,
        [row.value for row in rows],
        height=0.66,
        color=[pale(colour, theme) for colour in colours],
        linewidth=0,
    )
    line: dict[str, Any] = {"color": theme.ink, "linewidth": 1.1, "markersize": 5, "gid": "interval"}
    for place, row in zip(places, rows, strict=True):
        if row.low is not None and row.high is not None:
            axes.plot([row.low, row.high], [place, place], "-|", **line)


# ---------------------------------------------------------------- the matrix


def confusion(
    result: Result | WrittenResult, measure: str | Measure | None = None, *, look: Look | None = None
) -> Figure:
    """Draw how often each gold label (rows) met each predicted one (columns), `(none)` for nothing on that side.

    One hue, darker for more (the root of the count, so that few show beside many); the number stands in every cell
    where labels met. The diagonal counts every pair of one label, also those with wrong boundaries, and says so.
    """
    look = look or Look()
    table = result.confusion(measure)
    if not any(table.values()):
        raise MeasureError(
            "there are no label pairs to draw", expected="a measure that matches labelled spans, and some spans"
        )
    names = list(table)
    chosen = result.measures[result.settings.explained if measure is None else result.index(measure)]
    largest = max(n for row in table.values() for n in row.values())
    natural = look.inches(0.75 * len(f"{largest:,}") + 1.4)  # of a cell, so that its number has air around it
    room = min(natural, max(ROOM / len(names), look.inches(1.45)))
    side = max(len(names) * room + 1.4, 3.6)
    size = (look.height or side + 0.3, look.width or side + 0.3)  # where one is given, the other follows
    with page(look, result.signature(chosen), f"Confusion: {chosen.short}", *size) as figure:
        axes = figure.subplots()
        _matrix(axes, table, names, largest, look.theme)
        shown = [name_of(name) for name in names]
        slanted = len(names) <= SLANTED
        axes.set_yticks([at + 0.5 for at in range(len(names))], shown)
        axes.set_xticks(
            [at + 0.5 for at in range(len(names))],
            shown,
            rotation=40 if slanted else 90,
            ha="right" if slanted else "center",
            rotation_mode="anchor" if slanted else "default",
        )
        axes.tick_params(length=0)
        more = measure is None and accepted_matches(result)
        between = "\n" if look.narrow else " "
        said = f"\n(the diagonal counts{between}wrong boundaries too)" if more else ""
        axes.set(xlabel=f"predicted{said}", ylabel="gold", aspect="equal")
        for spine in axes.spines.values():
            spine.set_visible(False)
        _fit(figure, axes, len(names), look)
    return figure


def _fit(figure: Figure, axes: Axes, size: int, look: Look) -> None:
    """Let the type of a matrix be small enough for its cells, which are known once the page is laid out."""
    figure.draw_without_rendering()
    cell = axes.get_window_extent().width * 72 / figure.dpi / size  # in points
    for text in axes.texts:
        text.set_fontsize(min(look.font_size, cell / (0.62 * len(text.get_text()) + 0.6)))
    for label in [*axes.get_xticklabels(), *axes.get_yticklabels()]:
        label.set_fontsize(min(look.font_size, 0.9 * cell))


def _matrix(axes: Axes, table: dict[str, dict[str, int]], names: list[str], largest: int, theme: Theme) -> None:
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm

    hue = LinearSegmentedColormap.from_list("counts", [theme.paper, theme.accent])
    norm = PowerNorm(0.5, vmin=0, vmax=largest)
    cells = [[table[gold].get(pred, 0) for pred in names] for gold in names]
    axes.pcolormesh(cells, cmap=hue, norm=norm, edgecolors=theme.rule, linewidth=0.5)
    axes.invert_yaxis()
    for y, row in enumerate(cells):
        for x, n in enumerate(row):
            if n:
                colour = theme.paper if float(norm(n)) > 0.55 else theme.ink
                axes.text(x + 0.5, y + 0.5, f"{n:,}", ha="center", va="center", color=colour)
    if not cells[-1][-1]:
        axes.text(len(names) - 0.5, len(names) - 0.5, DASH, ha="center", va="center", color=theme.quiet)
