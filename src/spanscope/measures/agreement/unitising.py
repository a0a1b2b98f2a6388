"""Krippendorff's alphas for unitising: agreement on where units are and what they are called.

Every function gives an observed and an expected disagreement for each document, because these pool: over any set
of documents alpha = 1 - sum(observed) / sum(expected). It is undefined (NaN) where nothing is expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.data.corpus import expand
from spanscope.errors import MeasureError
from spanscope.measures.agreement.coding import OUTSIDE, CodedCells, Marks


class Disagreement(NamedTuple):
    """Observed and expected disagreement: documents, or documents x labels."""

    observed: Floats
    expected: Floats


class UAlphas(NamedTuple):
    """The family of 2016: all of it, units against gaps, the labels of what both marked, and each label."""

    u: Disagreement
    bar: Disagreement
    coding: Disagreement
    by_label: Disagreement


def alpha_of_sums(observed: Floats, expected: Floats) -> Floats:
    """Return alpha from summed disagreements; NaN where no disagreement could be expected."""
    return np.asarray(1 - ratio(observed, expected))


def alpha_u(
    sides: Sequence[Marks], lengths: Ints, labels: int, names: Sequence[str] = (), called: Sequence[str] = ()
) -> Disagreement:
    """Return the disagreements of alpha_U (1995, 2004), documents x labels.

    The definition is that of the measure agreement.alpha_u. `names` and `called` are what documents and labels are
    called, where units of one label and annotator overlap and are refused.
    """
    alone = [_sort_by_label(side, labels) for side in sides]
    for side in alone:
        _refuse_overlaps(side, labels, names, called)
    size = len(lengths) * labels
    raters, long = len(sides), np.repeat(lengths, labels).astype(np.float64)
    met = np.zeros(size)
    for one, two in combinations(alone, 2):
        met += _differences(one, two, size)
    observed = ratio(2 * met, raters * (raters - 1) * long**2, empty=0.0)
    unit = np.concatenate([side.doc for side in alone])
    span = np.concatenate([side.end - side.start for side in alone]).astype(np.float64)
    number = np.bincount(unit, minlength=size)
    chance = (number[unit] - 1) * (2 * span**3 - 3 * span**2 + span) / 3
    chance += span**2 * _room(alone, unit, span, np.repeat(lengths, labels))
    total = np.bincount(unit, weights=chance, minlength=size)
    own = np.bincount(unit, weights=span * (span - 1), minlength=size)
    below = raters * long * (raters * long - 1) - own
    expected = ratio(2 * total, long * below, empty=0.0)
    return Disagreement(observed.reshape(-1, labels), expected.reshape(-1, labels))


def _sort_by_label(side: Marks, labels: int) -> Marks:
    """Return marks sorted by document and label, which become one key."""
    key = side.doc * labels + side.label
    order = np.lexsort((side.end, side.start, key))
    return Marks(key[order], side.start[order], side.end[order], side.label[order])


def _refuse_overlaps(side: Marks, labels: int, names: Sequence[str], called: Sequence[str]) -> None:
    bad = np.flatnonzero((side.doc[1:] == side.doc[:-1]) & (side.start[1:] < side.end[:-1]))
    if not len(bad):
        return
    at = int(bad[0])
    doc, label = divmod(int(side.doc[at]), labels)
    which = f"the label {called[label]!r}" if called else f"label {label}"
    raise MeasureError(
        f"alpha_U is not defined where an annotator's units of one label overlap: {which} has "
        f"{side.start[at]}..{side.end[at]} and {side.start[at + 1]}..{side.end[at + 1]}",
        where=f"document {names[doc]!r}" if len(names) else f"document {doc}",
        expected="units of one label side by side",
        hint="u_alpha or gamma   which take overlaps",
    )


def _differences(one: Marks, two: Marks, size: int) -> Floats:
    """Return the summed differences of two annotators' units for every document and label."""
    width = int(max(one.end.max(initial=0), two.end.max(initial=0))) + 1
    (start, end), (start2, end2) = (
        (side.doc * width + side.start, side.doc * width + side.end) for side in (one, two)
    )
    first = np.searchsorted(end2, start, "right")
    count = np.maximum(np.searchsorted(start2, end, "left") - first, 0)
    left, right = np.repeat(np.arange(len(start)), count), expand(first, count)
    apart = (start[left] - start2[right]) ** 2 + (end[left] - end2[right]) ** 2
    out = np.bincount(one.doc[left], weights=apart, minlength=size)
    for side, met in ((one, left), (two, right)):
        lonely = np.ones(len(side.doc), dtype=bool)
        lonely[met] = False
        long = (side.end - side.start)[lonely]
        out = out + np.bincount(side.doc[lonely], weights=long.astype(np.float64) ** 2, minlength=size)
    return np.asarray(out)


def _room(sides: Sequence[Marks], unit: Ints, span: Floats, lengths: Ints) -> Floats:
    """Return for every unit in how many places it fits into the gaps of its label: sum of (g - l + 1), g >= l."""
    keys, gaps = [], []
    for side in sides:
        new = np.flatnonzero(np.diff(side.doc, prepend=-1))  # the first unit of each document and label
        ends = np.flatnonzero(np.diff(side.doc, append=-1))
        before = np.concatenate(([0], side.end))[: len(side.doc)]
        before[new] = 0
        bare = np.setdiff1d(np.arange(len(lengths)), side.doc)
        keys += [side.doc, side.doc[ends], bare]
        gaps += [side.start - before, lengths[side.doc[ends]] - side.end[ends], lengths[bare]]
    key, gap = np.concatenate(keys), np.concatenate(gaps)
    width = int(max(gap.max(initial=0), span.max(initial=0))) + 1
    order = np.argsort(key * width + gap, kind="stable")
    key, gap = key[order], gap[order]
    sums = np.concatenate(([0], np.cumsum(gap)))
    first = np.searchsorted(key * width + gap, unit * width + span.astype(np.int64), "left")
    last = np.searchsorted(key, unit, "right")
    number = last - first
    return np.asarray(sums[last] - sums[first] - number * (span - 1), dtype=np.float64)


def u_alphas(sides: Sequence[Marks], found: CodedCells, documents: int, labels: int) -> UAlphas:
    """Return the disagreements of the u-alpha family (2016) for every document.

    The definitions are those of the measure agreement.u_alpha: `bar` is |u-alpha, `coding` cu-alpha, `by_label`
    (k)u-alpha. cu-alpha and (k)u-alpha are undefined (0 of 0) where nothing was marked by two, or with one label
    only.

    `sides` are the marks without overlaps and `found` their cells.
    """
    raters = len(sides)
    table = np.zeros((documents, labels + 1, labels + 1))  # the last value is the gap
    for i, j in permutations(range(raters), 2):
        one, two = (np.where(found.code[r] == OUTSIDE, labels, found.code[r]) for r in (i, j))
        np.add.at(table, (found.doc, one, two), found.length)
    table = ratio(table, raters - 1)
    squares = np.zeros((documents, labels + 1))
    for side in sides:
        np.add.at(squares, (side.doc, side.label), (side.end - side.start).astype(np.float64) ** 2)
    squares[:, labels] = table[:, labels].sum(-1)
    expected = _expected_disagreement(table, squares)
    u = Disagreement(_off_diagonal(table), _off_diagonal(expected))
    bar = Disagreement(
        table[:, labels, :labels].sum(-1) * 2,
        expected[:, labels, :labels].sum(-1) * 2,
    )
    both, chance = (
        table[:, :labels, :labels],
        _expected_disagreement(table[:, :labels, :labels], _met_squares(sides, found, documents, labels)),
    )
    return UAlphas(u, bar, Disagreement(_off_diagonal(both), _off_diagonal(chance)), _by_label(both, chance))


def _expected_disagreement(table: Floats, squares: Floats) -> Floats:
    own, total = table.sum(-1), table.sum((-2, -1))
    top = own[:, :, None] * own[:, None, :]
    at = np.arange(table.shape[-1])
    top[:, at, at] -= squares
    below = total**2 - squares.sum(-1)
    return ratio(total[:, None, None] * top, below[:, None, None], empty=0.0)


def _off_diagonal(table: Floats) -> Floats:
    """Return what lies off the diagonal."""
    return np.asarray(table.sum((-2, -1)) - np.trace(table, axis1=-2, axis2=-1))


def _by_label(both: Floats, chance: Floats) -> Disagreement:
    at = np.arange(both.shape[-1])
    own, expected = both.sum(-1), chance.sum(-1)
    share = ratio(own, expected, empty=0.0)
    return Disagreement(own - both[:, at, at], (expected - chance[:, at, at]) * share)


def _met_squares(sides: Sequence[Marks], found: CodedCells, documents: int, labels: int) -> Floats:
    """Return the squared lengths in which each unit meets what another annotator marked, summed and averaged."""
    out = np.zeros((documents, labels))
    width = int(found.start.max(initial=0)) + 1
    places = found.doc * width + found.start
    for i, j in permutations(range(len(sides)), 2):
        side = sides[i]
        if not len(side.doc):
            continue
        shared = np.flatnonzero((found.code[i] != OUTSIDE) & (found.code[j] != OUTSIDE))
        unit = np.searchsorted(side.doc * width + side.start, places[shared], "right") - 1
        met = np.bincount(unit, weights=found.length[shared], minlength=len(side.doc))
        np.add.at(out, (side.doc, side.label), met**2)
    return ratio(out, len(sides) - 1)
