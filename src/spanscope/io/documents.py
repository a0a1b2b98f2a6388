"""Documents of a source before anybody looks into them: their values, and where each stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from spanscope.errors import InputError, shown
from spanscope.io.json_lines import decode, is_lines, item_lines, lines
from spanscope.io.opening import open_source
from spanscope.io.source import FILES, Source
from spanscope.io.strict import Report

Unwrap = Callable[[Any, str], list[Any]]  # from a JSON value and its place to the documents in it


class Documents(NamedTuple):
    """Documents, where each stands, what the source is called, its hash, and the JSON value they stood in."""

    values: Sequence[Any]
    where: Callable[[int], str]
    name: str
    sha256: str | None = None
    value: Any = None  # None where every line is a document


def documents_of(
    source: Any,
    called: str,
    unwrap: Unwrap,
    containers: Sequence[str],
    report: Report,
    expected: str = "a path, or documents",
) -> Documents:
    """Return the documents of a JSON or JSON Lines file, or of objects in memory, which are `called` so."""
    if isinstance(source, FILES):
        return documents_in(open_source(source), unwrap, containers, report)
    if not isinstance(source, (list, tuple, Mapping)):
        raise InputError(f"the input is {shown(source)}", expected=expected)
    return Documents(unwrap(source, called), lambda row: f"{called}[{row}]", called, None, source)


def documents_in(file: Source, unwrap: Unwrap, containers: Sequence[str], report: Report) -> Documents:
    """Return the documents of a JSON or JSON Lines file; lines that are no JSON are reported."""
    if is_lines(file):
        at, found = _lines(file, report)
        return Documents(found, lambda row: f"{file.name}:{at[row]}", file.name, file.sha256)
    value = decode(file.data, file.name)
    found = unwrap(value, f"{file.name}:1")
    where = item_lines(file, value, tuple(containers), whole=len(found) == 1 and found[0] == value)
    return Documents(found, where, file.name, file.sha256, value)


def _lines(file: Source, report: Report) -> tuple[list[int], list[Any]]:
    """Return the numbers and the values of the lines that are JSON."""
    at, found = [], []
    for number, line in lines(file):
        try:
            found.append(decode(line, file.name, number))
        except InputError as error:
            report.bad(error, "bad line")
            continue
        at.append(number)
    return at, found
