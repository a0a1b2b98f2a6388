"""The critical-difference diagram: systems on one line, bars above those that are not told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spanscope.report.figures.ranking import systems_drawn
from spanscope.report.figures.scores import words_of
from spanscope.report.figures.style import Look, name_of, page
from spanscope.report.rounding import round_number
from spanscope.report.tables.leaderboard import signature
from spanscope.results.leaderboard import Leaderboard, Standing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEP = 1.5  # lines of type from one name to the next
AIR = 0.06  # of the range of figures, beside its ends


def critical_difference(found: Leaderboard, *, look: Look | None = None) -> Figure:
    """Draw the systems at their headline on one line, and bars joining those that are not told apart.

    As in the diagrams of Demsar (2006), with two differences: the line is the figure itself and not a mean rank,
    and what is told apart is decided by the paired randomisation tests of all pairs, adjusted by Holm's method,
    and not by one distance. A bar joins the systems of a letter, with a dot at each: one that stands between them
    without a dot is told apart from some of them.
    """
    look = look or Look()
    drawn = systems_drawn(found)
    lead = found.headline
    over = "mean" if lead.average == "document" else lead.average
    sets = [own for own in found.alike if len(own) > 1]
    half = (len(drawn) + 1) // 2
    lines = 4.5 + STEP * half + 0.9 * len(sets)
    title = f"{len(drawn)} systems: {lead.measure.short}"
    with page(look, signature(found), title, 6.2, look.inches(lines) + 0.5) as figure:
        axes = figure.subplots()
        values = {one.name: one.headline.value for one in drawn}
        low, high = min(values.values()), max(values.values())
        room = (high - low or 0.1) * AIR
        axes.set(xlim=(low - room, high + room), ylim=(-STEP * half - 0.9 * len(sets) - 1.2, 0))
        axes.xaxis.set_ticks_position("top")
        axes.xaxis.set_label_position("top")
        between = "\n" if look.narrow else "; "
        axes.set_xlabel(
            f"{over} {words_of(lead.rate.name)}{between}bars join systems that are not significantly different"
        )
        axes.yaxis.set_visible(False)
        for name, spine in axes.spines.items():
            spine.set_visible(name == "top")
        axes.locator_params(axis="x", nbins=3 if look.narrow else 6)
        _sets(axes, sets, values, look)
        _names(axes, drawn, 0.9 * len(sets) + 1.0, half, look, figures=not look.narrow)
    return figure


def _sets(axes: Axes, sets: list[tuple[str, ...]], values: dict[str, float], look: Look) -> None:
    """Draw a bar for every set of systems, each on a line of its own, with a dot at every system of it."""
    for at, own in enumerate(sets):
        places, height = [values[name] for name in own], -0.9 * (at + 1)
        ends = [min(places), max(places)]
        axes.plot(
            ends, [height] * 2, color=look.theme.ink, linewidth=2.4, solid_capstyle="round", gid="not told apart"
        )
        axes.plot(places, [height] * len(places), "o", color=look.theme.ink, markersize=4.5, gid="member")


def _names(axes: Axes, drawn: list[Standing], below: float, half: int, look: Look, *, figures: bool) -> None:
    """Write the names at both sides, the better half at the right, each joined to its place on the line.

    Their figures stand beside them where there is room.
    """
    theme = look.theme
    for at, one in enumerate(drawn):
        right = at < half
        row = at if right else len(drawn) - 1 - at
        height, value = -below - STEP * row, one.headline.value
        edge = 1.0 if right else 0.0
        across = axes.get_yaxis_transform()
        end = axes.get_xlim()[1 if right else 0]
        axes.plot(
            [value, value, end], [0, height, height], color=theme.quiet, linewidth=0.8, clip_on=False, gid="system"
        )
        figure = round_number(value, 3)
        parts = [name_of(one.name), *([figure] if figures else [])]
        words = "  ".join(parts if right else reversed(parts))
        axes.annotate(
            words,
            (edge, height),
            (4 if right else -4, 0),
            xycoords=across,
            textcoords="offset points",
            ha="left" if right else "right",
            va="center",
            annotation_clip=False,
        )
