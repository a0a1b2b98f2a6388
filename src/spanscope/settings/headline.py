"""Which figure leads: one measure, one of its rates, one average, the same in every view of a result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanscope.families import family_of
from spanscope.measures.registry import Measure
from spanscope.rates import Rate


@dataclass(frozen=True)
class Headline:
    """The figure that leads: what tables mark, `value()` returns, the signature names and gates test."""

    measure: Measure
    rate: Rate
    average: str

    @property
    def sums_up(self) -> bool:
        """Tell whether the rate is an F, which sums up the measure's other rates."""
        return self.rate.name[:1] == "f" and self.rate.name[1:].replace(".", "", 1).isdigit()

    def plain(self) -> dict[str, str]:
        """Return it as it goes into JSON."""
        return {"measure": str(self.measure), "rate": self.rate.name, "average": self.average}


def headline_of(measure: Measure, rates: Sequence[Rate], beta: float, declared: str | None) -> Headline:
    """Return the figure of a measure that leads.

    The rate is the one that the protocol declares, else F with the beta that was asked for, else F1, else the
    measure's first; the average is the one that the measure's family declares.
    """
    by_name = {rate.name: rate for rate in rates}
    wanted = (declared, f"f{beta:g}", "f1")
    rate = next((by_name[name] for name in wanted if name in by_name), rates[0])
    return Headline(measure, rate, family_of(measure.family).average)
