"""What holds several files, by the names in it: a folder, a zip archive, a pattern such as `part-*.jsonl`.

An archive with one file of data, and a pattern that one file matches, are that file, and no folder.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from spanscope.errors import InputError
from spanscope.io.archive import is_archive, member, members_of, sha256_of
from spanscope.io.data_names import data_names, is_hidden
from spanscope.io.opening import open_source
from spanscope.io.pipes import Held, byte_size, matches, mode_of
from spanscope.io.source import STDIN, Source
from spanscope.io.surrogates import legible

MOST_NAMES = 100_000  # in a folder that is looked at: nobody's corpus, but somebody's disk, has more
EXPORTS = ("annotation", "curation")  # folders of INCEpTION: in them a folder a document, one file per annotator


def is_folder(source: Any) -> bool:
    """Tell the path of a folder, of an archive of several files, or a pattern that several match."""
    if not isinstance(source, (str, Path)) or str(source) in (STDIN, ""):
        return False
    if is_archive(source):
        return len(data_names(members_of(source))) > 1
    if isinstance(source, Held):  # a file, or a pipe
        return False
    return stat.S_ISDIR(mode_of(source)) or len(matches(source)) > 1


def names_in(path: str | Path) -> tuple[str, ...]:
    """Return the names of all files and folders in a folder, sorted; those of folders end with a slash.

    Hidden ones are left out, and nothing is returned of a folder that cannot be listed, or that has far too many.
    """
    if (found := _names_listed(path)) is not None:
        names = [name for name in found[1] if not is_hidden(name)]
        above = {f"{one}/" for name in names for one in PurePosixPath(name).parents if one.name}
        return tuple(sorted({*names, *above}))
    out: list[str] = []
    for name in _walk(str(path), ""):
        out.append(name)
        if len(out) > MOST_NAMES:
            return ()
    return tuple(sorted(out))


def hidden_in(path: str | Path) -> int:
    """Return how many hidden files a folder or an archive has, those in hidden folders not counted."""
    if (found := _names_listed(path)) is not None:
        return sum(is_hidden(name) for name in found[1])
    try:
        return sum(entry.name.startswith(".") for entry in os.scandir(path))
    except OSError:
        return 0


def _names_listed(path: str | Path) -> tuple[str, list[str]] | None:
    """Return what all names of an archive or a pattern begin with, and the rest of each; None of a folder."""
    if is_archive(path):
        names = members_of(path)
        first = {PurePosixPath(name).parts[0] for name in data_names(names) if "/" in name}
        top = next(iter(first)) if len(first) == 1 and all("/" in name for name in data_names(names)) else ""
        inner = f"{top}/" if top and top not in EXPORTS else ""
        return inner, [name.removeprefix(inner) for name in names]
    if found := matches(path):
        before = os.path.commonpath([str(Path(one).parent) for one in found])
        return before, [os.path.relpath(one, before or ".").replace(os.sep, "/") for one in found]
    return None


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
        self.given = path
        self._listed = _names_listed(path)
        self.names = tuple(name for name in names_in(path) if not name.endswith("/"))
        self._hash = hashlib.sha256()

    @property
    def data(self) -> tuple[str, ...]:
        """Return the names of files that are data; empty ones are none, unless all are."""
        names = data_names(self.names)
        return tuple(name for name in names if byte_size(self.source(name))) or names

    def source(self, name: str) -> str:
        """Return a file as readers take it."""
        if self._listed is None:
            return str(Path(self.given).joinpath(name))
        before = self._listed[0]
        return member(self.given, before + name) if is_archive(self.given) else str(Path(before).joinpath(name))

    def open(self, name: str, *, text: bool = True) -> Source:
        """Return the bytes of a file, which must be text unless somebody knows better."""
        file = open_source(self.source(name), text=text)
        self.read(name, file.sha256)
        return file

    def read(self, name: str, sha256: str | None) -> None:
        """Note that a file was read, which has this hash."""
        self._hash.update(f"{name}\0{sha256 or ''}\0".encode("utf-8", "surrogateescape"))

    @property
    def sha256(self) -> str:
        """Return a hash of the names and the bytes of the files that were opened so far, in this order.

        Of an archive it is that of its own bytes.
        """
        return sha256_of(self.given) if is_archive(self.given) else self._hash.hexdigest()


def open_folder(path: str | Path) -> Folder:
    """Return a folder whose files can be opened; refuse what is none."""
    if not is_folder(path):
        raise InputError("is not a folder", where=legible(path), expected="a folder")
    return Folder(path)


def sources_in(path: str | Path) -> list[str]:
    """Return the files of data in a folder, as readers take them."""
    folder = open_folder(path)
    return [folder.source(name) for name in folder.data]
