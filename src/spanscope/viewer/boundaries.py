"""What each boundary is at every window, by the pairs of segments.boundaries: exact, near, extra, missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Ints
from spanscope.match.boundaries import Cuts, cuts, none
from spanscope.measures.registry import Measure
from spanscope.sides.join import Comparison

KINDS = ("exact", "near", "extra", "missed")
EXACT, NEAR, EXTRA, MISSED = range(4)
PAIR, SKIP_OURS, SKIP_THEIRS = range(3)
LEAST, STEPS = 5, 30  # the largest window offered is at least this; so many steps above 0 at most


@dataclass(frozen=True)
class Marks:
    """Kinds of all boundaries, a line a window, and which gold boundary each predicted one is paired with."""

    gold: NDArray[Any]
    pred: NDArray[Any]
    partner: NDArray[Any]  # a row of the gold boundaries, -1: none

    def whole(self) -> list[list[int]]:
        """Return how many there are of each kind, a list a window."""
        found = [np.bincount(line, minlength=len(KINDS)) for line in self.pred]
        missed = (self.gold == MISSED).sum(axis=1).tolist()
        return [[*line[:MISSED].tolist(), n] for line, n in zip(found, missed, strict=True)]


def asked(measures: Sequence[Measure]) -> int:
    """Return the tolerance of the B-score, else the first there is, RT-SEG's window among them, else 0."""
    own = [measure for measure in measures if _tolerance(measure) is not None]
    own.sort(key=lambda measure: measure.name != "segments.b_score")
    return (_tolerance(own[0]) or 0) if own else 0


def _tolerance(measure: Measure) -> int | None:
    name = "window" if measure.name == "segments.rt_seg" else "tolerance"
    found = dict(measure.params).get(name)
    return None if found is None else max(int(str(found)), 0)


def windows(wanted: int) -> list[int]:
    """Return the windows to choose from: 0 to twice the one asked for, which is always among them.

    >>> windows(3)
    [0, 1, 2, 3, 4, 5, 6]
    >>> windows(100)[:3], windows(100)[-1], 100 in windows(100)
    ([0, 7, 14], 200, True)
    """
    last = max(2 * wanted, LEAST)
    return sorted({*range(0, last, -(-last // STEPS)), wanted, last})


def marks(c: Comparison, offered: Sequence[int]) -> Marks:
    """Return the kind of every boundary at every window."""
    gold, pred = cuts(c, "gold"), cuts(c, "pred")
    shape = (len(offered), len(pred.key))
    ours = np.full((len(offered), len(gold.key)), MISSED, dtype=np.int8)
    theirs, partner = np.full(shape, EXTRA, dtype=np.int8), np.full(shape, -1, dtype=np.int32)
    for step, window in enumerate(offered):
        own, other = paired(gold, pred, min(window, none(c)))
        kind = np.where(gold.key[own] == pred.key[other], EXACT, NEAR)
        ours[step, own] = theirs[step, other] = kind
        partner[step, other] = own
    return Marks(ours, theirs, partner)


def paired(gold: Cuts, pred: Cuts, reach: int) -> tuple[Ints, Ints]:
    """Return rows of gold cuts and of the predicted ones they are paired with, as many as `cuts.one_to_one` finds.

    Most cuts stand alone with one of the other side: these are paired at once. The others are walked.
    """
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
    pairs = _best(gold.key[left].tolist(), pred.key[right].tolist(), reach)
    found = np.array(pairs, dtype=np.int64)
    some = found >= 0
    return np.concatenate((own, left[some])), np.concatenate((other, right[found[some]]))


def _best(ours: list[int], theirs: list[int], reach: int) -> list[int]:
    """Return for each place the number of its partner, or -1: the most pairs, and of those the least distance.

    On a line pairs need not cross, so that it is enough to know, for every number of places of the other side,
    the best that can be done with those: `best`. A place changes it only where others are within its reach.

    >>> _best([10], [8, 10], 3), _best([5, 8], [8], 3), _best([0, 3], [3, 6], 3)
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
    return _traced(ways)


def _traced(ways: list[tuple[int, bytearray]]) -> list[int]:
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
