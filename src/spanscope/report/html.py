"""Tables as plain HTML: for the page where there is no JavaScript, and for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from spanscope.report.names import visible
from spanscope.report.rounding import write_table
from spanscope.report.table import Report, Table
from spanscope.report.wrapping import text_of

STYLE = (
    ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;"
    "padding:0 1rem}h1{font-size:1.3rem}table{border-collapse:collapse;margin:1.5rem 0}caption{font-weight:600;"
    "text-align:left;padding-bottom:.4rem}th,td{padding:.25rem .8rem;text-align:right;border-bottom:1px solid "
    "#8884;font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left}code{font-size:"
    ".8rem;overflow-wrap:anywhere}"
)


def text(report: Report) -> str:
    """Return a report as a fragment of HTML."""
    tables = "".join(map(_table, report.tables))
    above = _paragraphs(map(text_of, report.above))
    code = f"<p><code>{escape(visible(report.signature))}</code></p>"
    return f"<h1>{escape(visible(report.title))}</h1>{above}{tables}{code}"


def page(report: Report) -> str:
    """Return a report as a page of its own, with the notes that stand below the tables."""
    title = escape(visible(report.title))
    below = _paragraphs(map(text_of, report.below))
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{text(report)}{below}</body></html>\n'


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(visible(line.strip()))}</p>" for line in lines if line.strip())


def _table(table: Table) -> str:
    """Return a table; texts from the data are escaped, and what is invisible in them is named."""
    own = write_table(table)
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in own.heads)
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(value)}</td>" for value in row[1:])
        + "</tr>"
        for row in own.rows
    )
    caption = f"<caption>{escape(visible(table.title))}</caption>"
    note = _paragraphs([table.note])
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{note}"
