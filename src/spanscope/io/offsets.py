"""The units of offsets: code points, as Python counts; UTF-16 units and UTF-8 bytes are turned into them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate
from typing import Literal, get_args

from spanscope.arguments import as_whole
from spanscope.data.unicode_forms import form_with
from spanscope.errors import InputError, shown

WIDE = re.compile("[\U00010000-\U0010ffff]")  # characters that are two units of UTF-16
Offsets = Literal["codepoints", "utf16", "utf8"]
OFFSETS = {"codepoints": "code points", "utf16": "UTF-16 units", "utf8": "UTF-8 bytes"}


def unit_of(offsets: object) -> Offsets:
    """Return the unit of start and end, refused where it is none."""
    units: tuple[Offsets, ...] = get_args(Offsets)
    for unit in units:
        if isinstance(offsets, str) and offsets == unit:
            return unit
    raise InputError(f"offsets are in {shown(offsets)}", expected=" or ".join(OFFSETS))


def places(text: str, unit: str) -> Callable[[int], int | None]:
    """Return a function from an offset in some unit to one in code points.

    It gives None for an offset inside a character or past the end of the text. Of UTF-16 only the characters that
    have two units are looked at.
    """
    if unit == "codepoints":
        pairs: list[int] = []
    elif unit == "utf16":
        pairs = [found.start() + number for number, found in enumerate(WIDE.finditer(text))]
    else:
        return _byte_places(text)
    size = len(text) + len(pairs)

    def place(offset: int) -> int | None:
        whole = offset if type(offset) is int else as_whole(offset)
        if whole is None or not 0 <= whole <= size:
            return None
        before = bisect_left(pairs, whole)
        inside = before > 0 and pairs[before - 1] + 1 == whole
        return None if inside else whole - before

    return place


def _byte_places(text: str) -> Callable[[int], int | None]:
    table = {0: 0}
    total = 0
    for count, character in enumerate(text, start=1):
        total += len(character.encode("utf-8", "surrogatepass"))
        table[total] = count
    return table.get


READINGS = {  # how else offsets can be meant, and the option that says so
    "offsets=utf16": "in UTF-16 units",
    "offsets=utf8": "in UTF-8 bytes",
    "ends=inclusive": "with its last character included",
}
SHIFTED = "counted from 1"  # for which there is no option


def other_reading(text: str, start: int, end: int, own: str) -> str:
    """Return how else an offset can be meant so that a span's own text stands there, as words after a comma.

    >>> other_reading("no Bonn", 3, 6, "Bonn")
    ', and the right text with its last character included'
    """
    for option, words in READINGS.items():
        name, _, value = option.partition("=")
        first: int | None = start
        last: int | None = end + 1
        if name == "offsets":
            moved = places(text, value)
            first, last = moved(start), moved(end)
        if first is not None and last is not None and text[first:last] == own:
            return f", and the right text {words}"
    if start and text[start - 1 : end - 1] == own:
        return f", and the right text {SHIFTED}"
    form = form_with(text, start, end, own)
    return f", and the right text if it were in the Unicode form {form}" if form else ""


def option_of_reading(words: str) -> str:
    """Return the option by which offsets are read as `other_reading` found them; none where there is none."""
    return next((option for option, reading in READINGS.items() if reading and words.endswith(reading)), "")


def units_before(text: str, unit: str) -> Callable[[int], int]:
    """Return a function from an offset in code points to one in some unit.

    >>> units_before("a😀b", "utf16")(2)
    3
    """
    if unit == "codepoints" or text.isascii():
        return int
    width = {"utf16": lambda sign: 2 if sign > "\uffff" else 1, "utf8": lambda sign: len(sign.encode())}[unit]
    return [0, *accumulate(map(width, text))].__getitem__
