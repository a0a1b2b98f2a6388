"""Files that are on the disk before anything says so: they must survive a kill and a power cut."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


def flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk. Windows cannot flush folders."""
    windows = os.name == "nt"
    if windows and path.is_dir():
        return
    number = os.open(path, os.O_RDWR if windows else os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def new_file(path: Path) -> BinaryIO:
    """Open a new file that only its owner can read."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def flush_tree(folder: Path) -> int:
    """Wait until all below a folder is on the disk; return how many bytes its files have."""
    size = 0
    for here, _, names in os.walk(folder):
        for name in names:
            path = Path(here, name)
            flush(path)
            size += path.stat().st_size
        flush(Path(here))
    return size


def size_of_tree(folder: Path) -> int:
    """Return how many bytes the files below a folder have; those that go away meanwhile have none."""
    size = 0
    for here, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += Path(here, name).stat().st_size
    return size


def put_in_place(made: Path, place: Path) -> None:
    """Give what was flushed its name, and wait until the name is on the disk."""
    made.rename(place)
    flush(place.parent)
    if made.parent != place.parent:
        flush(made.parent)
