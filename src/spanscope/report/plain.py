"""Reports in plain characters, for pipes and files: as on a terminal, without waiting for rich."""

from __future__ import annotations

from math import inf

from spanscope.report.layout import WIDTH, asked_width, lines_of
from spanscope.report.rounding import write_table
from spanscope.report.table import Report, Table
from spanscope.report.wrapping import text_of


def text(report: Report) -> str:
    """Return a report as plain text: sentences broken as on a page, tables as wide as they are.

    COLUMNS says how wide both may be, where it is set.
    """
    asked = asked_width()
    lines = lines_of(report, asked or inf, min(asked or WIDTH, WIDTH))
    return "\n".join(text_of(line).rstrip() for line in lines) + "\n"


def list_rows(table: Table) -> str:
    """Return one line per row: its name, a colon and the rest, as editors jump to it."""
    return "".join(f"{': '.join(row)}\n" for row in write_table(table).rows)
