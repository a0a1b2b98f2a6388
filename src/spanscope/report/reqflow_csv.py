"""ReqFlow's own CSV files, for the protocols that reproduce its figures."""

from __future__ import annotations

from spanscope.errors import MeasureError
from spanscope.io.spans.reqflow import TAGS
from spanscope.measures.registry import Measure, parse
from spanscope.results.result import Result
from spanscope.stats.averages import Policy

SETS = "spans.exact(duplicates=set)"
HEAD = "tag,tp,fp,fn,precision,recall,f1"


def reqflow_csv(result: Result) -> str:
    """Return the file that ReqFlow's evaluate.py writes: v1's exact figures, or v2's relaxed or exact ones."""
    name = result.settings.protocol.name
    if name not in ("reqflow-v1", "reqflow-v2"):
        raise MeasureError(
            "reqflow-csv is the file of ReqFlow itself",
            expected="[[protocol=reqflow-v1]] or [[protocol=reqflow-v2]]",
        )
    if result.settings.policy != Policy(TAGS, 0.0):
        raise MeasureError(
            "reqflow-csv has ReqFlow's labels, and 0 for 0/0", hint="no [[labels]] and no [[undefined]]"
        )
    if parse(SETS) not in result.measures:
        raise MeasureError(f"reqflow-csv needs {SETS} among the measures", hint=f"-m '{SETS}'")
    if name == "reqflow-v1":
        macro = result.value("f1", SETS, "macro")
        return "\n".join([HEAD, *_rows(result, SETS), f"MACRO_AVG,,,,,,{macro:.4f}"])
    measure = result.measures[0]
    if measure.name != "spans.relaxed" and measure != parse(SETS):
        raise MeasureError(
            f"{measure.short} is not a figure of ReqFlow", expected=f"spans.relaxed or {SETS} first"
        )
    return "\n".join([HEAD, *_rows(result, measure), "", *_summary(result, measure)])


def _rows(result: Result, measure: str | Measure) -> list[str]:
    out = []
    for tag, n in result.counts(measure).items():
        p, r, f = (result.value(rate, measure, label=tag) for rate in ("precision", "recall", "f1"))
        out.append(f"{tag},{n['tp']},{n['pred'] - n['tp']},{n['gold'] - n['tp']},{p:.4f},{r:.4f},{f:.4f}")
    return out


def _summary(result: Result, measure: Measure) -> list[str]:
    relaxed = measure.name == "spans.relaxed"
    n = result.totals(measure)
    lines = [
        "# Summary",
        f"# Mode: {'RELAXED' if relaxed else 'EXACT'}",
        f"# Threshold: {measure.threshold if relaxed else 0.5}",
        f"# Common requirements: {result.documents}",
        f"# TP: {n['tp']}, FP: {n['pred'] - n['tp']}, FN: {n['gold'] - n['tp']}",
        f"MICRO_F1,,,,,, {result.value('f1', measure):.4f}",
        f"MACRO_F1,,,,,, {result.value('f1', measure, 'macro'):.4f}",
    ]
    return [*lines, f"EXACT_F1,,,,,, {result.value('f1', SETS):.4f}"] if relaxed else lines
