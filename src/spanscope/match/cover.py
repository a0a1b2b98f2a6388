"""What spans cover together, and what of others is left outside of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Spans, Texts, expand


@dataclass(frozen=True)
class Stretches:
    """Runs of characters: each belongs to a row of some spans, and goes from start to end in its document."""

    row: Ints
    start: Ints
    end: Ints


def cut(spans: Spans, covers: Sequence[Spans]) -> tuple[Stretches, Stretches]:
    """Return what of each of some spans lies inside, and what outside, of all that others cover together."""
    own = spans.fragments()
    others = [(cover, cover.fragments()) for cover in covers]
    wide = max(int(part.end.max(initial=0)) for part in (own, *(pieces for _, pieces in others))) + 2
    base = spans.doc[own.span] * wide  # documents stand behind each other on one axis
    start, end = base + own.start, base + own.end
    low, high = _merge_intervals([(side.doc[part.span] * wide, part.start, part.end) for side, part in others])
    first = np.searchsorted(high, start, "right")
    number = np.maximum(np.searchsorted(low, end, "left") - first, 0)  # how many of the covers each one meets
    at, of = expand(first, number), np.repeat(np.arange(len(start)), number)
    inside = (of, np.maximum(start[of], low[at]), np.minimum(end[of], high[at]))
    at, of = expand(first, number + 1), np.repeat(np.arange(len(start)), number + 1)
    before, behind = np.append(np.iinfo(np.int64).min, high), np.append(low, np.iinfo(np.int64).max)
    outside = (of, np.maximum(start[of], before[at]), np.minimum(end[of], behind[at]))
    made = []
    for of, left, right in (inside, outside):
        filled = right > left
        rows = of[filled]
        made.append(Stretches(own.span[rows], left[filled] - base[rows], right[filled] - base[rows]))
    return made[0], made[1]


def _merge_intervals(parts: Sequence[tuple[Ints, Ints, Ints]]) -> tuple[Ints, Ints]:
    """Return intervals in order, those that touch or overlap as one, those without a character left out."""
    nothing = np.zeros(0, dtype=np.int64)
    low = np.concatenate([nothing, *(base + start for base, start, _ in parts)])
    high = np.concatenate([nothing, *(base + end for base, _, end in parts)])
    order = np.argsort(low, kind="stable")
    order = order[high[order] > low[order]]
    low, high = low[order], np.maximum.accumulate(high[order]) if len(order) else high[order]
    new = np.append(True, low[1:] > high[:-1])[: len(low)]
    return low[new], high[np.append(new[1:], True)[: len(low)]]


def trim(found: Stretches, doc: Ints, texts: Texts | None) -> Stretches:
    """Return stretches without white space and punctuation at their ends; those of nothing else are left out.

    `doc` are the documents of the rows. Without a text nothing is known of its characters, and all count.
    """
    if texts is None or not len(found.row):
        return found
    start, end = found.start.tolist(), found.end.tolist()
    for at, text in enumerate(texts[doc[found.row]].tolist()):
        if text is None:
            continue
        while start[at] < end[at] and _is_blank(text[start[at] : start[at] + 1]):
            start[at] += 1
        while start[at] < end[at] and _is_blank(text[end[at] - 1 : end[at]]):
            end[at] -= 1
    left, right = np.array(start, dtype=np.int64), np.array(end, dtype=np.int64)
    some = right > left
    return Stretches(found.row[some], left[some], right[some])


@cache
def _is_blank(character: str) -> bool:
    """Tell white space and punctuation, and what is behind the end of a text."""
    return not character or character.isspace() or unicodedata.category(character)[0] in "PZ"
