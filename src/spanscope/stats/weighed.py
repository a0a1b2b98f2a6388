"""Intervals of figures that are no function of sums, but of documents that have weights: average precision.

The weights are those of all other intervals (`stats.bootstrap`): of the same cells, drawn by the same keys. What
differs is that a figure is asked for again with the weights of every resample, which costs as much as there are
rows: there is a limit to that, beyond which there is no interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Ints, Keys, draws, poisson
from spanscope.stats.bootstrap import FEWEST_CELLS, Interval, Method, limits

MOST_WORK = 50_000_000  # rows x resamples: some seconds
WORK_AT_ONCE = 2_000_000
Figures = Callable[[NDArray[np.uint8]], Floats]  # from cells x weightings to figures x weightings


def is_affordable(rows: int, keys: Keys, resamples: int, method: Method) -> bool:
    """Tell whether so many rows may be weighed as often as intervals ask for."""
    return rows * (resamples + (len(keys) if method == "bca" else 0)) <= MOST_WORK


def intervals_of_weighed(
    value: Floats,
    figures: Figures,
    keys: Keys,
    cells: Ints,
    rows: int,
    *,
    resamples: int,
    level: float,
    seed: int,
    method: Method,
) -> list[Interval]:
    """Return the interval of every figure, by the rules of `bootstrap.limits`.

    `figures` reads all figures again for weighted cells, which have the given keys; `cells` says on how many of
    them each figure rests, and `rows` how much is looked at for that.
    """
    step = max(1, WORK_AT_ONCE // max(rows, 1))
    drawn = np.concatenate([figures(own) for own in _resamples(keys, resamples, seed, step)], axis=1)
    skew = _acceleration(value, figures, len(keys), step) if method == "bca" else None
    return limits(value, drawn, cells >= FEWEST_CELLS, level, method, skew)


def _resamples(keys: Keys, number: int, seed: int, step: int) -> Iterator[NDArray[np.uint8]]:
    """Return the weights of all resamples, one row per cell, some at a time."""
    for first in range(0, number, step):
        yield poisson(draws(seed, keys, min(step, number - first), first=first))


def _acceleration(value: Floats, figures: Figures, cells: int, step: int) -> Floats:
    """Return the acceleration of BCa from leaving out each cell once."""
    from spanscope.stats.jackknife import acceleration_of  # which other methods do not need

    powers = np.zeros((4, len(value)))
    for first in range(0, cells, step):
        left_out = np.arange(first, min(first + step, cells))
        weights = np.ones((cells, len(left_out)), dtype=np.uint8)
        weights[left_out, np.arange(len(left_out))] = 0
        away = figures(weights) - value[:, None]
        known = ~np.isnan(away)
        away = np.where(known, away, 0.0)
        powers += [known.sum(axis=1), *((away**power).sum(axis=1) for power in (1, 2, 3))]
    return acceleration_of(*powers)
