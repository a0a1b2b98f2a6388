"""The report on a terminal: rich where there is one, the same in plain characters when piped."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from math import inf

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from spanscope.report.layout import columns, laid_out
from spanscope.report.names import visible, width
from spanscope.report.problems import noted, warned
from spanscope.report.tables import WIDTH, Table, facts, has_primary, tables
from spanscope.results.result import Result


def show(
    result: Result,
    console: Console,
    *,
    digits: int = 4,
    examples: int = 0,
    worst: int = 0,
    room: float | None = None,
) -> None:
    """Print the report; its tables in as many columns as the console has, unless told otherwise."""
    parts: list[RenderableType] = [*styled(warned(result)), head(facts(result))]
    for at, table in enumerate(tables(result, digits, worst=worst)):
        parts += ["", grid(table, room or console.width, primary=at == 0 and has_primary(result, table))]
    if examples and (found := _examples(result, examples)):
        parts += ["", Text("Examples", style="bold"), *found]
    put(console, [*parts, *styled(noted(result))], result.signature())


def text(result: Result, *, digits: int = 4, examples: int = 0, worst: int = 0) -> str:
    """Return the report as plain text."""
    return plain(
        lambda console, room: show(result, console, digits=digits, examples=examples, worst=worst, room=room)
    )


def plain(show: Callable[[Console, float], None]) -> str:
    """Return what is shown on a console as plain text: sentences broken as on a page, tables as wide as they are.

    COLUMNS says how wide both may be, where it is set.
    """
    out, asked = io.StringIO(), columns()
    show(Console(file=out, width=min(asked or WIDTH, WIDTH), color_system=None), asked or inf)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def put(console: Console, parts: Iterable[RenderableType], signature: str) -> None:
    """Print the parts of a report; tables were fitted, so that nothing need be cropped."""
    console.print(Group(*parts, ""), crop=False)
    console.print(Text(signature, style="dim"), soft_wrap=True)  # one line, to be copied


def head(known: Iterable[tuple[str, str]]) -> RenderableType:
    """Return what stands above the tables, a line each."""
    pairs = list(known)
    keys = max(width(key) for key, _ in pairs)
    lines = [Text.assemble((key + " " * (keys - width(key)), "bold"), f"  {value}") for key, value in pairs]
    return Group(*lines)


def styled(lines: Iterable[tuple[str, str]]) -> list[RenderableType]:
    """Return sentences in their styles; where one is broken, its other lines stand as far in as its first."""
    return [_indented(line, style) for line, style in lines]


def _indented(line: str, style: str = "") -> RenderableType:
    text = Text(line.lstrip(" "), style=style, overflow="fold")
    indent = len(line) - len(text.plain)
    return Padding(text, (0, 0, 0, indent), expand=False) if indent and text.plain else text


def grid(table: Table, room: float, *, primary: bool = False) -> RenderableType:
    """Return one table with its title and its note, with the first row marked where it is the primary figure."""
    (title, *lines), note = laid_out(table, room, primary=primary)
    rows = [Text.assemble(*line, no_wrap=True, overflow="ignore") for line in lines]
    return Group(Text.assemble(*title), *rows, *([Text(note, style="dim")] if note else []))


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
                lines.append(_indented(f"      {side}  {visible(span['label'])}  {place}  {words}", style))
    return lines
