"""Intervals of shares that hold at 0 and 1 too: Wilson's, with as many trials as the resamples say there are.

A share of n trials that stand in documents varies as that of n / effect independent trials does, where the design
effect compares the variance over resamples with that of independent trials:

    effect = n error**2 / (v (1 - v))        n the trials, v the share, error the standard error over resamples

Near 0 and 1 resamples know little of the variance, and at them nothing: they are all alike. So the effect is mixed
with one that is assumed, which counts as much as `ASSUMED` trials of the rarer outcome do. The interval is that of
Wilson (1927) with Student's t, for half as many degrees of freedom as there are cells: a variance of sums with a
kurtosis of 5 has so many (that of a normal distribution, 3, would have all). It holds all shares p with

    |v - p| <= t sqrt(p (1 - p) / (n / effect))

Micro averages and labels are shares of the trials of their rate; a mean over documents of values between 0 and 1
varies no more than a share of the documents does. A macro average has the error of its resamples, and beside it
what these miss of labels whose share is at or near 0 or 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.rates import Sums
from spanscope.stats.student import student_reach
from spanscope.stats.sums import total_sums
from spanscope.stats.table import Table

ASSUMED = 4.0  # trials of the rarer outcome as which the assumed design effect counts
ASSUMED_DOCUMENTS = 0.1  # the same of documents: their values are seldom just 0 and 1, which is what is assumed
MOST_OF_A_CELL = 10.0  # trials of a cell that may be independent where nothing says how much they are so
ADDED = 0.03  # trials added on either side of a label's share, for its part in the error of a macro average


class Bounds(NamedTuple):
    """Of every row: the bounds, and whether it is a share; where not, both mean nothing."""

    low: Floats
    high: Floats
    share: Bools


def wilson(value: Floats, trials: Floats, reach: Floats) -> tuple[Floats, Floats]:
    """Return the bounds of Wilson's interval: reach is how many standard errors it spans on either side.

    Source: Wilson (1927), Probable inference, the law of succession, and statistical inference.
    """
    square = ratio(reach**2, trials)
    middle = ratio(value + square / 2, 1 + square)
    half = ratio(np.sqrt(square * (value * (1 - value) + square / 4)), 1 + square)
    return np.clip(middle - half, 0.0, value), np.clip(middle + half, value, 1.0)


def design_effect(value: Floats, trials: Floats, error: Floats, assumed: Floats, weight: Floats) -> Floats:
    """Return the design effect of shares, mixed with what is assumed by the trials of the rarer outcome."""
    rarer = trials * np.minimum(value, 1 - value)
    own = ratio(trials * error**2, value * (1 - value), empty=0.0)
    return ratio(rarer * own + weight * assumed, rarer + weight)


def bounds_of_shares(held: Table, value: Floats, error: Floats, cells: Ints, level: float) -> Bounds:
    """Return the bounds of every row of a table of one run.

    `value` and `error` are its value and its standard error over resamples, `cells` how many cells are behind it.
    """
    trials = independent_trials(held, value, error, cells)
    reach = student_reach(level, degrees_of_cells(cells))
    return Bounds(*wilson(value, trials, reach), ~np.isnan(trials))


def degrees_of_cells(cells: Ints) -> Floats:
    """Return the degrees of freedom of the variance of a share over so many cells: half of them."""
    return np.asarray(np.maximum((cells - 1) / 2, 1.0))


def independent_trials(held: Table, value: Floats, error: Floats, cells: Ints) -> Floats:
    """Return how many independent trials every row of a table of one run is worth; NaN where it is no share."""
    shape = len(held.rates), -1
    found = _independent_trials(held, value.reshape(shape), error.reshape(shape), cells.reshape(shape)).ravel()
    return np.where((found > 0) & (value >= 0) & (value <= 1), found, np.nan)


class _Whole(NamedTuple):
    """What all rates of a table are read from: the sums over all cells."""

    overall: Sums  # of all labels, by column
    labels: Sums  # of the labels that are averaged over, by column
    support: Floats  # what these labels weigh
    documents: Floats  # of every rate: how many have a value


def _whole_of(held: Table) -> _Whole:
    sums = total_sums(held)
    every = sums.labels[:, 0, :, 0]
    overall = every[0] if held.star else every.sum(axis=0)
    labels = np.concatenate([every, np.zeros((1, every.shape[1]))])[held.place]
    named = held.named(labels, 1)
    return _Whole(held.named(overall[None], 1), named, held.rate_set.weight(named), sums.means[0, :, 1, 0])


def _independent_trials(held: Table, value: Floats, error: Floats, cells: Ints) -> Floats:
    """Return rates x rows (micro, averages, document, labels): how many independent trials stand behind each."""
    document = 3 if held.names else 1
    whole = _whole_of(held)
    trials = _trials(held, whole, document)
    own = ratio(trials[:, :1] * error[:, :1] ** 2, value[:, :1] * (1 - value[:, :1]), empty=0.0)
    assumed = np.fmax(np.fmax(own, 1.0), ratio(trials, MOST_OF_A_CELL * cells))
    weight = np.full(value.shape, ASSUMED)
    assumed[:, document], weight[:, document] = 1.0, ASSUMED_DOCUMENTS
    out = ratio(trials, design_effect(value, trials, error, assumed, weight))
    if held.names:
        labels = slice(document + 1, None)
        shares = np.stack([np.ones(len(held.names)), whole.support])
        out[:, 1:document] = _of_averages(
            value[:, labels], error[:, labels], out[:, labels], shares, error[:, 1:document]
        )
    return out


def _trials(held: Table, whole: _Whole, document: int) -> Floats:
    """Return rates x rows: the trials of each row; of macro and weighted averages, and of no share, none."""
    out = np.full((len(held.rates), document + 1 + len(held.names)), np.nan)
    for own, rate, documents in zip(out, held.rates, whole.documents, strict=True):
        if rate.trials is not None:
            own[0] = rate.trials(whole.overall)[0]
            own[document] = documents
            own[document + 1 :] = rate.trials(whole.labels) if held.names else ()
    return out


def _of_averages(value: Floats, error: Floats, trials: Floats, weight: Floats, whole: Floats) -> Floats:
    """Return how many independent trials averages over labels are worth, `whole` being their errors.

    Both are rates x averages, `weight` is averages x labels, the others rates x labels. A label's variance is
    taken with `ADDED` trials more on either side, so that it is not 0 at 0 and 1; where that is more than what
    resamples found, the average has the difference on top.
    """
    known = ~np.isnan(value) & (trials > 0)
    shares = np.where(known[:, None], weight, 0.0)
    part = ratio(shares, shares.sum(axis=2, keepdims=True), empty=0.0)
    near = np.where(known, ratio(value * trials + ADDED, trials + 2 * ADDED), 0.0)
    missed = np.where(known, np.maximum(ratio(near * (1 - near), trials) - error**2, 0.0), 0.0)
    mean = (part * near[:, None]).sum(axis=2)
    return ratio(mean * (1 - mean), whole**2 + (part**2 * missed[:, None]).sum(axis=2))
