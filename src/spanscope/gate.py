"""Release gates: figures that must not fall below a floor."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from spanscope.errors import MeasureError, shown
from spanscope.result import Result

FORM = re.compile(
    r"(?:(?P<measure>[a-z]+\..+):)?(?:(?P<average>micro|macro|weighted|document)_)?(?P<rate>[A-Za-z0-9_.]+)"
    r"(?:\[(?P<label>.+)\])?"
)


@dataclass(frozen=True)
class Missed:
    """A gate that was not reached."""

    gate: str
    value: float
    bound: str  # as it was given
    word: str = "below"

    def __str__(self) -> str:
        value = "undefined" if math.isnan(self.value) else repr(self.value)  # every digit: the last may decide
        return f"{self.gate} is {value}, {self.word} {self.bound}"


def read_gate(gate: str) -> tuple[str, re.Match[str], float]:
    """Return the name of a gate, its parts and its floor."""
    name, _, floor = gate.rpartition("=")
    found = FORM.fullmatch(name)
    try:
        bound = float(floor)
    except ValueError:
        bound = float("nan")
    if found is None or math.isnan(bound):
        raise MeasureError(f"cannot read the gate {shown(gate)}", expected="a form such as micro_f1=0.75")
    return name, found, bound


def missed(result: Result, floors: Iterable[str] = (), ceilings: Iterable[str] = ()) -> list[Missed]:
    """Return the gates that the result does not pass; an undefined figure passes none.

    A gate reads `micro_f1=0.75`, `macro_recall=0.6`, `recall[PERSON]=0.9` (one label) or, for a measure that is
    not the headline, `spans.exact:micro_f1=0.6`. Floors are for rates that shall be high, ceilings for errors and
    distances: `segments.pk:document_pk=0.3`.
    """
    out = []
    for gates, floor in ((floors, True), (ceilings, False)):
        for gate in gates:
            name, found, bound = read_gate(gate)
            value = result.value(
                found["rate"], found["measure"], found["average"] or "micro", label=found["label"]
            )
            _check_direction(result, found, gate, floor=floor)
            if not (value >= bound if floor else value <= bound):
                out.append(Missed(name, value, gate.rpartition("=")[2], "below" if floor else "above"))
    return out


def _check_direction(result: Result, found: re.Match[str], gate: str, *, floor: bool) -> None:
    """Refuse a floor under an error rate: the better the run, the surer it would be missed."""
    measure = result.measures[result.index(found["measure"])]
    best = next(rate.best for rate in result.settings.rates(measure) if rate.name == found["rate"])
    if floor and best == 0.0:
        raise MeasureError(
            f"{found['rate']} is best at 0, so {shown(gate)} is no floor",
            hint=f"--fail-over {gate}   for a ceiling",
        )
