"""Student's t: quantiles for any number of degrees of freedom, without a library that takes long to load."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from spanscope.arithmetic import Floats

STEPS = 400  # of Simpson's rule: an error below 1e-9 from one degree of freedom on
TURNS = 40  # of Newton's method, which needs fewer than ten but for shares next to 1


def student_reach(level: float, degrees: Floats) -> Floats:
    """Return how many standard errors hold a share `level` of Student's t, for 1 degree of freedom or more.

    With t = sqrt(v) tan(a), the share between -t and t is the integral of cos(x)**(v - 1) from 0 to a, divided by
    that from 0 to pi / 2. It is concave in a: Newton's method comes from below, and never leaves the range.

    >>> student_reach(0.95, np.array([1.0, 10.0])).round(3)
    array([12.706,  2.228])
    """
    known, at = np.unique(degrees, return_inverse=True)
    return np.array([_reach(level, v) for v in known.tolist()])[at]  # one by one: others change no digit of it


@lru_cache(maxsize=100_000)
def _reach(level: float, degrees: float) -> float:
    whole = math.sqrt(math.pi) / 2 * math.exp(math.lgamma(degrees / 2) - math.lgamma((degrees + 1) / 2))
    angle = 0.0
    for _ in range(TURNS):
        step = (level * whole - _integral(angle, degrees)) * math.cos(angle) ** (1 - degrees)
        angle += step
        if abs(step) <= 1e-12:
            break
    return round(math.sqrt(degrees) * math.tan(angle), 9)  # what follows is the same on every machine


def _integral(angle: float, degrees: float) -> float:
    """Return the integral of cos(x)**(degrees - 1) from 0 to the angle, by Simpson's rule."""
    heights = np.cos(np.linspace(0, angle, STEPS + 1)) ** (degrees - 1)
    weighed = heights[0] + 4 * heights[1::2].sum() + 2 * heights[2:-1:2].sum() + heights[-1]
    return float(angle * weighed / (3 * STEPS))
