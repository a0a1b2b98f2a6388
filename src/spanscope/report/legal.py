"""The result block of the legal retrieval script."""

from __future__ import annotations

import math

from spanscope.errors import MeasureError
from spanscope.evaluate import evaluate


def figures(predictions: str, gold: str, k: int, protocol: str | None) -> dict[str, float | int | None]:
    """Return the four figures and the number of queries; our own, or with the protocol `legal` the script's."""
    if protocol not in (None, "passages", "legal"):
        raise MeasureError(
            f"score has no protocol {protocol!r}", expected="passages (ours) or legal (the script's)"
        )
    result = evaluate(gold, predictions, protocol=protocol or "passages", k=k, errors=False)
    own = protocol == "legal"
    names = {
        "exact_match": ("passages.legal" if own else "passages.exact_match", "exact_match"),
        "span_f1": ("passages.legal" if own else "passages.span_f1", "span_f1"),
        f"recall@{k}": ("passages.legal" if own else "passages.ranking", "recall"),
        f"ndcg@{k}": ("passages.legal" if own else "passages.ranking", "ndcg"),
    }
    found = {
        (row.measure.partition("(")[0], row.rate): row.value for row in result.rows if row.average == "document"
    }
    out: dict[str, float | int | None] = {}
    for name, key in names.items():
        out[name] = None if math.isnan(found[key]) else found[key]
    return {**out, "num_examples": result.documents}


def block(found: dict[str, float | int | None]) -> str:
    """Return what the script prints."""
    lines = ["Evaluation Results:", "=" * 50]
    for name, value in found.items():
        shown = "undefined" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
        lines.append(f"{name}: {shown}")
    return "\n".join(lines)
