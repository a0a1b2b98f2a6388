"""How wide texts are on a terminal, and names that lose their middles where there is no room for them."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Sequence

ORDINARY = frozenset(string.printable[:95] + "▸█─–·∞±↓…")  # characters that take one column each, everywhere
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if ORDINARY.issuperset(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def widths_of(texts: Sequence[str]) -> list[int]:
    """Return how many columns each of several texts takes."""
    if ORDINARY.issuperset("".join(texts)):
        return [len(text) for text in texts]
    return [width(text) for text in texts]


def shorten_names(names: Iterable[tuple[str, int]]) -> dict[str, str]:
    """Return names without their middles where the columns are too few; what would read alike is numbered."""
    out: dict[str, str] = {}
    taken: dict[str, int] = {}
    given = list(names)
    for (name, room), wide in zip(given, widths_of([name for name, _ in given]), strict=True):
        if name in out:
            continue
        short = numbered = name if wide <= room else cut_middle(name, room)
        while numbered in taken:
            taken[short] += 1
            numbered = cut_middle(name, room, f"…{taken[short]}…")
        taken[numbered] = taken.get(numbered, 1)
        out[name] = numbered
    return out


def cut_middle(name: str, room: int, gap: str = "…") -> str:
    """Return the beginning and the end of a name; of a number in it everything or nothing."""
    if gap == "…" and width(name) <= room:
        return name
    left = max(room - len(gap), 1)
    at = len(_start(name, left - left // 2))
    after = len(name) - len(_start(name[::-1], left // 2))
    numbers = [found.span() for found in NUMBER.finditer(name)]
    before = next((low for low, high in numbers if low < at < high), at)
    behind = next((high for low, high in numbers if low < after < high), after)
    if before or behind < len(name):
        at, after = before, behind
    return name[:at] + gap + name[after:]


def _start(text: str, room: int) -> str:
    start = text[:room]
    while width(start) > room:
        start = start[:-1]
    return start


def visible(text: str) -> str:
    """Return a text from the data without what could move a cursor or break a row: such characters by name."""
    return (
        text
        if text.isprintable()
        else "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    )
