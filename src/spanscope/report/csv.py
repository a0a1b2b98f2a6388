"""A table as CSV, unrounded: what is undefined is an empty cell."""

from __future__ import annotations

import csv
import io
import math

from spanscope.report.table import Cell, Table


def text(table: Table) -> str:
    """Return the names of the columns, and one line per row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column.name for column in table.columns)
    writer.writerows([_write_cell(cell) for cell in row] for row in table.rows)
    return out.getvalue()


def _write_cell(cell: Cell) -> Cell:
    return "" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell
