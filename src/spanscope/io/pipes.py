"""What a path stands for, opened once: a file, or a pipe such as `<(zcat gold.jsonl.gz)`, read whole first."""

from __future__ import annotations

import glob
import io
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from spanscope.errors import InputError
from spanscope.io.source import STDIN, is_object_of
from spanscope.system.child_process import opened_before

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MORE = 1 << 16  # bytes that are asked for at least


class Opened(Protocol):
    """Bytes that can be read from the first on as often as anybody likes: of a file, of a member of an archive."""

    def size(self) -> int:
        """Return how many bytes there are."""

    def open(self) -> IO[bytes]:
        """Return them as a file."""


class Held(str):
    """A path with what stands behind it: the bytes that came out of a pipe, or a file that is open.

    It is a path to all who name it. Those who open it get the bytes from the first on, as often as they like,
    without opening the file again; where it is sent to another process it is a plain path.
    """

    __slots__ = ("file", "kept", "seen")
    file: Opened | None
    kept: bytes  # all of a pipe, the beginning of a file
    seen: Any  # what was found out about the beginning, by whoever recognises formats

    def __new__(cls, path: str, kept: bytes = b"", file: Opened | None = None) -> Held:
        """Return a path with what was read from it, or the file that was opened."""
        out = super().__new__(cls, path)
        out.kept, out.file, out.seen = kept, file, None
        return out

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)

    def first(self, size: int) -> bytes:
        """Return the first bytes; those of a file are read once."""
        if self.file is not None and len(self.kept) < size and len(self.kept) < self.file.size():
            with self.file.open() as file:
                self.kept = file.read(max(size, MORE))
        return self.kept[:size]


class _File:
    """The number of an open file, which is closed when nobody needs it any more."""

    __slots__ = ("number",)

    def __init__(self, path: str | Path) -> None:
        self.number = -1
        before = opened_before(str(path))
        self.number = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)) if before is None else before

    def __del__(self) -> None:
        if self.number >= 0:
            os.close(self.number)

    def size(self) -> int:
        """Return how many bytes the file has."""
        return os.fstat(self.number).st_size

    def open(self) -> IO[bytes]:
        """Return its bytes, whatever others have read of it."""
        return io.BufferedReader(_Reader(self))


class _Reader(io.RawIOBase):
    """The bytes of an open file from the first on, whatever others have read of it."""

    def __init__(self, file: _File) -> None:
        self._file, self._at = file, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._file.size()}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readall(self) -> bytes:
        parts = []
        while part := os.pread(self._file.number, max(MORE, self._file.size() - self._at), self._at):
            parts.append(part)
            self._at += len(part)
        return b"".join(parts)

    def readinto(self, buffer: WriteableBuffer) -> int:
        size = os.preadv(self._file.number, [buffer], self._at)
        self._at += size
        return size


def hold(source: Any) -> Any:
    """Return a source; a path with what stands behind it: a file is opened once, and a pipe can be read again."""
    if isinstance(source, Held):
        return source
    if not isinstance(source, (str, Path)):
        return _hold_list(source)
    mode = mode_of(source)
    try:
        if stat.S_ISREG(mode) and hasattr(os, "preadv"):
            return Held(str(source), file=_File(_place(source)))
        if not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
            return source
        with Path(source).open("rb") as file:
            if stat.S_ISFIFO(mode) or file.isatty():
                return Held(str(source), file.read())
            endless = bool(file.read(1))
    except OSError:  # whoever reads it says what is wrong
        return source
    if endless:
        raise InputError("is a device", where=str(source), expected="a file or a pipe")
    return source


def _hold_list(source: Any) -> Any:
    """Return an object in memory; of an open file its bytes, and of a generator its documents, which come once."""
    if callable(getattr(source, "read", None)) and callable(getattr(source, "close", None)):
        name = getattr(source, "name", "")
        try:
            data = source.read()
        except (OSError, ValueError) as error:  # ValueError: it is closed, or no UTF-8
            raise InputError(f"cannot be read ({error})", where=str(name), expected="an open file") from None
        if isinstance(data, (str, bytes)):
            named = name if isinstance(name, str) and name else "open file"
            return Held(named, data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)
    if is_object_of(source, "polars", "LazyFrame"):
        return source.collect()
    return list(source) if isinstance(source, Iterator) else source


def hold_all(*sources: Any) -> tuple[Any, ...]:
    """Return sources, each with what stands behind it, once it is sure that no pipe is given for several."""
    refuse_pipe_twice(sources)
    return tuple(map(hold, sources))


def refuse_pipe_twice(sources: Iterable[Any]) -> None:
    """Refuse one pipe for several inputs: who opens it again waits for bytes that the first reader has taken."""
    seen = set()
    for source in sources:
        if (own := _pipe(source)) is None:
            continue
        if own in seen:
            raise InputError(
                "is one pipe for several inputs, and can be read only once",
                where="<stdin>" if str(source) == STDIN else str(source),
                expected="a file, or a pipe for each",
            )
        seen.add(own)


def _pipe(source: Any) -> tuple[int, int] | None:
    """Return what a pipe that nobody has read is known by, whatever its names; None for everything else."""
    if not isinstance(source, (str, Path)) or isinstance(source, Held):
        return None
    try:
        found = os.fstat(0) if str(source) == STDIN else Path(source).stat()
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISFIFO(found.st_mode) else None


def is_pipe(source: Any) -> bool:
    """Tell the path of a pipe whose bytes are held."""
    return isinstance(source, Held) and source.file is None


def mode_of(path: str | Path) -> int:
    """Return the kind of a file and what may be done with it; 0 where there is none, or its name cannot be."""
    try:
        return _place(path).stat().st_mode
    except (OSError, ValueError):
        return 0


def matches(path: str | Path) -> list[str]:
    """Return the files that a pattern such as `part-*.jsonl` stands for, sorted; none for what is no pattern.

    A file that is called like a pattern is that file.
    """
    own = str(path)
    if isinstance(path, Held) or own == STDIN or not glob.has_magic(own) or os.path.lexists(own):
        return []
    return sorted(one for one in glob.iglob(own, recursive=True) if Path(one).is_file())  # noqa: PTH207


def _place(path: str | Path) -> Path:
    """Return the path itself, or the only file that it matches where it is a pattern."""
    found = matches(path)
    return Path(found[0] if len(found) == 1 else path)


def is_file(path: str | Path) -> bool:
    """Tell a file from pipes, devices, folders and names that cannot be."""
    return stat.S_ISREG(mode_of(path))


def open_path(path: str | Path) -> IO[bytes]:
    """Open a file, or what is held of it."""
    if not isinstance(path, Held):
        return _place(path).open("rb")
    return io.BytesIO(path.kept) if path.file is None else path.file.open()


def first_bytes(path: str | Path, size: int) -> bytes:
    """Return the first bytes of a file, or of what is held of it."""
    if isinstance(path, Held):
        return path.first(size)
    with open_path(path) as file:
        return file.read(size)


def byte_size(path: str | Path) -> int:
    """Return how many bytes a file has."""
    if not isinstance(path, Held):
        return _place(path).stat().st_size
    return len(path.kept) if path.file is None else path.file.size()
