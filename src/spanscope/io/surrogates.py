"""Halves of surrogate pairs in Python's strings: no file can hold one, so they are refused as JSON's are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from spanscope.errors import InputError

WHOLE = "whole characters (a text was cut inside an emoji or rare character)"


def any_half(values: Collection[Any]) -> bool:
    """Tell whether a string among the values has half of a surrogate pair; looking at all together is fast.

    >>> any_half(["a", None, "é😀"]), any_half(["a", "\\ud83d"])
    (False, True)
    """
    try:
        return has_half("".join(values))
    except TypeError:  # not all are strings
        return has_half("".join(value for value in values if isinstance(value, str)))


def has_half(text: str) -> bool:
    """Tell whether a string has half of a surrogate pair."""
    try:
        return not text.isascii() and not text.encode("utf-32-le")  # by far the fastest that fails on them
    except UnicodeEncodeError:
        return True


def refuse_half(value: Any, what: str, where: str) -> None:
    """Refuse a string with half of a surrogate pair; `what` is the field it stands in."""
    if not isinstance(value, str) or value.isascii():
        return
    try:
        value.encode()
    except UnicodeEncodeError as error:
        half = ascii(value[error.start]).strip("'")
        raise InputError(
            f"{what} has {half}, half of a surrogate pair, at character {error.start}", where=where, expected=WHOLE
        ) from None


def refuse_halves(values: Sequence[Any], what: str, where: str) -> None:
    """Refuse the first of the strings that has half of a surrogate pair, with its number."""
    for number, value in enumerate(values):
        refuse_half(value, f"{what}[{number}]", where)
