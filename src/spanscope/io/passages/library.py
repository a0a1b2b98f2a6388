"""The files that passages are from: their texts, against which places are checked.

Benchmarks count characters as Python reads a text, a line end as one character and a byte order mark as another.
Files on disk may end lines with two (CRLF), places may be counted without the mark, and the names of files may be
written in another Unicode form than in the JSON. All of it is seen to, and told.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from pathlib import Path

from spanscope.errors import InputError, named
from spanscope.io.folder import Folder, names_in
from spanscope.io.passages.path_ends import same_ends

ENDS = re.compile("\r\n?")
MARK = "\ufeff"  # of byte order, where a text begins with it


def one_end(text: str) -> str:
    """Return a text with every line end as one character."""
    return ENDS.sub("\n", text) if "\r" in text else text


class Book:
    """One file: its text with every line end as one character, and as it is on disk."""

    def __init__(self, data: bytes, name: str) -> None:
        try:
            self.raw = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"byte {error.start:,} is not valid UTF-8", where=name, expected="a text in UTF-8"
            ) from None
        self.text = one_end(self.raw)

    @property
    def two(self) -> bool:
        """Tell whether some line ends are two characters on disk."""
        return len(self.text) != len(self.raw)

    @cached_property
    def _ends(self) -> list[int]:
        return [end.start() for end in re.finditer("\r\n", self.raw)]

    def place(self, text: str, start: int, end: int) -> tuple[tuple[int, int], str]:
        """Return where a text is, and how that was counted if not in this text: line ends as two, or no mark."""
        for mark in (0, 1) if self.raw.startswith(MARK) else (0,):
            first, last = start + mark, end + mark
            if last <= len(self.text) and self.text[first:last] == text:
                return (first, last), "does not count the byte order mark" if mark else ""
            if self.two and last <= len(self.raw) and one_end(self.raw[first:last]) == text:
                more = ", and not the byte order mark" if mark else ""
                return self.moved(first, last), f"counts line ends as two characters{more}"
        return (start, end), ""

    def moved(self, start: int, end: int) -> tuple[int, int]:
        """Return where characters counted on disk are in the text."""
        from bisect import bisect_left

        return start - bisect_left(self._ends, start), end - bisect_left(self._ends, end)


class Library:
    """A folder of texts, on the disk or in an archive, each read once."""

    def __init__(self, folder: str | Path, archive: Folder | None = None) -> None:
        self.folder, self._archive = Path(folder), archive
        try:
            there = archive is not None or self.folder.is_dir()
        except (OSError, ValueError):  # a name that no folder can have
            there = False
        if not there:
            raise InputError("there is no such folder", where=str(folder), expected="the folder of the files")
        self.books: dict[str, Book] = {}
        self._called: dict[str, str] = {}

    def book(self, name: str, where: str) -> Book:
        """Return a file by the name that a passage gives, in whichever Unicode form it is on disk."""
        if name not in self.books:
            self.books[name] = Book(self._bytes(name, where), name)
        return self.books[name]

    def called(self, name: str) -> str:
        """Return the name of a file in the folder: without the folder's own path, or the one that ends like it."""
        if name not in self._called:
            path, folder = Path(name), self.folder.resolve()
            try:
                own = path.relative_to(next(one for one in (folder, self.folder) if path.is_relative_to(one)))
                self._called[name] = own.as_posix()
            except StopIteration:
                self._called[name] = same_ends(self._names, [name]).get(name, name)
            except (OSError, ValueError):  # a name that no file can have
                self._called[name] = name
        return self._called[name]

    @cached_property
    def _names(self) -> tuple[str, ...]:
        if self._archive is not None:
            before = f"{self.folder.as_posix()}/"
            return tuple(name.removeprefix(before) for name in self._archive.names if name.startswith(before))
        return tuple(name for name in names_in(self.folder) if not name.endswith("/"))

    def _bytes(self, name: str, where: str) -> bytes:
        for form in (name, *(unicodedata.normalize(form, name) for form in ("NFC", "NFD"))):
            path = self.folder / form
            if self._archive is not None:
                if form in self._names:
                    return self._archive.open(path.as_posix()).data
                continue
            try:
                inside = path.resolve().is_relative_to(self.folder.resolve())
                if inside and path.is_file():
                    return path.read_bytes()
            except (OSError, ValueError):  # a name that no file can have
                break
        raise InputError(
            f"the file {named(name)} is not in {self.folder}",
            where=where,
            expected="file_path relative to the folder of the files",
            hint="[[corpus=FOLDER]]   with another folder",
        )
