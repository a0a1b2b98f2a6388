"""Tables fitted to a width before anything draws them: a number is whole or not there, a row keeps its name.

Columns are as wide as their cells. Where that is too much, columns leave by importance, which a line below the
table says, and names of rows lose their middles.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from spanscope.report.names import shortened, width
from spanscope.report.tables import BAR, DASH, PRIMARY, WIDTH, Table, marked

GAP = "   "
FIRST = "bold cyan"  # the style of the primary figure
NARROWEST = 20  # columns below which nobody reads a table
LEAST = 4  # columns of a name of which hardly anything is left
NAMES = 32  # columns that the names of rows keep while other columns leave
HEADS = 12  # columns that the heads of other columns keep while columns leave
SENTENCE = 24  # columns below which a sentence is not worth breaking
Line = list[tuple[str, str]]  # texts with their styles


def columns() -> int | None:
    """Return how wide a report shall be that is no terminal's: what COLUMNS says; None: as wide as it takes."""
    given = os.environ.get("COLUMNS", "")
    asked = int(given) if given.isdecimal() and len(given) < 7 else 0
    return max(asked, NARROWEST) if asked else None


@dataclass(frozen=True)
class Column:
    """What a column of a table takes: its cells, its head, and whether they may be made shorter."""

    cells: int
    head: int
    name: bool  # of the row: it can lose its middle
    prose: bool  # a sentence: it can be broken

    @classmethod
    def of(cls, table: Table, at: int) -> Column:
        """Measure a column."""
        cells = max((width(row[at]) for row in table.rows), default=0)
        name = at < table.names and at in table.left
        return cls(cells, width(table.heads[at]), name, table.prose and at == len(table.heads) - 1)

    def width(self, names: float, heads: float) -> float:
        """Return how wide it is where names of rows, and heads, have so many columns."""
        limit = names if self.name else SENTENCE if self.prose else inf
        return max(min(self.cells, limit), min(self.head, heads))


def fitted(table: Table, room: float) -> Table:
    """Return a table with as many of its columns as there is room for: names and the main figure in any case."""
    every = [Column.of(table, at) for at in range(len(table.heads))]
    kept = list(range(len(every)))

    def whole(names: float, heads: float) -> float:
        return sum(every[at].width(names, heads) + len(GAP) for at in kept) - len(GAP)

    limits = (inf, inf)
    if whole(*limits) > room:
        leaving, share = _leaving(table), max(2 * LEAST, min(NAMES, int(room) * 2 // 5 // table.names))
        while leaving and whole(share, HEADS) > room:
            kept.remove(leaving.pop(0))
        limits = next((one for one in _tries(int(room)) if whole(*one) <= room), (LEAST, LEAST))
    free = room - whole(*limits)
    widths = {at: int(every[at].width(*limits)) for at in kept}
    if every[kept[-1]].prose:
        widths[kept[-1]] += int(max(min(room, WIDTH) - whole(*limits), 0))
    bars = table.bars if limits == (inf, inf) and free >= len(GAP) + max(BAR, width(table.bar_head)) else []
    return _taken(replace(table, bars=bars), every, widths, room)


def _tries(room: int) -> list[tuple[float, float]]:
    """Return how wide names of rows and heads may be, generous first: heads lose their middles before names do."""
    return [
        *((inf, heads) for heads in range(room, HEADS, -1)),
        *((names, HEADS) for names in range(room, LEAST, -1)),
        *((LEAST, heads) for heads in range(HEADS, LEAST, -1)),
    ]


def _leaving(table: Table) -> list[int]:
    """Return which columns leave, in order: from the right, then the important ones; the first of those never."""
    last = table.last or (table.names,)
    others = [at for at in range(len(table.heads) - 1, table.names - 1, -1) if at not in last]
    return [*others, *reversed(last[1:])]


def _taken(table: Table, every: Sequence[Column], widths: dict[int, int], room: float) -> Table:
    """Return a table of some of the columns, each so wide; a note says which others there are."""
    cells = {at: [row[at] for row in table.rows] for at in widths}
    for at, wide in widths.items():
        if every[at].prose:
            cells[at] = [textwrap.fill(cell, wide) for cell in cells[at]]
        elif every[at].name:
            short = shortened((cell, wide) for cell in cells[at])
            cells[at] = [short[cell] for cell in cells[at]]
    heads = shortened((table.heads[at], wide) for at, wide in widths.items())
    gone = ", ".join(head for at, head in enumerate(table.heads) if at not in widths)
    left_out = f"Left out to fit {room} columns: {gone} (a wider terminal or -f markdown has all)" if gone else ""
    return replace(
        table,
        heads=tuple(heads[table.heads[at]] for at in widths),
        rows=list(zip(*cells.values(), strict=True)),
        left=frozenset(new for new, at in enumerate(widths) if at in table.left),
        note="\n".join(line for line in (table.note, left_out) if line),
    )


def laid_out(table: Table, room: float, *, primary: bool) -> tuple[list[Line], str]:
    """Return the lines of a table, its title first, and its note; the first row marked if it is the main one."""
    if primary:
        table = replace(table, rows=[marked(row, first=at == 0) for at, row in enumerate(table.rows)])
    table = fitted(table, room)
    lines = [
        [(head, "bold") for head in table.heads] + ([(table.bar_head, "dim")] if table.bars else []),
        *(_styled(table, at, row, FIRST if primary and at == 0 else "") for at, row in enumerate(table.rows)),
    ]
    lines = [part for line in lines for part in _broken(line)]
    wide = [max(width(text) for text, _ in column) for column in zip(*lines, strict=True)]
    left = [at in table.left or at == len(table.heads) for at in range(len(wide))]  # bars come behind the heads
    lines = [_padded(line, wide, left) for line in lines]
    title = [(table.title, "bold"), *([(GAP + PRIMARY, "")] if primary else [])]
    return [title, lines[0], [("─" * (sum(wide) + len(GAP) * (len(wide) - 1)), "")], *lines[1:]], table.note


def _styled(table: Table, number: int, row: tuple[str, ...], style: str) -> Line:
    """Return the cells of a row in colour, its bar with them."""
    cells = [(cell, style or _colour(table, number, at, cell)) for at, cell in enumerate(row)]
    return [*cells, ("█" * round(BAR * table.bars[number]), "cyan")] if table.bars else cells


def _colour(table: Table, row: int, at: int, value: str) -> str:
    """Colour a confusion matrix: right on the diagonal, wrong elsewhere; figures elsewhere are left alone."""
    if table.title == "Confusion" and at >= table.names:
        return "dim" if value == "·" else "green" if at - table.names == row else "yellow"
    return "dim" if value == DASH and at >= 2 else ""


def _broken(line: Line) -> list[Line]:
    """Return a row as several lines where its last cell is a sentence that takes several."""
    first, *more = line[-1][0].split("\n")
    return [[*line[:-1], (first, line[-1][1])], *([*((("", ""),) * (len(line) - 1)), (text, "")] for text in more)]


def _padded(line: Line, wide: Sequence[int], left: Sequence[bool]) -> Line:
    """Return the cells of a line, each as wide as its column."""
    out = []
    for at, ((text, style), size) in enumerate(zip(line, wide, strict=True)):
        blank, gap = " " * (size - width(text)), GAP if at + 1 < len(wide) else ""
        out.append((text + blank + gap if left[at] else blank + text + gap, style))
    return out
