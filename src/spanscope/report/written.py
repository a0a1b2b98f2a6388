"""The report as Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import math

from spanscope.report.names import visible
from spanscope.report.problems import HEAD, only, phrases
from spanscope.report.tables import Table, sizes, tables, thresholds
from spanscope.results.result import Result
from spanscope.stats.averages import GRID

LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "·": r"$\cdot$",
    "–": "--",
    "∞": r"$\infty$",
    "±": r"$\pm$",
    "↓": r"$\downarrow$",
}


def markdown(result: Result, digits: int = 4) -> str:
    """Return the report as Markdown, with the whole threshold curve."""
    out = ["# Evaluation", "", *_problems(result, HEAD, doubtful=True)]
    out += [f"- {visible(key)}: {visible(value)}" for key, value in result.meta.items()]
    for side, one in zip(("gold", "predicted"), result.inputs, strict=True):
        out.append(f"- {side}: {one.path or 'in memory'} ({sizes(result, side, one)})")
    for table in _whole_curve(result, digits):
        out += ["", f"## {_pipes(table.title)}", "", *markdown_table(table)]
        if table.note:
            out += ["", table.note]
    others = _problems(result, "Data problems", doubtful=False)
    out += ["", *others[:-1]] if others else []
    out += ["", *(f"`{result.signature(measure)}`  " for measure in result.measures)]
    return "\n".join(out) + "\n"


def _problems(result: Result, title: str, *, doubtful: bool) -> list[str]:
    """Return a section of the data problems that put the figures in doubt, or of the others, and an empty line."""
    found = only(phrases(result), doubtful=doubtful)
    rows = [f"- {words}; first: {result.problems.first[kind][0]}" for kind, words in found.items()]
    return [f"## {title}", "", *rows, ""] if rows else []


def _whole_curve(result: Result, digits: int) -> list[Table]:
    """Return the tables with every threshold step instead of the few a terminal shows."""
    out = tables(result, digits)
    full = thresholds(result, digits, GRID)
    return [full if full is not None and table.title == full.title else table for table in out]


def markdown_table(table: Table) -> list[str]:
    """Return the lines of one table."""
    rule = [":--" if at in table.left else "--:" for at in range(len(table.heads))]
    rows = [table.heads, rule, *table.rows]
    return ["| " + " | ".join(_pipes(cell) for cell in row) + " |" for row in rows]


def _pipes(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def latex(result: Result, digits: int = 4) -> str:
    """Return the tables as LaTeX (booktabs), the signature as a comment above each."""
    return "\n".join(latex_table(table, result.signature()) for table in tables(result, digits))


def latex_table(table: Table, signature: str) -> str:
    """Return one table as LaTeX."""
    columns = "".join("l" if at in table.left else "r" for at in range(len(table.heads)))
    lines = [
        f"% {signature}",
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{_escaped(table.title + (f'. {table.note}' if table.note else ''))}}}",
        f"  \\begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        f"    {' & '.join(_escaped(head) for head in table.heads)} \\\\",
        r"    \midrule",
        *(f"    {' & '.join(_escaped(cell) for cell in row)} \\\\" for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    escaped = "".join(LATEX.get(character, character) for character in text)
    return f"{{}}{escaped}" if escaped.startswith("[") else escaped  # \\\\ would take a bracket as its argument


def long_csv(result: Result) -> str:
    """Return every score row as CSV, unrounded; an undefined figure is an empty cell."""
    heads = ("measure", "rate", "average", "label", "value", "low", "high", "documents", "undefined")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    for row in result.rows:
        cells = [getattr(row, head) for head in heads]
        writer.writerow(["" if _nothing(cell) else cell for cell in cells])
    return out.getvalue()


def _nothing(cell: object) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))
