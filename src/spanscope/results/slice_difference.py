"""A slice under two runs, and the order in which such slices are read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from spanscope.jsonable import JsonObject, finite_values
from spanscope.stats.slices import FEWEST

if TYPE_CHECKING:
    from spanscope.results.compared import Verdict


@dataclass(frozen=True)
class SliceDifference:
    """The headline of a run in a slice beside that of the first run."""

    by: str
    name: str
    run: str
    documents: int
    units: int  # documents or groups that are drawn, or cells of them
    base_rates: Mapping[str, float]
    rates: Mapping[str, float]
    base: float
    value: float
    low: float
    high: float
    p: float
    adjusted: float  # p, for being one of several slices and runs
    reading: Verdict

    @property
    def difference(self) -> float:
        """Return how much higher the figure of the run is."""
        return self.value - self.base

    def record(self) -> JsonObject:
        """Return the slice as it goes into JSON: undefined numbers become None."""
        own = finite_values({**asdict(self), "difference": self.difference})
        return {**own, "base_rates": finite_values(self.base_rates), "rates": finite_values(self.rates)}


def worst_first(found: Iterable[SliceDifference], best: float) -> list[SliceDifference]:
    """Return the slices in which a run lost most first, those too small for a test last.

    What is lost is how much farther from its best value the figure is; without a best value the largest
    differences come first.
    """

    def gained(one: SliceDifference) -> float:
        if math.isnan(best):
            return -abs(one.difference)
        return abs(one.base - best) - abs(one.value - best)

    def key(one: SliceDifference) -> tuple[bool, bool, float]:
        undefined = math.isnan(one.difference)
        return one.units < FEWEST, undefined, 0.0 if undefined else gained(one)

    return sorted(found, key=key)
