"""JSON told from JSON Lines, decoded, and where in the file a document stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from spanscope.io.fields import KNOWN
from spanscope.io.folder import is_folder, sources_in
from spanscope.io.opening import holds_table, peek
from spanscope.io.source import Source
from spanscope.io.tokens.conll import unread

HEAD = 1 << 22  # bytes in which the first line of JSON Lines ends
START = 1 << 16  # of them, in which several lines mostly end
SOMETHING = re.compile(rb"\S")


def is_lines(source: Source) -> bool:
    """Tell JSON Lines from JSON: several lines, the first of them a whole JSON value.

    A first line that is broken counts as a line when the name says so, so that the error names the line.
    """
    if source.lined:
        return True
    data = source.data if not source.data[:1].isspace() else source.data.lstrip()
    end = data.find(b"\n")
    first, more = (data, False) if end < 0 else (data[:end], SOMETHING.search(data, end) is not None)
    try:
        value = msgspec.json.decode(first)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        stem = source.name.removesuffix(".gz")
        return stem.endswith((".jsonl", ".ndjson")) and first[:1] == b"{" and len(first.strip()) > 1
    if not more:  # one line: a list of documents, an object of them, or one document
        return False
    return isinstance(value, (dict, list))


def peek_lines(path: str | Path | Source, number: int) -> bytes:
    """Return the first bytes: of JSON Lines only a few where so many lines end in them, as mostly they do.

    Small files are read in a few milliseconds: a long look at each would cost a tenth of that.
    """
    begun = peek(path, START, tables=False)
    ended = sum(not line.isspace() for line in begun.split(b"\n")[:-1] if line)
    few = ended >= number and bool(begun[begun.rfind(b"\n") :].strip()) and is_lines(Source(str(path), begun, ""))
    return begun if few else peek(path, HEAD)


def first_lines(data: bytes, number: int) -> Iterator[bytes]:
    """Return the first lines, without a copy of all that follows them."""
    start = 0
    for _ in range(number):
        end = data.find(b"\n", start)
        yield data[start : end if end >= 0 else None]
        if end < 0:
            return
        start = end + 1


def can_stream(source: Any) -> bool:
    """Tell whether a source can be read in blocks: a file of JSON Lines, or files of them in a folder."""
    if not isinstance(source, (str, Path)) or not str(source):
        return False
    if is_folder(source):
        return _are_parts(sources_in(source))
    if holds_table(source):
        return False
    head = peek_lines(source, 1)
    return bool(head.strip()) and is_lines(Source(str(source), head, ""))


def _are_parts(sources: Sequence[str]) -> bool:
    """Tell files of JSON Lines that are parts of one corpus.

    One with a single line is a part where it has fields of the others. Where all begin with the same document,
    each may be an annotator's: then they are read whole.
    """
    firsts = [_first_value(source) for source in sources]
    lined = [first for first, source in zip(firsts, sources, strict=True) if can_stream(source)]
    known = {key for first in lined if isinstance(first, dict) for key in first}
    if not lined or not all(isinstance(first, dict) and known & set(first) for first in firsts):
        return False
    began = {repr([first.get(name) for name in (*KNOWN["id"], *KNOWN["text"])]) for first in firsts}
    return len(began) > 1 or len(sources) == 1


def _first_value(source: str) -> Any:
    """Return the value of the first line of a file; None where it is no JSON."""
    try:
        return None if holds_table(source) else msgspec.json.decode(peek(source, HEAD).lstrip().split(b"\n", 1)[0])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def decode(data: bytes, name: str, first_line: int = 1) -> Any:
    """Decode JSON to Python objects, or say on which line it stops being JSON."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        from spanscope.io.broken_json import explain

        other = unread(data, name) if first_line == 1 else None
        raise other or explain(data, name, first_line) from None


def lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Return the lines that are not blank, with their numbers."""
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        if line.strip():
            yield source.line(number), line


def item_lines(source: Source, value: object, containers: tuple[str, ...], *, whole: bool) -> Callable[[int], str]:
    """Return a function from an item's number to file:line, worked out when somebody first asks.

    Where several items stand on a line, the item's number says which one is meant: `file:line[number]`.
    """
    found: list[int] = []
    on_line: Counter[int] = Counter()

    def where(row: int) -> str:
        if not found:
            found.extend([1] if whole else _starts(source.data, value, containers))
            on_line.update(found)
        line = found[row] if row < len(found) else 1
        return f"{source.name}:{line}[{row}]" if on_line[line] > 1 else f"{source.name}:{line}"

    return where


def _starts(data: bytes, value: object, containers: tuple[str, ...]) -> Iterator[int]:
    """Return the line each item of a decoded JSON file starts on."""
    if isinstance(value, dict):
        raw = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        inner = next((raw[key] for key in containers if isinstance(value.get(key), list)), None)
        parts = list(raw.values()) if inner is None else msgspec.json.decode(inner, type=list[msgspec.Raw])
        place = 0 if inner is None else data.index(bytes(inner))
    else:
        parts = msgspec.json.decode(data, type=list[msgspec.Raw])
        place = 0
    line = 1 + data.count(b"\n", 0, place)
    for part in parts:
        at = data.index(bytes(part), place)
        line += data.count(b"\n", place, at)
        place = at
        yield line
        line += data.count(b"\n", place, place + len(bytes(part)))
        place += len(bytes(part))
