"""What text="context" keeps of a text: what is near the places that matter; all else is hidden."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

CONTEXT = 60  # characters around a place that are kept
HIDDEN = "\u00b7"  # stands for every character that is not kept


def hide_far(text: str, places: Iterable[tuple[int, int]]) -> str:
    """Return a text with every character hidden that is farther from all places than CONTEXT."""
    steps = [0] * (len(text) + 1)
    for start, end in places:
        steps[max(min(start - CONTEXT, len(text)), 0)] += 1
        steps[max(min(end + CONTEXT, len(text)), 0)] -= 1
    return "".join(one if kept > 0 else HIDDEN for one, kept in zip(text, accumulate(steps), strict=False))
