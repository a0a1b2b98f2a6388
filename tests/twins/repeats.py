"""Systems that were run several times, in plain Python, one figure at a time, as docs/statistics.md tells it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tests.twins.cells import weight

Documents = Sequence[tuple[int, int]]  # of every document what was found, and what there is


class Found(NamedTuple):
    """The difference of two systems, what it varies by, and the degrees of freedom of that."""

    difference: float
    documents: float
    runs: float
    degrees: float


def share(run: Documents, weights: Sequence[int]) -> float:
    """Return the share of all that there is which was found; NaN where there is nothing."""
    whole = sum(w * n for w, (_, n) in zip(weights, run, strict=True))
    return sum(w * k for w, (k, _) in zip(weights, run, strict=True)) / whole if whole else math.nan


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are defined."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def variance(values: Sequence[float]) -> float:
    """Return the variance of the values that are defined, NaN for fewer than two."""
    known = [value for value in values if not math.isnan(value)]
    if len(known) < 2:
        return math.nan
    return sum((value - mean(known)) ** 2 for value in known) / (len(known) - 1)


def compared(systems: Sequence[Sequence[Documents]], keys: Sequence[int], resamples: int, seed: int) -> Found:
    """Return the difference of the mean shares of two systems, and both parts of its variance."""
    once = [1] * len(keys)
    drawn = [[weight(seed, key, number) for key in keys] for number in range(resamples)]
    first, second = (mean([share(run, once) for run in runs]) for runs in systems)
    moved = []
    for weights in drawn:
        one, other = (mean([share(run, weights) - share(run, once) for run in runs]) for runs in systems)
        moved.append(other - one)
    documents, extra, doubt = variance(moved), 0.0, 0.0
    for runs in systems:
        own = [value for run in runs if not math.isnan(value := share(run, once))]
        if len(own) < 2:
            continue
        between = [variance([share(run, weights) - share(run, once) for run in runs]) for weights in drawn]
        within = mean(between)
        added = max(variance(own) - (0.0 if math.isnan(within) else within), 0.0) / len(own)
        extra += added
        doubt += added * variance(own) / len(own) / (len(own) - 1)
    below = documents**2 / (len(keys) - 1) + doubt
    degrees = (documents + extra) ** 2 / below if below else len(keys) - 1
    return Found(second - first, documents, extra, max(1.0, degrees))
