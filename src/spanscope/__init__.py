"""Spanscope: the reference evaluator for spans of text."""

__version__ = "0.1.0"
TYPE_CHECKING = False  # true to type checkers; nothing is imported here, which would delay the command line

if TYPE_CHECKING:
    from spanscope.commands.adjudicate import Adjudication, adjudicate, merge_decided
    from spanscope.commands.agree import agree
    from spanscope.commands.audit import audit
    from spanscope.commands.check import check
    from spanscope.commands.compare import compare
    from spanscope.commands.convert import Converted, convert
    from spanscope.commands.evaluate import evaluate
    from spanscope.commands.leaderboard import leaderboard
    from spanscope.commands.load import load
    from spanscope.commands.locate import locate
    from spanscope.commands.panel import panel
    from spanscope.commands.plan import plan
    from spanscope.commands.read import read, read_sides
    from spanscope.commands.rt_seg import evaluate_aggregate_segmentations, evaluate_segmentations
    from spanscope.commands.rt_seg_json import aggregated_results_to_json
    from spanscope.data.corpus import Corpus, Spans
    from spanscope.data.problems import Problem
    from spanscope.errors import DocumentError, EngineError, InputError, MeasureError, SpanscopeError
    from spanscope.measures.registry import Measure, known, measure, parse
    from spanscope.results.agreement import Agreement
    from spanscope.results.audit import Audit
    from spanscope.results.compared import Compared, Difference
    from spanscope.results.leaderboard import Leaderboard
    from spanscope.results.located import Located
    from spanscope.results.panel import Panel
    from spanscope.results.result import Result
    from spanscope.settings.by_side import source
    from spanscope.settings.options import Ci, Running, Scoring
    from spanscope.settings.protocols import PROTOCOLS, Protocol
    from spanscope.settings.reading import Reading
    from spanscope.stats.averages import Point, Score

_HOMES = {
    "Adjudication": "commands.adjudicate",
    "Agreement": "results.agreement",
    "Audit": "results.audit",
    "Ci": "settings.options",
    "Compared": "results.compared",
    "Converted": "commands.convert",
    "Corpus": "data.corpus",
    "Difference": "results.compared",
    "DocumentError": "errors",
    "EngineError": "errors",
    "InputError": "errors",
    "Leaderboard": "results.leaderboard",
    "Located": "results.located",
    "Measure": "measures.registry",
    "MeasureError": "errors",
    "PROTOCOLS": "settings.protocols",
    "Panel": "results.panel",
    "PluginError": "errors",
    "Point": "stats.averages",
    "Problem": "data.problems",
    "Protocol": "settings.protocols",
    "Reading": "settings.reading",
    "Result": "results.result",
    "Running": "settings.options",
    "Score": "stats.averages",
    "Scoring": "settings.options",
    "Spans": "data.corpus",
    "SpanscopeError": "errors",
    "aggregated_results_to_json": "commands.rt_seg_json",
    "adjudicate": "commands.adjudicate",
    "agree": "commands.agree",
    "audit": "commands.audit",
    "check": "commands.check",
    "compare": "commands.compare",
    "convert": "commands.convert",
    "evaluate": "commands.evaluate",
    "evaluate_aggregate_segmentations": "commands.rt_seg",
    "evaluate_segmentations": "commands.rt_seg",
    "known": "measures.registry",
    "leaderboard": "commands.leaderboard",
    "load": "commands.load",
    "locate": "commands.locate",
    "measure": "measures.registry",
    "merge_decided": "commands.adjudicate",
    "panel": "commands.panel",
    "parse": "measures.registry",
    "plan": "commands.plan",
    "read": "commands.read",
    "read_sides": "commands.read",
    "source": "settings.by_side",
}
__all__ = [  # noqa: RUF022  sorted as in _HOMES, which the tests hold equal to this list
    "Adjudication",
    "Agreement",
    "Audit",
    "Ci",
    "Compared",
    "Converted",
    "Corpus",
    "Difference",
    "DocumentError",
    "EngineError",
    "InputError",
    "Leaderboard",
    "Located",
    "Measure",
    "MeasureError",
    "PROTOCOLS",
    "Panel",
    "PluginError",
    "Point",
    "Problem",
    "Protocol",
    "Reading",
    "Result",
    "Running",
    "Score",
    "Scoring",
    "Spans",
    "SpanscopeError",
    "__version__",
    "aggregated_results_to_json",
    "adjudicate",
    "agree",
    "audit",
    "check",
    "compare",
    "convert",
    "evaluate",
    "evaluate_aggregate_segmentations",
    "evaluate_segmentations",
    "known",
    "leaderboard",
    "load",
    "locate",
    "measure",
    "merge_decided",
    "panel",
    "parse",
    "plan",
    "read",
    "read_sides",
    "source",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `spanscope --help` does not wait for NumPy."""
    if name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"spanscope.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'spanscope' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
