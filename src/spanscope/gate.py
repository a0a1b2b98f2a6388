"""Release gates: figures that must not fall below a floor."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from spanscope.errors import MeasureError, shown
from spanscope.result import Result

FORM = re.compile(
    r"(?:(?P<measure>[a-z]+\..+):)?(?:(?P<average>micro|macro|weighted|document)_)?(?P<rate>[a-z0-9.]+)"
    r"(?:\[(?P<label>.+)\])?"
)


@dataclass(frozen=True)
class Missed:
    """A gate that was not reached."""

    gate: str
    value: float
    floor: str  # as it was given

    def __str__(self) -> str:
        value = "undefined" if math.isnan(self.value) else repr(self.value)  # every digit: the last may decide
        return f"{self.gate} is {value}, below {self.floor}"


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


def missed(result: Result, gates: Iterable[str]) -> list[Missed]:
    """Return the gates that the result does not reach; an undefined figure reaches none.

    A gate reads `micro_f1=0.75`, `macro_recall=0.6`, `recall[PERSON]=0.9` (one label) or, for a measure that is
    not the headline, `spans.exact:micro_f1=0.6`.
    """
    out = []
    for gate in gates:
        name, found, bound = read_gate(gate)
        value = result.value(found["rate"], found["measure"], found["average"] or "micro", label=found["label"])
        if not value >= bound:
            out.append(Missed(name, value, gate.rpartition("=")[2]))
    return out
