"""Which figure leads, the same in every view of a result; which measure the curve and the errors are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spanscope.families import family_of
from spanscope.measures.registry import Measure
from spanscope.rates import COUNTED, Rate


class Headline(NamedTuple):
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


def explained_of(measures: Sequence[Measure]) -> int:
    """Return which measure the errors are about: the first that matches and counts spans."""
    kinds = [measure.definition for measure in measures]
    found = [i for i, kind in enumerate(kinds) if kind.explains or (kind.rate_set is COUNTED and kind.matches)]
    counted = [i for i, kind in enumerate(kinds) if kind.rate_set is COUNTED]
    return (found or counted or [0])[0]


def curved_of(measures: Sequence[Measure]) -> int:
    """Return which measure the curve is about: the one explained, else the first that has a threshold."""
    explained = explained_of(measures)
    steps = [i for i, one in enumerate(measures) if one.threshold is not None]
    counted = [i for i in steps if measures[i].definition.rate_set is COUNTED]
    return explained if explained in steps or not counted else counted[0]


def beside_of(measure: Measure, measures: Sequence[Measure]) -> Measure | None:
    """Return the measure whose figures of labels stand beside another's: relaxed beside exact, else exact."""
    wanted = "spans.relaxed" if measure.name == "spans.exact" else "spans.exact"
    return next((one for one in measures if one.name == wanted), None)
