"""Delimited text (CSV, TSV and their relatives) opened: its separator, the names in its header row, its rows.

What the columns hold is for the readers of the families to say; here is only what all of them share. Cells are
strings exactly as they stand there: `N/A` and `null` are no missing values, and `007` is no number.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from spanscope.errors import InputError, named, plural, shown
from spanscope.io.opening import open_source
from spanscope.io.source import Source

SEPARATORS = (",", ";", "\t", "|")
CALLED = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a vertical bar"}
TEXT = 1 << 16  # bytes in which the first rows are looked for; where they hold a single one, in all there are
LOOK = 1 << 22  # bytes that anybody looks at
LISTS = ("[{", "[[", "[(", "[]")  # how cells begin that hold a list, which no name does
EXPECTED = "rows of as many cells, separated by a comma, a semicolon, a tab or a vertical bar"


class Beginning(NamedTuple):
    """The separator of a table, the names in its header row (none where it has none), and its first rows."""

    separator: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class Delimited:
    """A whole table: rows without blank ones, and on which line of the file each begins."""

    name: str
    separator: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    lines: Sequence[int]
    sha256: str | None = None

    def where(self, row: int) -> str:
        """Return the place of a row for messages."""
        return f"{self.name}:{self.lines[row]}"

    def column(self, number: int) -> list[str]:
        """Return the cells of a column."""
        return [row[number] for row in self.rows]


def beginning_of(data: bytes, *, cut: bool = False) -> Beginning | None:
    """Return the beginning of a table with a header row; None where the text is no such table.

    `cut` tells that there is more of the text. Every row must have as many cells as the first under the quoting of
    CSV; where several separators do that, the one that makes most columns counts.
    """
    found = _beginnings(data, cut)
    return max((one for one in found if one.header), key=lambda one: len(one.header), default=None)


def headless(data: bytes, *, cut: bool = False) -> Beginning | None:
    """Return the beginning of a table without a header row: its first row is one of the others."""
    found = [one for one in _beginnings(data, cut) if not one.header]
    return max(found, key=lambda one: len(one.rows[0]), default=None)


def open_delimited(source: str | Path | Source, *, header: bool = True) -> Delimited:
    """Read a whole table; rows that are not as long as the first are refused, and quotes that never end.

    Without `header`, the first row is one of the others.
    """
    file = open_source(source)
    if not isinstance(file.held, bytes):
        raise InputError("is not delimited text", where=file.name, expected="CSV or TSV")
    found = (beginning_of if header else headless)(file.data[:LOOK], cut=len(file.data) > LOOK)
    separator = found.separator if found is not None else _likely(file)
    rows, lines = _all_rows(file, separator)
    names: tuple[str, ...] = ()
    if header:
        names, rows, lines = tuple(cell.strip() for cell in rows[0]), rows[1:], lines[1:]
        _check_header(names, f"{file.name}:{file.line(1)}")
        _refuse_again(names, rows, lambda row: f"{file.name}:{lines[row]}")
    return Delimited(file.name, separator, names, rows, lines, file.sha256 or None)


def _refuse_again(names: Sequence[str], rows: Sequence[Sequence[str]], where: Callable[[int], str]) -> None:
    """Refuse a header row that stands there twice, as in files that were put behind each other."""
    for row, cells in enumerate(rows):
        if cells[0].strip() == names[0] and tuple(cell.strip() for cell in cells) == tuple(names):
            expected = "a header row at the beginning alone"
            raise InputError("the header row is repeated here", where=where(row), expected=expected)


def is_header(cells: Sequence[str]) -> bool:
    """Tell a header row: names, each once, and no numbers or lists; pandas leaves the first name out."""
    own = [cell.strip() for cell in cells]
    named_ones = own[1:] if own and not own[0] else own
    values = any(is_number(cell) or cell.startswith(LISTS) for cell in own)
    return bool(named_ones) and all(named_ones) and len(set(own)) == len(own) and not values


def is_number(cell: str) -> bool:
    """Tell a cell that holds a number.

    >>> is_number("12"), is_number("12.0"), is_number("start"), is_number("")
    (True, True, False, False)
    """
    try:
        float(cell)
    except ValueError:
        return False
    return cell.strip().lower().lstrip("+-") not in ("nan", "inf", "infinity")


def _beginnings(data: bytes, cut: bool) -> Iterator[Beginning]:
    """Return the beginnings of a text, by separator: with a header, or all rows where the first is none."""
    for separator in SEPARATORS:
        if separator.encode() not in data[: data.find(b"\n")]:
            continue
        rows = _first_rows(data[:TEXT], separator, cut or len(data) > TEXT)
        if len(rows) < 2 and len(data) > TEXT:
            rows = _first_rows(data, separator, cut)
        if not rows or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
            continue
        if is_header(rows[0]):
            yield Beginning(separator, tuple(cell.strip() for cell in rows[0]), rows[1:])
        else:
            yield Beginning(separator, (), rows)


def _first_rows(data: bytes, separator: str, cut: bool) -> list[list[str]]:
    """Return the rows of the beginning of a text, without the last where that may be cut off."""
    try:
        found = [row for row, _ in _rows(data.decode("utf-8", "ignore"), separator, strict=not cut)]
    except csv.Error:
        return []
    return found[:-1] if cut else found


def _rows(text: str, separator: str, *, strict: bool) -> Iterator[tuple[list[str], int]]:
    """Return the rows that have anything in them, with the lines on which they begin."""
    if csv.field_size_limit() < sys.maxsize:
        csv.field_size_limit(sys.maxsize)  # a text in a cell may be longer than the usual limit
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict)
    before = 0
    for row in reader:
        if any(row):
            yield row, before + 1
        before = reader.line_num


def _all_rows(file: Source, separator: str) -> tuple[list[list[str]], list[int]]:
    """Return all rows and their lines, each as long as the first."""
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        for row, line in _rows(_decode(file), separator, strict=True):
            if rows and len(row) != len(rows[0]):
                raise InputError(
                    f"the row has {plural(len(row), 'cell')}, the first has {len(rows[0])}",
                    where=f"{file.name}:{file.line(line)}",
                    expected=f"as many cells in every row, separated by {CALLED[separator]}",
                    hint='a cell that contains the separator needs quotes: "a, b"',
                )
            rows.append(row)
            lines.append(file.line(line))
    except csv.Error as error:
        where = f"{file.name}:{lines[-1] + 1 if lines else 1}"
        hint = 'a quote inside a cell is written twice: "say ""yes"""'
        raise InputError(f"a quoted cell does not end ({error})", where=where, hint=hint) from None
    return rows, lines


def _decode(file: Source) -> str:
    try:
        return file.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"byte {file.data[error.start]:#04x} is not UTF-8",
            where=f"{file.name}:{file.line(line)}",
            expected="UTF-8",
            hint="in Excel, save as CSV UTF-8",
        ) from None


def _likely(file: Source) -> str:
    """Return the separator of a table whose first rows are not equally long: one is at fault, and named later."""
    first = file.data[: file.data.find(b"\n")]
    found = max(SEPARATORS, key=lambda one: first.count(one.encode()))
    if found.encode() not in first:
        raise InputError(
            f"the first line is {shown(first.decode('utf-8', 'replace'))}",
            where=f"{file.name}:{file.line(1)}",
            expected=EXPECTED,
        )
    return found


def _check_header(names: Sequence[str], where: str) -> None:
    """Refuse a first row that is no header."""
    if is_header(names):
        return
    again = next((name for name in names if name and names.count(name) > 1), None)
    if again is not None:
        raise InputError(f"there are two columns {named(again)}", where=where, expected="one column of a name")
    raise InputError(f"the first row is {shown(list(names))}", where=where, expected="the names of the columns")
