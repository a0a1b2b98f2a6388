"""How many documents it takes to see a difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from spanscope.arguments import number, of_type
from spanscope.commands.runs import of_file, of_result
from spanscope.commands.systems import check_systems, how_of_all
from spanscope.errors import MeasureError, shown
from spanscope.io.results import read_result
from spanscope.rates import Rate
from spanscope.results.planned import Planned
from spanscope.results.result import Result
from spanscope.results.runs import Run
from spanscope.settings.run_settings import Settings
from spanscope.stats.power import plan as of_pilots

ASSUMED = 0.5  # the correlation between two runs from document to document


def plan(
    result: Any,
    other: Any = None,
    *,
    detect: float,
    expect: float | None = None,
    rate: str | None = None,
    average: str | None = None,
    label: str | None = None,
    measure: str | None = None,
    correlation: float | None = None,
    power: float = 0.8,
) -> Planned:
    """Return how many documents it would take to see a difference of `detect`, from a pilot.

    result is a Result, or the path of one that kept its counts (eval --keep), and so is other: of two runs on the
    same documents the error of their own difference is taken, where of one run a correlation between two is
    assumed, 0.5 unless given. power.plan has the formulas. Measure, rate and average are those of the headline
    unless they are named.
    """
    detect, power = map(number, ("detect", "power"), (detect, power))
    expect, correlation = expect if expect is None else number("expect", expect), _correlation(other, correlation)
    _check_names(rate=rate, average=average, label=label, measure=measure)
    if label is not None and average not in (None, "micro"):
        raise MeasureError(f"average={average} is over all labels", expected="a label, or an average")
    runs = _pilots(result, other)
    settings, at = runs[0].settings, 0 if measure is None else _index(runs[0].settings, measure)
    lead = settings.lead(chosen := settings.measures[at])
    wanted, average = rate or lead.rate.name, average or lead.average
    _refuse_impossible(detect, [one for one in settings.rates(chosen) if one.name == wanted])
    how = how_of_all(runs, at)
    cells = [one.counted.cells(at, how) for one in runs]
    found = of_pilots(
        cells[0],
        len(runs[0].documents),
        *how,
        rate=wanted,
        other=None if other is None else cells[1],
        detect=detect,
        expect=expect,
        average="label" if label is not None else average,
        label=label,
        correlation=correlation,
        power=power,
    )
    rests = _problems(runs), settings.group, runs[0].counted.units
    return Planned(chosen.short, wanted, average, label, detect, expect, power, found, *rests)


def _correlation(other: Any, given: float | None) -> float:
    """Return the correlation that is assumed; two runs have their own."""
    if other is not None and given is not None:
        raise MeasureError("two runs have a correlation of their own", expected="no correlation with them")
    return ASSUMED if given is None else number("correlation", given)


def _problems(runs: Sequence[Run]) -> dict[str, int]:
    return dict(sum((Counter(one.problems) for one in runs), Counter()))


def _refuse_impossible(detect: float, rates: Sequence[Rate]) -> None:
    """Refuse a difference that figures between 0 and 1 cannot have."""
    if abs(detect) >= 1 and all(one.best in (0.0, 1.0) for one in rates):
        raise MeasureError(f"a difference of {detect:g} is impossible", expected="less than 1, such as 0.02")


def _pilots(*results: Any) -> list[Run]:
    """Return one run or two, which must be of the same documents and scored alike."""
    given = [one for one in results if one is not None]
    runs = [of_result(one) if isinstance(one, Result) else of_file(*read_result(one)) for one in given]
    if len(runs) > 1:
        check_systems({"the first run": runs[:1], "the second run": runs[1:]})
    return runs


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
