"""Gamma: how much better annotators align their units than chance would.

    gamma = 1 - disorder of the best alignment / mean disorder of the best alignments of sampled continua

both divided by the mean number of units an annotator has in the continuum concerned. 1 is perfect, 0 is chance,
and below 0 is worse. Over documents the disorders are pooled, each times its mean number of units:
1 - sum(observed) / sum(expected), with chance drawn inside each document.

gamma-cat looks at labels alone: over the pairs of units that the best alignment puts together, the share of label
differences, a pair weighing max(0, 1 - alpha * d_pos) / (units of its unitary alignment - 1). gamma-k takes the
pairs in which at least one unit has the label k. Sources: Mathet, Widlöcher and Métivier (2015) for gamma; Mathet
(2017), The agreement measure gamma-cat, for the others.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.measures.agreement.alignment import (
    USUAL,
    Units,
    Weights,
    align,
    best_pairs,
    positional_dissimilarity,
)
from spanscope.measures.agreement.samplers import Continua, continuum, shuffle, statistical

Sampler = Literal["shuffle", "statistical"]
SAMPLERS = ("shuffle", "statistical")
CELLS_AT_ONCE = 2_000_000  # cells of cost matrices that are made at a time
USUAL_SAMPLES = 30
MOST_PAIRS = 10_000_000  # pairs of units of two annotators in a document: up to a minute with 30 samples


class Disorders(NamedTuple):
    """Of some continua: disorder and number of units, and by label differences and weights of aligned pairs.

    `differ` and `weight` are continua x (labels + 1), the last column for all labels together (gamma-cat).
    """

    disorder: Floats
    units: Ints
    differ: Floats
    weight: Floats


class Parts(NamedTuple):
    """What one document adds to the sums: gamma = 1 - observed/expected, gamma-k and gamma-cat likewise."""

    observed: float
    expected: float
    by_label: Floats  # observed, of each label, then of all
    by_label_expected: Floats


def disorders(found: Continua, labels: int, weights: Weights = USUAL, *, unaligned: bool = False) -> Disorders:
    """Return the disorder of the best alignment of each continuum, summed over its unitary alignments.

    `unaligned` counts, for gamma-cat, a unit beside an annotator without one as a difference of weight delta, as
    pygamma 0.5.9 does and calls experimental; the published definition leaves such units out.
    """
    raters = found.start.shape[1]
    return (_disorders_of_two if raters == 2 else _disorders_of_many)(found, labels, weights, unaligned)


def _disorders_of_two(found: Continua, labels: int, weights: Weights, unaligned: bool) -> Disorders:
    number, size = len(found.start), found.start.shape[2]
    disorder = found.there.sum((1, 2)) * float(weights.delta)
    sample, one, two, place = [], [], [], []
    step = max(1, CELLS_AT_ONCE // max(size * size, 1))
    for first in range(0, number, step):
        part = found.take(slice(first, first + step))
        left, right = (Units(part.start[:, r], part.end[:, r], part.label[:, r]) for r in (0, 1))
        apart = positional_dissimilarity(left, right)
        differ = left.label[:, :, None] != right.label[:, None, :]
        saving = weights.delta * (2 - weights.alpha * apart - weights.beta * differ)
        saving[~(part.there[:, 0, :, None] & part.there[:, 1, None, :])] = 0.0
        of, i, j = best_pairs(saving)
        disorder[first : first + step] -= np.bincount(of, weights=saving[of, i, j], minlength=len(saving))
        sample.append(first + of)
        one.append(part.label[of, 0, i])
        two.append(part.label[of, 1, j])
        place.append(apart[of, i, j])
    columns = [np.concatenate(column) for column in (sample, one, two, place)]
    tally = _Tally(number, labels, weights)
    tally.add(columns[0], columns[1], columns[2], columns[3] * weights.delta, np.ones(len(columns[0])))
    if unaligned:
        tally.add_lone_units(found, columns[0], columns[1], columns[2])
    return Disorders(disorder, found.there.sum((1, 2)), tally.differ, tally.weight)


def _disorders_of_many(found: Continua, labels: int, weights: Weights, unaligned: bool) -> Disorders:
    number, raters = found.start.shape[:2]
    disorder = np.zeros(number)
    tally = _Tally(number, labels, weights)
    rows, sample = [np.zeros((0, raters), dtype=np.int64)], []
    for at in range(number):
        units = [
            Units(found.start[at, r, own], found.end[at, r, own], found.label[at, r, own])
            for r, own in enumerate(found.there[at])
        ]
        aligned, disorder[at] = align(units, weights)
        rows.append(aligned)
        sample.append(np.full(len(aligned), at))
        if unaligned:
            tally.add_absent(at, units, aligned)
    aligned, of = np.concatenate(rows), np.concatenate(sample)
    size = (aligned >= 0).sum(1)
    for r, q in combinations(range(raters), 2):
        both = (aligned[:, r] >= 0) & (aligned[:, q] >= 0)
        one, two = (
            Units(*(column[of[both], side, aligned[both, side]][:, None] for column in found[:3]))
            for side in (r, q)
        )
        apart = positional_dissimilarity(one, two)[:, 0, 0] * weights.delta
        share = ratio(1, size[both] - 1)
        tally.add(of[both], one.label[:, 0], two.label[:, 0], apart, share)
    return Disorders(disorder, found.there.sum((1, 2)), tally.differ, tally.weight)


class _Tally:
    """Label differences and weights of aligned pairs, by continuum and label, all together in the last column."""

    def __init__(self, number: int, labels: int, weights: Weights) -> None:
        self.differ, self.weight = np.zeros((number, labels + 1)), np.zeros((number, labels + 1))
        self.weights = weights

    def add(self, sample: Ints, one: Ints, two: Ints, apart: Floats, share: Floats) -> None:
        """Add aligned pairs: labels of both, d_pos, and 1 / (units of the unitary alignment - 1)."""
        weight = share * np.maximum(0.0, 1 - self.weights.alpha * apart)
        other = one != two
        self._put(sample, one, two, weight, other * weight * self.weights.delta)

    def _put(self, sample: Ints, one: Ints, two: Ints, weight: Floats, differ: Floats) -> None:
        other = one != two
        last = np.full(len(sample), self.weight.shape[1] - 1)
        for column, rows in ((one, slice(None)), (two, other), (last, slice(None))):
            np.add.at(self.weight, (sample[rows], column[rows]), weight[rows])
            np.add.at(self.differ, (sample[rows], column[rows]), differ[rows])

    def add_lone_units(self, found: Continua, sample: Ints, one: Ints, two: Ints) -> None:
        """Add the units of two annotators that stay alone."""
        width = self.weight.shape[1]
        at = np.broadcast_to(np.arange(len(found.start))[:, None, None], found.there.shape)[found.there]
        left = np.bincount(at * width + found.label[found.there], minlength=self.weight.size)
        left = left - np.bincount(sample * width + one, minlength=self.weight.size)
        left = left - np.bincount(sample * width + two, minlength=self.weight.size)
        self._add_unpaired(left.reshape(self.weight.shape).astype(np.float64))

    def add_absent(self, at: int, units: list[Units], rows: Ints) -> None:
        """Add, for every unit of many annotators, the annotators without a unit in its unitary alignment."""
        raters = len(units)
        left = np.zeros_like(self.weight)
        for r, own in enumerate(units):
            empty = np.full(len(own.start), raters - 1)
            there = rows[:, r] >= 0
            empty[rows[there, r]] = raters - (rows[there] >= 0).sum(1)
            np.add.at(left[at], own.label, empty)
        self._add_unpaired(left)

    def _add_unpaired(self, left: Floats) -> None:
        left[:, -1] = left[:, :-1].sum(1)
        self.weight += left * self.weights.delta
        self.differ += left * self.weights.delta**2


def document_parts(
    units: list[Units],
    bounds: tuple[float, float] | None,
    labels: int,
    key: int,
    *,
    samples: int = 30,
    seed: int = 0,
    sampler: Sampler = "shuffle",
    weights: Weights = USUAL,
    unaligned: bool = False,
) -> Parts:
    """Return what one document adds to gamma, gamma-k and gamma-cat; zeros where nobody marked anything.

    `bounds` is the continuum, the stretch from the first unit to the end of the last where it is not known. A
    sample without units (drawn from annotators who marked nothing) has no disorder and is left out of the mean.
    """
    if sampler not in SAMPLERS:
        near = did_you_mean(sampler, SAMPLERS)
        raise MeasureError(f"no sampler is called {shown(sampler)}{near}", expected=" or ".join(SAMPLERS))
    raters, sizes = len(units), sorted(len(one.start) for one in units)
    most = int(MOST_PAIRS * ratio(USUAL_SAMPLES, max(samples, USUAL_SAMPLES)))
    if raters > 1 and sizes[-1] * sizes[-2] > most:
        with_samples = "" if most == MOST_PAIRS else f" with {samples:,} samples"
        raise MeasureError(
            f"too many units for gamma: {sizes[-1]:,} x {sizes[-2]:,} pairs of two annotators, {most:,} at most"
            f"{with_samples}",
            expected="shorter documents: gamma compares every unit of one annotator with every one of another",
            hint="-m f1 -m kappa -m u_alpha   which need no such pairs; or cut the document",
        )
    if not sum(sizes):
        return Parts(0.0, 0.0, np.zeros(labels + 1), np.zeros(labels + 1))
    real = continuum(units)
    if bounds is None:
        bounds = float(real.start[real.there].min()), float(real.end[real.there].max())
    made = (
        shuffle(real, bounds, samples, seed, key)
        if sampler == "shuffle"
        else statistical(real, samples, seed, key)
    )
    own = disorders(real.take(None), labels, weights, unaligned=unaligned)
    chance = disorders(made, labels, weights, unaligned=unaligned)
    expected = _mean(ratio(chance.disorder * raters, chance.units)) * ratio(own.units[0], raters)
    by_label = _mean(ratio(chance.differ, chance.weight)) * own.weight[0]
    return Parts(float(own.disorder[0]), float(expected), own.differ[0], np.asarray(by_label))


def _mean(values: Floats) -> Floats:
    """Return the mean over samples of what is defined; 0 where nothing is."""
    known = ~np.isnan(values)
    return ratio(np.where(known, values, 0.0).sum(0), known.sum(0), empty=0.0)


def gamma_of_sums(observed: Floats, expected: Floats) -> Floats:
    """Return gamma from summed disorders; NaN where none was expected.

    pygamma gives 1 wherever no disorder was observed, also where chance would have had none either.
    """
    return np.asarray(1 - ratio(observed, expected))
