"""What RT-SEG's functions are given: traces, segments by method, times and parts of names; checked."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.errors import InputError, did_you_mean, plural, shown
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.segments.reading import read_segmented

METHODS = "segments by method"
TABLES = ("linear_metrics", "pairwise_agreement_metrics", "per_method_agreement_metrics")
AGGREGATE = (
    "what evaluate_aggregate_segmentations or aggregated_results_to_json returns, or a file with the latter"
)
LONGEST = 1e15  # seconds: more is infinite, or a slip of the pen


def check_traces(traces: Any, segmentations: Any, *, tool: bool) -> tuple[list[Any], list[dict[Any, Any]]]:
    """Return traces and segmentations, as many of both; the tool leaves those beyond the last trace out."""
    if traces is None or not hasattr(traces, "__len__"):
        raise InputError(f"traces is {shown(traces)}", expected="a list of texts")
    if isinstance(segmentations, (Mapping, str)) or not isinstance(segmentations, Iterable):
        raise InputError(
            f"segmentations is {shown(segmentations)}", expected=f"a list of {METHODS}, one for each trace"
        )
    if not len(traces):
        raise InputError("there are no traces", expected="at least one")
    given = list(segmentations)[: len(traces)] if tool else list(segmentations)
    if len(given) != len(traces):
        what = f"there are {len(traces)} traces and {len(given)} segmentations"
        raise InputError(what, expected="as many of both")
    if isinstance(traces, (str, bytes)):
        raise InputError(f"traces is {shown(traces)}", expected="a list of texts")
    return list(traces), [by_method(one, f"segmentations[{at}]") for at, one in enumerate(given)]


def by_method(given: Any, called: str) -> dict[Any, Any]:
    """Return the segments of each method, arrays as lists."""
    if not isinstance(given, Mapping):
        raise InputError(f"{called} is {shown(given)}", expected=METHODS)
    return {name: _as_list(segments) for name, segments in given.items()}


def _as_list(segments: Any) -> Any:
    if isinstance(segments, np.ndarray):
        return segments.tolist()
    if isinstance(segments, (list, tuple)) and np.ndarray in set(map(type, segments)):
        return [one.tolist() if isinstance(one, np.ndarray) else one for one in segments]
    return segments


def check_gold(gold_key: Any, given: Sequence[Mapping[Any, Any]], *, tool: bool) -> None:
    """Refuse a gold that is nowhere; the tool gives NaN then."""
    try:
        nowhere = gold_key is not None and not any(gold_key in one for one in given)
    except TypeError:
        raise InputError(f"gold_key is {shown(gold_key)}", expected="the name of a method") from None
    if nowhere and not tool:
        names = list(dict.fromkeys(str(name) for one in given for name in one))
        near = did_you_mean(gold_key, names)
        raise InputError(f"no method is called {shown(gold_key)}{near}", expected=", ".join(names))


def say_who(traces: Sequence[str], given: Sequence[Mapping[Any, Any]], error: InputError, *, tool: bool) -> None:
    """Raise an error again, naming the trace and the method, without options of the command line."""
    documents = []
    for trace, one in zip(traces, given, strict=True):
        names = list(map(str, one))
        if len(set(names)) < len(names) or "" in names:
            names = list(map(repr, one))
        if names:
            documents.append({"text": trace, "segmentations": dict(zip(names, one.values(), strict=True))})
        else:
            documents.append({"text": "", "segments": []})  # keeps its place
    try:
        read_segmented(documents, ReadOptions("traces", as_given=tool))
    except InputError as found:
        error = found
    raise InputError(error.what, where=error.where, expected=error.expected) from None


def seconds(given: Any, name: str) -> list[float]:
    """Return how long a method took, a trace each."""
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping)) else []
    sound = [hasattr(one, "__float__") and not isinstance(one, (bool, np.bool_)) for one in listed]
    if not listed or not all(sound) or not all(0 <= float(one) <= LONGEST for one in listed):
        raise InputError(f"ptime of {name!r} is {shown(given)}", expected="seconds, not negative, at least one")
    return [float(one) for one in listed]


def by_name(given: Any, called: str, known: set[str]) -> dict[str, Any]:
    """Return what was given for methods, which must be among those scored."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"{called} is {shown(given)}", expected="an object by method")
    out = {str(name): value for name, value in given.items()}
    if len(out) < len(given):
        raise InputError(f"{called} has {plural(len(given) - len(out), 'name')} twice", expected="different names")
    for name in out if known else ():
        if name not in known:
            near = did_you_mean(name, known)
            raise InputError(
                f"{called} is of {shown(name)}, which was not scored{near}", expected="scored methods"
            )
    return out


def parts(given: Any, name: str) -> dict[str, Any]:
    """Return the parts of a method's name as plain data."""
    if not isinstance(given, Mapping):
        raise InputError(f"methods[{name!r}] is {shown(given)}", expected='an object such as {"engines": [...]}')
    return {str(key): _plain(value, name) for key, value in given.items()}


def _plain(value: Any, name: str) -> Any:
    """Return data as JSON can have it: numbers that are not finite are None."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(one, name) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one, name) for one in value]
    raise InputError(f"methods[{name!r}] has {shown(value)}", expected="strings, numbers, lists and objects")


def aggregate_file(path: str | Path) -> Any:
    """Return the aggregate in a file; NaN and Infinity, which the tool writes, are numbers."""
    file = open_source(path)
    try:
        return json.loads(file.data)
    except (ValueError, RecursionError):
        raise InputError("is not valid JSON", where=file.name, expected=AGGREGATE) from None


def plain_aggregate(given: Mapping[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Return an aggregate that is plain data already, numbers that are not finite as None, and its methods."""
    tables = [given[name] for name in TABLES if name in given]
    if not tables or not all(isinstance(one, Mapping) for table in tables for one in (table, *_rows(table))):
        raise InputError(f"the aggregate is {shown(given)}", expected=AGGREGATE)
    out = {str(key): _plain(value, "the aggregate") for key, value in given.items()}
    kept = dict.fromkeys(("hyperparameters", "protocol", "gold_key", "traces", "infinite", "undefined"))
    known = {str(name) for key in TABLES if key in given and "pairwise" not in key for name in given[key]}
    return kept | out, known


def _rows(table: Any) -> Iterable[Any]:
    return table.values() if isinstance(table, Mapping) else ()
