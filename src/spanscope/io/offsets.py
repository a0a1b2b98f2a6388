"""The units of offsets: code points, as Python counts; UTF-16 units and UTF-8 bytes are turned into them."""

from __future__ import annotations

from collections.abc import Callable

from spanscope.errors import InputError, shown

OFFSETS = {"codepoints": "code points", "utf16": "UTF-16 units", "utf8": "UTF-8 bytes"}


def unit_of(offsets: object) -> str:
    """Return the unit of start and end, refused where it is none."""
    if not isinstance(offsets, str) or offsets not in OFFSETS:
        raise InputError(f"offsets are in {shown(offsets)}", expected=" or ".join(OFFSETS))
    return offsets


def places(text: str, unit: str) -> Callable[[int], int | None]:
    """Return a function from an offset in UTF-16 units or UTF-8 bytes to one in code points.

    It gives None for an offset inside a character or past the end of the text.
    """
    if unit == "utf16":
        widths = (2 if character > "\uffff" else 1 for character in text)
    else:
        widths = (len(character.encode("utf-8", "surrogatepass")) for character in text)
    table = {0: 0}
    total = 0
    for count, width in enumerate(widths, start=1):
        total += width
        table[total] = count
    return table.get
