"""Halves of surrogate pairs in Python's strings: no file can hold one, so they are refused as JSON's are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from spanscope.arguments import WHOLE, half_of
from spanscope.errors import InputError


def any_half(values: Collection[Any]) -> bool:
    """Tell whether a string among the values has half of a surrogate pair; looking at all together is fast.

    >>> any_half(["a", None, "é😀"]), any_half(["a", "\\ud83d"])
    (False, True)
    """
    try:
        return has_half("".join(values))
    except TypeError:  # not all are strings: mostly some are missing
        there = [value for value in values if value is not None]
    try:
        return has_half("".join(there))
    except TypeError:
        return has_half("".join(value for value in there if isinstance(value, str)))


def has_half(text: str) -> bool:
    """Tell whether a string has half of a surrogate pair."""
    try:
        return not text.isascii() and not text.encode("utf-32-le")  # by far the fastest that fails on them
    except UnicodeEncodeError:
        return True


def legible(path: str | Path) -> str:
    """Return a path as every file can hold it: bytes of its names that are not UTF-8 are written as \\xff.

    >>> legible("g\\udcff.jsonl")
    'g\\\\xff.jsonl'
    """
    name = str(path)
    if not has_half(name):
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # other halves, which no name of a file has
        return name.encode("utf-8", "backslashreplace").decode()


def path_of(source: Any) -> str | None:
    """Return the path of a source for reports; None for what has none."""
    return legible(source) if isinstance(source, (str, Path)) else None


def refuse_half(value: Any, what: str, where: str) -> None:
    """Refuse a string with half of a surrogate pair; `what` is the field it stands in."""
    if not isinstance(value, str) or value.isascii() or (found := half_of(value)) is None:
        return
    half, at = found
    raise InputError(
        f"{what} has {half}, half of a surrogate pair, at character {at}", where=where, expected=WHOLE
    )


def refuse_halves(values: Sequence[Any], what: str, where: str) -> None:
    """Refuse the first of the strings that has half of a surrogate pair, with its number."""
    for number, value in enumerate(values):
        refuse_half(value, f"{what}[{number}]", where)
