"""Bytes of a file, of standard input, of a gzip file; and the sentence to say when there are none."""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from spanscope.errors import InputError, shown
from spanscope.io.halves import WHOLE
from spanscope.io.packed import MAGIC, Gunzip
from spanscope.io.pipes import opened
from spanscope.watched import TABLES, is_arrow

STDIN = "-"
BOM = b"\xef\xbb\xbf"
LONE = re.compile(
    r"\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}",
    re.IGNORECASE,
)
MOST_UNPACKED = 1_000_000_000  # bytes that a packed file may always hold where it is read whole
MOST_RATIO = 100  # how many times its size a packed file may hold beyond that; JSON has 5 to 50 times as much
CONSTANT = re.compile(r"[:\[,]\s*(NaN|-?Infinity)\b")


@dataclass(frozen=True)
class Source:
    """The decoded bytes of an input, or of some lines of it; its name in messages; the hash of what was read."""

    name: str
    data: bytes
    sha256: str
    first_line: int = 1
    lined: bool = False  # known to be JSON Lines, however few
    numbers: Sequence[int] | None = None  # of the lines in the file, where they are not consecutive

    def __str__(self) -> str:
        return self.name

    def line(self, number: int) -> int:
        """Return which line of the file the line with this number, from 1, is."""
        return self.first_line + number - 1 if self.numbers is None else self.numbers[number - 1]

    def lines(self, first: int, size: int) -> Sequence[int]:
        """Return which lines of the file so many lines, from the one with this number on, are."""
        if self.numbers is not None:
            return self.numbers[first - 1 : first - 1 + size]
        return range(self.first_line + first - 1, self.first_line + first - 1 + size)

    def head(self, size: int) -> bytes:
        """Return the first bytes."""
        return self.data[:size]


FILES = (str, Path, Source)  # what can be opened


def open_source(path: str | Path | Source) -> Source:
    """Read a whole input; `-` is standard input, and gzip is recognised by its first bytes."""
    if isinstance(path, Source):
        return path
    name = str(path)
    if not name:
        raise InputError("is no name of a file", where="''", expected="a path, or - for standard input")
    raw = _bytes(path, name)
    if name == STDIN:
        name = "<stdin>"
    digest = hashlib.sha256(raw).hexdigest()
    if raw and is_arrow(name, raw):
        from spanscope.io.arrow import read_table

        return read_table(raw, name, digest)
    data = raw
    if raw[:2] == MAGIC:
        data = _unpacked(raw, name)
    return Source(name, _checked(data, name), digest)


def _unpacked(raw: bytes, name: str) -> bytes:
    """Return what a whole gzip file holds, unless it holds too much."""
    gunzip, parts, size = Gunzip(name), list[bytes](), 0
    gunzip.feed(raw)
    while gunzip.waiting:
        parts.append(gunzip.part())
        size += len(parts[-1])
        refuse_swollen(name, len(raw), size)
    gunzip.finish()
    return b"".join(parts)


def refuse_swollen(name: str, packed: int, unpacked: int) -> None:
    """Refuse a packed file that unpacks to far more than it should, before it fills the memory."""
    if unpacked > max(MOST_UNPACKED, MOST_RATIO * packed):
        raise InputError(
            f"{packed:,} bytes unpack to more than {unpacked:,}",
            where=name,
            expected=f"at most {MOST_UNPACKED:,} bytes, or {MOST_RATIO} times the size of the file",
            hint="gunzip   first; for JSON Lines, eval --memory totals reads it in parts",
        )


def holds_table(path: str | Path) -> bool:
    """Tell a file of a table, as far as it can be opened."""
    try:
        return str(path) != STDIN and is_arrow(str(path), _opening(path, 8))
    except (OSError, ValueError):
        return False


def peek(path: str | Path | Source, size: int = 1 << 16, *, tables: bool = True) -> bytes:
    """Return the first bytes of a file, unpacked and without a byte order mark.

    Of standard input, what can be seen without reading it. Of a table these are its first rows as JSON Lines;
    without `tables`, nothing: then no library opens it.
    """
    if isinstance(path, Source):
        return path.head(size)
    if not str(path):
        return b""
    try:
        head = _waiting(size) if str(path) == STDIN else _opening(path, size)
        if head[:2] == MAGIC:
            head = zlib.decompressobj(31).decompress(head, 4 * size)
        if head.startswith(TABLES) and str(path) != STDIN:
            from spanscope.io.arrow import first_rows

            return first_rows(path)[:size] if tables else b""
    except (OSError, ValueError, InputError, AttributeError, zlib.error):  # whoever reads it says what is wrong
        return b""
    return head.removeprefix(BOM)


def _opening(path: str | Path, size: int) -> bytes:
    with opened(path) as file:
        return file.read(size)


def _waiting(size: int) -> bytes:
    """Return what standard input holds next, and leave it there: it can be read only once."""
    buffer: Any = standard_input()
    if not buffer.seekable():
        return bytes(buffer.peek(size)[:size])
    at = buffer.tell()
    head = bytes(buffer.read(size))
    buffer.seek(at)
    return head


def standard_input() -> IO[bytes]:
    """Return standard input as bytes, where there is one."""
    if sys.stdin is None:
        raise InputError("is closed", where="<stdin>", expected="a file, or something on standard input")
    return sys.stdin.buffer


def _bytes(path: str | Path, name: str) -> bytes:
    try:
        if name == STDIN:
            return standard_input().read()
        with opened(path) as file:
            return file.read()
    except FileNotFoundError:
        raise InputError("there is no such file", where=name, hint=_nearby(Path(path))) from None
    except IsADirectoryError:
        raise InputError("is a directory", where=name, expected="a JSON or JSON Lines file") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        name = "<stdin>" if name == STDIN else name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read ({reason})", where=name if name.isprintable() else shown(name)) from None


def _nearby(path: Path) -> str:
    """Name files beside the missing one that may have been meant."""
    from difflib import get_close_matches

    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return ""
    return ", ".join(str(path.parent / near) for near in get_close_matches(path.name, names, n=2, cutoff=0.6))


def _checked(data: bytes, name: str) -> bytes:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(
            "is UTF-16 text", where=name, expected="UTF-8", hint=f"iconv -f utf-16 -t utf-8 {name} > FILE"
        )
    data = data.removeprefix(BOM)
    if b"\0" in data[:8192]:
        raise InputError("is a binary file", where=name, expected="JSON or JSON Lines in UTF-8 (or gzip of it)")
    if (data[:1].isspace() and data.isspace()) or not data:
        raise InputError("is empty", where=name, expected="JSON or JSON Lines with at least one document")
    return data


def explain(data: bytes, name: str, first_line: int = 1) -> InputError:
    """Say what is wrong with JSON that could not be decoded: the line, the column, the reason."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        what = f"byte {data[error.start]:#04x} is not UTF-8"
        return InputError(what, where=f"{name}:{line}", expected="UTF-8", hint="iconv -f latin1 -t utf-8")
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            what, expected = "the JSON ends too early", "a complete JSON value (was the file cut off?)"
        else:
            near = shown(text[error.pos : error.pos + 20], 20)
            what, expected = f"not JSON at column {error.colno}: {error.msg}, at {near}", "JSON"
        return InputError(what, where=f"{name}:{line}", expected=expected)
    except ValueError:  # Python refuses to read whole numbers of more than 4,300 digits
        what = "a number has thousands of digits"
        return InputError(what, where=f"{name}:{first_line}", expected="numbers a computer can hold")
    except RecursionError:
        return InputError("the JSON is nested too deeply", where=f"{name}:{first_line}")
    if huge := _too_large(text):
        return InputError(
            f"{shown(huge)} is too large a number", where=f"{name}:{first_line}", expected="a finite number"
        )
    for pattern, what, expected in (
        (LONE, "half of a surrogate pair", WHOLE),
        (CONSTANT, "not JSON", "a number or null"),
    ):
        if found := pattern.search(text):
            value = found[found.lastindex or 0]
            line = first_line + text.count("\n", 0, found.start())
            return InputError(f"{value} is {what}", where=f"{name}:{line}", expected=expected)
    return InputError("cannot be decoded", where=f"{name}:{first_line}", expected="JSON")


def _too_large(text: str) -> str:
    """Return the first number that no float can hold, such as 1e400."""
    found: list[str] = []

    def keep(literal: str) -> float:
        value = float(literal)
        if math.isinf(value):
            found.append(literal)
        return value

    json.loads(text, parse_float=keep)
    return found[0] if found else ""
