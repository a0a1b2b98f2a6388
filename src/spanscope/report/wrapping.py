"""Sentences broken into lines of a terminal, where rich would break them, without waiting for rich."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

from spanscope.report.names import ORDINARY, visible, width, widths_of
from spanscope.report.table import Line

WORD = re.compile(r"\s*\S+\s*")


def wrap(line: Line, room: int) -> list[Line]:
    """Return a line as several where it is too wide, the others as far in as the first."""
    line = [(visible(part), style) for part, style in line]
    text = text_of(line)
    if len(text) <= room and ORDINARY.issuperset(text):
        return [line]
    indent = len(text) - len(text.lstrip(" "))
    starts = [0, *(indent + at for at in breaks(text[indent:], room - indent)), len(text)]
    ends = [low + len(text[low:high].rstrip()) for low, high in pairwise(starts)]
    pieces = [_piece(line, low, high) for low, high in zip(starts, ends, strict=False)]
    return [pieces[0], *([(" " * indent, ""), *piece] for piece in pieces[1:])]


def text_of(line: Line) -> str:
    """Return a line without its styles."""
    return "".join([part for part, _ in line])


def breaks(text: str, room: int) -> list[int]:
    """Return where a text is broken: between words, and within those that take more than a line."""
    out: list[int] = []
    used = 0
    words = WORD.findall(text)
    ends = accumulate(map(len, words))
    sizes = zip(widths_of([word.rstrip() for word in words]), widths_of(words), strict=True)
    for word, end, (wide, whole) in zip(words, ends, sizes, strict=True):
        start = end - len(word)
        if wide <= room - used:
            used += whole
        elif wide > room:
            for piece in _chop(word, room):
                out.append(start)
                start += len(piece)
                used = width(piece)
        elif used and start:
            out.append(start)
            used = whole
    return [at for at in out if at]


def _chop(word: str, room: int) -> Iterator[str]:
    """Cut a word into pieces that fit."""
    if ORDINARY.issuperset(word):
        yield from (word[at : at + room] for at in range(0, len(word), room))
        return
    from rich.cells import chop_cells

    yield from chop_cells(word, room)


def _piece(line: Line, low: int, high: int) -> Line:
    """Return the part of a line between two places, in its styles."""
    out: Line = []
    at = 0
    for text, style in line:
        part = text[max(low - at, 0) : max(high - at, 0)]
        if part:
            out.append((part, style))
        at += len(text)
    return out
