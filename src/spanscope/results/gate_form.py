"""How gates are written, and what is said of those that are missed."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from spanscope.errors import MeasureError, shown

FORM = re.compile(
    r"(?:(?P<measure>[a-z]+\..+):)?(?:(?P<average>micro|macro|weighted|document)_)?(?P<rate>[A-Za-z0-9_.]+)"
    r"(?:\[(?P<label>.+)\])?"
)


@dataclass(frozen=True)
class MissedGate:
    """A gate that was not reached."""

    gate: str
    value: float
    bound: str  # as it was given
    word: str = "below"

    def __str__(self) -> str:
        return f"{self.gate} is {self.value!r}, {self.word} {self.bound}"  # every digit: the last may decide


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
