"""Texts without what a copy may change: case, white space, punctuation, marks, entities; with a map back.

What is left is called the skeleton: letters, digits and symbols. Every character of it belongs to a unit of the
text (a letter with its combining marks, an entity, an emoji with its parts), and a match covers whole units.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import expand
from spanscope.locating.asides import asides_of, may_have_asides

ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
_PARTS = re.compile(f"({ENTITY.pattern})")
SINGLE = {
    **dict.fromkeys("ıİ", "i"),
    **{"œ": "oe", "Œ": "oe", "æ": "ae", "Æ": "ae", "≥": ">=", "≤": "<=", "×": "x", "→": ">", "&": "and", "₤": "£"},
    **dict.fromkeys("#%@", ""),  # set below: punctuation by its category, a symbol by its use
    **dict.fromkeys("™®©℠`|^´¨¯¸\u2212\u2044\u02dc", ""),
}
SINGLE |= {sign: sign for sign in "#%@"}
JOINER = 0x200D
UNKNOWN, SEVERAL = -2, -1
KEPT = 4096  # entities that are remembered
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
    if own.isdecimal():  # of any script
        return str(unicodedata.decimal(own))
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
        self.pool = np.zeros(0, dtype=np.int32)
        self.rank = np.zeros(0, dtype=np.int64)  # the combining class of each in the pool

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
        self.pool = np.concatenate((self.pool, np.array(more, dtype=np.int32)))
        ranks = [unicodedata.combining(chr(code)) for code in more]
        self.rank = np.concatenate((self.rank, np.array(ranks, dtype=np.int64)))


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
    asides: tuple[tuple[int, int], ...] = ()  # stretches of the text that the skeleton is without

    def covers(self, first: int, last: int) -> bool:
        """Tell whether a stretch of the skeleton is made of whole units."""
        start = self.start
        before = first == 0 or start[first - 1] != start[first]
        return bool(before and (last == len(start) or start[last - 1] != start[last]))

    def place(self, first: int, last: int) -> tuple[int, int]:
        """Return where a stretch of the skeleton stands in the text."""
        return int(self.start[first]), int(self.end[last - 1])

    def words(self, start: int, end: int) -> str:
        """Return a stretch of the text, with blanks for what the skeleton is without."""
        out, done = [], start
        for at in range(bisect_left(self.asides, (start, start)), len(self.asides)):
            first, last = self.asides[at]
            if first >= end:
                break
            out += [self.text[done:first], " "]
            done = last
        return "".join([*out, self.text[done:end]]) if out else self.text[start:end]

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
        if self.asides or not may_have_asides(self.text):
            return None
        asides = asides_of(self.text)
        return fold_text(self.text, asides) if asides else None


def fold_text(text: str, without: list[tuple[int, int]] | None = None) -> Folded:
    """Return the skeleton of a document, perhaps without some stretches of it, and the map back to its text."""
    if not _columns:
        _columns.append(_Columns())
    edits = [(start, end, "") for start, end in without or ()]
    if "&" in text:
        # From one end to the next, which is quicker than a match for each where there are many.
        parts, at = _PARTS.split(text), 0
        for kept, one in zip(parts[::2], parts[1::2], strict=False):
            at += len(kept)
            if (own := _UNESCAPED[one]) != one:
                edits.append((at, at + len(one), own))
            at += len(one)
    if not edits:
        return Folded(text, *_fold_characters(text, _columns[0]))
    replaced, starts, ends = _replace(text, sorted(edits) if without else edits)
    skeleton, first, last = _fold_characters(replaced, _columns[0])
    start, end = starts.take(first), ends.take(last - 1)
    if (
        len(skeleton) and max([len(edit[2]) for edit in edits]) > 1
    ):  # its characters are one unit with marks behind
        begins = np.flatnonzero(np.diff(start, prepend=-1))
        end = np.repeat(np.maximum.reduceat(end, begins), np.diff(begins, append=len(start)))
    return Folded(text, skeleton, start, end, tuple(without or ()))


class _Unescaped(dict[str, str]):
    """The characters that entities stand for; each is found when it is first met."""

    def __missing__(self, entity: str) -> str:
        found = html.unescape(entity)
        if len(self) < KEPT:
            self[entity] = found
        return found


_UNESCAPED = _Unescaped()


def _replace(text: str, edits: list[tuple[int, int, str]]) -> tuple[str, Ints, Ints]:
    """Return a text with some stretches replaced, and where each character of it begins and ends in the text."""
    pieces: list[str] = []
    places: list[tuple[int, int, int]] = []  # new characters: where, how many, how far the text is ahead behind
    done = at = 0
    for start, end, own in edits:
        if start < done:
            continue
        pieces += (text[done:start], own)
        at += start - done + len(own)
        done = end
        places.append((at - len(own), len(own), done - at))
    pieces.append(text[done:])
    replaced = "".join(pieces)
    where, size, ahead = np.array(places, dtype=np.int64).T
    kept = np.diff(where + size, prepend=0, append=len(replaced))  # characters up to the end of each piece
    starts = np.arange(len(replaced)) + np.repeat(np.append(0, ahead), kept)
    ends = starts + 1
    new = expand(where, size)
    starts[new] = np.repeat(starts[where[size > 0]], size[size > 0])
    ends[new] = np.repeat(where + size + ahead, size)
    return replaced, starts, ends


def _fold_characters(text: str, known: _Columns) -> tuple[str, Ints, Ints]:
    """Return the skeleton of a text without entities, and where the unit of each of its characters stands.

    Most characters leave one of their own or none; only the odd ones, which leave several or belong to the one
    before, are looked at by themselves.
    """
    codes: Any = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    left = known.single.take(codes)
    least = left.min(initial=0)
    if least == UNKNOWN:
        known.learn(codes)
        left = known.single.take(codes)
        least = left.min(initial=0)
    if least == 0:
        start = (left != 0).nonzero()[0]
        return left.take(start).astype("<i4").tobytes().decode("utf-32-le"), start, start + 1
    odd = (left < 0).nonzero()[0]
    own = codes.take(odd)
    sizes = known.size.take(own)
    size = (left != 0).view(np.int8)
    size[odd] = sizes
    row = np.arange(len(codes)).repeat(size)
    skeleton = left.take(row)
    places = (skeleton < 0).nonzero()[0]  # what the odd ones leave, in their order
    inside = np.arange(len(places)) - (sizes.cumsum() - sizes).repeat(sizes)
    pooled = known.first.take(own).repeat(sizes) + inside
    skeleton[places] = known.pool.take(pooled)
    ranks = known.rank.take(pooled)
    if _is_disordered(places, ranks):
        rank = np.zeros(len(skeleton), dtype=np.int64)
        rank[places] = ranks
        order = np.lexsort((np.arange(len(rank)), rank, np.cumsum(rank == 0)))
        skeleton, row = skeleton[order], row[order]
    joined = odd[known.attached.take(own)]
    start, end = _units(codes, joined, row) if len(joined) else (row, row + 1)
    return skeleton.astype("<i4").tobytes().decode("utf-32-le", "surrogatepass"), start, end


def _is_disordered(places: Ints, rank: Ints) -> bool:
    """Tell whether combining marks stand in another than the canonical order, in which equal letters are equal."""
    if not rank.any():
        return False
    falls = (rank[1:] > 0) & (rank[:-1] > rank[1:])
    return bool(falls.any() and (falls & (np.diff(places) == 1)).any())


def _units(codes: Ints, joined: Ints, row: Ints) -> tuple[Ints, Ints]:
    """Return where the units of some characters begin and end; joined ones belong to the one before."""
    joiners = joined[codes.take(joined) == JOINER] + 1
    if len(joiners):
        joined = np.union1d(joined, joiners[joiners < len(codes)])
    if not joined[0]:
        joined = joined[1:]
    unit = np.arange(len(codes))
    ends = unit + 1
    if len(joined):
        is_first = np.ones(len(joined) + 1, dtype=bool)  # of a run; and one behind the last
        np.not_equal(joined[1:], joined[:-1] + 1, out=is_first[1:-1])
        run = is_first[:-1].cumsum() - 1
        begins = joined[is_first[:-1]] - 1
        behind = joined[is_first[1:]] + 1
        unit[joined], ends[joined] = begins.take(run), behind.take(run)
        ends[begins] = behind
    return unit.take(row), ends.take(row)


@lru_cache(4096)  # a quote is folded at each step of the search for it
def fold_quote(quote: str) -> str:
    """Return the skeleton of a quote."""
    if "&" in quote:
        quote = ENTITY.sub(lambda found: html.unescape(found[0]), quote)
    folded = quote.translate(FOLDS)
    return folded if folded.isascii() else unicodedata.normalize("NFD", folded)  # only the order of marks is new


def without_accents(skeleton: str) -> str:
    """Return a skeleton without accents on Latin, Greek and Cyrillic letters."""
    return _LATIN_MARKS.sub("", skeleton)
