"""Where in a text a quote may stand: stretches that share short runs of characters with it, the rarest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import expand
from spanscope.locating.distances import WORK

GRAM = 3  # characters of a run
HITS = 4000  # shared runs that are looked at for a quote, and eight for each of its characters
MOST_STRETCHES = 16  # stretches that are looked at for a quote
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

    def windows(self, quote: str, slack: int) -> Iterator[Window]:
        """Yield stretches of the skeleton that may hold the quote, those with most shared runs first."""
        grams = _grams(quote)
        if not len(grams) or not self.size:
            if self.size <= 4 * (len(quote) + slack):
                yield Window(0, self.size, 0)
            return
        first = self.sorted.searchsorted(grams)
        count = self.sorted.searchsorted(grams, "right") - first
        chosen = np.arange(len(grams))
        if count.sum() > HITS:
            rarest = count.argsort(kind="stable")
            within = count[rarest].cumsum() <= max(HITS, 8 * len(quote))
            chosen = rarest[within | (chosen == 0)]
            first, count = first[chosen], np.minimum(count[chosen], HITS)
        hits = self.order[expand(first, count)]
        WORK[0] += len(hits) + len(grams)
        if len(hits):
            yield from self._best(hits - chosen.repeat(count), len(quote), slack, len(chosen))

    def _best(self, diagonals: Ints, size: int, slack: int, runs: int) -> Iterator[Window]:
        """Yield the stretches around the diagonals that most hits share; each costs a look at all of them."""
        diagonals.sort()
        reach = diagonals.searchsorted(diagonals + slack, "right")
        shared = reach - np.arange(len(diagonals))
        fewest: int | None = None
        for _ in range(MOST_STRETCHES):
            row = int(shared.argmax())
            if (best := int(shared[row])) < 1:
                break
            low, high = int(diagonals[row]), int(diagonals[reach[row] - 1])
            least = max(0, -((best - runs) // GRAM))
            yield Window(max(low - slack, 0), min(high + size + slack, self.size), least)
            fewest = least if fewest is None else fewest
            if least > fewest + size // 4 + 1:
                break
            before, behind = diagonals.searchsorted((low - slack, high + slack // 2))
            shared[before : behind + 1] = 0
