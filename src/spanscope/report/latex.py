"""Tables as LaTeX (booktabs)."""

from __future__ import annotations

from spanscope.report.names import visible
from spanscope.report.rounding import write_table
from spanscope.report.table import Report, Table

ESCAPES = {
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


def text(report: Report) -> str:
    """Return the tables of a report, the signature as a comment above each."""
    return "\n".join(_table(table, report.signature) for table in report.tables)


def _table(table: Table, signature: str) -> str:
    own = write_table(table)
    leads = f"Primary figure: {own.rows[table.leads[0]][0].strip()}." if table.leads else ""
    caption = visible(". ".join(filter(None, (table.title, " ".join(filter(None, (leads, table.note)))))))
    lines = [
        f"% {visible(signature)}",
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{_escape(caption)}}}",
        f"  \\begin{{tabular}}{{{''.join('l' if column.left else 'r' for column in own.columns)}}}",
        r"    \toprule",
        f"    {' & '.join(map(_escape, own.heads))} \\\\",
        r"    \midrule",
        *(f"    {' & '.join(map(_escape, row))} \\\\" for row in own.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _escape(text: str) -> str:
    escaped = "".join(ESCAPES.get(character, character) for character in text)
    return f"{{}}{escaped}" if escaped.startswith("[") else escaped  # \\\\ would take a bracket as its argument
