"""Tables as plain HTML: for the page where there is no JavaScript, and for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from spanscope.errors import plural
from spanscope.report.names import visible
from spanscope.report.rounding import write_table
from spanscope.report.table import Cell, Column, Mean, Report, Table
from spanscope.report.wrapping import text_of

MOST_IN_CELL = 20  # rows of a table in a notebook
META = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
LEFT = "text-align:left"
LEFT_HEAD = f' style="{LEFT}"'
LINK = "cursor:pointer;text-decoration:underline"
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
    above = _paragraphs(line for line in map(text_of, report.above) if line.strip() != report.title)
    return f"<h1>{escape(visible(report.title))}</h1>{above}{tables}{_signature(report)}"


def compact(report: Report) -> str:
    """Return a report as a fragment of HTML for a cell of a notebook: a table, and a link that opens the others.

    A long table is cut, and stands whole below the link.
    """
    lines = report.above if report.tables else [*report.above, *report.below]
    above = _paragraphs(line for line in map(text_of, lines) if line.strip() != report.title)
    title = f"<p><strong>{escape(visible(report.title))}</strong></p>"
    shown, others = "", list(report.tables)
    if others:
        first = others.pop(0)
        if len(first.rows) > MOST_IN_CELL:
            others.insert(0, first)
            note = f"The first {MOST_IN_CELL} of {len(first.rows):,} rows. {first.note}"
            first = first._replace(rows=first.rows[:MOST_IN_CELL], note=note.strip())
        shown = _table(first)
    words = f"{plural(len(others), 'more table')} and the signature" if others else "Signature"
    rest = f"{''.join(map(_table, others))}{_signature(report)}"
    opened = f'<details><summary style="{LINK}">{words}</summary>{rest}</details>' if rest else ""
    return f'<div class="spanscope">{title}{above}{shown}{opened}</div>'


def _signature(report: Report) -> str:
    return f"<p><code>{escape(visible(report.signature))}</code></p>" if report.signature else ""


def page(report: Report) -> str:
    """Return a report as a page of its own, with the notes that stand below the tables."""
    title = escape(visible(report.title))
    below = _paragraphs(map(text_of, report.below))
    head = f"{META}<title>{title}</title><style>{STYLE}</style>"
    body = f"<main>{text(report)}{below}</main>"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(visible(line.strip()))}</p>" for line in lines if line.strip())


def _table(table: Table) -> str:
    """Return a table; texts from the data are escaped, and what is invisible in them is named."""
    own = write_table(table)
    places = [at for at, column in enumerate(table.columns) if any(column is one for one in own.columns)]
    heads = "".join(
        f'<th scope="col"{LEFT_HEAD if column.left else ""}>{escape(head)}</th>'
        for head, column in zip(own.heads, own.columns, strict=True)
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{_cells(row, [cells[at] for at in places], own.columns)}</tr>'
        for row, cells in zip(own.rows, table.rows, strict=True)
    )
    caption = f"<caption>{escape(visible(table.title))}</caption>"
    note = _paragraphs([table.note])
    body = f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div style="overflow-x:auto" tabindex="0">{body}</div>{note}'


def _cells(written: Sequence[str], cells: Sequence[Cell], columns: Sequence[Column]) -> str:
    """Return the cells of a row behind the first: texts at the left, intervals of shares drawn."""
    out = []
    for text, cell, column in zip(written[1:], cells[1:], columns[1:], strict=True):
        look = LEFT if column.left else _drawn(cell) if column.digits else ""
        out.append(f'<td style="{look}">{escape(text)}</td>' if look else f"<td>{escape(text)}</td>")
    return "".join(out)


def _drawn(cell: Cell) -> str:
    """Return how the background of an interval shows where it lies between 0 and 1; nothing for other cells."""
    if not isinstance(cell, tuple) or isinstance(cell, Mean):
        return ""
    low, high = cell
    if low is None or high is None or not 0 <= low <= high <= 1:
        return ""
    ends = f"#8884 {100 * low:.1f}%,#2f6fb0 {100 * low:.1f}%,#2f6fb0 {100 * high:.1f}%,#8884 {100 * high:.1f}%"
    return f"background:linear-gradient(to right,{ends}) 50% 100%/calc(100% - 1.6em) 3px no-repeat"
