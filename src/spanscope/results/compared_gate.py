"""Release gates of comparisons: the headline of a run must not be worse than the baseline's, or must be better."""

from __future__ import annotations

import math

from spanscope.errors import MeasureError, shown
from spanscope.results.compared import Compared, Difference, direction


def lost_runs(compared: Compared, margin: float) -> list[str]:
    """Return a sentence for every run whose headline is worse than the baseline's by more than a margin."""
    if not (math.isfinite(margin) and margin >= 0):
        raise MeasureError(f"the margin is {shown(margin)}", expected="a difference of the headline: 0 or more")
    best = compared.headline.rate.best
    out = []
    for row in _headlines(compared):
        behind = abs(row.value - best) - abs(row.base - best)
        if direction(row.base, row.value, best) == "worse" and behind > margin:
            allowed = f" by more than {margin:g}" if margin else ""
            out.append(f"{_said(row)} is worse than {row.base!r} of {compared.names[0]}{allowed}")
    return out


def unproven_runs(compared: Compared) -> list[str]:
    """Return a sentence for every run whose adjusted p-value does not show it to be better than the baseline."""
    return [
        f"{_said(row)} is not shown to be better than {row.base!r} of {compared.names[0]} ({row.reading})"
        for row in _headlines(compared)
        if row.reading != "better"
    ]


def _headlines(compared: Compared) -> list[Difference]:
    """Return the headline of every run beside the baseline's; an undefined one is refused."""
    rows = [compared.value(run=name) for name in compared.names[1:]]
    rate = compared.headline.rate
    if math.isnan(rate.best):
        raise MeasureError(f"{rate.name} has no best value, so no run is better", expected="another first measure")
    for row in rows:
        if math.isnan(row.value) or math.isnan(row.base):
            raise MeasureError(
                f"{rate.name} of {row.run} is undefined", expected="a gate on a figure that is defined"
            )
    return rows


def _said(row: Difference) -> str:
    return f"{row.rate} of {row.run} is {row.value!r}, which"
