"""Boundaries turned into each other: additions, moves over short distances, substitutions of types."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.match.boundaries import Cuts

FAR = float("inf")


@dataclass(frozen=True)
class Edits:
    """What turns one segmentation into the other, by document."""

    additions: Ints
    moves: Ints
    moved: Floats  # their cost
    substitutions: Ints
    substituted: Floats  # their cost
    matches: Ints


def move_nearest_first(one: Cuts, other: Cuts, reach: int, wide: int) -> tuple[Ints, Ints, Ints]:
    """Return document and distance of each move, short ones first and from left to right; the matches' documents.

    Moves join a boundary of one side that the other lacks with one of the other at most `reach` units away. For
    one distance the candidates form chains i, i+d, i+2d, ...; taking them from the left takes every second
    link of a chain.
    """
    line = np.sort(np.concatenate((one.key * 2, other.key * 2 + 1)))
    key = line >> 1
    twice = np.concatenate(([False], key[1:] == key[:-1]))[: len(key)]  # on both sides: the second of the two
    alone = ~(twice | np.append(twice[1:], False)[: len(key)])
    matched = key[twice] // wide
    key, side = key[alone], (line[alone] & 1).astype(bool)
    close = np.diff(key) <= reach
    lonely = ~(np.append(close, False) | np.append(False, close))[: len(key)]  # too far to move anywhere
    key, side = key[~lonely], side[~lonely]
    doc = key // wide
    docs, apart = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for distance in range(1, reach + 1):
        if not len(key) or not ((key[1:] - key[:-1]) <= reach).any():
            break  # nothing is close enough any more
        taken, partner = _moves_over(key, side, distance)
        docs.append(doc[taken])
        apart.append(np.full(len(taken), distance))
        free = np.ones(len(key), dtype=bool)
        free[taken] = free[partner] = False
        key, side, doc = key[free], side[free], doc[free]
    return np.concatenate(docs), np.concatenate(apart), matched


def _moves_over(key: Ints, side: Bools, distance: int) -> tuple[Ints, Ints]:
    """Return the rows i and j of the moves over one distance, taken from left to right."""
    there = np.searchsorted(key, key + distance)
    there[there == len(key)] = 0
    start = np.flatnonzero((key[there] == key + distance) & (side[there] != side))
    start = start[np.lexsort((key[start], key[start] % distance))]  # links of one chain beside each other
    fresh = np.append(True, np.diff(key[start]) != distance)[: len(start)]
    first = np.flatnonzero(fresh)
    nth = np.arange(len(start)) - np.repeat(first, np.diff(np.append(first, len(start))))
    taken = start[nth % 2 == 0]
    return taken, there[taken]


@dataclass(frozen=True)
class Prices:
    """What edits cost: a move over d units `move` + `unit` * d, at most `reach` far; else a price a boundary."""

    move: float
    unit: float
    only_one: float = 1.0
    only_other: float = 1.0
    reach: float = FAR

    @property
    def limit(self) -> float:
        """Return how far a move can be worth its price."""
        return min(self.reach, float(ratio(self.only_one + self.only_other - self.move, self.unit, empty=FAR)))


Cheapest = tuple[float, int, float]  # the cost, the number of moves, the cost of the moves


def cheapest_edits(one: Ints, other: Ints, prices: Prices) -> Cheapest:
    """Return the least cost of turning sorted places into others, how many moves it takes and what they cost.

    Moves that cost more than both prices are never taken, so the line falls apart into short stretches, and each
    is solved by dynamic programming.
    """
    common = np.intersect1d(one, other, assume_unique=True)
    left = np.setdiff1d(one, common, assume_unique=True), np.setdiff1d(other, common, assume_unique=True)
    places = np.concatenate(left)
    order = np.argsort(places, kind="stable")
    side = np.repeat([0, 1], [len(left[0]), len(left[1])])[order].tolist()
    places = places[order]
    group = np.cumsum(np.diff(places, prepend=places[:1]) > prices.limit).tolist()
    cost, moves, moved = 0.0, 0, 0.0
    for _, members in groupby(zip(group, side, places.tolist(), strict=True), key=lambda item: item[0]):
        own = list(members)
        a, b = ([place for _, s, place in own if s == want] for want in (0, 1))
        best = _align(a, b, prices)
        cost, moves, moved = cost + best[0], moves + best[1], moved + best[2]
    return cost, moves, moved


def _align(a: list[int], b: list[int], prices: Prices) -> Cheapest:
    """Return the cheapest alignment in order, of equally cheap ones that with fewest moves."""
    row: list[Cheapest] = [(j * prices.only_other, 0, 0.0) for j in range(len(b) + 1)]
    for x in a:
        before, row = row, [(row[0][0] + prices.only_one, *row[0][1:])]
        for j, y in enumerate(b):
            options = [
                (before[j + 1][0] + prices.only_one, *before[j + 1][1:]),
                (row[j][0] + prices.only_other, *row[j][1:]),
            ]
            if abs(x - y) <= prices.limit:
                step = prices.move + prices.unit * abs(x - y)
                options.append((before[j][0] + step, before[j][1] + 1, before[j][2] + step))
            row.append(min(options))
    return row[-1]


Types = dict[int, set[int]]  # the types of the boundaries at each place


@dataclass
class TypedEdits:
    """Edits of one document whose boundaries have types."""

    additions: int = 0
    distances: list[int] = field(default_factory=list)  # of the moves
    substitutions: list[tuple[int, int]] = field(default_factory=list)
    matches: int = 0


def edit_typed(a: Types, b: Types, reach: int, *, ordinal: bool) -> TypedEdits:
    """Turn boundaries with types into others, as segeval does: moves first, then substitutions, then additions.

    A type moves where it is on one side only at both places, and on different sides there; not where both places
    could be explained by substitutions, which are preferred to two moves.
    """
    places = sorted(a.keys() | b.keys())
    none: set[int] = set()
    only_a = {p: a.get(p, none) - b.get(p, none) for p in places}
    only_b = {p: b.get(p, none) - a.get(p, none) for p in places}
    first_a, first_b = ({p: set(own) for p, own in side.items()} for side in (only_a, only_b))
    out = TypedEdits(matches=sum(len(a.get(p, none) & b.get(p, none)) for p in places))
    used: set[tuple[int, int]] = set()
    for distance in range(1, reach + 1):
        for i in places:
            j = i + distance
            if j not in only_a:
                continue
            candidates = (first_a[i] & first_b[j]) | (first_b[i] & first_a[j])
            for kind in sorted(candidates):
                if (i, kind) in used or (j, kind) in used or _substitutes(only_a, only_b, i, j, kind):
                    continue
                used |= {(i, kind), (j, kind)}
                out.distances.append(distance)
                for side in (only_a, only_b):
                    side[i].discard(kind)
                    side[j].discard(kind)
    for p in places:
        pairs = _pair_types(sorted(only_a[p]), sorted(only_b[p]), ordinal=ordinal)
        out.substitutions += pairs
        out.additions += len(only_a[p]) + len(only_b[p]) - 2 * len(pairs)
    return out


def _substitutes(only_a: Types, only_b: Types, i: int, j: int, kind: int) -> bool:
    """Tell whether a type still waits at both places, and both have another to be exchanged with."""
    waits = all(kind in only_a[p] or kind in only_b[p] for p in (i, j))
    return waits and all(only_a[p] and only_b[p] for p in (i, j))


def _pair_types(a: list[int], b: list[int], *, ordinal: bool) -> list[tuple[int, int]]:
    """Return as many pairs of types as there can be; numbers so that they differ least."""
    if not (ordinal and a and b):
        return list(zip(a, b, strict=False))
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(np.abs(np.subtract.outer(a, b)))
    return [(a[i], b[j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)]
