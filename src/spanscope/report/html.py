"""Tables as plain HTML: for the page where there is no JavaScript, and for notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from spanscope.errors import plural
from spanscope.report.names import visible
from spanscope.report.rounding import write_table
from spanscope.report.table import MARK, PRIMARY, Cell, Column, Mean, Report, Table
from spanscope.report.wrapping import text_of

MOST_IN_CELL = 20  # rows of a table in a notebook
META = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
LEFT = "text-align:left"
LEFT_HEAD = f' style="{LEFT}"'
LINK = "cursor:pointer;text-decoration:underline"
STYLE = (
    ":root{color-scheme:light dark}body{background:light-dark(#fff,#14171b);"
    "color:light-dark(#1b1f24,#e8ebee);font:15px/1.5 system-ui,sans-serif;margin:2rem auto;"
    "max-width:110rem;padding:0 1rem}p{max-width:75rem}h1{font-size:1.3rem}"
    "table{border-collapse:collapse;margin:1.5rem 0}caption{font-weight:600;text-align:left;"
    "padding-bottom:.4rem}th button{font:inherit;color:inherit;background:none;border:0;padding:0;"
    "min-width:24px;min-height:24px;cursor:pointer}th button:hover{text-decoration:underline}"
    "figure{margin:1.5rem 0}figure img{max-width:100%;height:auto;background:#fff;border-radius:6px}"
    ".sideways{margin:1rem 0 -1rem;opacity:.8;font-size:.85rem}th,td{padding:.25rem .8rem;"
    "text-align:right;border-bottom:1px solid #8884;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "th:first-child{text-align:left}code{font-size:.8rem;overflow-wrap:anywhere}"
)


SCRIPT = """
for (const box of document.querySelectorAll("[role=region]")) {
  const says = document.createElement("p");
  says.className = "sideways";
  says.textContent = "Scroll sideways for more columns \u2192";
  box.before(says);
  new ResizeObserver(() => (says.hidden = box.scrollWidth <= box.clientWidth + 1)).observe(box);
}
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], given = [...body.rows];
  if (given.length < 2) continue;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    const button = document.createElement("button"), sign = document.createElement("span");
    button.type = "button";
    button.append(...head.childNodes, sign);
    sign.setAttribute("aria-hidden", "true");
    head.append(button);
    button.addEventListener("click", () => {
      const way = { descending: "ascending", ascending: "" }[head.getAttribute("aria-sort")] ?? "descending";
      for (const other of heads) {
        other.removeAttribute("aria-sort");
        other.querySelector("span").textContent = "";
      }
      if (way) head.setAttribute("aria-sort", way);
      sign.textContent = { descending: " \u2193", ascending: " \u2191" }[way] ?? "";
      const key = (row) => row.cells[at].dataset.sort, down = way === "descending" ? -1 : 1;
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === "" || y === "") return x === y ? 0 : x === "" ? 1 : -1;
        return down * (isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y);
      };
      body.append(...(way ? given.toSorted(order) : given));
    });
  });
}
"""


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


def page(report: Report, figure: str = "") -> str:
    """Return a report as a page of its own, whose tables can be sorted, with the notes that stand below them.

    `figure` is HTML that stands below the first table.
    """
    title = escape(visible(report.title))
    below = _paragraphs(map(text_of, report.below))
    head = f"{META}<title>{title}</title><style>{STYLE}</style>"
    first, end, rest = text(report).partition("</table></div>")
    body = f"<main>{first}{end}{figure}{rest}{below}</main><script>{SCRIPT}</script>"
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
        f'<tr><th scope="row"{_sorts(cells[places[0]])}>{f"{MARK} " * (at in table.leads)}{escape(row[0])}</th>'
        f"{_cells(row, [cells[at] for at in places], own.columns)}</tr>"
        for at, (row, cells) in enumerate(zip(own.rows, table.rows, strict=True))
    )
    leads = f" ({PRIMARY})" if table.leads else ""
    caption = f"<caption>{escape(visible(table.title))}{leads}</caption>"
    note = _paragraphs([table.note])
    body = f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    named = escape(visible(table.title or "Table"))
    return f'<div style="overflow-x:auto" tabindex="0" role="region" aria-label="{named}">{body}</div>{note}'


def _cells(written: Sequence[str], cells: Sequence[Cell], columns: Sequence[Column]) -> str:
    """Return the cells of a row behind the first: texts at the left, intervals of shares drawn."""
    out = []
    for text, cell, column in zip(written[1:], cells[1:], columns[1:], strict=True):
        look = LEFT if column.left else _background_of(cell) if column.digits else ""
        styled = f' style="{look}"' if look else ""
        out.append(f"<td{styled}{_sorts(cell)}>{escape(text)}</td>")
    return "".join(out)


def _sorts(cell: Cell) -> str:
    """Return what a cell is sorted by: a value with all its digits, of an interval the lower end."""
    value = cell[0] if isinstance(cell, tuple) and cell else cell
    unknown = value is None or (isinstance(value, float) and math.isnan(value))
    return f' data-sort="{"" if unknown else escape(visible(str(value)))}"'


def _background_of(cell: Cell) -> str:
    """Return how the background of an interval shows where it lies between 0 and 1; nothing for other cells."""
    if not isinstance(cell, tuple) or isinstance(cell, Mean):
        return ""
    low, high = cell
    if low is None or high is None or not 0 <= low <= high <= 1:
        return ""
    ends = f"#8884 {100 * low:.1f}%,#2f6fb0 {100 * low:.1f}%,#2f6fb0 {100 * high:.1f}%,#8884 {100 * high:.1f}%"
    return f"background:linear-gradient(to right,{ends}) 50% 100%/calc(100% - 1.6em) 3px no-repeat"
