"""How long methods took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Runtime:
    """How long a method took for a document: mean, median and 95th percentile, in seconds."""

    documents: int
    mean: float
    p50: float
    p95: float


def runtime(seconds: Sequence[float]) -> Runtime:
    """Sum up how long a method took, a document each."""
    p50, p95 = (float(value) for value in np.percentile(seconds, [50, 95]))
    return Runtime(len(seconds), float(np.mean(seconds)), p50, p95)
