"""Student's t: quantiles for any number of degrees of freedom, without a library that takes long to load."""

from __future__ import annotations

import math

import numpy as np

from spanscope.arithmetic import Floats, ratio

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
    half = [math.lgamma(v / 2) - math.lgamma((v + 1) / 2) for v in known.tolist()]
    wanted = level * np.exp(half) * math.sqrt(math.pi) / 2
    angle = np.zeros(len(known))
    for _ in range(TURNS):
        short = wanted - _integral(angle, known)
        step = short * np.cos(angle) ** (1 - known)
        angle += step
        if (np.abs(step) <= 1e-12).all():
            break
    return np.asarray((np.sqrt(known) * np.tan(angle))[at])


def _integral(angle: Floats, degrees: Floats) -> Floats:
    """Return the integral of cos(x)**(degrees - 1) from 0 to the angle, by Simpson's rule."""
    weights = np.full(STEPS + 1, 2.0)
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    places = angle[:, None] * np.linspace(0, 1, STEPS + 1)
    heights = np.cos(places) ** (degrees[:, None] - 1)
    return np.asarray(angle * ratio(heights @ weights, 3 * STEPS))
