"""Tables as data: columns that say what they hold, and the values themselves. How they look is up to renderers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

DASH = "–"  # stands for what is undefined
MARK = "▸"  # before the row of the primary figure
PRIMARY = f"{MARK} primary figure"  # behind the title of its table
MAIN = 0  # the priority of a column that never leaves a table

Style = Literal["", "signed", "gain", "p", "count", "code", "place", "sentence", "bar"]
Line: TypeAlias = list[tuple[str, str]]  # texts with their styles


class Mean(NamedTuple):
    """A mean over documents, its standard deviation, and on how many documents it rests where not on all."""

    value: float
    std: float | None = None
    documents: int | None = None


Pair: TypeAlias = tuple[float | None, float | None]
Cell: TypeAlias = str | int | float | Mean | Pair | None


Better = Literal["higher", "lower"]


class Column(NamedTuple):
    """What a column holds; the type of a cell says the rest: a text, a whole number, a figure, an interval."""

    name: str
    digits: int | None = 4  # behind the point; None: as many as the value needs
    unit: str = ""  # stands behind every value
    better: Better | None = None
    priority: int = 1  # where room is scarce, columns with larger numbers leave first, those with MAIN never
    names_row: bool = False  # says which row it is: it never leaves, and may lose the middles of its texts
    left: bool = False  # texts are aligned to the left, figures to the right
    style: Style = ""  # how values are written where their type does not say it
    missing: str = DASH  # stands where there is no value
    longest: int | None = None  # texts that take more columns lose their middles in every form of the report
    about: str = ""  # what is to be said of the column below its table
    repeated: bool = False  # stands in every part of a table that is laid out in several


class Table(NamedTuple):
    """A title, columns, rows of values and a note."""

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]
    note: str = ""
    leads: tuple[int, ...] = ()  # the rows of the primary figure: every form but data says which they are
    diagonal: bool = False  # a matrix: what stands on its diagonal is right, what stands elsewhere wrong
    paged: bool = False  # has so many columns that it becomes several tables, each as wide as a page


class Section(NamedTuple):
    """Sentences of a document under a title, or under none: a list, or paragraphs."""

    title: str
    items: Sequence[str]
    listed: bool = True


class Report(NamedTuple):
    """What a renderer gets: tables in the order of their importance, and the words around them."""

    title: str
    tables: Sequence[Table]
    signature: str
    above: Sequence[Line] = ()  # on a screen, before the figures
    facts: Sequence[tuple[str, str]] = ()  # likewise, below that: what was read, and how
    below: Sequence[Line] = ()  # on a screen, behind the tables
    opening: Sequence[Section] = ()  # of a document
    closing: Sequence[Section] = ()
    signatures: Sequence[str] = ()  # of a document, where there are several figures


def better_of(best: float) -> Better | None:
    """Return which way is better for a rate with this best value; None where neither end is best."""
    return "lower" if best == 0.0 else "higher" if best == 1.0 else None


def row_name(name: str, *, left: bool = True, longest: int | None = None) -> Column:
    """Return a column that says which row it is."""
    return Column(name, names_row=True, left=left, longest=longest)


def bar_column(name: str) -> Column:
    """Return a column of lengths from 0 to 1, to be drawn where there is room for it."""
    return Column(name, style="bar", left=True)


def without_columns(table: Table, names: Sequence[str]) -> Table:
    """Return a table without the columns of these names."""
    kept = [at for at, column in enumerate(table.columns) if column.name not in names]
    columns, rows = table.columns, [tuple(row[at] for at in kept) for row in table.rows]
    return table._replace(columns=tuple(columns[at] for at in kept), rows=rows)
