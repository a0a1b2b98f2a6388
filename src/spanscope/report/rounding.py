"""Values as they are written: the one place where figures are rounded. What is undefined is a dash."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from spanscope.report.names import shorten_names, visible
from spanscope.report.table import DASH, Cell, Column, Mean, Table

LEAST_P = 0.0001  # below which a p-value is only said to be smaller


class WrittenTable(NamedTuple):
    """A table in texts: what stands above its columns, and its rows; bars are no texts."""

    columns: tuple[Column, ...]
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]


def round_number(value: float | None, digits: int | None = 4) -> str:
    """Return a figure rounded for reading."""
    if value is None or math.isnan(value):
        return DASH
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    text = f"{value:g}" if digits is None else f"{value:.{digits}f}"
    return text.removeprefix("-") if text.strip("-0.") == "" else text  # no minus before what rounds to nothing


def with_sign(value: float | None, digits: int | None = 4) -> str:
    """Return a difference with its sign, if it is one after rounding."""
    text = round_number(value, digits)
    return text if text == DASH or text.startswith("-") or text.strip("0.") == "" else f"+{text}"


def as_gain(value: float | None, digits: int | None = 4) -> str:
    """Return a gain with its sign, even if nothing of it is left after rounding."""
    text = round_number(value, digits)
    return text if text == DASH or text.startswith("-") else f"+{text}"


def percentage(part: float, whole: float) -> float | None:
    """Return a share in percent."""
    return 100 * part / whole if whole else None


def write_table(table: Table) -> WrittenTable:
    """Return a table in texts."""
    shown = [at for at, column in enumerate(table.columns) if column.style != "bar"]
    columns = tuple(table.columns[at] for at in shown)
    cells = [write_column([row[at] for row in table.rows], table.columns[at]) for at in shown]
    return WrittenTable(columns, tuple(map(column_head, columns)), list(zip(*cells, strict=True)))


def column_head(column: Column) -> str:
    """Return what stands above a column: its name, and an arrow where less is better."""
    return visible(column.name) + ("↓" if column.better == "lower" else "")


def write_column(cells: Sequence[Cell], column: Column) -> list[str]:
    """Return the cells of a column as texts."""
    unit = f" {column.unit}" if column.unit else ""
    rounded = {"signed": with_sign, "gain": as_gain}.get(column.style, round_number)
    out = []
    for cell in cells:
        if isinstance(cell, str):
            text = visible(cell)
        elif cell is None:
            text = column.missing
        elif isinstance(cell, Mean):
            text = _mean(cell, column)
        elif isinstance(cell, tuple):
            text = _pair(cell, column)
        elif column.style == "p":
            text = f"<{LEAST_P}" if cell < LEAST_P else round_number(cell, column.digits)
        elif column.style == "code":
            text = str(cell)
        elif column.style == "count" or isinstance(cell, int):
            text = f"{cell:,.0f}{unit}"
        else:
            text = rounded(cell, column.digits)
            text += "" if text == DASH else unit
        out.append(text)
    if column.longest is None:
        return out
    called = shorten_names((text, column.longest) for text in out)
    return [called[text] for text in out]


def _mean(cell: Mean, column: Column) -> str:
    value = round_number(cell.value, column.digits)
    if cell.std is not None:
        value += f" ±{round_number(cell.std, column.digits)}"
    return value if cell.documents is None or value == DASH else f"{value} (n={cell.documents})"


def _pair(cell: tuple[float | None, float | None], column: Column) -> str:
    """Return an interval, or a place in a text."""
    low, high = cell
    if column.style == "place":
        return f"{low}..{high}"
    if low is None or high is None:
        return column.missing
    rounded = with_sign if column.style == "signed" else round_number
    return f"[{rounded(low, column.digits)}, {rounded(high, column.digits)}]"
