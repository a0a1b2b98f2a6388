"""Tables with many columns become several, each as wide as a page: so they are printed, written and shown."""

from __future__ import annotations

from spanscope.report.layout import GAP, WIDTH
from spanscope.report.names import width, widths_of
from spanscope.report.rounding import column_head, write_column
from spanscope.report.table import Column, Mean, Table

NAMES = 40  # columns of a name from which tables rather grow wider than a page than hold one figure each


def pages(table: Table) -> list[Table]:
    """Return a table as it is, or else in several that fit a page; each note tells of the columns above it."""
    if not table.paged:
        return [table]
    always = [at for at, column in enumerate(table.columns) if column.names_row or column.repeated]
    names = max(widths_of(write_column([row[0] for row in table.rows], table.columns[0])), default=0)
    room = WIDTH - 4 - min(names, NAMES) - sum(_width_of(table, at) for at in always[1:])
    groups: list[list[int]] = []
    used = room
    for at in (at for at in range(len(table.columns)) if at not in always):
        if used + _width_of(table, at) > room:
            groups.append([])
            used = 0
        groups[-1].append(at)
        used += _width_of(table, at)
    return [_with_columns(table, sorted([*always, *group])) for group in groups]


def _width_of(table: Table, at: int) -> int:
    """Return about how many columns a column of figures takes, with the gap before it."""
    column = table.columns[at]
    digits = column.digits or 0
    cells = (row[at] for row in table.rows)
    spread = any(isinstance(cell, Mean) and cell.std is not None for cell in cells)
    return max(width(column_head(column)), 2 * digits + 6 if spread else digits + 3) + len(GAP)


def _with_columns(table: Table, kept: list[int]) -> Table:
    columns: tuple[Column, ...] = tuple(table.columns[at] for at in kept)
    about = dict.fromkeys(column.about for column in columns if column.about)
    rows = [tuple(row[at] for at in kept) for row in table.rows]
    return table._replace(columns=columns, rows=rows, note=table.note + ", ".join(about), paged=False)
