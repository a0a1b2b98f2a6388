"""Spanscope: the reference evaluator for spans of text."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from spanscope.aggregate import Point, Score
    from spanscope.agree import agree
    from spanscope.agree.result import Agreement
    from spanscope.check import check
    from spanscope.compare import compare
    from spanscope.compared import Compared, Difference
    from spanscope.data import Corpus, Problem, Spans
    from spanscope.errors import DocumentError, EngineError, InputError, MeasureError, SpanscopeError
    from spanscope.evaluate import evaluate
    from spanscope.io import read
    from spanscope.measure import Measure, known, measure, parse
    from spanscope.panel import Panel, panel
    from spanscope.plan import plan
    from spanscope.protocols import PROTOCOLS, Protocol
    from spanscope.result import Result
    from spanscope.rtseg import (
        aggregated_results_to_json,
        evaluate_aggregate_segmentations,
        evaluate_segmentations,
    )
    from spanscope.settings import Ci

_HOMES = {
    "Agreement": "agree.result",
    "Ci": "settings",
    "Compared": "compared",
    "Corpus": "data",
    "Difference": "compared",
    "DocumentError": "errors",
    "EngineError": "errors",
    "InputError": "errors",
    "Measure": "measure",
    "MeasureError": "errors",
    "PROTOCOLS": "protocols",
    "Panel": "panel",
    "Point": "aggregate",
    "Problem": "data",
    "Protocol": "protocols",
    "Result": "result",
    "Score": "aggregate",
    "Spans": "data",
    "SpanscopeError": "errors",
    "aggregated_results_to_json": "rtseg",
    "agree": "agree",
    "check": "check",
    "compare": "compare",
    "evaluate": "evaluate",
    "evaluate_aggregate_segmentations": "rtseg",
    "evaluate_segmentations": "rtseg",
    "known": "measure",
    "measure": "measure",
    "panel": "panel",
    "parse": "measure",
    "plan": "plan",
    "read": "io",
}
__all__ = [  # noqa: RUF022  sorted as in _HOMES, which the tests hold equal to this list
    "Agreement",
    "Ci",
    "Compared",
    "Corpus",
    "Difference",
    "DocumentError",
    "EngineError",
    "InputError",
    "Measure",
    "MeasureError",
    "PROTOCOLS",
    "Panel",
    "Point",
    "Problem",
    "Protocol",
    "Result",
    "Score",
    "Spans",
    "SpanscopeError",
    "__version__",
    "aggregated_results_to_json",
    "agree",
    "check",
    "compare",
    "evaluate",
    "evaluate_aggregate_segmentations",
    "evaluate_segmentations",
    "known",
    "measure",
    "panel",
    "parse",
    "plan",
    "read",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `spanscope --help` does not wait for NumPy."""
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"spanscope.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'spanscope' has no attribute {name!r}")


class _Package(ModuleType):
    """The package, whose public functions stay what they are when a module of the same name is imported.

    Importing `spanscope.evaluate` binds the module to the package's attribute `evaluate`; the function shall stay.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted(__all__)
