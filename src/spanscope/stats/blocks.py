"""Figures that are read from sums of many columns: their values, intervals, and figures by document.

The blocks of agreement are such sums. They are resampled by the same draws as scores, and their intervals are made
by the same lines.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spanscope.arithmetic import Floats, Ints, Keys, draws, poisson
from spanscope.measures.agreement.sums import Block
from spanscope.stats.bootstrap import Interval, Method, limits
from spanscope.stats.jackknife import acceleration_of, moments

NUMBERS_AT_ONCE = 4_000_000  # numbers of sums that are held at a time


def figures_of_all(block: Block) -> Floats:
    """Return the figures of all documents together."""
    sums = np.asarray(block.columns.sum(axis=0), dtype=np.float64).reshape(1, -1)
    return np.asarray(block.read(sums)[0])


def figures_by_document(block: Block) -> Floats:
    """Return documents x figures: each document's own."""
    size, width = block.columns.shape
    step = max(1, NUMBERS_AT_ONCE // max(width, 1))
    parts = [block.read(_dense(block.columns[at : at + step])) for at in range(0, size, step)]
    return np.concatenate(parts) if parts else np.zeros((0, len(block.keys)))


def intervals_of_block(
    block: Block, keys: Keys, documents: Ints, *, resamples: int, level: float, seed: int, method: Method
) -> list[Interval]:
    """Return the bootstrap interval of every figure; `documents` is how many stand behind each."""
    drawn = _resample(block, keys, resamples, seed).T
    skew = _acceleration(block) if method == "bca" else None
    return limits(figures_of_all(block), drawn, documents, level, method, skew)


def _resample(block: Block, keys: Keys, number: int, seed: int) -> Floats:
    """Return resamples x figures: documents weighted by Poisson(1) draws, keyed by document."""
    step = int(np.clip(NUMBERS_AT_ONCE // max(block.columns.shape[1], block.columns.shape[0], 1), 1, number))
    parts = []
    for first in range(0, number, step):
        drawn = poisson(draws(seed, keys, min(step, number - first), first=first))
        sums = block.columns.T @ drawn.astype(np.float64)
        parts.append(block.read(np.asarray(sums).T))
    return np.concatenate(parts)


def _acceleration(block: Block) -> Floats:
    """Return the acceleration of BCa of every figure: what it does without each document."""
    size, width = block.columns.shape
    step = max(1, NUMBERS_AT_ONCE // max(width, 1))
    total = np.asarray(block.columns.sum(axis=0), dtype=np.float64).reshape(1, -1)
    value, out = figures_of_all(block), np.zeros((4, len(block.keys)))
    for at in range(0, size, step):
        change = block.read(total - _dense(block.columns[at : at + step])) - value
        for figure in range(len(block.keys)):
            own = change[:, figure]
            out[:, figure] += moments(own, np.zeros(len(own), dtype=np.int64), 1, len(own))[:, 0]
    return acceleration_of(*out)


def _dense(part: Any) -> Floats:
    return np.asarray(part.toarray() if hasattr(part, "toarray") else part, dtype=np.float64)
