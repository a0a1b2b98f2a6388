"""Names of files in folders and archives: which are data, and which only lie beside data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

# Beginnings and endings of names of files that are no data.
COMPANIONS = ("readme", "license", "_success", "_committed", "_started", "typesystem.xml")
ENDINGS = (".md", ".conf")
MACOS = "__MACOSX"  # what the Finder puts beside the members of an archive


def is_companion(name: str) -> bool:
    """Tell files that lie beside data and are none, by their names in a folder."""
    own = PurePosixPath(name).name.lower()
    return own.startswith(COMPANIONS) or own.endswith(ENDINGS)


def is_hidden(name: str) -> bool:
    """Tell hidden files and those in hidden folders, and what macOS adds to archives."""
    parts = [part for part in PurePosixPath(name).parts if part != ".."]
    return any(part.startswith(".") or part == MACOS for part in parts)


def data_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of files that are data, in their order.

    >>> data_names(["a.json", "README", "__MACOSX/._a.json", ".DS_Store", "more/"])
    ('a.json',)
    """
    return tuple(name for name in names if not (name.endswith("/") or is_hidden(name) or is_companion(name)))
