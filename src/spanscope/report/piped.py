"""The report in plain characters, as `terminal` has it, for pipes and files: small runs need not wait for rich.

Only what lies in rows as it is: where something has to be broken, or may be wider than a column, rich does it.
"""

from __future__ import annotations

import string

from spanscope.report.tables import BAR, PRIMARY, WIDTH, Table, facts, has_primary, marked, noted, tables
from spanscope.result import Result

ORDINARY = frozenset(string.printable[:95] + "▸█─–·∞")  # characters that take one column each, everywhere
GAP = "   "


def text(result: Result, *, digits: int = 4, worst: int = 0) -> str | None:
    """Return the report as plain text, without examples; None where it takes rich to lay it out."""
    known = facts(result)
    keys = max(len(key) for key, _ in known)
    lines = [f"{key:<{keys}}  {value}" for key, value in known]
    for at, table in enumerate(tables(result, digits, worst=worst)):
        if (grid := _grid(table, primary=at == 0 and has_primary(result, table))) is None:
            return None
        lines += ["", *grid, *([table.note] if table.note else [])]
    if result.problems:
        lines += ["", *(line for line, _ in noted(result))]
    signature = result.signature()
    if max(map(len, lines)) > WIDTH or not ORDINARY.issuperset("".join([*lines, signature])):
        return None
    return "\n".join(line.rstrip() for line in [*lines, "", signature]) + "\n"


def _grid(table: Table, *, primary: bool) -> list[str] | None:
    """Return the lines of a table; None where the title is wider than the columns."""
    title = table.title + (GAP + PRIMARY if primary else "")
    rows = [table.heads, *(marked(row, first=at == 0) if primary else row for at, row in enumerate(table.rows))]
    if table.bars:
        bars = [table.bar_head, *("█" * round(BAR * length) for length in table.bars)]
        rows = [(*row, bar) for row, bar in zip(rows, bars, strict=True)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    left = {*table.left, *range(len(table.heads), len(widths))}
    whole = sum(widths) + len(GAP) * (len(widths) - 1)
    if len(title) > whole or not all(widths) or title.count(":") > 1:  # rich reads :words: as pictures
        return None
    sides = [str.ljust if at in left else str.rjust for at in range(len(widths))]
    lines = [GAP.join(put(cell, n) for put, cell, n in zip(sides, row, widths, strict=True)) for row in rows]
    return [title, lines[0], "─" * whole, *lines[1:]]
