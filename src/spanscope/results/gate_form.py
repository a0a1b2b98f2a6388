"""How gates are written, and what is said of them once they were checked."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from spanscope.data.wording import rounded_apart
from spanscope.errors import MeasureError, shown

FORM = re.compile(
    r"(?:(?P<measure>[a-z]+\..+):)?(?:(?P<average>micro|macro|weighted|document)_)?(?P<rate>[A-Za-z0-9_.]+)"
    r"(?:\[(?P<label>.+)\])?"
)


@dataclass(frozen=True)
class CheckedGate:
    """A gate, and whether it was passed."""

    gate: str  # the figure
    aim: str  # what was asked of it
    value: float
    passed: bool
    words: str  # what was found

    def __str__(self) -> str:
        return self.words


def check_bound(gate: str, value: float, given: str, *, floor: bool) -> CheckedGate:
    """Return a floor or a ceiling, `gate=bound` as it was given, checked with a value that is defined."""
    bound = given.rpartition("=")[2]
    passed = value >= float(bound) if floor else value <= float(bound)
    aim = f"at least {bound}" if floor else f"at most {bound}"
    word = aim if passed else f"below {bound}" if floor else f"above {bound}"
    said = value if value == float(bound) else rounded_apart(value, float(bound))[0]  # the bound stays as given
    return CheckedGate(gate, aim, value, passed, f"{gate} is {said!r}, {word}")


def read_gate(gate: str) -> tuple[str, re.Match[str], float]:
    """Return the name of a gate, its parts and its floor."""
    name, _, floor = gate.rpartition("=")
    found = FORM.fullmatch(name)
    try:
        bound = float(floor)
    except ValueError:
        bound = float("nan")
    if found is None or not math.isfinite(bound):
        raise MeasureError(f"cannot read the gate {shown(gate)}", expected="a form such as micro_f1=0.75")
    return name, found, bound
