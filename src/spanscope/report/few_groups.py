"""What is said of groups that are too few for intervals, beside outputs that have no notes."""

from __future__ import annotations

from spanscope.report.tables import drawn_groups
from spanscope.results.agreement import Agreement
from spanscope.results.compared import Compared
from spanscope.results.leaderboard import Leaderboard
from spanscope.results.panel import Panel
from spanscope.results.resampled import FEW
from spanscope.results.result import Result
from spanscope.results.written import WrittenResult

Found = Result | WrittenResult | Panel | Compared | Leaderboard | Agreement


def few_groups(found: Found) -> str:
    """Say how few groups intervals and tests resample; nothing where there are enough, or none were asked for."""
    group, units = _drawn(found)
    return drawn_groups(group, units) if group is not None and units is not None and units < FEW else ""


def few_beside(found: Found) -> str:
    """Say the same in a few words behind the name of an interval, where there is no room for a sentence."""
    group, units = _drawn(found)
    return f" (of only {units} groups)" if group is not None and units is not None and units < FEW else ""


def _drawn(found: Found) -> tuple[str | None, int | None]:
    """Return by which field groups are resampled, and how many there are."""
    if isinstance(found, Agreement):
        own = found.settings
        return (own["group"], own["groups"]) if own["ci"] and "group" in own else (None, None)
    if isinstance(found, Compared | Leaderboard):
        return found.first.settings.group, found.first.counted.units
    if isinstance(found, WrittenResult):
        return found.settings.group, found.data.get("resampled", {}).get("number")
    result = next(iter(found.results.values()), None) if isinstance(found, Panel) else found
    if result is None or result.settings.ci is None or result.documents < 2 or result.settings.group is None:
        return None, None
    return result.settings.group, result.counted.units
