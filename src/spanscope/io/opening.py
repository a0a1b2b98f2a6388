"""An input opened: the bytes of a file, of standard input, of a packed file, or the rows of a table."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from glob import has_magic
from pathlib import Path
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.archive import MAGIC as ZIP
from spanscope.io.archive import is_archive, only_member, sha256_of
from spanscope.io.packed import LONGEST, Unpacker, packing_of
from spanscope.io.pipes import first_bytes, open_path
from spanscope.io.source import BOM, STDIN, Source, refuse_swollen, standard_input
from spanscope.io.surrogates import legible
from spanscope.io.utf16 import is_utf16, recoded_head, to_utf8
from spanscope.system.child_process import TABLES, is_arrow


def open_source(path: str | Path | Source, *, text: bool = True) -> Source:
    """Read a whole input; `-` is standard input, and packed files are recognised by their first bytes.

    An archive with one file of data is that file, with the hash of the archive. It must be text in UTF-8 or
    UTF-16, or a table, unless the format is known to be a binary one.
    """
    if isinstance(path, Source):
        return path
    name = legible(path)
    if not name:
        raise InputError("is not the name of a file", where="''", expected="a path, or - for standard input")
    if (inner := only_member(path)) is not None:
        return replace(open_source(inner, text=text), sha256=sha256_of(path))
    raw = _bytes(path, name)
    if name == STDIN:
        name = "<stdin>"
    digest = hashlib.sha256(raw).hexdigest()
    if raw.startswith(ZIP):
        _refuse_archive(name)
    if text and raw and is_arrow(name, raw):
        from spanscope.io.arrow import read_table

        return read_table(raw, name, digest)
    data = _unpack(raw, name)
    return Source(name, _check(data, name) if text else to_utf8(data, name), digest)


def _unpack(raw: bytes, name: str) -> bytes:
    """Return what a whole packed file holds, unless it holds too much; any other as it is."""
    if (packing := packing_of(raw)) is None:
        return raw
    unpacker, parts, size = Unpacker(name, packing), list[bytes](), 0
    unpacker.feed(raw)
    while unpacker.waiting:
        parts.append(unpacker.part())
        size += len(parts[-1])
        refuse_swollen(name, len(raw), size)
    unpacker.finish()
    data = b"".join(parts)
    refuse_nested(data, name)
    return data


def refuse_nested(data: bytes, name: str) -> None:
    """Refuse what is packed twice: one can never be sure of how much that is."""
    if data.startswith(ZIP) or packing_of(data) is not None:
        raise InputError("is packed twice", where=name, expected="a file packed once", hint="unpack it once first")


def _refuse_archive(name: str) -> None:
    """Refuse an archive where one file is wanted."""
    if name == "<stdin>":
        expected, hint = "the path of the archive", "write it into a file"
        raise InputError("is a zip archive, which needs its end first", where=name, expected=expected, hint=hint)
    expected, hint = "an archive with one file of data", f"unzip {name}   and give one of its files"
    raise InputError("is an archive of several files", where=name, expected=expected, hint=hint)


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
        return path.head(size) if tables or isinstance(path.held, bytes) else b""
    if not str(path):
        return b""
    try:
        head = _unpacked_head(path, size)
        if head.startswith(TABLES) and str(path) != STDIN:
            from spanscope.io.arrow import first_rows

            return first_rows(path)[:size] if tables else b""
        return recoded_head(head).removeprefix(BOM)
    except Exception:  # damaged files raise errors of many kinds: whoever reads it says what is wrong
        return b""


def is_in_utf16(path: Any) -> bool:
    """Tell a file of text in UTF-16, packed or not."""
    try:
        return isinstance(path, (str, Path)) and bool(str(path)) and is_utf16(_unpacked_head(path, 64))
    except Exception:  # as for `peek`
        return False


def is_packed(path: str | Path) -> bool:
    """Tell a file that holds more than its size, by its first bytes."""
    try:
        return str(path) != STDIN and (is_archive(path) or packing_of(first_bytes(path, LONGEST)) is not None)
    except (OSError, ValueError):
        return False


def _unpacked_head(path: str | Path, size: int) -> bytes:
    """Return the first bytes of a file, unpacked."""
    path = only_member(path) or path
    head = _waiting(size) if str(path) == STDIN else first_bytes(path, size)
    packing = packing_of(head)
    return head if packing is None else packing.begin(str(path)).decompress(head, 4 * size)


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
        if has_magic(name):
            what, hint = "no file matches the pattern", _nearby(Path(path))
            raise InputError(what, where=name, expected="at least one file", hint=hint) from None
        raise InputError("there is no such file", where=name, hint=_several(name) or _nearby(Path(path))) from None
    except IsADirectoryError:
        raise InputError("is a directory", where=name, expected="a JSON or JSON Lines file") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        name = "<stdin>" if name == STDIN else name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read ({reason})", where=name if name.isprintable() else shown(name)) from None


def _several(name: str) -> str:
    """Say where several files of one system are taken, if that is what commas stand between."""
    if "," not in name or not all(Path(one).is_file() for one in name.split(",")):
        return ""
    return f"spanscope leaderboard GOLD NAME={name}   for several files of one system"


def _nearby(path: Path) -> str:
    """Name files beside the missing one that may have been meant."""
    from difflib import get_close_matches

    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return ""
    return ", ".join(str(path.parent / near) for near in get_close_matches(path.name, names, n=2, cutoff=0.6))


def _check(data: bytes, name: str) -> bytes:
    data = to_utf8(data, name).removeprefix(BOM)
    if b"\0" in data[:8192]:
        raise InputError("is a binary file", where=name, expected="JSON or JSON Lines in UTF-8, perhaps packed")
    if (data[:1].isspace() and data.isspace()) or not data:
        raise InputError("is empty", where=name, expected="JSON or JSON Lines with at least one document")
    return data
