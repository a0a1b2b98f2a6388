"""Measures of a bundle that the spans do not allow: they are left out, and the result says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from spanscope.data.problems import Problem
from spanscope.errors import EngineError
from spanscope.settings.run_settings import Settings
from spanscope.sides.comparison import Comparison

if TYPE_CHECKING:
    from spanscope.engines.partial_sums import Portion

NEEDED = "text"  # what spans may lack


class Unlike(EngineError):
    """Portions differ in what is decided from the data: all documents must be read to decide it."""


def leave_out(c: Comparison, settings: Settings) -> tuple[Settings, list[Problem]]:
    """Leave out the measures that need texts where a span has none, if nobody asked for them by name.

    A measure that was asked for refuses such spans itself, and says what to do.
    """
    gone = tuple(one.short for one in settings.measures if NEEDED in one.definition.needs)
    lacking = {side: c.untold(side) for side in c.sides} if settings.partial and gone else {}
    nouns = {"gold": settings.family.gold_item, "pred": settings.family.pred_item}
    noted = [
        Problem("measure left out", side, side=side, values={"measures": gone, "noun": nouns[side]}, number=number)
        for side, number in lacking.items()
        if number
    ]
    return (_without_measures(settings) if noted else settings), noted


def leave_out_of_all(parts: Sequence[Portion]) -> Sequence[Portion]:
    """Return portions of documents without the measures that one of them had to leave out."""
    kept = {len(part.settings.measures) for part in parts}  # nothing else changes their number
    if not parts[0].settings.partial or len(kept) == 1:
        return parts
    return [_narrow(part) for part in parts]


def _narrow(part: Portion) -> Portion:
    """Return a portion without the measures that need texts; those that go had the curve."""
    settings = _without_measures(part.settings)
    if part.slices and settings.measures[0] != part.settings.measures[0]:
        raise Unlike(
            f"the slices are of {part.settings.measures[0].short}, which other documents have to do without",
            expected="texts in all spans, or in none",
        )
    rows = [part.settings.measures.index(one) for one in settings.measures]
    found = replace(part.found, counts=tuple(part.found.counts[row] for row in rows), ladder=None)
    totals = None if part.totals is None else tuple(part.totals[row] for row in rows)
    return replace(part, settings=settings, found=found, totals=totals)


def _without_measures(settings: Settings) -> Settings:
    kept = tuple(one for one in settings.measures if NEEDED not in one.definition.needs)
    return replace(settings, measures=kept)
