"""Figures beside the score rows that gates can be on: those of scores of predictions, and those of slices."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.results.confidence import AREA, ERROR
from spanscope.results.result import Result
from spanscope.stats.slices import FEWEST, Slice

OF_SCORES = {AREA: 1.0, ERROR: 0.0}  # what a gate can be on of the scores of predictions, and the best value
EVERY = "*"  # every slice of a way to slice


class Figure(NamedTuple):
    """A figure that a gate is on: its name, that of its rate, the best value of this, and the figure itself."""

    name: str
    rate: str
    best: float
    value: float
    share: bool = False  # whether the rate is never above 1


def of_scores(result: Result, name: str, asked: re.Match[str]) -> Figure:
    """Return the average precision or the calibration error that a gate is on; an undefined one is refused."""
    rate, average, label = asked["rate"], asked["average"], asked["label"]
    found = result.confidence(asked["measure"])
    if rate == AREA:
        if average not in (None, "micro", "macro") or (average and label):
            raise MeasureError(f"there is no {shown(name)}", expected=f"{AREA}, macro_{AREA} or {AREA}[LABEL]")
        value, why = found.value(average or "micro", label), "gold has no span of this kind"
    else:
        if average not in (None, "micro") or label is not None:
            raise MeasureError(f"there is no {shown(name)}", expected=f"{ERROR}, of all predictions together")
        value, why = found.error, "there are scores below 0 or above 1"
    if math.isnan(value):
        raise MeasureError(f"{name} is undefined: {why}", expected="a gate on a figure that is defined")
    return Figure(name, rate, OF_SCORES[rate], value, share=True)


def slices_meant(result: Result, asked: re.Match[str]) -> tuple[str, str] | None:
    """Return the way to slice and the slice that a gate names in brackets, as `source=news`; None for a label."""
    by, sign, name = (asked["label"] or "").partition("=")
    if not sign:
        return None
    is_label = any(row.label == asked["label"] for row in result.rows)
    if by in result.settings.by and is_label:
        raise MeasureError(
            f"{shown(asked['label'])} is a label and a slice", expected="a name that is one of them alone"
        )
    if by not in result.settings.by and not is_label:
        near = did_you_mean(by, result.settings.by)
        hint = "" if near else f"[[by={by}]]"
        raise MeasureError(
            f"nothing was sliced by {shown(by)}{near}",
            expected=" or ".join(result.settings.by) or f"slices by {by}, or a label in the brackets",
            hint=hint,
        )
    return None if is_label else (by, name)


def of_slices(result: Result, name: str, asked: re.Match[str], by: str, chosen: str) -> Iterator[Figure]:
    """Return the figures of the slice that a gate is on; of `*` those of all with enough documents for a test."""
    lead = result.settings.headline
    known = {rate.name: rate for rate in result.settings.rates(lead.measure)}
    measure = asked["measure"]
    if (measure and result.index(measure) != 0) or asked["average"] not in (None, lead.average):
        raise MeasureError(
            f"slices have figures of {lead.measure.short} alone, {lead.average}",
            expected=f"a form such as {lead.rate.name}[{by}={chosen}]=0.7",
        )
    if asked["rate"] not in known:
        near = did_you_mean(asked["rate"], known)
        raise MeasureError(f"slices have no rate {shown(asked['rate'])}{near}", expected=" or ".join(known))
    rate = known[asked["rate"]]
    for one in _choose(result, by, chosen):
        value, own = one.rates[rate.name], name.replace(f"={chosen}]", f"={one.name}]")
        if math.isnan(value) and chosen != EVERY:
            raise MeasureError(f"{own} is undefined", expected="a gate on a figure that is defined")
        if not math.isnan(value):
            yield Figure(own, rate.name, rate.best, value, rate.trials is not None)


def _choose(result: Result, by: str, chosen: str) -> list[Slice]:
    """Return the slices of a name, or all that are large enough to say something."""
    own = {one.name: one for one in result.sliced if one.by == by}
    if chosen in own:
        return [own[chosen]]
    large = [one for one in own.values() if one.units >= FEWEST]
    if chosen != EVERY:
        near = did_you_mean(chosen, own)
        raise MeasureError(f"no slice by {shown(by)} is called {shown(chosen)}{near}", expected=_some(list(own)))
    if not large:
        raise MeasureError(
            f"no slice by {shown(by)} is in {FEWEST} documents or more", expected="a gate on a slice by its name"
        )
    return large


def _some(names: list[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else f" or {EVERY}")
