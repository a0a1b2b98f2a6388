"""The only division of counts and lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def ratio(numerator: ArrayLike, denominator: ArrayLike, *, empty: float = float("nan")) -> Any:
    """Return numerator / denominator elementwise; `empty` where the denominator is 0.

    >>> ratio([1, 0], [4, 0])
    array([0.25,  nan])
    """
    top = np.asarray(numerator, dtype=np.float64)
    bottom = np.asarray(denominator, dtype=np.float64)
    out = np.full(np.broadcast(top, bottom).shape, empty)
    return np.divide(top, bottom, out=out, where=bottom != 0)
