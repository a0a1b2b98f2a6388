"""Boundaries of two sides paired one to one: how many pairs there are, and which."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.match.boundaries import Cuts

KINDS = ("exact", "near", "extra", "missed")
EXACT, NEAR, EXTRA, MISSED = range(4)
PAIR, SKIP_OURS, SKIP_THEIRS = range(3)


@dataclass(frozen=True)
class BoundaryMatch:
    """Gold and predicted boundaries, paired one to one where they are at most `reach` apart.

    As many pairs as there can be. How many that are, a walk from left to right tells: `found`. Which they are
    is decided by the least distance of all ways to have so many; that costs more, and waits until it is asked for.
    """

    gold: Cuts
    pred: Cuts
    reach: int

    @cached_property
    def found(self) -> Ints:
        """Return gold rows, as many as there are pairs in each document (of each label): what is counted."""
        return _walk(self.gold, self.pred, self.reach)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Return the gold rows and the predicted rows of the pairs."""
        return _pairs(self.gold, self.pred, self.reach)

    @property
    def distance(self) -> Ints:
        """Return how far the predicted boundary of each pair is behind the gold one; below 0: before it."""
        gold, pred = self.pairs
        return np.asarray(self.pred.at[pred] - self.gold.at[gold])

    @cached_property
    def kinds(self) -> tuple[Ints, Ints]:
        """Return the kind of every gold boundary (exact, near, missed) and predicted one (exact, near, extra)."""
        gold, pred = np.full(len(self.gold.key), MISSED), np.full(len(self.pred.key), EXTRA)
        ours, theirs = self.pairs
        gold[ours] = pred[theirs] = np.where(self.distance == 0, EXACT, NEAR)
        return gold, pred


def _walk(gold: Cuts, pred: Cuts, reach: int) -> Ints:
    """Return the gold cuts that get a predicted cut of their own, from left to right, each the first free one.

    On a line no matching has more pairs.
    """
    if reach == 0:
        return np.flatnonzero(np.isin(gold.key, pred.key, assume_unique=True))
    found, p = [], 0
    theirs = pred.key.tolist()
    for row, place in enumerate(gold.key.tolist()):
        while p < len(theirs) and theirs[p] < place - reach:
            p += 1
        if p < len(theirs) and theirs[p] <= place + reach:
            found.append(row)
            p += 1
    return np.array(found, dtype=np.int64)


def _pairs(gold: Cuts, pred: Cuts, reach: int) -> tuple[Ints, Ints]:
    """Return the rows of the pairs. Most cuts stand alone with one of the other side and are paired at once."""
    key = np.concatenate((gold.key, pred.key))
    order = np.argsort(key, kind="stable")
    group = np.empty(len(key), dtype=np.int64)
    group[order] = np.cumsum(np.diff(key[order], prepend=key[order[:1]]) > reach)  # farther apart: never a pair
    ours, theirs = group[: len(gold.key)], group[len(gold.key) :]
    groups = int(group.max(initial=-1)) + 1
    n_ours, n_theirs = np.bincount(ours, minlength=groups), np.bincount(theirs, minlength=groups)
    plain = (n_ours == 1) & (n_theirs == 1)
    rest = (n_ours > 0) & (n_theirs > 0) & ~plain
    own, other = np.flatnonzero(plain[ours]), np.flatnonzero(plain[theirs])
    left, right = np.flatnonzero(rest[ours]), np.flatnonzero(rest[theirs])
    found = np.array(_partners(gold.key[left].tolist(), pred.key[right].tolist(), reach), dtype=np.int64)
    some = found >= 0
    return np.concatenate((own, left[some])), np.concatenate((other, right[found[some]]))


def _partners(ours: list[int], theirs: list[int], reach: int) -> list[int]:
    """Return for each place the number of its partner, or -1: the most pairs, and of those the least distance.

    On a line pairs need not cross, so that it is enough to know, for every number of places of the other side,
    the best that can be done with those: `best`. A place changes it only where others are within its reach.

    >>> _partners([10], [8, 10], 3), _partners([5, 8], [8], 3), _partners([0, 3], [3, 6], 3)
    ([1], [-1, 0], [0, 1])
    """
    pair_worth = reach * len(ours) + 1  # one pair more outweighs every distance
    best, low = [0], 0
    ways: list[tuple[int, bytearray]] = []
    for place in ours:
        while low < len(theirs) and theirs[low] < place - reach:
            low += 1
        while len(best) <= len(theirs) and (len(best) <= low or theirs[len(best) - 1] <= place + reach):
            best.append(best[-1])
        way, before = bytearray(), best[low]
        for at in range(low + 1, len(best)):
            pair = before + pair_worth - abs(theirs[at - 1] - place)
            before = best[at]
            best[at] = max(before, best[at - 1], pair)
            way.append(PAIR if best[at] == pair else SKIP_THEIRS if best[at] == best[at - 1] else SKIP_OURS)
        ways.append((low, way))
    return _trace_back(ways)


def _trace_back(ways: list[tuple[int, bytearray]]) -> list[int]:
    """Return the partners, from the last place back to the first."""
    out = [-1] * len(ways)
    at = ways[-1][0] + len(ways[-1][1]) if ways else 0
    for row in range(len(ways) - 1, -1, -1):
        low, way = ways[row]
        at = min(at, low + len(way))
        while at > low and way[at - low - 1] == SKIP_THEIRS:
            at -= 1
        if at > low and way[at - low - 1] == PAIR:
            at -= 1
            out[row] = at
    return out
