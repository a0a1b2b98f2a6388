"""The result block of the legal retrieval script."""

from __future__ import annotations

import math

from spanscope.results.result import Result

Figures = dict[str, float | int | None]


def figures(result: Result, k: int) -> Figures:
    """Return the script's four figures of a result, under its names, and the number of queries."""
    found = {row.rate: row.value for row in result.rows if row.average == "document"}
    out: Figures = {}
    for name, rate in (
        ("exact_match", "exact_match"),
        ("span_f1", "span_f1"),
        (f"recall@{k}", "recall"),
        (f"ndcg@{k}", "ndcg"),
    ):
        value = found.get(rate, math.nan)  # a figure may have been left out, where passages have no texts
        out[name] = None if math.isnan(value) else value
    return {**out, "num_examples": result.documents}


def block(found: Figures) -> str:
    """Return what the script prints."""
    lines = ["Evaluation Results:", "=" * 50]
    for name, value in found.items():
        shown = "undefined" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
        lines.append(f"{name}: {shown}")
    return "\n".join(lines)
