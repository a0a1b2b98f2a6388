"""Continua as chance would make them: what gamma holds the observed disorder against.

A document's units lie in arrays (annotators x units), filled up to the largest number; samples add an axis in
front. Every draw depends on the seed, the document's key and its own number alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, draws, ratio
from spanscope.measures.agreement.alignment import Units

STREAM = {"choice": 11, "pivot": 12, "number": 13, "gap": 14, "length": 15, "label": 16}


class Continua(NamedTuple):
    """Units of several continua: (..., annotators, units); `there` tells which of them exist."""

    start: Floats
    end: Floats
    label: Ints
    there: Bools

    def take(self, rows: slice | None) -> Continua:
        """Return some of the continua; None makes one continuum the only one."""
        return Continua(self.start[rows], self.end[rows], self.label[rows], self.there[rows])


def continuum(units: list[Units]) -> Continua:
    """Return one document's units in arrays."""
    size = max(len(one.start) for one in units)
    start, end = np.zeros((len(units), size)), np.zeros((len(units), size))
    label, there = np.zeros((len(units), size), dtype=np.int64), np.zeros((len(units), size), dtype=bool)
    for row, one in enumerate(units):
        number = len(one.start)
        start[row, :number], end[row, :number], label[row, :number] = one
        there[row, :number] = True
    return Continua(start, end, label, there)


def shuffle(real: Continua, bounds: tuple[float, float], samples: int, seed: int, key: int) -> Continua:
    """Return continua made of real annotators' units, each moved along by a random stretch, wrapping around.

    For every new annotator a real one is drawn (the same one may come several times) and a place in the continuum
    `bounds`, at least half a mean unit's length from the places of the others where there is room; all units move
    by it, and those that would begin past the end begin again at the front. Places are whole numbers. Source:
    Mathet, Widlöcher and Métivier (2015), section 5.2; bounds are the text where its length is known (pygamma
    takes the stretch that is annotated).
    """
    raters = len(real.start)
    low, high = bounds
    choice = (_uniform(seed, key, (samples, raters), "choice") * raters).astype(np.int64)
    mean = float(ratio((real.end - real.start)[real.there].sum(), real.there.sum(), empty=0.0))
    moved = _places(_uniform(seed, key, (samples, raters), "pivot"), low, high, mean / 2)[:, :, None]
    start, end, there = real.start[choice] + moved, real.end[choice] + moved, real.there[choice]
    back = np.where(start > high, high - low, 0.0)
    return Continua(start - back, end - back, real.label[choice], there)


def _places(draw: Floats, low: float, high: float, apart: float) -> Floats:
    """Return one place in [low, high] a draw, `apart` from those before it in its row where there is room."""
    out = np.empty(draw.shape)
    for at in range(draw.shape[1]):
        before = np.sort(out[:, :at], axis=1)
        left = np.concatenate((np.full((len(draw), 1), low), before + apart), axis=1)
        right = np.concatenate((before - apart, np.full((len(draw), 1), high)), axis=1)
        room = np.maximum(right - left, 0.0)
        none = room.sum(1) <= 0
        left[none, 0], room[none, 0] = low, high - low
        reached = np.cumsum(room, axis=1)
        wanted = draw[:, at] * reached[:, -1]
        gap = np.minimum((reached <= wanted[:, None]).sum(1), at)
        rows = np.arange(len(draw))
        out[:, at] = np.floor(left[rows, gap] + wanted - (reached[rows, gap] - room[rows, gap]))
    return out


def statistical(real: Continua, samples: int, seed: int, key: int) -> Continua:
    """Return continua of units drawn from normal distributions, as pygamma's default sampler makes them.

    An annotator has max(1, whole part of normal) units; gaps and lengths (their absolute value) are normal with
    the mean and standard deviation of the real ones, labels come with their real shares. A real gap is what lies
    between an annotator's neighbouring units (negative where they overlap), and what lies before the first one
    where that does not begin at 0. Source: pygamma-agreement 0.5.9, StatisticalContinuumSampler.
    """
    raters = len(real.start)
    counts = real.there.sum(1)
    number = np.maximum(1, np.trunc(_normal(counts, _normal_draws(seed, key, (samples, raters), "number"))))
    size = int(number.max())
    shape = (samples, raters, size)
    lengths = (real.end - real.start)[real.there]
    gap = _normal(_gaps(real), _normal_draws(seed, key, shape, "gap"))
    length = np.abs(_normal(lengths, _normal_draws(seed, key, shape, "length")))
    names, weight = np.unique(real.label[real.there], return_counts=True)
    shares = ratio(np.cumsum(weight), weight.sum())
    drawn = np.searchsorted(shares[:-1], _uniform(seed, key, shape, "label"), "right")
    end = np.cumsum(gap + length, axis=2)
    there = np.arange(size) < number[:, :, None]
    return Continua(np.where(there, end - length, 0.0), np.where(there, end, 0.0), names[drawn], there)


def _gaps(real: Continua) -> Floats:
    between = (real.start[:, 1:] - real.end[:, :-1])[real.there[:, 1:]]
    first = real.start[:, 0][real.there[:, 0]]
    return np.concatenate((between, first[first > 0]))


def _normal(sample: Floats | Ints, draw: Floats) -> Floats:
    """Return normal draws with the mean and the standard deviation (of a population) of a sample; 0 of none."""
    if not len(sample):
        return np.zeros(draw.shape)
    return np.asarray(float(np.mean(sample)) + float(np.std(sample)) * draw)


def _normal_draws(seed: int, key: int, shape: tuple[int, ...], what: str) -> Floats:
    """Return standard normal draws (Box and Muller)."""
    one, two = np.moveaxis(_uniform(seed, key, (*shape, 2), what), -1, 0)
    return np.asarray(np.sqrt(-2 * np.log(1 - one)) * np.cos(2 * np.pi * two))


def _uniform(seed: int, key: int, shape: tuple[int, ...], what: str) -> Floats:
    """Return draws from [0, 1) with 32 bits."""
    number = int(np.prod(shape))
    halves = draws(seed, np.array([key], dtype=np.uint64), 2 * number, STREAM[what])[0].astype(np.float64)
    return np.asarray((halves[0::2] * 2**16 + halves[1::2]) / 2**32).reshape(shape)
