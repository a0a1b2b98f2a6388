"""The figure of a leaderboard: every system with its interval, and bars that join those not told apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from spanscope.errors import MeasureError
from spanscope.report.few_groups import few_beside
from spanscope.report.figures.scores import words_of
from spanscope.report.figures.style import Look, name_of, page
from spanscope.report.tables.leaderboard import signature
from spanscope.results.leaderboard import Leaderboard, Standing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR = 0.045  # of the width of the axes, from one bar of systems to the next


def systems_drawn(found: Leaderboard) -> list[Standing]:
    """Return the systems whose headline is defined, the best first; there must be one."""
    drawn = [one for one in found.standings if not math.isnan(one.headline.value)]
    if not drawn:
        raise MeasureError("the headline is undefined for every system", expected="a figure to draw")
    return drawn


def leaderboard(found: Leaderboard, *, look: Look | None = None) -> Figure:
    """Draw the headline of every system with its interval, the best above; bars join those not told apart.

    A bar for each letter, with a dot at every system that has it: two systems that no bar joins are told apart,
    after Holm's correction over all pairs. A system whose headline is undefined is not drawn.
    """
    look = look or Look()
    drawn = systems_drawn(found)
    lead = found.headline
    over = "mean" if lead.average == "document" else lead.average
    title = f"{len(drawn)} systems: {lead.measure.short}"
    with page(look, signature(found), title, 5.6, look.inches(len(drawn) * 1.8 + 5) + 0.5) as figure:
        axes = figure.subplots()
        for place, one in enumerate(drawn):
            _system(axes, one, place, look)
        _bars(axes, found, [one.name for one in drawn], look)
        between = "\n" if look.narrow else "; "
        axes.set_yticks(range(len(drawn)), [f"{name_of(one.name)}  {one.rank}" for one in drawn])
        axes.set(
            ylim=(len(drawn) - 0.4, -0.6),
            xlabel=f"{over} {words_of(lead.rate.name)}, with {100 * found.ci.level:g} % interval"
            f"{few_beside(found)}{between}"
            "bars join systems that are not significantly different",
        )
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")
        axes.locator_params(axis="x", nbins=3 if look.narrow else 6)
    return figure


def _system(axes: Axes, one: Standing, place: int, look: Look) -> None:
    """Draw the headline of a system as a point, and its interval as a line."""
    own, colour = one.headline, look.theme.accent
    if own.low is not None and own.high is not None:
        axes.plot([own.low, own.high], [place, place], color=colour, linewidth=1.5, gid="interval")
    axes.plot([own.value], [place], "o", color=colour, markersize=5, gid="system")


def _bars(axes: Axes, found: Leaderboard, names: list[str], look: Look) -> None:
    """Draw a bar for every set of systems that are not significantly different, to the right of the axes."""
    sets = [own for own in found.alike if len(own) > 1]
    across = axes.get_yaxis_transform()  # the width as a share, the height as data
    for at, own in enumerate(sets):
        x, places = 1 + BAR * (at + 1), [names.index(name) for name in own]
        ends = [min(places), max(places)]
        axes.plot(
            [x, x],
            ends,
            transform=across,
            color=look.theme.ink,
            linewidth=1.6,
            clip_on=False,
            gid="not told apart",
        )
        axes.plot(
            [x] * len(places), places, "o", transform=across, color=look.theme.ink, markersize=4, clip_on=False
        )
