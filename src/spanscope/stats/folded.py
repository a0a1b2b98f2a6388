"""Resampled sums of portions of the documents, which add up to those of all: nothing is kept of a document.

The weights of a document depend on its key and on nothing else, so every portion can be weighed by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Keys, draws, poisson
from spanscope.counts import STAR_NAME, Counts, overall_rows
from spanscope.rates import Rate, RateSet
from spanscope.stats.averages import Policy, Summary, label_sums
from spanscope.stats.bootstrap import MOST_LABELLED, Interval, Method, fill_in_labels, has_too_many_labels, limits
from spanscope.stats.sums import RESAMPLES_AT_ONCE, Draws, statistic, sums_of
from spanscope.stats.table import Table, table

COARSE, FINE = 20, 50  # bits behind the point of the two parts of a value


class Folded(NamedTuple):
    """Weighted sums of all resamples; the two parts of values that are not whole stand beside each other."""

    names: tuple[str, ...]  # of the labels
    labels: Floats  # labels x parts x columns x resamples
    means: Floats  # parts x rates x 2 x resamples


def fold(
    counts: Counts,
    rates: tuple[Rate, ...],
    rate_set: RateSet,
    policy: Policy,
    keys: Keys,
    *,
    resamples: int,
    seed: int,
) -> Folded:
    """Return the resampled sums of some documents."""
    if has_too_many_labels(counts, policy, resamples):
        counts = overall_rows(counts)
    held = table([counts], rates, rate_set, policy, keys, _in_parts)
    found = sums_of(held, held.cells, resamples, lambda own, n, at: poisson(draws(seed, own, n, first=at)))
    chunks = list(found)
    labels = np.concatenate([part.labels for part in chunks], axis=-1)
    means = np.concatenate([part.means for part in chunks], axis=-1)
    return Folded(_names(held), labels, means)


def _names(held: Table) -> tuple[str, ...]:
    """Return the names of the labels that occur, in the order of their sums."""
    at = {place: name for name, place in zip(held.names, held.place.tolist(), strict=True) if place >= 0}
    return tuple(STAR_NAME if held.star and place == 0 else at[place] for place in range(held.cells.codes))


def _in_parts(values: Floats, _runs: int) -> Floats:
    """Return values as multiples of 2**-20 and, where there are any, their rests as multiples of 2**-50.

    Sums of either are exact wherever they stay below 2**53 of its steps, in whatever order and portions: for
    values up to 1 that is 16 million documents at the least. Whole numbers have no rest.
    """
    coarse = np.ldexp(np.rint(np.ldexp(values, COARSE)), -COARSE)
    fine = np.ldexp(np.rint(np.ldexp(values - coarse, FINE)), -FINE)
    return np.concatenate([coarse, fine], axis=1) if fine.any() else coarse


def add(one: Folded, other: Folded) -> Folded:
    """Return the sums of both; of too many labels together only the sums over all of them."""
    names = tuple(dict.fromkeys((*one.names, *other.names)))
    if len(names) * one.means.shape[-1] > MOST_LABELLED or _differ_in_labels(one, other):
        one, other = _only_overall(one), _only_overall(other)
        names = one.names or other.names
    parts = max(one.labels.shape[1], other.labels.shape[1])
    labels = np.zeros((len(names), parts, *one.labels.shape[2:]))
    means = np.zeros((max(len(one.means), len(other.means)), *one.means.shape[1:]))
    place = {name: at for at, name in enumerate(names)}
    for own in (one, other):
        if own.names:
            labels[[place[name] for name in own.names], : own.labels.shape[1]] += own.labels
        means[: len(own.means)] += own.means
    return Folded(names, labels, means)


def _differ_in_labels(one: Folded, other: Folded) -> bool:
    """Tell whether one has nothing but overall sums, and the other has those of labels only."""
    return bool(one.names and other.names) and (STAR_NAME in one.names) != (STAR_NAME in other.names)


def _only_overall(own: Folded) -> Folded:
    """Return the sums over all labels alone."""
    if not own.names:
        return own
    at = own.names.index(STAR_NAME) if STAR_NAME in own.names else None
    labels = own.labels.sum(axis=0, keepdims=True) if at is None else own.labels[at : at + 1]
    return Folded((STAR_NAME,), labels, own.means)


def intervals_of_folded(
    of: Summary,
    folded: Folded,
    rates: tuple[Rate, ...],
    rate_set: RateSet,
    policy: Policy,
    *,
    level: float,
    method: Method,
) -> list[Interval]:
    """Return the interval of every score, as `bootstrap.intervals` does from the counts of documents."""
    once = np.zeros(1, dtype=np.uint64)
    whole = replace(of.sums, documents=1)  # the sums, as of one document
    names = label_sums(whole, policy)[0]
    narrow = has_too_many_labels(whole, policy, folded.means.shape[-1])
    if narrow:
        of = replace(of, sums=replace(overall_rows(whole), documents=of.documents))
        whole = replace(of.sums, documents=1)
    held = table([whole], rates, rate_set, policy, once, lambda values, _runs: values)
    place = {name: at for at, name in enumerate(folded.names)}
    labels = folded.labels.sum(axis=1, keepdims=True)[[place[name] for name in _names(held)]]
    known = np.array([mean.odd == 0 for mean in of.means])[:, None, None]  # an infinite mean has no interval
    means = folded.means.sum(axis=0, keepdims=True) * known
    parts = [slice(at, at + RESAMPLES_AT_ONCE) for at in range(0, labels.shape[-1], RESAMPLES_AT_ONCE)]
    drawn = [statistic(held, Draws(labels[..., part], means[..., part])) for part in parts]
    value = statistic(held, _observed_sums(held, of))[:, 0]
    behind = [*[of.documents] * (4 if held.names else 2), *(of.having.get(name, 0) for name in held.names)]
    found = limits(value, np.concatenate(drawn, axis=1), np.tile(behind, len(rates)), level, method)
    return fill_in_labels(found, len(names)) if narrow else found


def _observed_sums(held: Table, of: Summary) -> Draws:
    """Return the sums as they are, every document once, as one resample."""
    labels = np.zeros((held.cells.codes, len(held.columns)))
    labels[held.cells.code] = held.cells.counts
    means = np.array([[mean.sum, mean.number] if mean.odd == 0 else [0.0, 0.0] for mean in of.means])
    return Draws(labels[:, None, :, None], means[None, :, :, None])
