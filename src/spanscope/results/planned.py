"""A plan: how many documents it takes to see a difference, and what that rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from spanscope.results.rendering import Rendered
from spanscope.stats.power import Plan, smallest_difference


@dataclass(frozen=True)
class Planned(Rendered):
    """How many documents it takes to see a difference, and what that rests on."""

    measure: str
    rate: str
    average: str
    label: str | None
    detect: float
    expect: float | None
    power: float
    found: Plan
    problems: Mapping[str, int] = field(default_factory=dict)  # data problems of the pilot, by kind
    group: str | None = None  # what documents of the pilot are drawn together by
    units: int | None = None  # how many groups, or documents, are drawn; None: so many that cells are

    @property
    def smallest(self) -> float:
        """Return the smallest difference that as many documents as the pilot has would show."""
        return smallest_difference(self.found.difference_error, power=self.power)

    def __str__(self) -> str:
        from spanscope.report.tables.plan import sentences

        return sentences(self)
