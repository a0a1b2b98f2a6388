"""Gates on shares of placed quotes: `grounded=0.95` as a floor, `not_found[ORG]=0.02` as a ceiling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.results.gate_form import CheckedGate, check_bound, read_gate
from spanscope.results.located import HIGH, SHARES, Located


class Gate(NamedTuple):
    """A bound of a share."""

    name: str
    share: str
    label: str | None
    given: str
    floor: bool


def read_gates(floors: Sequence[str], ceilings: Sequence[str]) -> list[Gate]:
    """Return the gates that were asked for; those that make no sense are refused before the work."""
    return [_gate(one, floor=True) for one in floors] + [_gate(one, floor=False) for one in ceilings]


def _gate(text: str, *, floor: bool) -> Gate:
    name, found, bound = read_gate(text)
    share = found["rate"]
    if share not in SHARES or found["measure"] or found["average"]:
        known = did_you_mean(share, SHARES)
        raise MeasureError(f"no share is called {shown(share)}{known}", expected=", ".join(SHARES))
    if floor != (share in HIGH) or not 0 <= bound <= 1:
        right = "--fail-under" if share in HIGH else "--fail-over"
        raise MeasureError(f"{shown(text)} is not a gate of this kind", expected=f"{right} {share}=, from 0 to 1")
    return Gate(name, share, found["label"], text, floor)


def missed_gates(located: Located, gates: Sequence[Gate]) -> list[CheckedGate]:
    """Return the gates that were missed."""
    return [one for one in checked_gates(located, gates) if not one.passed]


def checked_gates(located: Located, gates: Sequence[Gate]) -> list[CheckedGate]:
    """Return every gate with the share that was found."""
    out = []
    for gate in gates:
        value = located.share(gate.share, gate.label).value
        if math.isnan(value):
            raise MeasureError(f"{gate.name} is undefined: there are no items", expected="outputs with items")
        out.append(check_bound(gate.name, value, gate.given, floor=gate.floor))
    return out
