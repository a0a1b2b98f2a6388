"""Small pictures for the pages of measures: one example of a family, and the figures that a measure gives it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import spanscope

TEXT = "The operator shall log every failed login attempt at once."
SPANS = {
    "gold": [(4, 12, "Actor"), (19, 49, "Action"), (50, 57, "Time")],
    "predicted": [(0, 12, "Actor"), (13, 18, "Action"), (19, 36, "Action"), (50, 57, "Time")],
}
LENGTH = 40
BOUNDARIES = {"gold": [10, 22, 30], "predicted": [11, 30]}
WIDE, HIGH, LEFT = 10, 34, 80  # pixels: a character, a row, and the names of the rows
COLOURS = {"Actor": "#3f51b5", "Action": "#00796b", "Time": "#8e5a00", "": "#546e7a"}


def drawn(rows: dict[str, list[tuple[int, int, str]]], length: int, text: str = "") -> str:
    """Return an SVG with the spans of gold and of predictions above each other, and the text below."""
    places = {
        side: [f"{start} to {end} {label}".strip() for start, end, label in own] for side, own in rows.items()
    }
    said = "; ".join(f"{side}: {', '.join(own)}" for side, own in places.items())
    width, height = LEFT + length * WIDE + 10, len(rows) * HIGH + (24 if text else 4)
    out = [f'<svg viewBox="0 0 {width} {height}" style="max-width:{width}px" role="img" aria-label="{said}">']
    for number, (side, own) in enumerate(rows.items()):
        top = number * HIGH + 4
        out.append(f'<text x="0" y="{top + 18}" font-size="13" fill="currentColor">{side}</text>')
        for start, end, label in own:
            at, size = LEFT + start * WIDE, (end - start) * WIDE - 2
            out.append(f'<rect x="{at}" y="{top}" width="{size}" height="26" rx="3" fill="{COLOURS[label]}"/>')
            out.append(
                f'<text x="{at + 5}" y="{top + 18}" font-size="12" fill="#fff">{label or end - start}</text>'
            )
    style = f'y="{height - 6}" font-size="13" font-family="monospace" fill="currentColor"'
    letters = (f'<text x="{LEFT + at * WIDE}" {style}>{one}</text>' for at, one in enumerate(text) if one != " ")
    return "".join([*out, *letters, "</svg>"])


def example(name: str) -> str:
    """Return the picture of a family with the figures of one of its measures; nothing where there is none."""
    family = name.partition(".")[0]
    if family == "spans":
        picture = drawn(SPANS, len(TEXT), TEXT)
        gold, pred = ([{"id": "d", "text": TEXT, "spans": SPANS[side]}] for side in ("gold", "predicted"))
    elif family == "segments":
        picture = drawn({side: _between(own) for side, own in BOUNDARIES.items()}, LENGTH)
        gold, pred = ([{"id": "d", "length": LENGTH, "boundaries": BOUNDARIES[side]}] for side in BOUNDARIES)
    else:
        return ""
    return "\n".join(
        ["## An example", "", picture, "", *_figures(spanscope.evaluate(gold, pred, name, ci=False)), ""]
    )


def _between(boundaries: list[int]) -> list[tuple[int, int, str]]:
    ends = [0, *boundaries, LENGTH]
    return [(start, end, "") for start, end in pairwise(ends)]


def _figures(result: Any) -> list[str]:
    """Return a table of the figures over all labels."""
    rows = [row for row in result.rows if row.average == "micro" and row.label is None]
    out = ["| figure | value |", "| --- | --: |"]
    return [*out, *(f"| {row.rate} | {'–' if row.value is None else format(row.value, '.4f')} |" for row in rows)]
