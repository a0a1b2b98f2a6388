"""RT-SEG's aggregate as JSON: from its tables, or from a file of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.segments.traces import AGGREGATE, aggregate_file, by_name, parts, plain_aggregate, seconds
from spanscope.results.runtimes import runtime


def aggregated_results_to_json(
    agg_results: Mapping[str, Any] | str | Path,
    *,
    dataset: str | None = None,
    split: str | None = None,
    methods: Mapping[str, Mapping[str, Any]] | None = None,
    ptime: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, Any]:
    """Return the aggregate as plain data that is always valid JSON: NaN and infinity become None.

    agg_results  what evaluate_aggregate_segmentations returns, the tool's or ours; or what this function returned,
                 the tool's or ours, as an object or as the path of a file, with NaN and Infinity in it or without.
    methods  the parts of each method's identifier (engines, aligner, base unit), kept as given.
    ptime    seconds a trace of each method, summed up as mean, p50 and p95.
    """
    given = aggregate_file(agg_results) if isinstance(agg_results, (str, Path)) else agg_results
    if not isinstance(given, Mapping):
        raise InputError(f"the aggregate is {shown(given)}", expected=AGGREGATE)
    frames = given is agg_results and all(map(_is_frame, given.values()))
    out, known = _from_frames(given) if frames else plain_aggregate(given)
    for key, value in (("dataset", dataset), ("split", split)):
        out[key] = out.get(key) if value is None else value
    told = {name: parts(one, name) for name, one in by_name(methods, "methods", known).items()}
    out["methods"], out["runtime"] = out.get("methods", {}) | told, out.get("runtime", {})
    for name, own_seconds in by_name(ptime, "ptime", known).items():
        own = runtime(seconds(own_seconds, name))
        out["runtime"][name] = {"n": own.documents, "mean": own.mean, "p50": own.p50, "p95": own.p95}
    return out


def _from_frames(frames: Mapping[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Return the tables of an aggregate as plain data, and the names of the methods."""
    out: dict[str, Any] = {}
    undefined: dict[str, dict[str, int]] = {}
    about: dict[str, Any] = {}
    known: set[str] = set()
    for name, frame in frames.items():
        about = about or dict(frame.attrs)
        if not len(frame):
            continue
        keys = _unique(frame)
        known |= {str(part) for key in frame.index for part in (key if isinstance(key, tuple) else (key,))}
        out[name] = {key: _nest(row) for key, row in zip(keys, frame.to_dict("records"), strict=True)}
        for key, metrics in _left_out(frame, int(about.get("traces", 0))).items():
            undefined.setdefault(key, {}).update(metrics)
    known |= {about["gold_key"]} if known and about.get("gold_key") else set()
    out |= {key: about.get(key) for key in ("hyperparameters", "protocol", "gold_key", "traces", "infinite")}
    return out | {"undefined": undefined}, known


def _is_frame(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("attrs", "index", "to_dict"))


def _unique(frame: Any) -> list[str]:
    """Return the keys of a frame's rows in JSON, no two of them the same."""
    keys = [_name_of(key) for key in frame.index]
    for number, key in enumerate(keys):
        if key in keys[:number]:
            raise InputError(f"two methods or pairs are called {shown(key)} in JSON", expected="different names")
    return keys


def _name_of(key: Any) -> str:
    return " vs ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _nest(row: Mapping[Any, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(key, tuple):
            out.setdefault(str(key[0]), {})[str(key[1])] = _json(value, whole=key[1] == "n")
        else:
            out[str(key)] = _json(value, whole=str(key).endswith("_n"))
    return out


def _json(value: Any, *, whole: bool) -> Any:
    number = float(value)
    if not math.isfinite(number):
        return None
    return int(number) if whole else number


def _left_out(frame: Any, traces: int) -> dict[str, dict[str, int]]:
    """Return for each method or pair and metric how many traces have no value."""
    out: dict[str, dict[str, int]] = {}
    for key, row in zip(frame.index, frame.to_dict("records"), strict=True):
        for name, value in row.items():
            metric, kind = name if isinstance(name, tuple) else (name.removesuffix("_n"), name[-1:])
            if kind == "n":
                out.setdefault(_name_of(key), {})[metric] = traces - int(value)
    return out
