"""Which candidate pairs are accepted, each span at most once.

A candidate pair is two row numbers and a score. Nothing here knows what the score means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Bools, Floats, Ints
from spanscope.errors import MeasureError

Keys = Sequence[NDArray[np.generic]]
WALK = 1 << 16  # pairs walked before those are left out that no longer can be taken
PORTIONS = 8  # into which many pairs are cut, best first, so that most need not be sorted
LOOK, LOOKS = 1 << 10, 64  # the same where to look at a pair costs much: so many at least, or in so many portions
LARGEST_COMPONENT = 25_000_000  # cells of the cost matrix of one connected component: 200 MB


@dataclass(frozen=True, eq=False)
class Match:
    """Accepted pairs: gold row, predicted row, score."""

    gold: Ints
    pred: Ints
    score: Floats

    def __len__(self) -> int:
        return len(self.gold)

    def at_least(self, threshold: float) -> Match:
        """Return the pairs whose score reaches the threshold."""
        keep = self.score >= threshold
        return Match(self.gold[keep], self.pred[keep], self.score[keep])


def stand_alone(gold: Ints, pred: Ints) -> Bools:
    """Tell which pairs share neither of their two spans with another pair: they need no decision."""
    if not len(gold):
        return np.zeros(0, dtype=bool)
    return np.asarray((np.bincount(gold)[gold] == 1) & (np.bincount(pred)[pred] == 1))


def greedy(gold: Ints, pred: Ints, keys: Keys) -> Bools:
    """Take pairs in the order of `keys` (smallest first, first key first), each span once.

    Most pairs stand alone and are taken in one array step; only what conflicts is sorted and walked.
    Taking best score first has a property the threshold curve lives on: the matching at threshold t is the
    part of the matching at 0 whose scores reach t.
    """
    walk = _Walk(gold, pred)
    while len(walk.left):
        chosen = _first(keys, walk.left, max(WALK, len(walk.left) // PORTIONS))
        walk.take(walk.left[chosen], keys)
        walk.go_on(~chosen)
    return walk.taken


def greedy_by(
    gold: Ints, pred: Ints, most: Floats, score: Callable[[Ints], Floats], ties: Sequence[Ints], cost: int = 1
) -> tuple[Bools, Floats]:
    """Take pairs best score first where a score costs much to find: of each pair it is `most` at most.

    `score` gives those of some pairs. A pair is asked for when it could be the next one, so nothing is spent on
    the many whose spans have gone to better pairs by then. The higher the `cost` of a score, the fewer are asked
    for at once, which are found by going over all that are left. Returns the pairs taken, and their scores.
    """
    walk = _Walk(gold, pred)
    key, known = -most, np.zeros(len(gold), dtype=bool)

    def look(rows: Ints) -> None:
        new = rows[~known[rows]]
        key[new] = -score(new)
        known[new] = True

    while len(walk.left):
        chosen = _first((key,), walk.left, max(1, LOOK // cost**2, len(walk.left) // (LOOKS * cost)))
        edge = key[walk.left[chosen]].max()  # what is not chosen is beyond
        look(walk.left[chosen])
        chosen &= key[walk.left] <= edge
        walk.take(walk.left[chosen], (key, *ties))
        walk.go_on(~chosen)
    taken = np.flatnonzero(walk.taken)
    look(taken)
    return walk.taken, -key[taken]


class _Walk:
    """Pairs taken so far, and those left that still can be."""

    def __init__(self, gold: Ints, pred: Ints) -> None:
        self.gold, self.pred = gold, pred
        self.taken = stand_alone(gold, pred)
        self.left = np.flatnonzero(~self.taken)
        self.used_gold = np.zeros(int(gold.max(initial=0)) + 1, dtype=bool)
        self.used_pred = np.zeros(int(pred.max(initial=0)) + 1, dtype=bool)

    def take(self, rows: Ints, keys: Keys) -> None:
        """Take those of some pairs that can be, in the order of the keys."""
        order = rows[np.lexsort([key[rows] for key in reversed(keys)])]
        for first in range(0, len(order), WALK):
            free = self._free(order[first : first + WALK])
            accepted = _walk_pairs(free, self.gold[free], self.pred[free])
            self.taken[accepted] = True
            self.used_gold[self.gold[accepted]] = self.used_pred[self.pred[accepted]] = True

    def go_on(self, rest: Bools) -> None:
        """Leave only some pairs, and of these the ones whose spans are free."""
        self.left = self._free(self.left[rest])

    def _free(self, rows: Ints) -> Ints:
        return rows[~(self.used_gold[self.gold[rows]] | self.used_pred[self.pred[rows]])]


def _first(keys: Keys, rows: Ints, number: int) -> Bools:
    """Tell which rows come first by the keys: about so many, and all that are equal to the last of them.

    To choose costs a step a row, to sort more; and most rows can no longer be taken when their turn would come.
    """
    if len(rows) <= number:
        return np.ones(len(rows), dtype=bool)
    out, pool = np.zeros(len(rows), dtype=bool), np.arange(len(rows))
    for key in keys:
        values = key[rows[pool]]
        edge = np.partition(values, number - 1)[number - 1]
        before = values < edge
        out[pool[before]] = True
        number -= int(before.sum())
        pool = pool[values == edge]
        if len(pool) <= 2 * number:
            break
    out[pool] = True
    return out


def _walk_pairs(rows: Ints, gold: Ints, pred: Ints) -> Ints:
    """Take pairs one after the other, each span once."""
    used_gold: set[int] = set()
    used_pred: set[int] = set()
    accepted = []
    for row, g, p in zip(rows.tolist(), gold.tolist(), pred.tolist(), strict=True):
        if g not in used_gold and p not in used_pred:
            used_gold.add(g)
            used_pred.add(p)
            accepted.append(row)
    return np.array(accepted, dtype=np.int64)


def optimal(gold: Ints, pred: Ints, score: Floats) -> Bools:
    """Take the most pairs and, among those, the largest total score, per connected component."""
    taken = stand_alone(gold, pred)
    rest = np.flatnonzero(~taken)
    if not len(rest):
        return taken
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    golds, g = np.unique(gold[rest], return_inverse=True)
    preds, p = np.unique(pred[rest], return_inverse=True)
    size = len(golds) + len(preds)
    ends = (
        g.astype(np.int32),
        (p + len(golds)).astype(np.int32),
    )  # the first SciPy 1.11 finds no components with wider ones
    graph = coo_array((np.ones(len(rest), dtype=np.int8), ends), shape=(size, size))
    _, component = connected_components(graph, directed=False)
    order = np.argsort(component[g], kind="stable")
    edges = np.flatnonzero(np.diff(component[g][order])) + 1
    for rows in np.split(order, edges):
        taken[rest[rows[_assign(g[rows], p[rows], score[rest[rows]])]]] = True
    return taken


def _assign(gold: Ints, pred: Ints, score: Floats) -> Ints:
    """Solve one component; returns the rows of its pairs that are taken."""
    from scipy.optimize import linear_sum_assignment

    golds, g = np.unique(gold, return_inverse=True)
    preds, p = np.unique(pred, return_inverse=True)
    if len(golds) * len(preds) > LARGEST_COMPONENT:
        raise MeasureError(
            f"optimal assignment over {len(golds):,} gold and {len(preds):,} predicted spans that all overlap "
            "in one chain needs too much memory",
            hint="assignment=greedy",
        )
    # One more match outweighs any total score, since no score exceeds 1.
    gain = np.zeros((len(golds), len(preds)))
    gain[g, p] = 1.0 + min(len(golds), len(preds)) + score
    chosen = np.zeros(gain.shape, dtype=bool)
    chosen[linear_sum_assignment(gain, maximize=True)] = True
    return np.flatnonzero(chosen[g, p])


def choose_in_turn(
    gold: Ints, pred: Ints, first: Bools, second: Bools, distance: Ints | None = None
) -> tuple[Bools, Bools]:
    """Let predictions choose one after the other, as nervaluate does: order decides.

    Pairs come grouped by prediction in the order of the predictions, and inside a group in the order of the
    golds. Each prediction takes the first free gold it accepts as `first` choice (with `distance`, the
    nearest such gold), else the first free gold it accepts as `second` choice.
    Returns the pairs taken as first and as second choice.
    """
    as_first, as_second = np.zeros(len(gold), dtype=bool), np.zeros(len(gold), dtype=bool)
    used: set[int] = set()
    groups = groupby(zip(range(len(gold)), pred.tolist(), gold.tolist(), strict=True), key=itemgetter(1))
    for _, group in groups:
        free = [(row, g) for row, _, g in group if g not in used]
        best = [pair for pair in free if first[pair[0]]]
        other = [pair for pair in free if second[pair[0]]]
        if best:
            row, g = best[0] if distance is None else min(best, key=lambda pair: int(distance[pair[0]]))
            as_first[row] = True
        elif other:
            row, g = other[0]
            as_second[row] = True
        else:
            continue
        used.add(g)
    return as_first, as_second
