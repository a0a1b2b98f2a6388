"""Ranked passages that hold golds, and what they are worth.

`matched[i]` holds the numbers of the golds that the passage at rank i + 1 satisfies. A gold counts once: later
passages that satisfy it bring nothing new. `slots` turns the passages into a ranking of golds, on which nDCG,
average precision and R-precision are those of trec_eval and never above 1.

A figure is 0 where there is nothing to find or nothing was retrieved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from spanscope.errors import InputError, plural, shown
from spanscope.match.ranking import Gain, cutoff_rank, ndcg, precisions, share_of

Held = list[list[int]]  # of one query: for each passage, in order, the numbers of the golds that it satisfies


@dataclass(frozen=True)
class PassageMatch:
    """Which passages satisfy which golds, by what rule: what the figures of a measure are made of.

    Queries are looked at when they are asked for. `ranks` tells the first rank of every query where that is known
    without looking at them.
    """

    rule: str
    queries: int
    held: Callable[[int], Held]  # of a query, by its number
    ranks: Callable[[], Sequence[int]] | None = None

    @cached_property
    def first(self) -> Sequence[int]:
        """Return the rank of the first passage of each query that satisfies a gold; 0 where none does."""
        if self.ranks is not None:
            return self.ranks()
        return [_first_rank(self.held(query)) for query in range(self.queries)]


def _first_rank(matched: Sequence[Sequence[int]], k: int | None = None) -> int:
    return next((rank for rank, one in enumerate(islice(matched, cutoff_rank(k)), start=1) if one), 0)


# ---------------------------------------------------------------- matches: a ranking of golds


def slots(
    matched: Sequence[Sequence[int]],
    golds: int,
    *,
    grades: Sequence[float] | None = None,
    drop_repeats: bool = False,
) -> list[float]:
    """Return the ranking of golds: a 1 for each gold when first satisfied, a 0 for a passage without a new one.

    With `grades` each gold has its grade instead of a 1, the highest first where one passage satisfies several.
    Passages that only satisfy golds satisfied before are a 0 too, or leave no trace with `drop_repeats`.

    >>> slots([[0, 1], [1], [], [2]], 3), slots([[0, 1], [1], [], [2]], 3, drop_repeats=True)
    ([1, 1, 0, 0, 1], [1, 1, 0, 1])
    """
    out: list[float] = []
    before: set[int] = set()
    for numbers in matched:
        new = set(numbers) - before
        if new:
            _check_golds(new, golds)
            before |= new
            out += [1] * len(new) if grades is None else sorted((grades[one] for one in new), reverse=True)
        elif not (drop_repeats and numbers):
            out.append(0)
    return out


def _check_golds(numbers: set[int], golds: int) -> None:
    if not 0 <= min(numbers) <= max(numbers) < golds:
        strange = next(number for number in sorted(numbers) if not 0 <= number < golds)
        raise InputError(
            f"a passage satisfies gold {shown(strange)} of {plural(golds, 'gold')}", expected="numbers from 0"
        )


def ndcg_slots(
    ranking: Sequence[float],
    golds: int,
    k: int | None = None,
    *,
    grades: Sequence[float] | None = None,
    gain: Gain = "linear",
) -> float:
    """Return nDCG over the first k slots: 1 if and only if golds are in as many of them as can be.

    >>> ndcg_slots([1, 1, 0], 2, 10), ndcg_slots([0, 1], 1, 10)
    (1.0, 0.6309297535714575)
    """
    ideal = [1] * golds if grades is None else sorted(grades, reverse=True)
    return ndcg(enumerate(ranking, start=1), ideal, k, gain)


def average_precision_slots(ranking: Sequence[float], golds: int, k: int | None = None) -> float:
    """Return the precisions at the golds among the first k slots, over all golds, also those that k leaves out.

    >>> average_precision_slots([1, 0, 1], 2)
    0.8333333333333333
    """
    ones = (rank for rank, slot in enumerate(ranking, start=1) if slot)
    return share_of(precisions(ones, cutoff_rank(k)), golds)


def r_precision_slots(ranking: Sequence[float], golds: int) -> float:
    """Return the share of golds in as many slots as there are golds.

    >>> r_precision_slots([1, 0, 1], 2)
    0.5
    """
    return share_of(sum(map(bool, ranking[:golds])), golds)


# ---------------------------------------------------------------- matches: passages


def recall_at(matched: Sequence[Sequence[int]], golds: int, k: int | None = None) -> float:
    """Return the share of golds that the first k passages satisfy."""
    return share_of(len({gold for one in matched[: cutoff_rank(k)] for gold in one}), golds)


def precision_at(matched: Sequence[Sequence[int]], k: int | None = None) -> float:
    """Return how many of the first k passages satisfy a gold, over k, also where fewer were retrieved.

    Without k: over all that were retrieved.
    """
    return share_of(sum(map(bool, matched[: cutoff_rank(k)])), len(matched) if k is None else k)


def hit_at(matched: Sequence[Sequence[int]], k: int | None = None) -> float:
    """Return 1 if one of the first k passages satisfies a gold, else 0."""
    return float(any(matched[: cutoff_rank(k)]))


def reciprocal_rank(matched: Sequence[Sequence[int]], k: int | None = None) -> float:
    """Return 1 over the rank of the first passage that satisfies a gold, 0 if none of the first k does."""
    return share_of(1.0, _first_rank(matched, k))
