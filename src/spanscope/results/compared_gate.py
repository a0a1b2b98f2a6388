"""Release gates of comparisons: the headline of a run must not be worse than the baseline's, or must be better."""

from __future__ import annotations

import math

from spanscope.data.wording import rounded_apart
from spanscope.errors import MeasureError, shown
from spanscope.results.compared import Compared, Difference, direction
from spanscope.results.gate_form import CheckedGate


def check_not_worse(compared: Compared, margin: float) -> list[CheckedGate]:
    """Return for every run whether its headline is no worse than the baseline's, but for a margin."""
    if not (math.isfinite(margin) and margin >= 0):
        raise MeasureError(f"the margin is {shown(margin)}", expected="a difference of the headline: 0 or more")
    rate = compared.headline.rate
    if rate.trials is not None and margin > 1:
        raise MeasureError(
            f"{rate.name} is at most 1, so no run can be worse by more than {margin:g}",
            expected="a margin from 0 to 1, such as 0.01",
        )
    best = rate.best
    allowed = f" by more than {margin:g}" if margin else ""
    out = []
    for row in _headlines(compared):
        behind = abs(row.value - best) - abs(row.base - best)
        lost = direction(row.base, row.value, best) == "worse" and behind > margin
        out.append(_check(row, compared, "worse than", allowed, passed=not lost, wanted=False, margin=margin))
    return out


def check_better(compared: Compared) -> list[CheckedGate]:
    """Return for every run whether its adjusted p-value shows it to be better than the baseline."""
    return [
        _check(
            row,
            compared,
            "shown to be better than",
            f" ({row.reading})",
            passed=row.reading == "better",
            wanted=True,
        )
        for row in _headlines(compared)
    ]


def _check(
    row: Difference,
    compared: Compared,
    relation: str,
    detail: str,
    *,
    passed: bool,
    wanted: bool,
    margin: float = 0.0,
) -> CheckedGate:
    """Return a gate on how a run stands to the baseline; `wanted` tells whether it shall stand so."""
    base, aim = compared.names[0], relation if wanted else f"not {relation}"
    found = relation if wanted == passed else f"not {relation}"
    gate, about = f"{row.rate} of {row.run}", "" if wanted else detail
    value, beside = rounded_apart(row.value, row.base, margin)
    words = f"{gate} is {value!r}, which is {found} {beside!r} of {base}{detail}"
    return CheckedGate(gate, f"{aim} {base}{about}", row.value, passed, words)


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
