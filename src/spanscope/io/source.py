"""Bytes of a file, of standard input, of a gzip file; and the sentence to say when there are none."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Protocol

from spanscope.errors import InputError

STDIN = "-"
BOM = b"\xef\xbb\xbf"
MOST_UNPACKED = 1_000_000_000  # bytes that a packed file may always hold where it is read whole
MOST_RATIO = 100  # how many times its size a packed file may hold beyond that; JSON has 5 to 50 times as much


FEW = 20  # rows that show what a table holds


class Lines(Protocol):
    """What becomes lines of JSON only when somebody asks for bytes: the rows of a table."""

    def lines(self, most: int | None = None) -> bytes:
        """Return all lines, or so many of the first."""

    def __len__(self) -> int:
        """Return how many there are."""


@dataclass(frozen=True, eq=False)
class Source:
    """The decoded bytes of an input, or of some lines of it; its name in messages; the hash of what was read."""

    name: str
    held: bytes | Lines
    sha256: str
    first_line: int = 1
    lined: bool = False  # known to be JSON Lines, however few
    numbers: Sequence[int] | None = None  # of the lines in the file, where they are not consecutive

    def __str__(self) -> str:
        return self.name

    @cached_property
    def data(self) -> bytes:
        """Return the bytes."""
        return self.held if isinstance(self.held, bytes) else self.held.lines()

    def line(self, number: int) -> int:
        """Return which line of the file the line with this number, from 1, is."""
        return self.first_line + number - 1 if self.numbers is None else self.numbers[number - 1]

    def lines(self, first: int, size: int) -> Sequence[int]:
        """Return which lines of the file so many lines, from the one with this number on, are."""
        if self.numbers is not None:
            return self.numbers[first - 1 : first - 1 + size]
        return range(self.first_line + first - 1, self.first_line + first - 1 + size)

    def head(self, size: int) -> bytes:
        """Return the first bytes."""
        return (self.held if isinstance(self.held, bytes) else self.held.lines(FEW))[:size]


FILES = (str, Path, Source)  # what can be opened
OBJECTS = (dict, Mapping)  # of JSON and the like; most are dicts, which are told much faster


def is_object_of(value: object, library: str, *kinds: str) -> bool:
    """Tell an object of another library, or of any, by the names of its types, without loading the library.

    >>> from fractions import Fraction
    >>> is_object_of(Fraction(1), "fractions", "Fraction"), is_object_of(1, "fractions")
    (True, False)
    """
    bases = (base for base in type(value).__mro__ if library in ("", base.__module__.partition(".")[0]))
    return any(not kinds or base.__name__ in kinds for base in bases)


def refuse_swollen(name: str, packed: int, unpacked: int) -> None:
    """Refuse a packed file that unpacks to far more than it should, before it fills the memory."""
    if unpacked > max(MOST_UNPACKED, MOST_RATIO * packed):
        raise InputError(
            f"{packed:,} bytes unpack to more than {unpacked:,}",
            where=name,
            expected=f"at most {MOST_UNPACKED:,} bytes, or {MOST_RATIO} times the size of the file",
            hint="unpack it first; for JSON Lines, eval [[memory=totals]] reads it in parts",
        )


def standard_input() -> IO[bytes]:
    """Return standard input as bytes, where there is one."""
    if sys.stdin is None:
        raise InputError("is closed", where="<stdin>", expected="a file, or something on standard input")
    return sys.stdin.buffer
