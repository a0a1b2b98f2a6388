"""Release gates: figures that must not fall below a floor."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from spanscope.data.problems import KINDS
from spanscope.errors import MeasureError, shown
from spanscope.measures.registry import Measure
from spanscope.rates import Rate
from spanscope.results.compared import Compared, Difference, direction
from spanscope.results.result import Result

# Problems that may explain why a figure is undefined: first a label that nothing has, the likeliest slip.
EMPTYING = [name for name in reversed([*KINDS]) if KINDS[name].empties]

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


def missed_gates(result: Result, floors: Iterable[str] = (), ceilings: Iterable[str] = ()) -> list[MissedGate]:
    """Return the gates that the result does not pass; a gate on a figure that does not exist is refused.

    A gate reads `f1=0.75` (in the average of the headline), `macro_recall=0.6`, `recall[PERSON]=0.9` (one label)
    or, for a measure that is not the headline's, `spans.exact:micro_f1=0.6`. Floors are for rates that shall be
    high, ceilings for errors and distances: `segments.pk:pk=0.3`.
    """
    out = []
    for gates, floor in ((floors, True), (ceilings, False)):
        for gate in gates:
            name, found, bound = read_gate(gate)
            value = result.value(found["rate"], found["measure"], found["average"], label=found["label"])
            measure = result.measures[result.index(found["measure"])]
            rate = next(rate for rate in result.settings.rates(measure) if rate.name == found["rate"])
            _check_direction(rate, gate, bound, floor=floor)
            _check_defined(result, measure, rate, name, found["label"], value)
            if not (value >= bound if floor else value <= bound):
                out.append(MissedGate(name, value, gate.rpartition("=")[2], "below" if floor else "above"))
    return out


def lost_runs(compared: Compared, margin: float) -> list[str]:
    """Return a sentence for every run whose headline is worse than the baseline's by more than a margin."""
    if not (math.isfinite(margin) and margin >= 0):
        raise MeasureError(f"the margin is {shown(margin)}", expected="a difference of the headline: 0 or more")
    best = compared.headline.rate.best
    out = []
    for row in _headlines(compared):
        behind = abs(row.value - best) - abs(row.base - best)
        if direction(row.base, row.value, best) == "worse" and behind > margin:
            allowed = f" by more than {margin:g}" if margin else ""
            out.append(f"{_said(row)} is worse than {row.base!r} of {compared.names[0]}{allowed}")
    return out


def unproven_runs(compared: Compared) -> list[str]:
    """Return a sentence for every run that is not shown to be better than the baseline, by its adjusted p-value."""
    return [
        f"{_said(row)} is not shown to be better than {row.base!r} of {compared.names[0]} ({row.reading})"
        for row in _headlines(compared)
        if row.reading != "better"
    ]


def _headlines(compared: Compared) -> list[Difference]:
    """Return the headline of every run beside the baseline's; an undefined one is refused."""
    rows = [compared.value(run=name) for name in compared.names[1:]]
    rate = compared.headline.rate
    if math.isnan(rate.best):
        raise MeasureError(f"{rate.name} has no best value, so no run is better", expected="another first measure")
    for row in rows:
        if math.isnan(row.value) or math.isnan(row.base):
            raise MeasureError(
                f"{rate.name} of {row.run} is undefined", expected="a gate on a figure that is defined"
            )
    return rows


def _said(row: Difference) -> str:
    return f"{row.rate} of {row.run} is {row.value!r}, which"


def _check_direction(rate: Rate, gate: str, bound: float, *, floor: bool) -> None:
    """Refuse a floor under an error rate and a ceiling over a rate of success: the better a run, the worse.

    And a floor that no run can reach, such as a percentage.
    """
    if floor and rate.best == 1.0 < bound:
        raise MeasureError(
            f"{rate.name} is at most 1, so {shown(gate)} can never be reached",
            expected="a floor from 0 to 1, such as 0.75",
        )
    if rate.best == (0.0 if floor else 1.0):
        wrong, right = ("floor", "--fail-over") if floor else ("ceiling", "--fail-under")
        raise MeasureError(
            f"{rate.name} is best at {rate.best:g}, so {shown(gate)} is no {wrong}",
            hint=f"{right} {gate}   for a {'ceiling' if floor else 'floor'}",
        )


def _check_defined(
    result: Result, measure: Measure, rate: Rate, name: str, label: str | None, value: float
) -> None:
    """Refuse a figure that is undefined, or that stands for no span at all, such as that of a misspelt label.

    A mean over documents takes a document with nothing on both sides as perfect. Where no document has anything,
    or nothing that the rate could be read from, such a mean says nothing about the predictions.
    """
    counted = result.totals(measure) if label is None else result.counts(measure)[label]
    sums = {column: np.array([float(n)]) for column, n in counted.items()}
    whole = float(rate(sums)[0])
    nothing = bool(measure.definition.rate_set.empty(sums)[0]) and whole != rate.best
    if not (nothing or math.isnan(value) or (math.isnan(whole) and math.isnan(result.settings.policy.undefined))):
        return
    why = ["neither side has anything to count"] if nothing else []
    why += [text for kind in EMPTYING for text in result.problems.first.get(kind, [])[:1]]
    raise MeasureError(
        f"{name} is undefined{': ' * bool(why)}{'; '.join(why)}",
        expected="a gate on a figure that is defined",
        hint="another label, rate or average, or the documents and labels that were meant",
    )
