"""Assertions about spans for tests: `assert_spans(gold, pred, micro_f1=0.8)` shows the worst errors."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

from spanscope.commands.evaluate import evaluate
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.report.names import visible
from spanscope.report.problems import doubts
from spanscope.report.tables.errors import worst_errors
from spanscope.results.gate import checked_gates
from spanscope.results.gate_form import CheckedGate
from spanscope.results.result import Result

Bounds = Mapping[str, float] | Iterable[str]
asserted: deque[str] = deque(maxlen=1000)  # a line for every assertion, which the plugin of pytest takes away


def assert_spans(
    gold: Any,
    pred: Any,
    measures: Any = None,
    *,
    fail_under: Bounds = (),
    fail_over: Bounds = (),
    examples: int = 10,
    **floors_and_options: Any,
) -> Result:
    """Assert that predictions are good enough, and return the result; an AssertionError shows the worst errors.

    gold, pred, measures   as in `spanscope.evaluate`.
    fail_under             floors that are no names in Python: {"recall[PERSON]": 0.9}, or ["recall[PERSON]=0.9"].
    fail_over              ceilings of errors and distances: {"segments.pk:document_pk": 0.3}.
    examples               errors that the message lists, from the documents with most errors on.
    floors_and_options     floors by name (`micro_f1=0.8`, `recall=0.9`), and keywords of `spanscope.evaluate`;
                           with text="masked" or "none" the message quotes no text.

    Intervals are left out unless `ci` says otherwise.

    >>> gold = [{"id": 1, "text": "Anna met Bob", "spans": [[0, 4, "PER"], [9, 12, "PER"]]}]
    >>> assert_spans(gold, gold, micro_f1=0.8).value("f1")
    1.0
    """
    __tracebackhide__ = True  # pytest shows the call, and not this function
    known = inspect.signature(evaluate).parameters
    options = {name: value for name, value in floors_and_options.items() if name in known}
    named = {name: value for name, value in floors_and_options.items() if name not in known}
    for name, value in named.items():
        if isinstance(value, bool) or not isinstance(value, Real):
            near = did_you_mean(name, known)
            raise MeasureError(f"{name}={shown(value)} is neither a gate nor an option{near}", expected="a number")
    floors, ceilings = [*_gates(named), *_gates(fail_under)], [*_gates(fail_over)]
    if not (floors or ceilings):
        raise MeasureError("nothing is asserted", expected="a floor or a ceiling", hint="micro_f1=0.8")
    result = evaluate(gold, pred, measures, **{"ci": False, **options})
    gates = checked_gates(result, floors, ceilings)
    asserted.append(visible(f"{result.measures[0].short}: {'; '.join(map(str, gates))}"))
    if not all(gate.passed for gate in gates):
        raise AssertionError(_message(result, gates, examples))
    return result


def _gates(given: Bounds) -> list[str]:
    """Return gates as they are written elsewhere."""
    return [f"{name}={bound}" for name, bound in given.items()] if isinstance(given, Mapping) else list(given)


def _message(result: Result, gates: Iterable[CheckedGate], examples: int) -> str:
    """Return what was missed, what puts the figures in doubt, the worst errors, and how it was measured."""
    lines = [f"{'passed' if gate.passed else 'missed'}: {gate}" for gate in sorted(gates, key=_passes)]
    lines += doubts(result)
    worst = worst_errors(result, examples) if result.kept == "spans" else []
    lines += ["", *("".join(text for text, _ in line) for line in worst)] if worst else []
    return "\n".join(map(visible, [*lines, "", result.signature()]))


def _passes(gate: CheckedGate) -> bool:
    return gate.passed
