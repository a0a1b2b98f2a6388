"""Reports in lines of a given width: a number is whole or not there, and a row keeps its name.

Columns are as wide as their cells. Where that is too much, columns leave by priority, which a line below the table
says; what may not leave is laid out in several parts, one below the other; names lose their middles, and a legend
has them whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import inf
from typing import NamedTuple

from spanscope.report.names import shorten_names, visible, width, widths_of
from spanscope.report.rounding import WrittenTable, write_table
from spanscope.report.table import DASH, MAIN, MARK, PRIMARY, Column, Line, Report, Table
from spanscope.report.wrapping import text_of, wrap

GAP = "   "
WIDTH = 110  # columns of the sentences of a report that is no terminal's; tables have as many as they need
BAR = 16
FIRST = "bold cyan"  # the style of the primary figure
NARROWEST = 20  # columns below which nobody reads a table
LEAST = 4  # columns of a name of which hardly anything is left
NAMES = 32  # columns that the names of rows keep while other columns leave
HEADS = 12  # columns that the heads of other columns keep while columns leave
SENTENCE = 24  # columns below which a sentence is not worth breaking
LEGEND = 20  # names that a legend explains
Limits = tuple[float, float]  # columns that names of rows and heads may take


def asked_width() -> int | None:
    """Return how wide a report shall be that is no terminal's: what COLUMNS says; None: as wide as it takes."""
    given = os.environ.get("COLUMNS", "")
    asked = int(given) if given.isdecimal() and len(given) < 7 else 0
    return max(asked, NARROWEST) if asked else None


def lines_of(report: Report, room: float, wide: int) -> Iterator[Line]:
    """Return the lines of a report: tables in so much room, sentences broken where they are too wide."""
    for line in report.above:
        yield from wrap(line, wide)
    keys = _pad([key for key, _ in report.facts], left=True)
    for key, (_, value) in zip(keys, report.facts, strict=True):
        yield from wrap([(key, "bold"), (f"  {value}", "")], wide)
    for table in report.tables:
        yield []
        yield from table_lines(table, room, wide)
    for line in report.below:
        yield from wrap(line, wide)
    yield []
    yield [(visible(report.signature), "dim")]  # one line, to be copied


def table_lines(table: Table, room: float, wide: int) -> Iterator[Line]:
    """Return the lines of a table: its title, its parts, its note, what was left out, and a legend of names."""
    own = _mark_rows(write_table(table), table.leads) if table.leads else write_table(table)
    sizes = [Size.of(own, at) for at in range(len(own.columns))]
    parts, limits = _parts(own.columns, sizes, room)
    bars = _bars(table, room - _whole(sizes, parts[0], *limits)) if limits == (inf, inf) else None
    widths = _widths(sizes, parts, limits, room)
    short = _shorten(own, sizes, widths)
    yield from wrap([(table.title, "bold"), *([(GAP + PRIMARY, "")] if table.leads else [])], wide)
    for number, part in enumerate(parts):
        yield from [[]] if number else []
        yield from _grid(table, short, part, bars)
    gone = [own.heads[at] for at in range(len(own.columns)) if at not in widths]
    for note in (table.note, _left_out(gone, room), *_legend(own, short, widths)):
        yield from wrap([(note, "dim")], wide) if note else []


# ---------------------------------------------------------------- what there is room for


class Size(NamedTuple):
    """What a column takes: its cells, its head, and whether they may be made shorter."""

    cells: int
    head: int
    name: bool  # of the row: it can lose its middle
    sentence: bool  # it can be broken

    @classmethod
    def of(cls, own: WrittenTable, at: int) -> Size:
        """Measure a column."""
        column = own.columns[at]
        head, *cells = widths_of([own.heads[at], *[row[at] for row in own.rows]])
        return cls(max(cells, default=0), head, column.names_row and column.left, column.style == "sentence")


def _widths_taken(sizes: Sequence[Size], names: float, heads: float) -> list[float]:
    """Return how wide every column is where names of rows, and heads, have so many columns."""
    limits = [names if one.name else SENTENCE if one.sentence else inf for one in sizes]
    return [max(min(one.cells, most), min(one.head, heads)) for one, most in zip(sizes, limits, strict=True)]


def _whole(sizes: Sequence[Size], part: Sequence[int], names: float, heads: float) -> float:
    """Return how wide some columns are beside each other."""
    return sum(_widths_taken([sizes[at] for at in part], names, heads)) + len(GAP) * (len(part) - 1)


def _parts(columns: Sequence[Column], sizes: Sequence[Size], room: float) -> tuple[list[list[int]], Limits]:
    """Return which columns stand beside each other, in one part or several, and how wide names may be."""
    kept = list(range(len(columns)))
    if _whole(sizes, kept, inf, inf) <= room:
        return [kept], (inf, inf)
    names = sum(column.names_row for column in columns)
    least = (max(2 * LEAST, min(NAMES, int(room) * 2 // 5 // max(names, 1))), HEADS)
    leaving = _columns_to_leave(columns)
    while leaving and _whole(sizes, kept, *least) > room:
        kept.remove(leaving.pop(0))
    parts = _deal_out(columns, sizes, kept, room, least)
    tries = (one for one in _tries(int(room)) if all(_whole(sizes, part, *one) <= room for part in parts))
    return parts, next(tries, (LEAST, LEAST))


def _columns_to_leave(columns: Sequence[Column]) -> list[int]:
    """Return which columns may leave, in order: by priority, from the right; the first figure always stays."""
    figures = [at for at, column in enumerate(columns) if not column.names_row]
    main = [at for at in figures if columns[at].priority == MAIN] or figures[:1]
    return sorted(set(figures) - set(main), key=lambda at: (-columns[at].priority, -at))


def _deal_out(
    columns: Sequence[Column], sizes: Sequence[Size], kept: Sequence[int], room: float, least: Limits
) -> list[list[int]]:
    """Deal columns out into parts that fit, each with what names the rows."""
    if _whole(sizes, kept, *least) <= room:
        return [list(kept)]
    always = [at for at in kept if columns[at].names_row or columns[at].repeated]
    parts: list[list[int]] = []
    for at in (at for at in kept if at not in always):
        if not parts or _whole(sizes, [*parts[-1], at], *least) > room:
            parts.append([*always])
        parts[-1].append(at)
    return [sorted(part) for part in parts or [always]]


def _tries(room: int) -> Iterator[Limits]:
    """Return how wide names of rows and heads may be, generous first: heads lose their middles before names do."""
    yield from ((inf, heads) for heads in range(room, HEADS, -1))
    yield from ((names, HEADS) for names in range(room, LEAST, -1))
    yield from ((LEAST, heads) for heads in range(HEADS, LEAST, -1))


def _widths(sizes: Sequence[Size], parts: Sequence[Sequence[int]], limits: Limits, room: float) -> dict[int, int]:
    """Return how wide every column is; sentences get what is left, each as much as it needs."""
    taken = _widths_taken(sizes, *limits)
    out = {at: int(taken[at]) for part in parts for at in part}
    for part in parts:
        left = int(max(min(room, WIDTH) - _whole(sizes, part, *limits), 0))
        for at in (at for at in part if sizes[at].sentence):
            more = max(min(sizes[at].cells - out[at], left), 0)
            out[at], left = out[at] + more, left - more
    return out


# ---------------------------------------------------------------- what fits


def _mark_rows(own: WrittenTable, leads: Sequence[int]) -> WrittenTable:
    """Return a table in which the rows that lead are marked."""
    rows = [(f"{MARK if at in leads else ' '} {row[0]}", *row[1:]) for at, row in enumerate(own.rows)]
    return own._replace(rows=rows)


def _shorten(own: WrittenTable, sizes: Sequence[Size], widths: dict[int, int]) -> WrittenTable:
    """Return a table with its texts as wide as its columns; those that left are as they were."""
    cells = [[row[at] for row in own.rows] for at in range(len(own.columns))]
    for at, wide in widths.items():
        if sizes[at].sentence:
            cells[at] = ["\n".join(map(text_of, wrap([(cell, "")], wide))) for cell in cells[at]]
        elif sizes[at].name:
            short = shorten_names((cell, wide) for cell in cells[at])
            cells[at] = [short[cell] for cell in cells[at]]
    heads = shorten_names((own.heads[at], wide) for at, wide in sorted(widths.items()))
    named = tuple(heads[head] if at in widths else head for at, head in enumerate(own.heads))
    return WrittenTable(own.columns, named, list(zip(*cells, strict=True)))


def _left_out(gone: Sequence[str], room: float) -> str:
    names = ", ".join(gone)
    return f"Left out to fit {room} columns: {names} (a wider terminal or -f markdown has all)" if names else ""


def _legend(own: WrittenTable, short: WrittenTable, widths: dict[int, int]) -> list[str]:
    """Return what names and heads are that lost their middles, a line each."""
    heads = [(short.heads[at], own.heads[at]) for at in widths]
    names = [
        (new[at].removeprefix(f"{MARK} ").strip(), old[at].removeprefix(f"{MARK} ").strip())
        for new, old in zip(short.rows, own.rows, strict=True)
        for at in widths
        if own.columns[at].names_row
    ]
    changed = [f"  {new} = {old}" for new, old in dict.fromkeys([*heads, *names]) if new != old]
    more = len(changed) - LEGEND
    return [
        *changed[:LEGEND],
        *([f"{more:,} more names are shortened (-f markdown has them whole)"] if more > 0 else []),
    ]


# ---------------------------------------------------------------- lines


def _bars(table: Table, room: float) -> Line | None:
    """Return the bars of a table below their head, where it has any and there is room for them."""
    for at, column in enumerate(table.columns):
        if column.style == "bar" and len(GAP) + max(BAR, width(column.name)) <= room:
            cells = (row[at] for row in table.rows)
            lengths = (float(cell) if isinstance(cell, (int, float)) else 0.0 for cell in cells)
            return [(column.name, "dim"), *(("█" * round(BAR * length), "cyan") for length in lengths)]
    return None


def _grid(table: Table, own: WrittenTable, part: Sequence[int], bars: Line | None) -> Iterator[Line]:
    """Return the heads, the rule and the rows of some columns."""
    cells = [[(own.heads[at], "bold"), *_style_column(table, own, at)] for at in part] + ([bars] if bars else [])
    if any(own.columns[at].style == "sentence" for at in part):
        lines = [broken for line in zip(*cells, strict=True) for broken in _break_row(line)]
        cells = [[*column] for column in zip(*lines, strict=True)]
    left = [*(own.columns[at].left for at in part), True]  # bars come behind the figures
    for at, column in enumerate(cells):
        gap = GAP if at + 1 < len(cells) else ""
        texts = _pad([text for text, _ in column], left=left[at])
        cells[at] = [(text + gap, style) for text, (_, style) in zip(texts, column, strict=True)]
    head, *rows = map(list, zip(*cells, strict=True))
    yield head
    yield [("─" * sum(widths_of([text for text, _ in head])), "")]
    yield from rows


def _style_column(table: Table, own: WrittenTable, at: int) -> Line:
    """Return a column in colour: in a matrix the diagonal is right and all else wrong; other figures have none."""
    column, texts = own.columns[at], [row[at] for row in own.rows]
    styles = ["dim" if text == DASH and at >= 2 else "" for text in texts]
    if table.diagonal and column.style == "code":
        right = at - len([one for one in own.columns if one.names_row])
        styles = ["green" if row == right else "yellow" for row in range(len(texts))]
        styles = ["dim" if text == column.missing else style for text, style in zip(texts, styles, strict=True)]
    for row in table.leads if styles else ():
        styles[row] = FIRST
    return list(zip(texts, styles, strict=True))


def _break_row(row: Sequence[tuple[str, str]]) -> list[Line]:
    """Return a row as several lines where a cell is a sentence that takes several."""
    broken = [[(line, style) for line in text.split("\n")] for text, style in row]
    return [list(line) for line in zip_longest(*broken, fillvalue=("", ""))]


def _pad(texts: Sequence[str], *, left: bool) -> list[str]:
    """Return texts that are all as wide as the widest of them."""
    sizes = widths_of(texts)
    wide = max(sizes, default=0)
    blanks = [" " * (wide - size) for size in sizes]
    return [text + blank if left else blank + text for text, blank in zip(texts, blanks, strict=True)]
