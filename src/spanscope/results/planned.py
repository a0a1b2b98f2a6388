"""A plan: how many documents it takes to see a difference, and what that rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from spanscope.stats.significance import Plan, smallest_difference


@dataclass(frozen=True)
class Planned:
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

    @property
    def smallest(self) -> float:
        """Return the smallest difference that as many documents as the pilot has would show."""
        return smallest_difference(self.found.difference_error, power=self.power)

    def table(self, format: str = "table", **options: Any) -> str:
        """Return the plan as text: table, markdown, latex, csv or json."""
        from spanscope.report import render

        return render(self, format, **options)

    def _repr_html_(self) -> str:
        from spanscope.report import render_html

        return render_html(self)

    def __str__(self) -> str:
        from spanscope.report.tables.plan import sentences

        return sentences(self)
