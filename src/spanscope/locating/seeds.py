"""Where in a text a quote may stand: stretches that share short runs of characters with it, the rarest first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import expand
from spanscope.locating.distances import WORK

GRAM = 3  # characters of a run
HITS = 4000  # shared runs that are looked at for a quote, and eight for each of its characters
MOST = 16  # stretches that are looked at for a quote
PRIME = np.int64(1_000_003)


def _grams(skeleton: str) -> Ints:
    codes = np.frombuffer(skeleton.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    if len(codes) < GRAM:
        return np.zeros(0, dtype=np.int64)
    return np.asarray((codes[:-2] * PRIME + codes[1:-1]) * PRIME + codes[2:])


class Window(NamedTuple):
    """A stretch of a skeleton, and how many edits away from the quote it is at least."""

    first: int
    last: int
    least: int


class Seeds:
    """The runs of a skeleton, sorted, so that those of a quote are found at once."""

    def __init__(self, skeleton: str) -> None:
        grams = _grams(skeleton)
        self.order = np.argsort(grams, kind="stable")
        self.sorted = grams[self.order]
        self.size = len(skeleton)

    def windows(self, quote: str, slack: int) -> list[Window]:
        """Return stretches of the skeleton that may hold the quote, those with most shared runs first."""
        grams = _grams(quote)
        if not len(grams) or not self.size:
            return [Window(0, self.size, 0)] if self.size <= 4 * (len(quote) + slack) else []
        first = np.searchsorted(self.sorted, grams, "left")
        count = np.searchsorted(self.sorted, grams, "right") - first
        rarest = np.argsort(count, kind="stable")
        within = np.cumsum(count[rarest]) <= max(HITS, 8 * len(quote))
        chosen = rarest[within | (np.arange(len(rarest)) == 0)]
        hits = self.order[expand(first[chosen], np.minimum(count[chosen], HITS))]
        WORK[0] += len(hits) + len(grams)
        if not len(hits):
            return []
        diagonals = hits - np.repeat(chosen, np.minimum(count[chosen], HITS))
        return self._best(diagonals, len(quote), slack, len(chosen))

    def _best(self, diagonals: Ints, size: int, slack: int, runs: int) -> list[Window]:
        """Return the stretches around the diagonals that most hits share."""
        diagonals = np.sort(diagonals)
        reach = np.searchsorted(diagonals, diagonals + slack, "right")
        shared = reach - np.arange(len(diagonals))
        out: list[Window] = []
        while len(out) < MOST:
            row = int(shared.argmax())
            if (best := int(shared[row])) < 1:
                break
            low, high = int(diagonals[row]), int(diagonals[reach[row] - 1])
            first, last = max(low - slack, 0), min(high + size + slack, self.size)
            out.append(Window(first, last, max(0, -((best - runs) // GRAM))))
            around = np.searchsorted(diagonals, [low - slack, high + slack // 2], "left")
            shared[around[0] : around[1] + 1] = 0
            if out[-1].least > out[0].least + size // 4 + 1:
                break
        return out
