"""Positions counted by what annotators call them, and the coefficients read from these counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints
from spanscope.counts import Counts
from spanscope.measures.agreement.coding import OUTSIDE, CodedCells, Marks, coded_cells, without_overlaps
from spanscope.measures.agreement.coefficients import Margins, cohen, pool_margins
from spanscope.measures.agreement.positions import Positions, positions
from spanscope.rates import Sums
from spanscope.sides.comparison import Comparison

COLUMNS = ("both", "first", "second", "label_both", "label_first", "label_second", "silent")
NONE = "(none)"


def outside_name(labels: Sequence[str]) -> str:
    """Return a name for outside that no label has."""
    none = NONE
    while none in labels:
        none = f"({none})"
    return none


def code_positions(c: Comparison, unit: str) -> Counts:
    """Return how many positions each pair of annotators calls by each label, and by none."""
    return c.cached(
        ("coded", unit), lambda: _count_positions(list(c.sides), positions(c, unit), by_label=unit != "gap")
    )


def _count_positions(names: Sequence[str], p: Positions, *, by_label: bool) -> Counts:
    """Return the counts: rows by document and category, outside being the last category; columns by pair."""
    labels = len(p.labels)
    width = labels + 1
    category = np.where(p.cells.code == OUTSIDE, labels, p.cells.code)
    own = _of_labels(p) if labels and by_label else None
    used = [p.cells.doc * width + code for code in category]
    used += [] if own is None else [own.doc // labels * width + own.doc % labels]
    rows = np.unique(np.concatenate(used))
    columns: dict[str, Ints] = {}

    def put(name: str, key: Ints, length: Ints, chosen: Bools) -> None:
        at = np.searchsorted(rows, key[chosen])
        columns[name] = np.bincount(at, weights=length[chosen], minlength=len(rows)).astype(np.int64)

    for a, b in combinations(range(len(names)), 2):
        called = column_names(names[a], names[b], len(names))
        one, two = (p.cells.doc * width + category[at] for at in (a, b))
        every = np.ones(len(one), dtype=bool)
        put(called[0], one, p.cells.length, one == two)
        put(called[1], one, p.cells.length, every)
        put(called[2], two, p.cells.length, every)
        if own is None:
            columns |= {name: np.zeros(len(rows), dtype=np.int64) for name in called[3:6]}
        else:
            first, second = own.code[a] != OUTSIDE, own.code[b] != OUTSIDE
            for name, chosen in zip(called[3:6], (first & second, first, second), strict=True):
                put(name, own.doc // labels * width + own.doc % labels, own.length, chosen)
        put(called[6], one, p.cells.length, p.cells.silent)
    values = np.stack([*columns.values()])
    categories = (*p.labels, outside_name(p.labels))
    return Counts(len(p.lengths), categories, tuple(columns), rows // width, rows % width, values)


def by_number(c: Comparison, unit: str) -> Counts:
    """Return the same counts, summed over all pairs, for documents of two annotators, of three, and so on.

    Coincidences of a document weigh 1/(n - 1) where n annotators have it: whole numbers by n are exact.
    """
    pairs, most = code_positions(c, unit), len(c.sides)
    width = len(COLUMNS)
    summed = pairs.values.reshape(len(pairs.columns) // width, width, len(pairs.doc)).sum(0)
    values = np.zeros((most - 1, *summed.shape), dtype=np.int64)
    values[-1] = summed
    columns = tuple(name for n in range(2, most + 1) for name in number_names(n, most))
    return replace(pairs, columns=columns, values=values.reshape(len(columns), len(pairs.doc)))


def number_names(number: int, annotators: int) -> list[str]:
    """Return the columns of documents that so many annotators have; with their number where it can differ."""
    return [name if annotators == 2 else f"{name}[{number} annotators]" for name in COLUMNS]


def column_names(one: str, two: str, annotators: int, columns: Sequence[str] = COLUMNS) -> list[str]:
    """Return the columns of a pair of annotators; with their names where there are several pairs."""
    return [name if annotators == 2 else f"{name}[{one}, {two}]" for name in columns]


def _of_labels(p: Positions) -> CodedCells:
    """Return the cells of every document and label, each a question of its own: overlaps need no rule.

    A position counts as the label's wherever one of its spans covers it, also where another one lies inside.
    """
    labels = len(p.labels)
    return coded_cells([_separate(side, labels) for side in p.marks], np.repeat(p.lengths, labels))


def _separate(side: Marks, labels: int) -> Marks:
    """Return marks by document and label, those of one label that overlap made one."""
    key = side.doc * labels + side.label
    order = np.lexsort((-side.end, side.start, key))
    same = np.zeros(len(key), dtype=np.int64)
    return without_overlaps(Marks(key[order], side.start[order], side.end[order], same))[0]


def cohen_kappa(s: Sums, *, inside: bool = False) -> Floats:
    """Return Cohen's kappa of every pair (..., pairs, labels + 1): each label against the rest, then overall."""
    whole, each = _overall(s), _of_each(s)
    if inside:
        quiet = whole.both[..., -1:]  # of a pair: what neither of the two marked
        whole, each = whole.inside(), each.inside(quiet)
    return np.concatenate((cohen(each), cohen(whole)[..., None]), axis=-1)


def of_numbers(coefficient: Callable[[Margins], Floats], s: Sums, *, inside: bool = False) -> Floats:
    """Return a coefficient of coincidences from counts by how many annotators have a document."""
    return of_all(coefficient, s, np.arange(s["both"].shape[-2]) + 2, inside=inside)


def of_all(
    coefficient: Callable[[Margins], Floats], s: Sums, annotators: Ints | None = None, *, inside: bool = False
) -> Floats:
    """Return a coefficient of coincidences of all annotators (..., labels + 1): each label, then overall.

    Counts are by pair, or by what `annotators` says: how many they are in each line of columns.
    """
    whole, each = _overall(s), _of_each(s)
    if inside:
        silent = s["silent"][..., :-1].sum(-1)
        whole, each = whole.inside(silent), each.inside(silent[..., None])
    by_label = Margins(*(np.swapaxes(column, -3, -2) for column in each))  # (..., labels, pairs, 2)
    each_and_whole = [coefficient(pool_margins(one, annotators)) for one in (by_label, whole)]
    return np.concatenate((each_and_whole[0], each_and_whole[1][..., None]), axis=-1)


def _overall(s: Sums) -> Margins:
    """Return the margins of every pair over all categories, outside the last (..., pairs, labels + 1)."""
    return Margins(*(s[name][..., :-1] for name in ("both", "first", "second")))


def _of_each(s: Sums) -> Margins:
    """Return the margins of every pair and label against all the rest (..., pairs, labels, 2)."""
    total = s["first"][..., :-1].sum(-1)[..., None]
    both, first, second = (s[f"label_{name}"][..., :-2] for name in ("both", "first", "second"))
    rest = (total - first - second + both, total - first, total - second)
    return Margins(*(np.stack(two, axis=-1) for two in zip((both, first, second), rest, strict=True)))
