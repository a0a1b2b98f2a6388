"""The thresholds of a curve, as they are asked for."""

from __future__ import annotations

from typing import Any

from spanscope.errors import MeasureError, shown

MOST_STEPS = 10_001  # of a curve: from 0 to 1 by 0.0001; each is a row of the report


def steps(given: Any) -> Any:
    """Return the thresholds of a curve, sorted and checked: a tuple, "exact", or None where none are given."""
    if given is None or (isinstance(given, str) and given == "exact"):
        return given
    try:
        out = tuple(sorted({float(step) for step in given}))
    except (TypeError, ValueError, OverflowError):
        out = ()
    if not out or not all(0 <= step <= 1 for step in out):
        raise MeasureError(f"thresholds are {shown(given)}", expected="numbers from 0 to 1, or exact")
    if len(out) > MOST_STEPS:
        raise MeasureError(
            f"there are {len(out):,} thresholds, each of them a row of the report",
            expected=f"at most {MOST_STEPS:,}, or exact for every score at which a figure changes",
        )
    return out
