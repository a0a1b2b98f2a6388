"""The best alignment of annotators' units, exact: an assignment problem for two, a set packing for more.

How unlike two units are is d = alpha * d_pos + beta * d_cat with

    d_pos = ((|s - s'| + |e - e'|) / (length + length'))^2 * delta,   d_cat = delta where the labels differ

A unitary alignment takes at most one unit of each annotator; its disorder is the mean over all pairs of annotators
of d, or of delta where one or both of the two have no unit in it. An alignment puts every unit into one unitary
alignment, and the best one has the least sum of disorders. Of alignments that are equally good any may be found.
Source: Mathet, Widlöcher and Métivier (2015), The unified and holistic method gamma.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.errors import MeasureError

MOST_SOLVED_WHOLE = 10_000  # cells of a cost matrix that is solved without a search for components
MOST_WALKED = 12  # units of a component up to which all packings are walked through
MOST_CANDIDATES = 200_000  # for unitary alignments of one document, beyond which three annotators are refused
NEAR = 1_000_000  # pairs of two annotators that could be aligned: ten seconds where all lie upon each other
FAR = 1e12  # how far apart two different empty spans are
Pairs = tuple[Ints, Ints]


class Weights(NamedTuple):
    """What counts how much: position, label, and a unit that stays alone."""

    alpha: float = 1.0
    beta: float = 1.0
    delta: float = 1.0


USUAL = Weights()


class Units(NamedTuple):
    """Units of one annotator, or of several continua: where they begin and end, and their labels."""

    start: Floats
    end: Floats
    label: Ints


class Alignment(NamedTuple):
    """Unitary alignments with two units or more (unit numbers, -1 for none), and the sum of all disorders."""

    rows: Ints  # alignments x annotators
    disorder: float


def positional_dissimilarity(one: Units, two: Units) -> Floats:
    """Return d_pos / delta of every unit of one and every unit of two; two empty units in one place are alike."""
    start, end = one.start[..., :, None], one.end[..., :, None]
    start2, end2 = two.start[..., None, :], two.end[..., None, :]
    apart = np.abs(start - start2) + np.abs(end - end2)
    both = (end - start) + (end2 - start2)
    alone = both <= 0
    share = np.where(alone & (apart > 0), FAR, ratio(apart, np.where(alone, 1.0, both)))
    return np.asarray(share * share)


def dissimilarity(one: Units, two: Units, weights: Weights = USUAL) -> Floats:
    """Return d of every unit of one and every unit of two."""
    differ = one.label[..., :, None] != two.label[..., None, :]
    out = weights.alpha * positional_dissimilarity(one, two) + weights.beta * differ
    return np.asarray(out * weights.delta)


def best_pairs(saving: Floats) -> tuple[Ints, Ints, Ints]:
    """Return the pairs of two annotators' units that save most, of several continua: continuum, unit, other unit.

    `saving` (continua x units x units) is 2 delta - d; what is at most 0 saves nothing. Two units that are aligned
    cost d, alone 2 delta: only pairs with d < 2 delta can be worth it, so the problem falls apart into the
    connected components of these pairs. Small problems are faster solved whole.
    """
    from scipy.optimize import linear_sum_assignment

    if saving.size <= MOST_SOLVED_WHOLE * len(saving):
        cost = np.minimum(-saving, 0.0)  # 0 is for units that stay alone
        found = [linear_sum_assignment(own) for own in cost]
    else:
        found = [_by_component(own) for own in saving]
    one, two = (np.concatenate([np.zeros(0, dtype=np.int64), *(pair[side] for pair in found)]) for side in (0, 1))
    of = np.repeat(np.arange(len(saving)), [len(pair[0]) for pair in found])
    worth = saving[of, one, two] > 0
    return of[worth], one[worth], two[worth]


def _by_component(saving: Floats) -> Pairs:
    from scipy.optimize import linear_sum_assignment

    if (near := int(np.count_nonzero(saving > 0))) > NEAR:
        raise MeasureError(
            f"too many overlapping units for gamma: {near:,} pairs that could be aligned, {NEAR:,} at most",
            expected="fewer nested or overlapping units in each document",
            hint="-m f1 -m kappa -m u_alpha   which align no units; or cut the document",
        )
    rows, columns = np.nonzero(saving > 0)
    member = _components(rows, columns + len(saving), sum(saving.shape))
    order = np.argsort(member[rows], kind="stable")
    rows, columns = rows[order], columns[order]
    edges = np.flatnonzero(np.diff(member[rows], prepend=-1, append=-1))
    found = []
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        own, other = np.unique(rows[first:last]), np.unique(columns[first:last])
        one, two = linear_sum_assignment(np.minimum(-saving[np.ix_(own, other)], 0.0))
        found.append((own[one], other[two]))
    if not found:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate([one for one, _ in found]), np.concatenate([two for _, two in found])


def _components(one: Ints, two: Ints, size: int) -> Ints:
    """Return for each of `size` nodes the number of its connected component."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    graph = coo_matrix((np.ones(len(one), dtype=np.int8), (one, two)), shape=(size, size))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def align(units: list[Units], weights: Weights = USUAL) -> Alignment:
    """Return the best alignment of the units of two or more annotators."""
    total = sum(len(one.start) for one in units)
    if len(units) == 2:
        saving = 2 * weights.delta - dissimilarity(units[0], units[1], weights)
        _, one, two = best_pairs(saving[None])
        return Alignment(np.stack((one, two), axis=1), total * weights.delta - float(saving[one, two].sum()))
    rows, saving = candidates(units, weights)
    chosen = _best_packing(rows, saving, [len(one.start) for one in units])
    return Alignment(rows[chosen], total * weights.delta - float(saving[chosen].sum()))


def candidates(units: list[Units], weights: Weights = USUAL) -> tuple[Ints, Floats]:
    """Return the unitary alignments of two and more units that can be worth it, and what each saves.

    With P pairs of annotators and k units in an alignment, taking the unit v out of it costs delta and frees it of
    its d with the others, so v can only stay where the sum of these d is below delta(P + k - 1). That leaves few
    candidates where units are sparse; more than MOST_CANDIDATES are refused.
    """
    n, delta = len(units), weights.delta
    every = n * (n - 1) // 2
    cost = {pair: dissimilarity(units[pair[0]], units[pair[1]], weights) for pair in combinations(range(n), 2)}
    most = delta * (every + n - 1)
    rows = np.arange(-1, len(units[0].start))[:, None]
    sums = np.zeros(rows.shape)
    for r in range(1, n):
        rows, sums = _extend(rows, sums, [cost[q, r] for q in range(r)], most)
    number = (rows >= 0).sum(1)
    keep = (number > 1) & (np.where(rows >= 0, sums, -1.0) < delta * (every + number[:, None] - 1)).all(1)
    rows, sums, number = rows[keep], sums[keep], number[keep]
    alone = delta * (every - number * (number - 1) // 2)
    saving = delta * number - ratio(sums.sum(1) / 2 + alone, every)
    worth = saving > 0
    return rows[worth], saving[worth]


def _extend(rows: Ints, sums: Floats, cost: list[Floats], most: float) -> tuple[Ints, Floats]:
    """Return the partial alignments with each unit of the next annotator that fits, and with none."""
    size = cost[0].shape[1]
    if len(rows) * (size + 1) > 20 * MOST_CANDIDATES:
        _refuse(len(rows) * (size + 1))
    own = np.zeros((len(rows), size))
    fits = np.ones((len(rows), size), dtype=bool)
    each = []
    for q, costs in enumerate(cost):
        there = rows[:, q] >= 0
        extra = np.zeros((len(rows), size))
        extra[there] = costs[rows[there, q]]
        fits &= sums[:, q, None] + extra < most
        own += extra
        each.append(extra)
    at, unit = np.nonzero(fits & (own < most))
    if len(at) > MOST_CANDIDATES:
        _refuse(len(at))
    longer = np.concatenate((rows[at], unit[:, None]), axis=1)
    grown = np.stack([sums[at, q] + extra[at, unit] for q, extra in enumerate(each)] + [own[at, unit]], axis=1)
    bare = np.concatenate((rows, np.full((len(rows), 1), -1)), axis=1)
    same = np.concatenate((sums, np.zeros((len(rows), 1))), axis=1)
    return np.concatenate((bare, longer)), np.concatenate((same, grown))


def _refuse(number: int) -> None:
    raise MeasureError(
        f"gamma has more than {MOST_CANDIDATES:,} alignments to choose from in one document ({number:,} at least)",
        expected="three and more annotators with fewer or sparser units in each document",
        hint="pairs of annotators   which are exact at any size",
    )


def _best_packing(rows: Ints, saving: Floats, sizes: list[int]) -> Ints:
    """Return which candidates make the best alignment: disjoint, with the largest sum of savings."""
    first = np.concatenate(([0], np.cumsum(sizes[:-1])))
    node = [[unit for unit in row if unit >= 0] for row in np.where(rows >= 0, rows + first, -1).tolist()]
    gains = saving.tolist()
    chosen: list[int] = []
    for own in _groups(node):
        number = len({unit for at in own for unit in node[at]})
        if len(own) == 1:
            chosen += own
        elif number <= MOST_WALKED:
            chosen += _pack_by_walking(own, node, gains)
        else:
            chosen += _pack_by_programme(own, node, saving)
    return np.array(chosen, dtype=np.int64)


def _groups(node: list[list[int]]) -> list[list[int]]:
    """Return the candidates that share units, directly or by way of others."""
    parent: dict[int, int] = {}

    def root(unit: int) -> int:
        while parent.setdefault(unit, unit) != unit:
            parent[unit] = unit = parent[parent[unit]]
        return unit

    for units in node:
        top = root(units[0])
        for unit in units[1:]:
            parent[root(unit)] = top
    out: dict[int, list[int]] = {}
    for at, units in enumerate(node):
        out.setdefault(root(units[0]), []).append(at)
    return list(out.values())


def _pack_by_walking(own: list[int], node: list[list[int]], gains: list[float]) -> tuple[int, ...]:
    """Walk through all packings of a group, each set of units that are left once."""
    bit: dict[int, int] = {}
    by_lowest: dict[int, list[tuple[int, float, int]]] = {}
    for at in own:
        mask = sum(bit.setdefault(unit, 1 << len(bit)) for unit in node[at])
        by_lowest.setdefault(mask & -mask, []).append((mask, gains[at], at))

    @cache
    def best(left: int) -> tuple[float, tuple[int, ...]]:
        if not left:
            return 0.0, ()
        low = left & -left
        top = best(left & ~low)
        for mask, gain, at in by_lowest.get(low, ()):
            if mask & left == mask:
                rest, which = best(left & ~mask)
                if rest + gain > top[0]:
                    top = rest + gain, (*which, at)
        return top

    return best((1 << len(bit)) - 1)[1]


def _pack_by_programme(own: list[int], node: list[list[int]], saving: Floats) -> list[int]:
    """Solve a larger group as an integer programme, to the end."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_matrix

    place: dict[int, int] = {}
    entries = [(place.setdefault(unit, len(place)), at) for at, row in enumerate(own) for unit in node[row]]
    units, columns = np.array(entries).T
    once = coo_matrix((np.ones(len(units)), (units, columns)), shape=(len(place), len(own))).tocsc()
    found = milp(
        -saving[own],
        constraints=LinearConstraint(once, -np.inf, 1),
        integrality=np.ones(len(own)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    if found.x is None:
        raise MeasureError(f"gamma found no best alignment: {found.message}")
    return [own[at] for at in np.flatnonzero(found.x > 0.5).tolist()]
