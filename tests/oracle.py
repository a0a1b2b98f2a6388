"""What the tests against recorded figures of segmentation tools share: the files, scoring, comparing."""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spanscope import Result, evaluate

Json = dict[str, Any]
Pair = tuple[Any, Any]  # gold and prediction
ORACLES = Path(__file__).parent / "oracles"
NON_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


@cache
def oracle(name: str) -> Json:
    found: Json = json.loads((ORACLES / f"{name}.json").read_text("utf-8"))
    return found


def number(value: Any) -> Any:
    """Return a recorded figure: non-finite numbers are strings in the files."""
    return NON_FINITE.get(value, value) if isinstance(value, str) else value


def finite(value: Any) -> Any:
    """Return what a record or JSON holds of a recorded figure: None where it is not finite."""
    value = number(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def failed(value: Any) -> bool:
    """Tell whether the tool raised instead of giving a figure."""
    return isinstance(value, dict) and ("error" in value or "exception" in value)


def score(pairs: Mapping[str, Pair], *measures: str, form: str = "masses") -> Result:
    """Score pairs of segmentations in one call, each as a document."""
    gold, pred = ([{"id": name, form: pair[side]} for name, pair in pairs.items()] for side in (0, 1))
    return evaluate(gold, pred, list(measures))


def figures(result: Result, measure: str, rate: str) -> dict[str, Any]:
    """Return a rate or a count of every document."""
    return {row["document"]: row[rate] for row in result.by_document(measure)}


def unlike(ours: Mapping[Any, Any], theirs: Mapping[Any, Any]) -> list[str]:
    """Return a line for every figure of theirs that is not ours to 1e-9; NaN is NaN, infinity is infinity."""
    return [
        f"{key}: {ours[key]}, theirs {want}"
        for key, want in theirs.items()
        if ours[key] != pytest.approx(number(want), abs=1e-9, nan_ok=True)
    ]


def rt_seg(params: Json) -> str:
    """Return the measure that computes as RT-SEG does, with its defaults where nothing is said."""
    given = {"sigma": 5.0, "window": 3, "slack": 10} | params
    return f"segments.rt_seg({', '.join(f'{key}={value}' for key, value in given.items())})"


def spans(segmentations: Json) -> Json:
    """Return segmentations as RT-SEG's users hold them: lists of tuples."""
    return {name: [tuple(span) for span in found] for name, found in segmentations.items()}
