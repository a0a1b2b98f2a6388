"""Tables as JSON: columns with what is known of them, and the values themselves, non-finite ones as null."""

from __future__ import annotations

from typing import Any

import msgspec

from spanscope.jsonable import JsonObject, finite
from spanscope.report.table import Cell, Mean, Report, Table


def text(report: Report) -> str:
    """Return the tables of a report."""
    made = {"title": report.title, "tables": [_table(table) for table in report.tables]}
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode() + "\n"


def _table(table: Table) -> JsonObject:
    shown = [at for at, column in enumerate(table.columns) if column.style != "bar"]
    columns = [table.columns[at] for at in shown]
    return {
        "title": table.title,
        "note": table.note,
        "columns": [{"name": one.name, "unit": one.unit, "better": one.better} for one in columns],
        "rows": [[_cell(row[at]) for at in shown] for row in table.rows],
    }


def _cell(cell: Cell) -> Any:
    if isinstance(cell, Mean):
        return {key: finite(value) for key, value in cell._asdict().items()}
    return [finite(one) for one in cell] if isinstance(cell, tuple) else finite(cell)
