"""Texts without what a copy may change: case, white space, punctuation, marks, entities; with a map back.

What is left is called the skeleton: letters, digits and symbols. Every character of it belongs to a unit of the
text (a letter with its combining marks, an entity, an emoji with its parts), and a match covers whole units.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.locating.asides import ASIDE, may_have_asides

ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
SINGLE = {
    **dict.fromkeys("ıİ", "i"),
    **{"œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "≥": ">=", "≤": "<=", "×": "x", "→": ">", "&": "and", "₤": "£"},
    **dict.fromkeys("#%@", ""),  # set below: punctuation by its category, a symbol by its use
    **dict.fromkeys("™®©℠`|^´¨¯¸\u2212\u2044\u02dc", ""),
}
SINGLE |= {sign: sign for sign in "#%@"}
JOINER = 0x200D
UNKNOWN, SEVERAL = -1, -2
_ATTACHED = {*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080)}
_POINTS = {*range(0x0591, 0x05C8), *range(0x0610, 0x061B), *range(0x064B, 0x0653), 0x0670, 0x0640}
_LATIN_MARKS = re.compile("[\u0300-\u036f]")


def _fold_character(code: int) -> str:
    """Return what is left of a character in the skeleton."""
    own = chr(code)
    if own in SINGLE:
        return SINGLE[own]
    if code in _ATTACHED or code in _POINTS or 0xD800 <= code < 0xE000:
        return ""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", own).casefold())
    if folded != own and len(folded) > 1:
        return "".join(_fold_character(ord(one)) for one in folded)
    own = folded or own
    return "" if unicodedata.category(own)[0] in "PZC" else own


class _Folds(dict[int, str]):
    """What is left of characters, for `str.translate`; each is found when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _fold_character(code)
        return found


FOLDS = _Folds()


class _Columns:
    """The same folds as columns by code point, for whole documents at once: where each stands in a pool."""

    def __init__(self) -> None:
        self.size = np.full(0x110000, -1, dtype=np.int8)
        self.first = np.zeros(0x110000, dtype=np.int32)
        self.attached = np.zeros(0x110000, dtype=bool)
        self.single = np.full(0x110000, UNKNOWN, dtype=np.int32)  # the one character left, 0 for none
        self.pool = np.zeros(0, dtype=np.uint32)

    def learn(self, codes: Ints) -> None:
        """Add the characters that were not met before."""
        new = np.unique(codes[self.size[codes] < 0]).tolist()
        if not new:
            return
        more: list[int] = []
        for code in new:
            folded = FOLDS[code]
            self.first[code] = len(self.pool) + len(more)
            self.size[code] = len(folded)
            self.attached[code] = _is_attached(code)
            plain = len(folded) < 2 and not self.attached[code]
            self.single[code] = (ord(folded) if folded else 0) if plain else SEVERAL
            more += map(ord, folded)
        self.pool = np.concatenate((self.pool, np.array(more, dtype=np.uint32)))


def _is_attached(code: int) -> bool:
    """Tell characters that belong to the one before: combining marks, joiners, selectors."""
    return code in _ATTACHED or code in _POINTS or unicodedata.category(chr(code)) in ("Mn", "Me", "Mc", "Cf")


_columns: list[_Columns] = []  # made when a document is first folded


@dataclass(frozen=True)
class Folded:
    """The skeleton of a text; character i of it stands in the text from start[i] to end[i]."""

    text: str
    skeleton: str
    start: Ints
    end: Ints
    without_asides: bool = False

    def covers(self, first: int, last: int) -> bool:
        """Tell whether a stretch of the skeleton is made of whole units."""
        start = self.start
        before = first == 0 or start[first - 1] != start[first]
        return bool(before and (last == len(start) or start[last - 1] != start[last]))

    def place(self, first: int, last: int) -> tuple[int, int]:
        """Return where a stretch of the skeleton stands in the text."""
        return int(self.start[first]), int(self.end[last - 1])

    @cached_property
    def bare(self) -> Folded:
        """Return the skeleton without accents on Latin, Greek and Cyrillic letters."""
        if not _LATIN_MARKS.search(self.skeleton):
            return self
        codes = np.frombuffer(self.skeleton.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        keep = (codes < 0x300) | (codes > 0x36F)
        return Folded(self.text, _LATIN_MARKS.sub("", self.skeleton), self.start[keep], self.end[keep])

    @cached_property
    def loose(self) -> Folded | None:
        """Return the skeleton without tags, footnote marks, page breaks and targets of links; None without any."""
        if not may_have_asides(self.text):
            return None
        asides = [found.span() for found in ASIDE.finditer(self.text)]
        return fold_text(self.text, asides) if asides and not self.without_asides else None


def fold_text(text: str, without: list[tuple[int, int]] | None = None) -> Folded:
    """Return the skeleton of a document, perhaps without some stretches of it, and the map back to its text."""
    if not _columns:
        _columns.append(_Columns())
    known = _columns[0]
    points: Any = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    if (
        not without
        and ("&" not in text or not ENTITY.search(text))
        and (plain := _fold_plainly(text, points, known))
    ):
        return plain
    codes: Ints = points.astype(np.int64)
    where = np.arange(len(codes))
    if "&" in text or without:
        codes, where = _replaced(text, codes, without or [])
    known.learn(codes)
    attached = known.attached[codes]
    unit, ends = _units(text, codes, where, attached)
    if attached.any():
        codes, unit, ends = _marks_in_order(codes, unit, ends)
    size = known.size[codes].astype(np.int64)
    row = np.repeat(np.arange(len(codes)), size)
    inside = np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size)
    skeleton = known.pool[known.first[codes][row] + inside].astype("<u4").tobytes().decode("utf-32-le")
    return Folded(text, skeleton, unit[row], ends[row], bool(without))


def _fold_plainly(text: str, codes: Ints, known: _Columns) -> Folded | None:
    """Return the skeleton of a text of which every character leaves one or none; None for others."""
    left = known.single[codes]
    if len(left) and left.min() == UNKNOWN:
        known.learn(codes)
        left = known.single[codes]
    if len(left) and left.min() < 0:
        known.learn(codes)
        return None
    start = np.flatnonzero(left)
    return Folded(text, left[start].astype("<i4").tobytes().decode("utf-32-le"), start, start + 1)


def _replaced(text: str, codes: Ints, without: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    """Return the characters of a text with its entities resolved, and where each stands."""
    edits = [(start, end, "") for start, end in without]
    for found in ENTITY.finditer(text):
        if (own := html.unescape(found[0])) != found[0]:
            edits.append((*found.span(), own))
    parts, places, done = [], [], 0
    for start, end, own in sorted(edits):
        if start < done:
            continue
        new = np.array([ord(one) for one in own], dtype=np.int64)
        parts += [codes[done:start], new]
        places += [np.arange(done, start), np.full(len(new), start)]
        done = end
    parts.append(codes[done:])
    places.append(np.arange(done, len(text)))
    return np.concatenate(parts), np.concatenate(places)


def _units(text: str, codes: Ints, where: Ints, attached: Ints) -> tuple[Ints, Ints]:
    """Return for every character where its unit begins and ends."""
    after = np.append(where[1:], len(text))
    ends = np.maximum(after, where + 1)
    if "&" in text and len(where) and (np.diff(where) > 1).any():
        for row in np.flatnonzero(np.diff(where, append=len(text)) > 1).tolist():
            entity = ENTITY.match(text, int(where[row]))
            ends[row] = entity.end() if entity else where[row] + 1
    else:
        ends = np.minimum(ends, where + 1)
    if not len(codes):
        return where, ends
    joined = attached.copy()
    joined[1:] |= codes[:-1] == JOINER
    joined[1:] |= where[1:] == where[:-1]
    joined[0] = False
    begins = np.flatnonzero(~joined)
    group = np.cumsum(~joined) - 1
    return where[begins][group], np.maximum.reduceat(ends, begins)[group]


def _marks_in_order(codes: Ints, unit: Ints, ends: Ints) -> tuple[Ints, Ints, Ints]:
    """Return combining marks in the canonical order, so that equal letters have equal skeletons."""
    marks = np.unique(codes)
    table = {int(code): unicodedata.combining(chr(code)) for code in marks.tolist()}
    classes = np.array([table[int(code)] for code in marks.tolist()], dtype=np.int64)
    rank = classes[np.searchsorted(marks, codes)]
    if not ((rank[1:] > 0) & (rank[:-1] > rank[1:])).any():
        return codes, unit, ends
    run = np.cumsum(rank == 0)
    order = np.lexsort((np.arange(len(codes)), rank, run))
    return codes[order], unit[order], ends[order]


def fold_quote(quote: str) -> str:
    """Return the skeleton of a quote."""
    if "&" in quote:
        quote = ENTITY.sub(lambda found: html.unescape(found[0]), quote)
    folded = quote.translate(FOLDS)
    return folded if folded.isascii() else unicodedata.normalize("NFD", folded)  # only the order of marks is new


def without_accents(skeleton: str) -> str:
    """Return a skeleton without accents on Latin, Greek and Cyrillic letters."""
    return _LATIN_MARKS.sub("", skeleton)
