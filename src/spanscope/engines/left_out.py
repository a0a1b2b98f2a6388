"""Measures of a bundle that the spans do not allow: they are left out, and the result says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spanscope.data.problems import Problem
from spanscope.findings.found import Findings
from spanscope.measures.registry import Measure
from spanscope.settings.settle import Settings
from spanscope.sides.join import Comparison

NEEDED = "text"  # what spans may lack


def leave_out(c: Comparison, settings: Settings) -> tuple[Settings, list[Problem]]:
    """Leave out the measures that need texts where a span has none, if nobody asked for them by name.

    A measure that was asked for refuses such spans itself, and says what to do.
    """
    gone = tuple(one.short for one in settings.measures if NEEDED in one.definition.needs)
    lacking = {side: c.untold(side) for side in c.sides} if settings.partial and gone else {}
    noted = [
        Problem("measure left out", side, side=side, values={"measures": gone}, number=number)
        for side, number in lacking.items()
        if number
    ]
    return (replace(settings, measures=without_text(settings.measures)) if noted else settings), noted


def without_text(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return the measures that need no text."""
    return tuple(one for one in measures if NEEDED not in one.definition.needs)


def keep_findings(found: Findings, settings: Settings, measures: Sequence[Measure]) -> Findings:
    """Return what was found by some of the measures; those that go had the curve."""
    counts = tuple(found.counts[settings.measures.index(one)] for one in measures)
    return replace(found, counts=counts, ladder=None)
