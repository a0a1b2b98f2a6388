"""What the page of labelled spans shows of leaks: figures by label, and every span that stays readable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.counts import STAR_NAME
from spanscope.findings.leaked import numbers, reads, rows_of
from spanscope.report.tables.leaks import measure_of_leaks
from spanscope.results.result import Result

READ = ("label", "kind", "text", "left")
SPANS = ("leaked", "characters", "uncovered", "partly", "gold", "over", "redacted")


def shown_leaks(result: Result, shown: Bools, places: dict[str, Ints]) -> dict[str, Any] | None:
    """Return the figures, and leaks and over-wide predictions of the documents that are shown.

    `places` are by side the rows of the spans in the page; a line knows its span by its place among them.
    """
    measure = measure_of_leaks(result)
    if measure is None:
        return None
    counts = result.counts(measure)
    gold, pred = rows_of(result.comparison)
    return {
        "measure": result.measures.index(measure),
        "counts": [
            [name, *(own[column] for column in SPANS)] for name, own in counts.items() if name != STAR_NAME
        ],
        "whole": [counts.get(STAR_NAME, {}).get(column, 0) for column in SPANS],
        "lines": _lines(result, result.leaks(), "exposed", ("gold", gold, places["gold"]), shown),
        "over_wide": _lines(result, result.over_wide(), "beyond", ("pred", pred, places["pred"]), shown),
    }


def _lines(
    result: Result,
    records: Sequence[dict[str, Any]],
    pieces: str,
    spans: tuple[str, Ints, Ints],
    shown: Bools,
) -> list[dict[str, Any]]:
    """Return a line a record: what reads the same most often first, then the longest, then as in the text."""
    side, rows, order = spans
    docs = result.comparison.sides[side].doc[rows]
    place = np.full(len(result.comparison.sides[side]), -1)
    place[order] = np.arange(len(order))
    often = numbers(records, pieces)
    lines = []
    for record, row, doc in zip(records, rows.tolist(), docs.tolist(), strict=True):
        if shown[doc]:
            label, kind, text, left = reads(record, pieces)
            lines.append(
                {
                    "label": label,
                    "kind": kind,
                    "text": text,
                    "left": left,
                    "characters": record["characters"],
                    "number": often[label, kind, text, left],
                    "document": record["document"],
                    "span": int(place[row]),
                }
            )
    return sorted(lines, key=lambda one: (-one["number"], -one["characters"], *(one[key] or "" for key in READ)))
