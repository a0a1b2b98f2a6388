"""The report on a terminal: rich where there is one, the same in plain characters when piped."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from spanscope.report.tables import (
    BAR,
    DASH,
    PRIMARY,
    WIDTH,
    Table,
    facts,
    has_primary,
    marked,
    noted,
    tables,
    visible,
)
from spanscope.result import Result

WIDE = 100  # columns from which the overall table shows all averages
FIRST = "bold cyan"  # the style of the primary figure


def show(result: Result, console: Console, *, digits: int = 4, examples: int = 0, worst: int = 0) -> None:
    """Print the report."""
    wide = console.width >= WIDE
    console.print(report(result, digits=digits, examples=examples, worst=worst, wide=wide))
    console.print(Text(result.signature(), style="dim"), soft_wrap=True)  # one line, to be copied


def text(result: Result, *, digits: int = 4, examples: int = 0, worst: int = 0, width: int = WIDTH) -> str:
    """Return the report as plain text."""
    out = io.StringIO()
    show(result, Console(file=out, width=width, color_system=None), digits=digits, examples=examples, worst=worst)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def report(
    result: Result, *, digits: int = 4, examples: int = 0, worst: int = 0, wide: bool = True
) -> RenderableType:
    """Return everything the terminal shows, top to bottom."""
    parts: list[RenderableType] = [_head(result)]
    for at, table in enumerate(tables(result, digits, wide=wide, worst=worst)):
        parts += ["", grid(table, primary=at == 0 and has_primary(result, table))]
        if table.note:
            parts.append(Text(table.note, style="dim"))
    if examples and (found := _examples(result, examples)):
        parts += ["", Text("Examples", style="bold"), *found]
    if result.problems:
        parts += ["", *(Text(line, style=style, overflow="fold") for line, style in noted(result))]
    return Group(*parts, "")


def _head(result: Result) -> RenderableType:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    for key, value in facts(result):
        grid.add_row(Text(key), Text(value))
    return grid


def grid(table: Table, *, primary: bool) -> RenderableType:
    """Return one table, with the first row marked where it is the primary figure."""
    out = Grid(
        title=escape(table.title) + (f"   [not bold]{PRIMARY}[/]" if primary else ""),
        title_justify="left",
        title_style="bold",
        box=_box(),
        header_style="bold",
        pad_edge=False,
        show_edge=False,
    )
    for at, head in enumerate(table.heads):
        left = at in table.left
        out.add_column(
            escape(head), justify="left" if left else "right", no_wrap=primary or not left, overflow="fold"
        )
    if table.bars:
        out.add_column(table.bar_head, no_wrap=True, header_style="dim")
    for row_at, row in enumerate(table.rows):
        style = FIRST if primary and row_at == 0 else None
        cells = [_cell(table, row_at, at, value) for at, value in enumerate(row)]
        if table.bars:
            cells.append(Text("█" * round(BAR * table.bars[row_at]), style="cyan"))
        if primary:
            cells[0] = Text(marked(row, first=row_at == 0)[0])
        out.add_row(*cells, style=style)
    return out


def _cell(table: Table, row: int, at: int, value: str) -> Text:
    """Colour a confusion matrix: right on the diagonal, wrong elsewhere; figures elsewhere are left alone."""
    if table.title == "Confusion" and at >= 2:
        if value == "·":
            return Text(value, style="dim")
        return Text(value, style="green" if at - 2 == row else "yellow")
    return Text(value, style="dim" if value == DASH and at >= 2 else "")


def _box() -> Any:
    from rich import box

    return box.SIMPLE_HEAD


def _examples(result: Result, most: int) -> list[RenderableType]:
    """Return the first errors, spans of both sides in the words of the document."""
    kinds = list(result.errors())
    lines: list[RenderableType] = []
    for at, record in enumerate(result.matches(kinds)):
        if at == most:
            break
        line = Text(f"  {visible(record['document'])}  ")
        line.append(record["kind"], style="bold red")
        if record.get("detail"):
            line.append(f" ({record['detail']})", style="dim")
        lines.append(line)
        for side, style in (("gold", "green"), ("pred", "magenta")):
            if span := record[side]:
                words = "" if span["text"] is None else visible(" ".join(span["text"].split()))
                place = f"{span['start']}..{span['end']}"
                lines.append(
                    Text(f"      {side}  {visible(span['label'])}  {place}  {words}", style=style, overflow="fold")
                )
    return lines
