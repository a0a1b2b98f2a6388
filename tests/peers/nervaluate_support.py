"""What both comparisons with nervaluate go by: its scenarios, its figures, and ours in the same form."""

from collections.abc import Mapping
from typing import Any

import spanscope
from tests.support import needs

nervaluate = needs("nervaluate")
SCENARIOS = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
COLUMNS = {"cor": "correct", "inc": "incorrect", "par": "partial", "mis": "missed", "spu": "spurious"}
RATES = ("precision", "recall", "f1")
Figures = dict[str, dict[str, dict[str, float]]]  # by mode and label, `*` overall


def their_figures(true: Any, pred: Any, tags: list[str], loader: str) -> Figures:
    found = nervaluate.Evaluator(true, pred, tags=tags, loader=loader).evaluate()
    return {
        mode: {"*": _row(found["overall"][scenario])}
        | {tag: _row(each[scenario]) for tag, each in found["entities"].items()}
        for mode, scenario in SCENARIOS.items()
    }


def _row(found: Any) -> dict[str, float]:
    row = {column: getattr(found, name) for column, name in COLUMNS.items()}
    return row | {rate: getattr(found, rate) for rate in RATES}


def our_figures(result: spanscope.Result, forms: Mapping[str, str]) -> Figures:
    """Return our figures of measures by mode."""
    out: Figures = {}
    for mode, form in forms.items():
        counts = {"*": dict.fromkeys(COLUMNS, 0)} | result.counts(form)
        out[mode] = {
            label: row | {rate: result.value(rate, form, label=None if label == "*" else label) for rate in RATES}
            for label, row in counts.items()
        }
    return out
