"""Intervals of shares in plain Python, one figure at a time, as docs/statistics.md tells them."""

from __future__ import annotations

import math
from collections.abc import Sequence


def student(t: float, degrees: int) -> float:
    """Return the share of Student's t between -t and t: Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    angle = math.atan(t / math.sqrt(degrees))
    cosine, term, total = math.cos(angle), 1.0, 0.0
    odd = degrees % 2
    for at in range(1 + odd, degrees, 2):
        total += term * cosine ** (at - 1)
        term *= at / (at + 1)
    if odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def inside(p: float, v: float, trials: float, reach: float) -> bool:
    """Tell whether a share p may be true where v was seen: what Wilson's interval holds."""
    return abs(v - p) <= reach * math.sqrt(p * (1 - p) / trials)


def effect(v: float, trials: float, error: float, assumed: float, weight: float) -> float:
    """Return the design effect of a share, mixed with an assumed one."""
    rarer = trials * min(v, 1 - v)
    own = trials * error**2 / (v * (1 - v)) if 0 < v < 1 else 0.0
    return (rarer * own + weight * assumed) / (rarer + weight)


def pooled(v: float, trials: float, error: float, cells: int) -> tuple[float, float]:
    """Return the independent trials of a micro average, and the design effect that labels are mixed with."""
    own = trials * error**2 / (v * (1 - v)) if 0 < v < 1 else 0.0
    assumed = max(1.0, own, trials / (10 * cells))
    return trials / effect(v, trials, error, assumed, 4), max(1.0, own)


def of_label(v: float, trials: float, error: float, cells: int, all_labels: float) -> float:
    """Return the independent trials of a label; `all_labels` is the effect of the micro average."""
    return trials / effect(v, trials, error, max(all_labels, trials / (10 * cells)), 4)


def of_documents(v: float, documents: int, error: float) -> float:
    """Return how many documents with values 0 and 1 a mean over documents is worth."""
    return documents / effect(v, documents, error, 1.0, 0.1)


def of_macro(labels: Sequence[tuple[float, float, float]], error: float) -> float:
    """Return the independent trials of a macro average, from the (value, trials, error) of every label."""
    near = [(v * n + 0.03) / (n + 0.06) for v, n, _ in labels]
    missed = [max(0.0, p * (1 - p) / n - e**2) for p, (_, n, e) in zip(near, labels, strict=True)]
    mean = sum(near) / len(near)
    return mean * (1 - mean) / (error**2 + sum(missed) / len(labels) ** 2)


def trials_of_f1(tp: float, pred: float, gold: float) -> float:
    """Return the trials of F1: S = (gold + predicted) / 2 of them near 0, 2 S near 1."""
    half = (gold + pred) / 2
    return 2 * half / (2 - tp / half)
