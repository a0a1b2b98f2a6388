"""Which candidate pairs are accepted, each span at most once.

A candidate pair is two row numbers and a score. Nothing here knows what the score means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints
from spanscope.errors import MeasureError

WALK = 1 << 16  # pairs walked before those are left out that no longer can be taken
LARGEST_COMPONENT = 25_000_000  # cells of the cost matrix of one connected component: 200 MB


@dataclass(frozen=True)
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


def standing_alone(gold: Ints, pred: Ints) -> Bools:
    """Tell which pairs share neither of their two spans with another pair: they need no decision."""
    if not len(gold):
        return np.zeros(0, dtype=bool)
    return np.asarray((np.bincount(gold)[gold] == 1) & (np.bincount(pred)[pred] == 1))


def greedy(gold: Ints, pred: Ints, keys: Sequence[Ints | Floats]) -> Bools:
    """Take pairs in the order of `keys` (smallest first, first key first), each span once.

    Most pairs stand alone and are taken in one array step; only what conflicts is sorted and walked.
    Taking best score first has a property the threshold curve lives on: the matching at threshold t is the
    part of the matching at 0 whose scores reach t.
    """
    taken = standing_alone(gold, pred)
    rest = np.flatnonzero(~taken)
    if not len(rest):
        return taken
    order = rest[np.lexsort([key[rest] for key in reversed(keys)])]
    used_gold, used_pred = np.zeros(int(gold.max()) + 1, dtype=bool), np.zeros(int(pred.max()) + 1, dtype=bool)
    for first in range(0, len(order), WALK):
        rows = order[first : first + WALK]
        free = rows[~(used_gold[gold[rows]] | used_pred[pred[rows]])]
        accepted = _walked(free, gold[free], pred[free])
        taken[accepted] = used_gold[gold[accepted]] = used_pred[pred[accepted]] = True
    return taken


def _walked(rows: Ints, gold: Ints, pred: Ints) -> Ints:
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
    taken = standing_alone(gold, pred)
    rest = np.flatnonzero(~taken)
    if not len(rest):
        return taken
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    golds, g = np.unique(gold[rest], return_inverse=True)
    preds, p = np.unique(pred[rest], return_inverse=True)
    size = len(golds) + len(preds)
    graph = coo_array((np.ones(len(rest), dtype=np.int8), (g, p + len(golds))), shape=(size, size))
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


def in_turn(
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
