"""Views of results: words, colour and rounding, and no arithmetic.

Every kind of result has its tables in `tables/`; a renderer makes text of them and knows nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from spanscope.errors import MeasureError, did_you_mean
from spanscope.jsonable import JsonObject
from spanscope.report.table import Report
from spanscope.results.result import Result

if TYPE_CHECKING:
    from spanscope.data.problems import Problem
    from spanscope.results.gate_form import CheckedGate
    from spanscope.results.rendering import Rendered

    Shown: TypeAlias = Rendered | Sequence[Problem]

FORMS = ("table", "json", "csv", "markdown", "latex")
TOOLS = ("reqflow-csv", "conlleval", "seqeval", "trec_eval", "squad", "trec-run", "qrels")
RUNNERS = ("github", "junit")  # what servers for continuous integration show: they tell which gates were passed
OF_RUNS = (*FORMS, *RUNNERS)  # of a result, a panel or a comparison
FORMATS = (*OF_RUNS, *TOOLS)  # of a result; those of other tools are of scores only
SUFFIXES = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex", ".txt": "table"}
PLACES = 4  # digits of a figure


def render(
    found: Shown,
    form: str = "table",
    *,
    digits: int | None = None,
    examples: int = 0,
    worst: int = 0,
    gates: Sequence[CheckedGate] = (),
    **options: Any,
) -> str:
    """Return a result of any kind as text in one of the formats; the options are those of its JSON.

    `gates` are those that were checked, for the formats that tell of them.
    """
    known = formats_of(found)
    if form not in known:
        raise MeasureError(f"no format is called {form!r}{did_you_mean(form, known)}", expected=", ".join(known))
    if form == "json":
        return _json(found, {**options, "worst": worst} if lists_documents(found) else options)
    if form == "csv":
        from spanscope.report import csv

        return csv.text(kind_of(found).every_row(found))
    if form in TOOLS and isinstance(found, Result):
        return _tool(found, form, digits)
    whole = form in ("markdown", "github")
    report = report_of(found, digits=digits, examples=examples, worst=worst, whole=whole)
    if form in RUNNERS:
        return _runner(found, form, report, gates)
    if form == "markdown":
        from spanscope.report import markdown

        return markdown.text(report)
    if form == "latex":
        from spanscope.report import latex

        return latex.text(report)
    from spanscope.report import plain

    return plain.text(report)


def render_html(found: Shown) -> str:
    """Return a result as a fragment of HTML, as notebooks show it: the first table, the others to be opened."""
    from spanscope.report import html

    return html.compact(report_of(found))


def report_of(
    found: Shown, *, digits: int | None = None, examples: int = 0, worst: int = 0, whole: bool = False
) -> Report:
    """Return what a renderer needs of a result; tables that are too wide for a page in several."""
    places = PLACES if digits is None else digits
    views: JsonObject = {"worst": worst} if lists_documents(found) else {}
    if isinstance(found, Result):
        views |= {"examples": examples, "whole": whole}
    report: Report = kind_of(found).report(found, places, **views)
    if not any(table.paged for table in report.tables):
        return report
    from spanscope.report.pages import pages

    return report._replace(tables=[part for table in report.tables for part in pages(table)])


def formats_of(found: Shown) -> tuple[str, ...]:
    """Return the formats in which such a result can be shown."""
    if isinstance(found, Result):
        return FORMATS
    from spanscope.results.compared import Compared

    return OF_RUNS if isinstance(found, Compared) or lists_documents(found) else FORMS


def lists_documents(found: Shown) -> bool:
    """Tell whether the documents of such a result can be listed, worst first."""
    if isinstance(found, Result):
        return True
    from spanscope.results.panel import Panel

    return isinstance(found, Panel)


def kind_of(found: Shown) -> ModuleType:
    """Return the module with the tables of such a result: `report` and `every_row` are what each has."""
    if isinstance(found, Result):
        from spanscope.report.tables import scores

        return scores
    from spanscope.report.tables import (
        agreement,
        audit,
        check,
        comparison,
        leaderboard,
        located,
        panel,
        plan,
        written,
    )
    from spanscope.results.agreement import Agreement
    from spanscope.results.audit import Audit
    from spanscope.results.compared import Compared
    from spanscope.results.leaderboard import Leaderboard
    from spanscope.results.located import Located
    from spanscope.results.panel import Panel
    from spanscope.results.planned import Planned
    from spanscope.results.written import WrittenResult

    kinds: dict[type, ModuleType] = {Agreement: agreement, Compared: comparison, Panel: panel, Planned: plan}
    kinds |= {Audit: audit, Located: located, Leaderboard: leaderboard, WrittenResult: written}
    return kinds.get(type(found), check)


def _json(found: Shown, options: JsonObject) -> str:
    """Return the JSON form: most results have one of their own, with all there is; else it is their tables."""
    if hasattr(found, "to_json"):
        return str(found.to_json(**options)) + "\n"
    from spanscope.report import json

    return json.text(report_of(found))


def _runner(found: Any, form: str, report: Report, gates: Sequence[CheckedGate]) -> str:
    """Return what a server for continuous integration shows."""
    if form == "github":
        from spanscope.report import github

        return github.summary(report, gates)
    from spanscope.report import junit, plain
    from spanscope.report.problems import doubts

    return junit.text(report, gates, doubts(found), plain.text(report))


def _tool(result: Result, form: str, digits: int | None) -> str:
    """Return the report of another tool."""
    if form == "reqflow-csv":
        from spanscope.report.reqflow_csv import reqflow_csv

        return reqflow_csv(result)
    if form in ("trec-run", "qrels"):
        from spanscope.report import trec_files

        return trec_files.run(result) if form == "trec-run" else trec_files.qrels(result)
    from spanscope.report import tools

    if form == "seqeval":
        return tools.seqeval(result, 2 if digits is None else digits)
    return {"conlleval": tools.conlleval, "trec_eval": tools.trec_eval, "squad": tools.squad}[form](result)
