"""Spans whose place depends on the unit of offsets: those behind a character that UTF-16 counts twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from spanscope.arguments import as_whole
from spanscope.io.offsets import places

WIDEST = "\uffff"  # the last character that is one unit of UTF-16


def behind_wide(text: str, ends: Iterable[tuple[Any, Any]]) -> Iterator[tuple[int, bool]]:
    """Yield the number of each such span, and whether it begins or ends inside a character of UTF-16.

    >>> list(behind_wide("a😀b", [(0, 1), (3, 4), (2, 4)]))
    [(1, False), (2, True)]
    """
    first = 0 if text.isascii() else next((at for at, one in enumerate(text) if one > WIDEST), 0)
    if text.isascii() or text[first] <= WIDEST:
        return
    place = places(text, "utf16")
    size = len(text.encode("utf-16-le", "surrogatepass")) // 2
    for number, pair in enumerate(ends):
        whole = [one for value in pair if (one := as_whole(value)) is not None]
        if max(whole, default=0) > first:
            yield number, any(place(one) is None and 0 <= one <= size for one in whole)
