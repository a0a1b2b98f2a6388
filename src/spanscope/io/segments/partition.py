"""Whether segments partition a text, and the repairs people may ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.data.wording import quote
from spanscope.errors import InputError

Segment = tuple[int, int, str, int]  # start, end, label, number in the list
Tell = Callable[..., None]  # of the kind of a repair, and the values that tell of it


@dataclass(frozen=True)
class Repaired:
    """Segments that are a partition, and how many repairs of each kind it took, with the first case."""

    segments: list[Segment]
    repairs: Counter[str]
    first: dict[str, dict[str, Any]]


def are_in_place(layer: Ints, start: Ints, end: Ints, whole: Ints) -> Bools:
    """Tell which segments are in their place: `layer` numbers the partitions, `whole` is their length."""
    opens = np.append(True, np.diff(layer) != 0)[: len(layer)]
    closes = np.append(np.diff(layer) != 0, True)[: len(layer)]
    before = np.where(opens, 0, np.roll(end, 1))
    return np.asarray((start == before) & (end > start) & (~closes | (end == whole)) & (end <= whole))


def explain(segments: list[Segment], length: int, at: str, where: str, *, repairing: bool = False) -> InputError:
    """Say which segment is the first that is out of place, and how to repair it where that was not tried yet."""
    what, expected = _first_wrong(segments, length, at)
    hint = ""
    if expected.startswith("0 <="):  # outside the text: nothing to repair
        hint = "[[offsets=utf16]]   if the offsets come from JavaScript or Java"
    elif not repairing and _has_repair(segments, length):
        hint = "[[normalise]]   to sort segments, close gaps and extend to the end; every repair is reported"
    return InputError(what, where=where, expected=expected, hint=hint)


def _has_repair(segments: list[Segment], length: int) -> bool:
    try:
        repair(segments, length, None, "", "")
    except InputError:
        return False
    return True


def _first_wrong(segments: list[Segment], length: int, at: str) -> tuple[str, str]:
    if not segments:
        return f"{at} is empty, the text has {length:,} units", "segments that cover the text"
    for one, other in pairwise(segments):
        if other[0] < one[0]:
            what = f"{at}[{other[3]}] starts at {other[0]}, before {at}[{one[3]}], which starts at {one[0]}"
            return what, "segments in the order of the text"
    reached, before = 0, ""
    for start, end, _, number in segments:
        own = f"{at}[{number}]"
        if end > length or start < 0:
            return f"{own} runs from {start} to {end}, outside the text", f"0 <= start < end <= {length}"
        if end <= start:
            return f"{own} runs from {start} to {end}", "segments with at least one unit"
        if start != reached:
            word = f"{before} ends at {reached}" if before else "the text starts at 0"
            kind = "a gap" if start > reached else "an overlap"
            return f"{own} starts at {start}, {word}: {kind}", "each segment to start where the one before ends"
        reached, before = end, own
    return f"{before} ends at {reached}, the text at {length}", "the last segment to end with the text"


def repair(segments: list[Segment], length: int, text: str | None, at: str, where: str) -> Repaired:
    """Return a partition: sorted, without gaps and overlaps, from 0 to the end of the text.

    Each segment runs to the start of the next, the first from 0, the last to the end. What lies outside the text,
    and a segment inside another, has no repair and is refused. Of an empty text no segment is left.
    """
    repairs: Counter[str] = Counter()
    first: dict[str, dict[str, Any]] = {}

    def note(kind: str, **values: Any) -> None:
        repairs[kind] += 1
        first.setdefault(kind, values)

    ordered = sorted(segments, key=lambda segment: segment[:2])
    if ordered != segments:
        note("sorted segments", at=at)
    kept: list[Segment] = []
    for segment in ordered:
        start, end, _, number = segment
        if start < 0 or end > length or end < start:
            raise explain([segment], length, at, where, repairing=True)
        if start == end:
            note("empty segment", at=f"{at}[{number}]", start=start)
            continue
        if kept and (end <= kept[-1][1] or start == kept[-1][0]):
            inner, outer = (number, kept[-1][3]) if end <= kept[-1][1] else (kept[-1][3], number)
            raise InputError(
                f"{at}[{inner}] lies inside {at}[{outer}]", where=where, expected="segments beside each other"
            )
        kept.append(segment)
    if not kept and length:
        raise explain([], length, at, where, repairing=True)
    if not kept:  # the empty segments of an empty text
        return Repaired([], repairs, first)
    return Repaired(_close_gaps(kept, length, text, at, note), repairs, first)


def _close_gaps(kept: list[Segment], length: int, text: str | None, at: str, tell: Tell) -> list[Segment]:
    """Let each segment run to the start of the next, and say what that changed."""
    out: list[Segment] = []
    if kept[0][0] > 0:
        tell("extended to the start", at=f"{at}[{kept[0][3]}]", start=kept[0][0])
    for row, (start, end, label, number) in enumerate(kept):
        low = 0 if row == 0 else start
        high = kept[row + 1][0] if row + 1 < len(kept) else length
        own = f"{at}[{number}]"
        if high > end:
            between = None if text is None else text[end:high]
            if row + 1 == len(kept):
                tell("extended to the end", at=own, end=end, length=length)
            elif between is None or not between.strip():
                tell("closed gap", at=own, end=end, start=high)
            else:
                tell("closed gap with text", at=own, end=end, between=quote(between, 40))
        elif high < end:
            tell("cut overlap", at=own, end=end, start=high)
        out.append((low, high, label, number))
    return out
