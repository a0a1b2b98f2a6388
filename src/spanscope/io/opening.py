"""An input opened: the bytes of a file, of standard input, of a gzip file, or the rows of a table."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.packed import MAGIC, Gunzip
from spanscope.io.pipes import first_bytes, open_path
from spanscope.io.source import BOM, STDIN, Source, refuse_swollen, standard_input
from spanscope.io.surrogates import legible
from spanscope.system.child_process import TABLES, is_arrow


def open_source(path: str | Path | Source, *, text: bool = True) -> Source:
    """Read a whole input; `-` is standard input, and gzip is recognised by its first bytes.

    It must be text in UTF-8, or a table, unless the format is known to be a binary one.
    """
    if isinstance(path, Source):
        return path
    name = legible(path)
    if not name:
        raise InputError("is no name of a file", where="''", expected="a path, or - for standard input")
    raw = _bytes(path, name)
    if name == STDIN:
        name = "<stdin>"
    digest = hashlib.sha256(raw).hexdigest()
    if text and raw and is_arrow(name, raw):
        from spanscope.io.arrow import read_table

        return read_table(raw, name, digest)
    data = raw
    if raw[:2] == MAGIC:
        data = _unpacked(raw, name)
    return Source(name, _checked(data, name) if text else data, digest)


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


def holds_table(path: str | Path) -> bool:
    """Tell a file of a table, as far as it can be opened."""
    try:
        return str(path) != STDIN and is_arrow(str(path), first_bytes(path, 8))
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
        head = _waiting(size) if str(path) == STDIN else first_bytes(path, size)
        if head[:2] == MAGIC:
            head = zlib.decompressobj(31).decompress(head, 4 * size)
        if head.startswith(TABLES) and str(path) != STDIN:
            from spanscope.io.arrow import first_rows

            return first_rows(path)[:size] if tables else b""
    except (OSError, ValueError, InputError, AttributeError, zlib.error):  # whoever reads it says what is wrong
        return b""
    return head.removeprefix(BOM)


def _waiting(size: int) -> bytes:
    """Return what standard input holds next, and leave it there: it can be read only once."""
    buffer: Any = standard_input()
    if not buffer.seekable():
        return bytes(buffer.peek(size)[:size])
    at = buffer.tell()
    head = bytes(buffer.read(size))
    buffer.seek(at)
    return head


def _bytes(path: str | Path, name: str) -> bytes:
    try:
        if name == STDIN:
            return standard_input().read()
        with open_path(path) as file:
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
