"""What a path stands for: files, and pipes such as `<(zcat gold.jsonl.gz)`, which are read whole first."""

from __future__ import annotations

import io
import stat
from pathlib import Path
from typing import IO, Any

from spanscope.errors import InputError


class Held(str):
    """The path of a pipe, with the bytes that came out of it.

    It is a path to all who name it; those who open it get the bytes, as often as they like.
    """

    __slots__ = ("data",)
    data: bytes

    def __new__(cls, path: str, data: bytes) -> Held:
        """Return a path with what was read from it."""
        out = super().__new__(cls, path)
        out.data = data
        return out


def held(source: Any) -> Any:
    """Return a source; a path of a pipe or a terminal with its bytes, because a second look would find none."""
    if not isinstance(source, (str, Path)) or isinstance(source, Held):
        return source
    mode = mode_of(source)
    if not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
        return source
    try:
        with Path(source).open("rb") as file:
            if stat.S_ISFIFO(mode) or file.isatty():
                return Held(str(source), file.read())
            endless = bool(file.read(1))
    except OSError:  # whoever reads it says what is wrong
        return source
    if endless:
        raise InputError("is a device", where=str(source), expected="a file or a pipe")
    return source


def mode_of(path: str | Path) -> int:
    """Return the kind of a file and what may be done with it; 0 where there is none, or its name cannot be."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return 0


def is_file(path: str | Path) -> bool:
    """Tell a file from pipes, devices, folders and names that cannot be."""
    return stat.S_ISREG(mode_of(path))


def opened(path: str | Path) -> IO[bytes]:
    """Open a file, or what was held of a pipe."""
    return io.BytesIO(path.data) if isinstance(path, Held) else Path(path).open("rb")


def byte_size(path: str | Path) -> int:
    """Return how many bytes a file has."""
    return len(path.data) if isinstance(path, Held) else Path(path).stat().st_size
