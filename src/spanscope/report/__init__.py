"""Views of a result: words, colour and rounding, and no arithmetic."""

from __future__ import annotations

from typing import Any

from spanscope.errors import MeasureError, did_you_mean
from spanscope.results.result import Result

FORMATS = (
    "table",
    "json",
    "csv",
    "markdown",
    "latex",
    "reqflow-csv",
    "conlleval",
    "seqeval",
    "trec_eval",
    "squad",
)
SUFFIXES = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex", ".txt": "table"}


def render(
    result: Result,
    form: str = "table",
    *,
    digits: int | None = None,
    examples: int = 0,
    worst: int = 0,
    **options: Any,
) -> str:
    """Return a result as text in one of the formats."""
    places = 4 if digits is None else digits
    if form == "json":
        return result.to_json(worst=worst, **options) + "\n"
    if form == "table":
        return _table(result, places, examples, worst)
    if form == "reqflow-csv":
        from spanscope.report.reqflow_csv import reqflow_csv

        return reqflow_csv(result)
    if form in ("conlleval", "seqeval", "trec_eval", "squad"):
        from spanscope.report import tools

        if form == "seqeval":
            return tools.seqeval(result, 2 if digits is None else digits)
        return {"conlleval": tools.conlleval, "trec_eval": tools.trec_eval, "squad": tools.squad}[form](result)
    from spanscope.report import written

    if form == "csv":
        return written.long_csv(result)
    if form == "markdown":
        return written.markdown(result, places)
    if form == "latex":
        return written.latex(result, places)
    raise MeasureError(f"no format is called {form!r}{did_you_mean(form, FORMATS)}", expected=", ".join(FORMATS))


def _table(result: Result, digits: int, examples: int, worst: int) -> str:
    """Return the tables in plain characters; by rich, which takes long to load, only where it takes rich."""
    from spanscope.report import piped

    plain = None if examples else piped.text(result, digits=digits, worst=worst)
    if plain is not None:
        return plain
    from spanscope.report import terminal

    return terminal.text(result, digits=digits, examples=examples, worst=worst)
