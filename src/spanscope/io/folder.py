"""Folders: the names in them, by which formats are told, and their files, opened one by one."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spanscope.errors import InputError
from spanscope.io.opening import open_source
from spanscope.io.pipes import mode_of
from spanscope.io.source import STDIN, Source
from spanscope.io.surrogates import legible

MOST_NAMES = 100_000  # in a folder that is looked at: nobody's corpus, but somebody's disk, has more


def is_folder(source: Any) -> bool:
    """Tell the path of a folder."""
    return isinstance(source, (str, Path)) and str(source) != STDIN and stat.S_ISDIR(mode_of(source))


def names_in(path: str | Path) -> tuple[str, ...]:
    """Return the names of all files and folders in a folder, sorted; those of folders end with a slash.

    Hidden ones are left out, and nothing is returned of a folder that cannot be listed, or that has far too many.
    """
    out: list[str] = []
    for name in _walk(str(path), ""):
        out.append(name)
        if len(out) > MOST_NAMES:
            return ()
    return tuple(sorted(out))


def _walk(folder: str, before: str) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:  # whoever reads it says what is wrong
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield f"{before}{entry.name}/"
            yield from _walk(entry.path, f"{before}{entry.name}/")
        else:
            yield f"{before}{entry.name}"


class Folder:
    """The files of a folder, opened by name, and the hash of what was opened."""

    def __init__(self, path: str | Path) -> None:
        self.name = legible(path)
        self.path = Path(path)
        self.names = tuple(name for name in names_in(path) if not name.endswith("/"))
        self._hash = hashlib.sha256()

    def open(self, name: str, *, text: bool = True) -> Source:
        """Return the bytes of a file, which must be text unless somebody knows better."""
        file = open_source(self.path.joinpath(name), text=text)
        self._hash.update(f"{name}\0{file.sha256}\0".encode("utf-8", "surrogateescape"))
        return file

    @property
    def sha256(self) -> str:
        """Return a hash of the names and the bytes of the files that were opened so far, in this order."""
        return self._hash.hexdigest()


def open_folder(path: str | Path) -> Folder:
    """Return a folder whose files can be opened; refuse what is none."""
    if not is_folder(path):
        raise InputError("is no folder", where=legible(path), expected="a folder")
    return Folder(path)
