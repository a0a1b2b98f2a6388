"""Ranks of systems, and between which ranks each stands in the resamples."""

from __future__ import annotations

import math

import numpy as np

from spanscope.arithmetic import Floats, Ints


def away_from_best(values: Floats, best: float) -> Floats:
    """Return how far values are from the best one; of a rate without a best value higher ones come first."""
    return -values if math.isnan(best) else np.abs(values - best)


def ranks(values: Floats, best: float) -> Ints:
    """Return the rank of every system in every column: 1 and how many are better; what is undefined comes last.

    `values` is systems x columns. Systems with the same value have the same rank.

    >>> ranks(np.array([[0.5], [0.9], [0.5], [0.1]]), 1.0).ravel().tolist()
    [2, 1, 2, 4]
    """
    away = away_from_best(values, best)
    away = np.where(np.isnan(away), np.inf, away)
    ordered = np.sort(away, axis=0)
    columns = [np.searchsorted(ordered[:, at], away[:, at]) for at in range(values.shape[1])]
    return np.stack(columns, axis=1).astype(np.int64) + 1


def rank_intervals(drawn: Floats, best: float, level: float) -> list[tuple[int, int]]:
    """Return between which ranks every system stands in `level` of the resamples, systems x resamples.

    The bounds are the ranks at the shares (1 - level) / 2 and (1 + level) / 2 of the resamples in order, taken
    outwards: whole ranks that occurred.
    """
    found = np.sort(ranks(drawn, best), axis=1)
    last, tail = found.shape[1] - 1, (1 - level) / 2
    low, high = math.floor(tail * last), math.ceil((1 - tail) * last)
    return list(zip(found[:, low].tolist(), found[:, high].tolist(), strict=True))
