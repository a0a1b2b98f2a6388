"""Which of several systems are told apart, as letters: systems that share a letter are not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_letters

from spanscope.errors import MeasureError

MOST_SETS = 10_000  # of systems that are not told apart; real tests give about as many as there are systems


def alike_sets(systems: int, different: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the sets of systems that are not told apart, each as large as can be, in the order of their members.

    All start in one set. A pair that differs splits every set that holds both: into the set without the one and
    the set without the other. Sets that lie within another are dropped. In the end two systems share a set just
    where they do not differ. Source: Piepho (2004), An algorithm for a letter-based representation of all-pairwise
    comparisons: insert and absorb.

    >>> alike_sets(3, [(0, 2)])
    [(0, 1), (1, 2)]
    """
    sets = [frozenset(range(systems))] if systems else []
    for one, other in different:
        split = [own for own in sets if one in own and other in own]
        if not split:
            continue
        kept = [own for own in sets if own not in split]
        halves = {own - {gone} for own in split for gone in (one, other)}
        sets = [*kept, *(own for own in halves if not any(own < known or own == known for known in kept))]
        sets = [own for own in sets if not any(own < known for known in sets)]
        if len(sets) > MOST_SETS:
            raise MeasureError(f"more than {MOST_SETS:,} sets of systems are alike", expected="fewer systems")
    return sorted(tuple(sorted(own)) for own in sets)


def letters(systems: int, sets: Sequence[Sequence[int]]) -> list[str]:
    """Return the letters of every system: one for each set that it is in, a to z, A to Z, then a2, b2, ...

    >>> letters(3, [(0, 1), (1, 2)])
    ['a', 'ab', 'b']
    """
    out = [""] * systems
    for at, own in enumerate(sets):
        turn, place = divmod(at, len(ascii_letters))
        for system in own:
            out[system] += ascii_letters[place] + (str(turn + 1) if turn else "")
    return out
