"""The figures of a result as scalars with names, as libraries that log runs want them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from spanscope.results.result import Result
from spanscope.stats.averages import Score

FOREIGN = re.compile(r"[^\w.\-]+")  # what not every such library allows in a part of a name


def scalars(result: Result, *, labels: bool = False) -> dict[str, float]:
    """Return every figure that is defined, by names such as `spans.exact/f1/micro`.

    Where there are intervals, `spans.exact/f1/micro/low` and `.../high` are their bounds. `labels` adds the
    figures of every label: `spans.exact/f1/label/PERSON`. Characters that MLflow or TensorBoard refuse become `_`:
    `spans.relaxed(threshold=0.5)` is `spans.relaxed_threshold_0.5`. Names that are the same then are numbered.

    >>> import spanscope
    >>> gold = [{"id": 1, "spans": [[0, 4, "A"], [5, 9, "B"]]}]
    >>> pred = [{"id": 1, "spans": [[0, 4, "A"]]}]
    >>> scalars(spanscope.evaluate(gold, pred, "spans.exact", ci=False))["spans.exact/recall/micro"]
    0.5
    """
    rows = [row for row in result.rows if labels or row.label is None]
    out: dict[str, float] = {}
    for name, row in zip(scalar_names(result, rows), rows, strict=True):
        bounds = {name: row.value, f"{name}/low": row.low, f"{name}/high": row.high}
        out |= {key: float(value) for key, value in bounds.items() if value is not None and not math.isnan(value)}
    return out


def scalar_names(result: Result, rows: Iterable[Score]) -> list[str]:
    """Return the names of some score rows of a result."""
    short = {str(measure): measure.short for measure in result.measures}
    return _distinct("/".join(map(_plain, _parts(row, short[row.measure]))) for row in rows)


def _parts(row: Score, measure: str) -> tuple[str, ...]:
    return (measure, row.rate, row.average, *(() if row.label is None else (row.label,)))


def _plain(part: str) -> str:
    """Return a part of a name without foreign characters.

    >>> _plain("spans.relaxed(threshold=0.5)"), _plain("A/B"), _plain("*")
    ('spans.relaxed_threshold_0.5', 'A_B', '_')
    """
    return FOREIGN.sub("_", part).strip("_") or "_"


def _distinct(names: Iterable[str]) -> list[str]:
    """Return names of which the same occur once: further ones get a number.

    >>> _distinct(["a", "b", "a", "a"])
    ['a', 'b', 'a_2', 'a_3']
    """
    taken: set[str] = set()
    out = []
    for name in names:
        own, number = name, 1
        while own in taken:
            number += 1
            own = f"{name}_{number}"
        taken.add(own)
        out.append(own)
    return out
