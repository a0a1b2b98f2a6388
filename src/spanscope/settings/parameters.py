"""Parameters of measures, changed without naming the other measures of a bundle again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spanscope.arguments import as_list
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.measures.registry import Measure, read_value

MOST_CUTOFFS = 1_000  # each is a measure of its own


def change_parameters(
    measures: tuple[Measure, ...], parameters: Mapping[str, Any] | None, *, strict: bool = True
) -> tuple[Measure, ...]:
    """Return the measures with parameters changed, as {"segments.b_score.tolerance": 10} says.

    A parameter goes for every measure of the name. Names of measures that are not run are refused, unless they are
    those of others.
    """
    given = {} if parameters is None else parameters
    if not isinstance(given, Mapping):
        raise MeasureError(f"parameters is {shown(given)}", expected="values by MEASURE.PARAMETER")
    for key, value in given.items():
        name, _, parameter = str(key).rpartition(".")
        names = list(dict.fromkeys(one.name for one in measures))
        if name not in names:
            if not strict:
                continue
            near = did_you_mean(name, names)
            raise MeasureError(
                f"parameters has {shown(key)}, and no measure that is run is called {shown(name)}{near}",
                expected=f"MEASURE.PARAMETER of one of {', '.join(names)}",
            )
        own = read_value(value) if isinstance(value, str) else value
        measures = tuple(one.replace(**{parameter: own}) if one.name == name else one for one in measures)
    return tuple(dict.fromkeys(measures))


def at_cutoffs(measures: tuple[Measure, ...], k: int | Sequence[int] | None) -> tuple[Measure, ...]:
    """Return the measures at every cutoff that was asked for."""
    if k is None:
        return measures
    cutoffs = as_list(k)
    if not cutoffs or not all(type(one) is int and one > 0 for one in cutoffs):
        raise MeasureError(f"k is {shown(k)}", expected="a number of passages, or several: at least 1")
    if len(cutoffs) > MOST_CUTOFFS:
        raise MeasureError(f"k has {len(cutoffs):,} cutoffs", expected=f"at most {MOST_CUTOFFS:,}")
    if not any("k" in dict(measure.params) for measure in measures):
        raise MeasureError("no measure has a cutoff k", expected="passages measures, such as passages.ranking")
    out = []
    for measure in measures:
        has = "k" in dict(measure.params)
        out += [measure.replace(k=one) for one in cutoffs] if has else [measure]
    return tuple(dict.fromkeys(out))
