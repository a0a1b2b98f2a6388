"""What is in the folder that is served, and how a file in it is opened without leaving it."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from spanscope.errors import InputError, shown
from spanscope.io.file_names import guess_side, holds_data
from spanscope.io.results import FIRST
from spanscope.serve.limits import Limits

PEEK = 4096  # bytes in which a result file shows itself


@dataclass(frozen=True)
class File:
    """A file of the folder: its name is the path from the folder, with / between."""

    id: str
    name: str
    size: int
    modified: float
    looks: str  # gold, pred, result or data


def list_files(root: Path, limits: Limits) -> tuple[list[File], bool]:
    """Return the files that may be read, folder by folder, and whether there are more than are listed.

    Hidden files, links and anything that is no regular file are left out, and so is what lies behind links.
    """
    out: list[File] = []
    for seen, (entry, name) in enumerate(_walk(root, limits)):
        if seen >= limits.entries or len(out) >= limits.files:
            return out, True
        if not holds_data(name):
            continue
        try:
            about = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        out.append(File(_id(name), name, about.st_size, about.st_mtime, _looks(root, name, about)))
    return out, False


def _walk(root: Path, limits: Limits) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Return the regular files below a folder with their names, the nearest first; all else without a name."""
    todo = deque([("", 0)])
    while todo:
        above, deep = todo.popleft()
        try:
            with os.scandir(root.joinpath(above)) as found:
                entries = sorted(islice(found, limits.entries + 1), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.is_symlink():
                yield entry, ""
                continue
            name = f"{above}{entry.name}"
            if entry.is_dir(follow_symlinks=False) and deep < limits.depth:
                todo.append((f"{name}/", deep + 1))
            yield entry, name if entry.is_file(follow_symlinks=False) else ""


def _id(name: str) -> str:
    return "f" + hashlib.sha256(os.fsencode(name)).hexdigest()[:16]


def _looks(root: Path, name: str, about: os.stat_result) -> str:
    if name.lower().endswith(".json") and _is_result(root, name, about.st_mtime_ns, about.st_size):
        return "result"
    return guess_side(name)


@lru_cache(maxsize=2000)
def _is_result(root: Path, name: str, _modified: int, _size: int) -> bool:
    try:
        with os.fdopen(open_inside(root, name), "rb") as file:
            return bool(FIRST.match(file.read(PEEK)))
    except (InputError, OSError):
        return False


def open_inside(root: Path, name: str) -> int:
    """Return a descriptor of a regular file below the folder; no link is followed on the way to it."""
    parts = name.split("/")
    if not all(part not in ("", ".", "..") and "\0" not in part and "\\" not in part for part in parts):
        raise InputError("is not a name of the listing", where=shown(name))
    try:
        file = _open_step_by_step(root, parts) if os.open in os.supports_dir_fd else _open_checked(root, parts)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror or error})", where=name) from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise InputError("is not a regular file", where=name)
    return file


def _open_step_by_step(root: Path, parts: list[str]) -> int:
    """Open folder after folder from the one above, so that nothing can be swapped for a link in between."""
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
        return os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
    finally:
        os.close(here)


def _open_checked(root: Path, parts: list[str]) -> int:
    """Open a file where the system has no descriptors of folders: links are looked for first."""
    path = root.joinpath(*parts)
    links = any(root.joinpath(*parts[:n]).is_symlink() for n in range(1, len(parts) + 1))
    if links or not path.resolve().is_relative_to(root.resolve()):
        raise InputError("leads out of the folder", where=parts[-1])
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
