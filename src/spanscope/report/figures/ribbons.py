"""The figure of one segmented text: a ribbon each segmentation, gold on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from spanscope.commands.window_slider import match_within, tolerance_of
from spanscope.errors import InputError, did_you_mean, shown
from spanscope.match.boundaries import cuts, lengths
from spanscope.match.boundary_pairs import KINDS, MISSED
from spanscope.report.figures.style import Look, name_of, page, pale
from spanscope.results.panel import Panel
from spanscope.results.result import Result
from spanscope.sides.comparison import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE = 7.0  # inches of the figure
TALL = 0.42  # of a ribbon, where ribbons are 1 apart
# A marker, how it is filled, and the word; below the ribbon but for what is not there.
MARKS: dict[str, dict[str, Any]] = {
    "exact": {"marker": "o", "fillstyle": "full"},
    "near": {"marker": "o", "fillstyle": "left"},
    "extra": {"marker": "+"},
    "missed": {"marker": "_"},
}
ABOVE = {"missed": 3.0, "extra": 3.1, "near": 3.2, "exact": 3.3}  # where marks meet, the exact one lies on top


@dataclass(frozen=True)
class Ribbon:
    """The boundaries of one segmentation of a text, the labels of its segments, and how it does against gold."""

    name: str
    length: int
    boundaries: list[int]
    labels: Mapping[tuple[int, int], str]
    marks: Mapping[str, list[int]]  # exact, near, extra: its boundaries; missed: gold's


def segments(found: Panel | Result, document: str | None = None, *, look: Look | None = None) -> Figure:
    """Draw the segmentations of one document (the first unless one is named) as ribbons, gold on top.

    Bands of `tolerance` to both sides of a gold boundary run through all ribbons. The tolerance is that of
    segments.b_score, else of the first measure that has one, else 0. Marks are the pairs of segments.boundaries
    at this tolerance, as on the page: each boundary is used once, is exact or near where it is paired, else
    extra, and a gold boundary without a pair is missed. Without a gold segmentation there are ribbons only.
    """
    look = look or Look()
    tolerance = tolerance_of(found.settings.measures)
    pairs = _pairs(found)
    chosen = _document(pairs, document)
    ribbons = _ribbons(pairs, chosen, tolerance, against=isinstance(found, Result) or found.gold is not None)
    marked = any(ribbon.marks for ribbon in ribbons)
    title = f"Segments of {name_of(chosen)}"
    with page(look, found.signature(), title, WIDE, look.inches(3.6 * len(ribbons) + 4) + 0.6) as figure:
        axes = figure.subplots()
        axes.set(
            xlim=(0, max(ribbons[0].length, 1)), ylim=(len(ribbons) - 0.5, -0.45), xlabel="position in the text"
        )
        if marked:
            _halos(axes, ribbons[0], len(ribbons), tolerance, look)
        colours = _colours(ribbons, look)
        for row, ribbon in enumerate(ribbons):
            _ribbon(axes, ribbon, row, colours, look)
        axes.set_yticks(range(len(ribbons)), [name_of(ribbon.name) for ribbon in ribbons])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        _legend(figure, tolerance if marked else None, colours, look)
    return figure


def _pairs(found: Panel | Result) -> dict[tuple[str, str], Comparison]:
    """Return the first segmentation beside every other one."""
    if isinstance(found, Result):
        found.needs("spans", "a ribbon")
        return {("gold", "pred"): found.comparison}
    if found.gold is not None:
        return {(found.gold, name): result.comparison for name, result in found.results.items()}
    first, *others = found.names
    return {(first, other): found.pairs[first, other].comparison for other in others}


def _document(pairs: Mapping[tuple[str, str], Comparison], asked: str | None) -> str:
    names = list(dict.fromkeys(name for c in pairs.values() for name in c.names))
    if not names:
        raise InputError("there are no documents to draw", expected="a document with segmentations")
    if asked is not None and asked not in names:
        listed = ", ".join(name_of(name) for name in names[:8]) + (", ..." if len(names) > 8 else "")
        raise InputError(f"no document is called {shown(asked)}{did_you_mean(asked, names)}", expected=listed)
    return names[0] if asked is None else asked


def _ribbons(
    pairs: Mapping[tuple[str, str], Comparison], document: str, tolerance: int, *, against: bool
) -> list[Ribbon]:
    """Return the ribbons of a document: the first side's, then the other of every pair that has it."""
    out: list[Ribbon] = []
    for (first, other), c in pairs.items():
        if document not in c.names:
            continue
        row = list(c.names).index(document)
        if not out:
            out.append(_side(c, "gold", row, first, {}))
        out.append(_side(c, "pred", row, other, marks(c, row, tolerance) if against else {}))
    return out


def _side(c: Comparison, side: str, row: int, name: str, own: Mapping[str, list[int]]) -> Ribbon:
    boundaries, spans = cuts(c, side), c.sides[side]
    here = np.flatnonzero(spans.doc == row)
    columns = (spans.start[here].tolist(), spans.end[here].tolist(), spans.label[here].tolist())
    named = {(start, end): c.labels[label] for start, end, label in zip(*columns, strict=True)}
    plain = set(named.values()) <= {"segment"}  # the name of segments that came without one
    at = boundaries.at[boundaries.doc == row].tolist()
    return Ribbon(name, int(lengths(c)[row]), at, {} if plain else named, own)


def marks(c: Comparison, row: int, tolerance: int) -> dict[str, list[int]]:
    """Return where the boundaries of a document are exact, near or extra, and which gold ones are missed."""
    match = match_within(c, tolerance)
    gold, pred = match.kinds
    ours, theirs = match.gold.doc == row, match.pred.doc == row
    out = {kind: match.pred.at[theirs & (pred == at)].tolist() for at, kind in enumerate(KINDS[:MISSED])}
    return {**out, KINDS[MISSED]: match.gold.at[ours & (gold == MISSED)].tolist()}


def _halos(axes: Axes, gold: Ribbon, rows: int, tolerance: int, look: Look) -> None:
    for at in gold.boundaries:
        axes.axvspan(at - tolerance, at + tolerance, color=look.theme.tint, linewidth=0, zorder=0, gid="halo")
        axes.plot([at, at], [0, rows - 0.55], color=look.theme.shade, linewidth=0.8, zorder=0.5)


def _colours(ribbons: Sequence[Ribbon], look: Look) -> dict[str, Any]:
    """Return the colour of every label; none where colours could not tell them apart, and in print."""
    labels = sorted({label for ribbon in ribbons for label in ribbon.labels.values() if label})
    if not 2 <= len(labels) <= len(look.theme.labels):
        return {}
    return {label: pale(look.theme.labels[at], look.theme) for at, label in enumerate(labels)}


def _ribbon(axes: Axes, ribbon: Ribbon, row: int, colours: Mapping[str, Any], look: Look) -> None:
    """Draw segments in the colours of their labels, else in two shades in turn, and the marks."""
    theme = look.theme
    edges = [0, *ribbon.boundaries, ribbon.length]
    for at, (start, end) in enumerate(pairwise(edges)):
        own = ribbon.labels.get((start, end), "")
        fill: dict[str, Any] = {"color": colours.get(own, theme.ribbon[at % 2]), "edgecolor": theme.paper}
        axes.barh(row, end - start, TALL, left=start, linewidth=1.2, zorder=1, gid="segment", **fill)
        label = name_of(own)
        wide = (look.width or WIDE) * 0.8 * (end - start) / max(ribbon.length, 1)
        if label and look.inches(0.68 * len(label) + 0.6) < wide:  # names are left out where they do not fit
            axes.text((start + end) / 2, row, label, ha="center", va="center", color=theme.ink, zorder=3)
    for kind, places in ribbon.marks.items():
        below = row + TALL / 2 + 0.12
        height = row - TALL / 2 - 0.1 if kind == "missed" else below
        if places:
            axes.plot(places, [height] * len(places), gid=kind, zorder=ABOVE[kind], **_marker(kind, look))
        if kind == "missed":
            ends = (row - TALL / 2, row + TALL / 2)
            axes.vlines(places, *ends, color=theme.ink, linestyle=(0, (1.5, 1.5)), linewidth=1, zorder=2)


def _marker(kind: str, look: Look) -> dict[str, Any]:
    theme = look.theme
    size = {"markersize": look.font_size * 0.62, "markeredgewidth": 1.1, "linestyle": ""}
    return {"color": theme.ink, "markerfacecoloralt": theme.paper, **size, **MARKS[kind]}


def _legend(figure: Figure, tolerance: int | None, colours: Mapping[str, Any], look: Look) -> None:
    """Say what marks and colours are; there are no marks without a tolerance."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    if tolerance is not None:
        words = {kind: kind for kind in MARKS} | {"near": f"near (within {tolerance})"}
        if not tolerance:
            del words["near"]
        handles = [Line2D([], [], label=word, **_marker(kind, look)) for kind, word in words.items()]
    handles += [Patch(facecolor=colour, label=name_of(label)) for label, colour in colours.items()]
    if handles:
        wide = 2 if look.narrow else 4
        figure.legend(handles=handles, loc="outside lower left", ncols=min(len(handles), wide))
