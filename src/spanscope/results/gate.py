"""Release gates: figures that must not fall below a floor."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from spanscope.data.problem_kinds import KINDS
from spanscope.errors import MeasureError, shown
from spanscope.measures.registry import Measure, parse
from spanscope.rates import Rate
from spanscope.results.agreement import Agreement
from spanscope.results.gate_form import CheckedGate, check_bound, read_gate
from spanscope.results.gated_figures import OF_SCORES, Figure, of_scores, of_slices, slices_meant
from spanscope.results.panel import Panel
from spanscope.results.result import Result

# Problems that may explain why a figure is undefined: first a label that nothing has, the likeliest slip.
EMPTYING = [name for name in reversed([*KINDS]) if KINDS[name].empties]

QUOTES = ("grounded", "normalised", "fuzzy", "surplus", "not_found", "ambiguous")  # shares of placed quotes


def missed_gates(
    found: Result | Panel | Agreement, floors: Iterable[str] = (), ceilings: Iterable[str] = ()
) -> list[CheckedGate]:
    """Return the gates that a result does not pass, as `checked_gates` finds them."""
    return [one for one in checked_gates(found, floors, ceilings) if not one.passed]


def checked_gates(
    found: Result | Panel | Agreement, floors: Iterable[str] = (), ceilings: Iterable[str] = ()
) -> list[CheckedGate]:
    """Return every gate with what was found; a gate on a figure that does not exist is refused.

    A gate reads `f1=0.75` (in the average of the headline), `macro_recall=0.6`, `recall[PERSON]=0.9` (one label)
    or, for a measure that is not the headline's, `spans.exact:micro_f1=0.6`. Floors are for rates that shall be
    high, ceilings for errors and distances: `segments.pk:pk=0.3`. Of several segmentations every one has to pass,
    against gold. Where predictions have scores, `average_precision=0.8` is a floor and `calibration_error=0.05` a
    ceiling; where slices were asked for, `f1[source=news]=0.7` is of one, and `f1[source=*]=0.7` of all of them
    that are in 6 documents or more.
    """
    out = []
    for gates, floor in ((floors, True), (ceilings, False)):
        for gate in gates:
            name, asked, bound = read_gate(gate)
            if asked["rate"] in QUOTES and not asked["measure"]:
                out += _checked_share(found, gate, floor=floor)
                continue
            for one in _figures(found, name, asked):
                _check_direction(one, gate, bound, floor=floor)
                if math.isnan(one.value):
                    raise _undefined_error(one.name, [])
                out.append(check_bound(one.name, one.value, gate, floor=floor))
    return out


def _checked_share(found: Result | Panel | Agreement, gate: str, *, floor: bool) -> list[CheckedGate]:
    """Return a gate on a share of placed quotes, checked."""
    located = found.located if isinstance(found, Result) else None
    if located is None:
        raise MeasureError(f"{shown(gate)} is a gate on quotes that were placed", hint="[[locate]]")
    from spanscope.results.located_gate import checked_gates as checked
    from spanscope.results.located_gate import read_gates

    return checked(located, read_gates([gate], []) if floor else read_gates([], [gate]))


def _figures(found: Result | Panel | Agreement, name: str, asked: re.Match[str]) -> Iterator[Figure]:
    """Return the figures that a gate is about, with whose they are where there are several methods."""
    if isinstance(found, Panel):
        if not found.results:
            raise MeasureError("a gate needs a gold segmentation, and there is none", hint="--gold NAME")
        for method, result in found.results.items():
            yield from (one._replace(name=f"{method}: {one.name}") for one in _figures(result, name, asked))
    elif isinstance(found, Result) and asked["rate"] in OF_SCORES:
        yield of_scores(found, name, asked)
    elif isinstance(found, Result) and (slices := slices_meant(found, asked)) is not None:
        yield from of_slices(found, name, asked, *slices)
    elif isinstance(found, Result):
        value = found.value(asked["rate"], asked["measure"], asked["average"], label=asked["label"])
        measure = found.measures[found.index(asked["measure"])]
        rate = next(rate for rate in found.settings.rates(measure) if rate.name == asked["rate"])
        _check_defined(found, measure, rate, name, asked["label"], value)
        yield Figure(name, rate.name, rate.best, value, rate.trials is not None)
    else:
        if asked["average"] is not None:
            raise MeasureError(
                f"{shown(name)} names an average, and agreement has one figure of each rate",
                expected="a form such as cohen_kappa=0.7 or spans.exact:f1=0.8",
            )
        row = found.row(asked["rate"], asked["measure"], asked["label"])
        rate = next(one for one in parse(row.measure).definition.rate_set.rates() if one.name == row.rate)
        yield Figure(name, rate.name, rate.best, row.value, rate.trials is not None)


def _check_direction(one: Figure, gate: str, bound: float, *, floor: bool) -> None:
    """Refuse a floor under an error rate and a ceiling over a rate of success: the better a run, the worse.

    And a floor that no run can reach, or a ceiling that every run keeps to, such as a percentage.
    """
    if floor and one.best == 1.0 < bound:
        raise MeasureError(
            f"{one.rate} is at most 1, so {shown(gate)} can never be reached",
            expected="a floor from 0 to 1, such as 0.75",
        )
    if not floor and one.share and one.best == 0.0 and bound > 1.0:
        raise MeasureError(
            f"{one.rate} is at most 1, so {shown(gate)} can never be exceeded",
            expected="a ceiling from 0 to 1, such as 0.1",
        )
    if one.best == (0.0 if floor else 1.0):
        wrong, right = ("floor", "--fail-over") if floor else ("ceiling", "--fail-under")
        raise MeasureError(
            f"{one.rate} is best at {one.best:g}, so {shown(gate)} cannot be a {wrong}",
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
    raise _undefined_error(name, why)


def _undefined_error(name: str, why: Sequence[str]) -> MeasureError:
    return MeasureError(
        f"{name} is undefined{': ' * bool(why)}{'; '.join(why)}",
        expected="a gate on a figure that is defined",
        hint="another label, rate or average, or the documents and labels that were meant",
    )
