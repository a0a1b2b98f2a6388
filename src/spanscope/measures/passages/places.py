"""Characters in common: places in files that should be found beside places that were retrieved.

`characters` counts every character once, whatever overlaps. `legalbench_rag` and `chroma` count as the benchmarks
of these names do, which count characters several times where retrieved passages overlap. All return the parts of
their figures, so that queries can be added up before anything is divided.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from spanscope.errors import InputError, shown

Ranges = list[tuple[int, int]]  # of one file: starts and ends


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """The characters of a file from `start` up to, without, `end`."""

    file: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise InputError(
                f"a place in {shown(self.file)} goes from {shown(self.start)} to {shown(self.end)}",
                expected="0 <= start <= end",
            )


def shared_characters(one: Place, other: Place) -> int:
    """Return how many characters two places have in common.

    >>> [shared_characters(Place("a", 0, 4), other) for other in (Place("a", 3, 9), Place("b", 0, 4))]
    [1, 0]
    """
    return max(min(one.end, other.end) - max(one.start, other.start), 0) if one.file == other.file else 0


def merge_places(places: Iterable[Place]) -> list[Place]:
    """Return the same characters in as few places as can be, in order; places without characters are gone.

    >>> merge_places([Place("a", 4, 6), Place("a", 0, 4), Place("b", 2, 2)])
    [Place(file='a', start=0, end=6)]
    """
    files = sorted(_unions(_by_file(places)).items())
    return [Place(file, start, end) for file, ranges in files for start, end in ranges]


def characters(gold: Iterable[Place], retrieved: Iterable[Place]) -> tuple[int, int, int]:
    """Return how many characters both sides have in common, the gold side has, the retrieved side has.

    With these as s, g and r: precision is s / r, recall s / g, F1 2s / (g + r) and IoU s / (g + r - s).

    >>> characters([Place("a", 0, 10)], [Place("a", 5, 15), Place("a", 0, 10)])
    (10, 10, 15)
    """
    first, second = _unions(_by_file(gold)), _unions(_by_file(retrieved))
    return _overlap(first, second), _length(first), _length(second)


def legalbench_rag(gold: Iterable[Place], retrieved: Iterable[Place]) -> tuple[int, int, int]:
    """Return what LegalBench-RAG divides: the overlaps of all pairs, the gold and the retrieved characters.

    Precision is the first over the last, recall the first over the second: above 1 where passages overlap.

    >>> legalbench_rag([Place("a", 0, 10)], [Place("a", 0, 10), Place("a", 0, 10)])
    (20, 10, 20)
    """
    first, second = _by_file(gold), _by_file(retrieved)
    return _overlap(first, second), _length(first), _length(second)


def touching_neighbours(gold: Iterable[Place]) -> list[tuple[Place, Place]]:
    """Return the neighbours that overlap or touch: LegalBench-RAG refuses a query with such golds.

    >>> touching_neighbours([Place("a", 0, 10), Place("a", 10, 20), Place("a", 21, 30)])
    [(Place(file='a', start=0, end=10), Place(file='a', start=10, end=20))]
    """
    return [(one, two) for one, two in pairwise(sorted(gold)) if one.file == two.file and one.end >= two.start]


def chroma(gold: Iterable[Place], retrieved: Iterable[Place]) -> tuple[int, int, int, int]:
    """Return what Chroma's chunking evaluation divides: shared, gold and retrieved characters, gold not retrieved.

    With these as s, g, r and u: precision is s / r, recall s / g and IoU s / (r + u). Shared characters count
    once, but gold and retrieved ones as often as they occur, so that passages which overlap lower the figures.

    >>> chroma([Place("a", 0, 10)], [Place("a", 0, 8), Place("a", 0, 8), Place("b", 0, 8)])
    (8, 10, 24, 2)
    """
    first, second = _by_file(gold), _by_file(retrieved)
    covered, length = _unions(second), _length(first)
    return _overlap(_unions(first), covered), length, _length(second), length - _overlap(first, covered)


def document_mismatch(gold: Iterable[Place], retrieved: Sequence[Place]) -> tuple[int, int]:
    """Return how many retrieved passages are from files without gold, and how many there are.

    >>> document_mismatch([Place("a", 0, 10)], [Place("a", 50, 60), Place("b", 0, 10)])
    (1, 2)
    """
    files = {place.file for place in gold}
    return sum(place.file not in files for place in retrieved), len(retrieved)


# ---------------------------------------------------------------- ranges of one file


def _by_file(places: Iterable[Place]) -> dict[str, Ranges]:
    out: dict[str, Ranges] = {}
    for place in places:
        out.setdefault(place.file, []).append((place.start, place.end))
    return out


def _unions(files: dict[str, Ranges]) -> dict[str, Ranges]:
    return {file: _union(ranges) for file, ranges in files.items()}


def _union(ranges: Ranges) -> Ranges:
    """Return the same characters in order, without overlaps or neighbours that touch."""
    out: Ranges = []
    for start, end in sorted(ranges):
        if start == end:
            continue
        if out and start <= out[-1][1]:
            out[-1] = out[-1][0], max(out[-1][1], end)
        else:
            out.append((start, end))
    return out


def _length(files: dict[str, Ranges]) -> int:
    return sum(end - start for ranges in files.values() for start, end in ranges)


def _overlap(one: dict[str, Ranges], other: dict[str, Ranges]) -> int:
    """Return the sum of the overlaps of all pairs in the same file.

    The other side's characters before a place, each as often as it occurs, follow from sums over its starts and
    ends, so that a thousand places against a thousand are no million pairs.
    """
    total = 0
    for file, ranges in one.items():
        against = other.get(file)
        if against:
            starts, ends = _Points(start for start, _ in against), _Points(end for _, end in against)
            total += sum(
                starts.before(end) - ends.before(end) - starts.before(start) + ends.before(start)
                for start, end in ranges
            )
    return total


class _Points:
    """Points on a line, and how far they all lie before a place."""

    def __init__(self, points: Iterable[int]) -> None:
        self.points = sorted(points)
        self.sums = list(accumulate(self.points, initial=0))

    def before(self, place: int) -> int:
        """Return the sum of the distances to the points before a place."""
        number = bisect_left(self.points, place)
        return number * place - self.sums[number]
