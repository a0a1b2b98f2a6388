"""How many documents it takes to see a difference."""

from __future__ import annotations

from typing import Any

from spanscope.arguments import number, of_type
from spanscope.commands.runs import of_file, of_result
from spanscope.errors import MeasureError, shown
from spanscope.io.results import read_result
from spanscope.results.planned import Planned
from spanscope.results.result import Result
from spanscope.settings.settle import Settings
from spanscope.stats import significance


def plan(
    result: Any,
    *,
    detect: float,
    expect: float | None = None,
    rate: str | None = None,
    average: str | None = None,
    label: str | None = None,
    measure: str | None = None,
    correlation: float = 0.5,
    power: float = 0.8,
) -> Planned:
    """Return how many documents it would take to see a difference of `detect`, from a pilot.

    result is a Result, or the path of one that kept its counts (eval --keep); significance.plan has the formula.
    Measure, rate and average are those of the headline unless they are named.
    """
    detect, correlation, power = map(number, ("detect", "correlation", "power"), (detect, correlation, power))
    expect = None if expect is None else number("expect", expect)
    _check_names(rate=rate, average=average, label=label, measure=measure)
    if label is not None and average not in (None, "micro"):
        raise MeasureError(f"average={average} is over all labels", expected="a label, or an average")
    run = of_result(result) if isinstance(result, Result) else of_file(*read_result(result))
    settings, at = run.settings, 0 if measure is None else _index(run.settings, measure)
    chosen = settings.measures[at]
    rates = settings.rates(chosen)
    lead = settings.lead(chosen)
    wanted, average = rate or lead.rate.name, average or lead.average
    if abs(detect) >= 1 and all(one.best in (0.0, 1.0) for one in rates if one.name == wanted):
        raise MeasureError(f"a difference of {detect:g} is impossible", expected="less than 1, such as 0.02")
    found = significance.plan(
        run.counted.cells(at, settings.how(chosen)),
        len(run.documents),
        *settings.how(chosen),
        rate=wanted,
        detect=detect,
        expect=expect,
        average="label" if label is not None else average,
        label=label,
        correlation=correlation,
        power=power,
    )
    return Planned(chosen.short, wanted, average, label, detect, expect, power, found, run.problems)


def _check_names(**given: Any) -> None:
    for name, value in given.items():
        of_type(name, value, str, "a name")


def _index(settings: Settings, measure: str) -> int:
    known = [{str(one), one.short, one.name} for one in settings.measures]
    found = next((at for at, names in enumerate(known) if measure in names), None)
    if found is None:
        names = ", ".join(one.short for one in settings.measures)
        raise MeasureError(f"{shown(measure)} was not run", expected=names)
    return found
