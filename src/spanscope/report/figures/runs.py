"""Figures of several runs or cutoffs: differences with their intervals, curves over k."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from spanscope.errors import MeasureError
from spanscope.report.few_groups import few_beside
from spanscope.report.figures.scores import words_of
from spanscope.report.figures.style import DASHES, Look, Theme, columns, line_ends, name_of, page
from spanscope.report.rounding import round_number
from spanscope.report.tables.comparison import signature
from spanscope.results.compared import Compared, Difference
from spanscope.results.result import Result
from spanscope.results.written import WrittenResult
from spanscope.stats.averages import Score

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKERS = "osD^vP*Xhp"
MAIN = ("recall", "ndcg", "precision", "mrr")  # of the rates over cutoffs; the others are in the table


def compare(compared: Compared, *, look: Look | None = None) -> Figure:
    """Draw the differences of every run to the first, with their intervals around 0.

    A mark is filled where the interval excludes 0. Of the first measure: precision, recall and F by their averages
    and then F by label; where it has no labels, the mean over documents of its rates. A run has a mark of its own.
    With one run beside the first, the differences and the adjusted p are written to the right.
    """
    look = look or Look()
    rows = _rows(compared)
    keys = list(dict.fromkeys((row.average, row.rate, row.label) for row in rows))
    others = compared.names[1:]
    many = len(others)
    short = compared.measures[0].short
    title = f"Difference to {name_of(compared.names[0])}: {short}"
    tall = look.inches(len(keys) * (0.9 + 0.8 * many) + 5) + 0.5
    with page(look, signature(compared), title, 5.6, tall) as figure:
        axes = figure.subplots()
        axes.axvline(0, color=look.theme.quiet, linewidth=0.9)
        for at, run in enumerate(others):
            shift = 0.0 if many == 1 else 0.6 * (at / (many - 1) - 0.5)
            for row in rows:
                if row.run == run:
                    place = keys.index((row.average, row.rate, row.label)) + shift
                    _difference(axes, row, place, MARKERS[at % len(MARKERS)], look.theme)
        axes.set_yticks(range(len(keys)), [_row_name(*key) for key in keys])
        level = f"{100 * compared.ci.level:g} %"
        axes.set(
            ylim=(len(keys) - 0.4, -0.6),
            xlabel=f"difference, with paired {level} interval{few_beside(compared)} (filled: without 0)",
        )
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")
        axes.locator_params(axis="x", nbins=2 if look.narrow else 6)
        _around_zero(axes, rows)
        if many == 1:  # beside several runs there is no room for numbers; the table has them
            cells = {
                "diff.": [_with_sign(row.difference) for row in rows],
                "p": [_p(row.adjusted) for row in rows],
            }
            columns(axes, list(range(len(rows))), cells, (4.4, 4.6))
        _legend(figure, others, look)
    return figure


def _rows(compared: Compared) -> list[Difference]:
    """Return the differences to draw, in the order of reading."""
    own = [row for row in compared.rows if row.measure == str(compared.measures[0])]
    labelled = [row for row in own if row.label is not None]
    main, averages = compared.headline.rate.name, compared.averages(compared.measures[0])
    if not labelled:
        return [row for row in own if row.average == "document"]
    whole = [row for average in averages for row in own if row.average == average and row.rate == main]
    detail = [row for row in own if row.average == "micro" and row.rate in ("precision", "recall")]
    return [*detail, *whole, *(row for row in labelled if row.rate == main)]


def _row_name(average: str, rate: str, label: str | None) -> str:
    if label is not None:
        return name_of(label)
    return f"{'mean' if average == 'document' else average} {words_of(rate)}"


def _difference(axes: Axes, row: Difference, place: float, marker: str, theme: Theme) -> None:
    """Draw one difference: its interval as a line, its mark filled where the line does not meet 0."""
    if math.isnan(row.difference):
        return
    clear = row.low is not None and row.high is not None and (row.low > 0 or row.high < 0)
    colour = theme.accent if clear else theme.quiet
    if row.low is not None and row.high is not None:
        axes.plot([row.low, row.high], [place, place], color=colour, linewidth=1.5, gid="interval")
    face = colour if clear else theme.paper
    axes.plot(
        [row.difference],
        [place],
        marker,
        color=colour,
        markerfacecolor=face,
        markeredgewidth=1.2,
        markersize=5.5,
        gid="difference",
    )


def _with_sign(value: float) -> str:
    return f"{'+' if value > 0 else ''}{round_number(value, 3)}".replace("-", "−")


def _p(value: float | None) -> str:
    return "<0.001" if value is not None and value < 0.001 else round_number(value, 3)


def _around_zero(axes: Axes, rows: list[Difference]) -> None:
    """Let 0 be in the middle, so that the eye can weigh both sides."""
    ends = [abs(end) for row in rows for end in (row.low, row.high, row.difference) if end is not None]
    reach = max((end for end in ends if math.isfinite(end)), default=0.0)
    axes.set_xlim(-1.08 * reach or -1.0, 1.08 * reach or 1.0)


def _legend(figure: Figure, names: tuple[str, ...], look: Look) -> None:
    from matplotlib.lines import Line2D

    if len(names) > 1:
        marks = [
            Line2D(
                [], [], color=look.theme.ink, linestyle="", marker=MARKERS[at % len(MARKERS)], label=name_of(name)
            )
            for at, name in enumerate(names)
        ]
        figure.legend(handles=marks, loc="outside lower left", ncols=min(len(names), 3))


# ---------------------------------------------------------------- cutoffs


def cutoffs(result: Result | WrittenResult, *, look: Look | None = None) -> Figure:
    """Draw the means over queries at every cutoff k, with their intervals as bands; k on a logarithmic axis.

    Recall, nDCG, precision and MRR where a measure has all four, else all its rates; one panel per measure.
    """
    look = look or Look()
    groups = result.cutoffs()
    if not groups:
        raise MeasureError(
            "no measure was run at several cutoffs", expected="passages measures", hint="[[k=1,2,5,10]]"
        )
    found = {(row.measure, row.rate): row for row in result.rows if row.average == "document"}
    width, height = 4.8 * len(groups), 3.2
    first = groups[0][1][-1][1]
    title = "Over cutoffs" if len(groups) > 1 else f"Over cutoffs: {groups[0][0]}"
    with page(look, result.signature(first), title, *look.scaled(width, height)) as figure:
        panels = figure.subplots(1, len(groups), squeeze=False)[0]
        for axes, (name, own) in zip(panels, groups, strict=True):
            rates = [rate.name for rate in result.settings.rates(own[0][1])]
            chosen = list(MAIN if set(MAIN) <= set(rates) else rates)
            ks = [k for k, _ in own]
            axes.set_xscale("log")
            axes.set_xticks(ks, [str(k) for k in ks])
            axes.set_xticks([], minor=True)
            axes.set(ylim=(0, 1.02), xlim=(ks[0], ks[-1]), xlabel="cutoff k", ylabel="mean over queries")
            axes.grid(axis="y")
            if len(groups) > 1:
                axes.set_title(name, loc="left")
            rows = {rate: [found[str(measure), rate] for _, measure in own] for rate in chosen}
            _over_k(axes, ks, rows, look, look.tall(width, height) * 0.75)
    return figure


def _over_k(axes: Axes, ks: list[int], rows: dict[str, list[Score]], look: Look, height: float) -> None:
    """Draw one line per rate and the band of its intervals, named at the line's end."""
    theme = look.theme
    ends = []
    for at, (rate, own) in enumerate(rows.items()):
        colour = theme.ink if look.style == "print" else theme.labels[at % len(theme.labels)]
        values = [row.value for row in own]
        dash, marker = DASHES[at % len(DASHES)], MARKERS[at % len(MARKERS)]
        axes.plot(ks, values, color=colour, linestyle=dash, marker=marker, markersize=4, label=rate, clip_on=False)
        if all(row.low is not None for row in own):
            low, high = ([getattr(row, end) for row in own] for end in ("low", "high"))
            axes.fill_between(ks, low, high, color=colour, alpha=0.12, linewidth=0)
        if not math.isnan(values[-1]):
            ends.append((rate, values[-1], colour))
    line_ends(axes, look, ends, height, ks[-1])
