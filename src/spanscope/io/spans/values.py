"""What the parts of a labelled span are: an id, a text, a label, a confidence, offsets, fragments.

Each is said here and nowhere else: for one value, with the words for what is none, and beside it for a column, of
which only the plain values are taken. `Unfit` says that a column has others: the strict reader then looks at them
one by one.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from numbers import Real
from typing import Any, NoReturn

import numpy as np

from spanscope.arguments import as_whole, identifier
from spanscope.arithmetic import Floats, Ints
from spanscope.data.corpus import FARTHEST
from spanscope.errors import InputError, plural, shown
from spanscope.io.fields import any_there
from spanscope.io.offsets import OFFSETS, places
from spanscope.io.surrogates import any_half, has_half, refuse_half

Fragments = list[tuple[int, int]]
ALL = "*"  # stands for all labels together, and is none
# The types of plain values, for decoders that look at types as they decode.
ID = str | int | None
TEXT = str | None
OFFSET = int
CONFIDENCE = float | None
NUMBERS = (int, float, np.integer, np.floating, type(None))  # likewise, where whole numbers are numbers too


class Unfit(Exception):
    """A column is not plain enough for the fast way; the strict reader shall look at it and explain."""


# ---------------------------------------------------------------- ids and texts


def id_of(value: object, where: str) -> str | None:
    """Return the id of a document: a string, or a whole number that can be written as one; None stays None."""
    if value is None:
        return None
    name = identifier(value)
    if name is None:
        raise InputError(f"id is {shown(value)}", where=where, expected="a string or a whole number")
    refuse_half(name, "id", where)
    return name


def id_column(values: Sequence[Any]) -> Sequence[str | None]:
    """Return ids as strings."""
    kinds = set(map(type, values))
    if not kinds <= {str, int, type(None)} or any_half(values):
        raise Unfit
    if kinds <= {str}:
        return values
    try:
        return [None if value is None else str(value) for value in values]
    except ValueError:  # a number of thousands of digits
        raise Unfit from None


def text_of(value: object, called: str, where: str) -> str | None:
    """Return the text of a document or a span: a string of whole characters, or none."""
    if value is not None and not isinstance(value, str):
        raise InputError(f"{called} is {shown(value)}", where=where, expected="a string")
    refuse_half(value, called, where)
    return value


def text_column(values: Sequence[Any]) -> Sequence[str | None]:
    """Return texts as they are."""
    try:
        odd = has_half("".join(values))  # goes through for strings only: no need to look at the type of each
    except TypeError:
        odd = any_there(values) and (not set(map(type, values)) <= {str, type(None)} or any_half(values))
    if odd:
        raise Unfit
    return values


# ---------------------------------------------------------------- labels


def label_of(value: object, called: str, where: str) -> str:
    """Return a label: a string of whole characters, but for the one that stands for all labels."""
    if not isinstance(value, str):
        raise InputError(f"{called} is {shown(value)}", where=where, expected="a string")
    if value == ALL:
        expected = "another name: '*' stands for all labels together"
        raise InputError(f"{called} is '*'", where=where, expected=expected)
    refuse_half(value, called, where)
    return value


def is_label(value: object) -> bool:
    """Tell a label from anything else, without a word about it."""
    return isinstance(value, str) and value != ALL and not has_half(value)


# ---------------------------------------------------------------- confidences


def confidence_of(value: object, called: str, where: str) -> float:
    """Return how sure a system is of a span: any finite number."""
    try:
        score = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        score = math.inf
    if not math.isfinite(score):
        hint = "[[fields=span_score=NAME]]   if the confidence stands under another name"
        raise InputError(f"{called} is {shown(value)}", where=where, expected="a number", hint=hint)
    return score


def confidence_column(values: Sequence[Any], *, typed: bool = False) -> Floats | None:
    """Return confidences, NaN for null; None where all are null. Typed ones are known to be finite numbers."""
    if not any_there(values):
        return None
    if not typed and not all(issubclass(kind, NUMBERS) and kind is not bool for kind in set(map(type, values))):
        raise Unfit
    try:
        out = np.array(values, dtype=np.float64)
    except OverflowError:  # a whole number that no fraction can hold
        raise Unfit from None
    if not typed and np.count_nonzero(np.isfinite(out)) < sum(value is not None for value in values):
        raise Unfit
    return out


# ---------------------------------------------------------------- offsets


MODELS = "; [[locate]]   if they come from a language model, which cannot count"


class Ruler:
    """What the offsets of a document are held against: its text, where it has one, and their unit."""

    def __init__(self, text: str | None, unit: str, where: str, inclusive: bool = False) -> None:
        self.text, self.unit, self.where, self.inclusive = text, unit, where, inclusive
        self.quoted = False  # whether the span has a text of its own, by which it could be found

    @cached_property
    def _moved(self) -> Callable[[int], int | None]:
        return places(self.text or "", self.unit) if self.unit != "codepoints" else lambda offset: offset

    def offsets_of(self, start: object, end: object, at: str) -> tuple[int, int]:
        """Return start and end in code points: whole numbers in their order, none before the text or past it."""
        behind = 1 if self.inclusive else 0
        first, last = self._offset(start, "start", at), self._offset(end, "end", at, behind)
        if last < first:
            self._wrong(f"{at} ends at {end}, before it starts at {start}", self._limit)
        return first, last

    def fragments_of(self, found: object, at: str) -> Fragments:
        """Return the pieces of a span in their order: at least one, and no two that share a character."""
        if not isinstance(found, list) or not found:
            self._wrong(f"{at}.fragments is {shown(found)}", "a list of [start, end], at least one")
        out = []
        for number, fragment in enumerate(found):
            if not isinstance(fragment, (list, tuple)) or len(fragment) != 2:
                self._wrong(f"{at}.fragments[{number}] is {shown(fragment)}", "[start, end]")
            out.append(self.offsets_of(fragment[0], fragment[1], f"{at}.fragments[{number}]"))
        out.sort()
        if any(b[0] < a[1] for a, b in pairwise(out)):
            self._wrong(f"{at}.fragments overlap", "fragments that share no character")
        return _join_touching(out)

    @property
    def _limit(self) -> str:
        return f"0 <= start <= end <= {len(self.text)}" if self.text is not None else "0 <= start <= end"

    def _offset(self, value: object, name: str, at: str, behind: int = 0) -> int:
        if value is None:
            self._wrong(f"{at} has no {name}", "start and end, or a text without them")
        whole = as_whole(value)
        if whole is None:
            self._wrong(f"{at}.{name} is {shown(value)}", "a whole number")
        if whole < 0:
            self._wrong(f"{at}.{name} is {shown(whole)}, before the start of the text", self._limit)
        moved = self._moved(whole + behind)
        if moved is None:
            self._wrong(
                f"{at}.{name} is {shown(whole)}, inside a character or past the end of the text",
                f"an offset in {OFFSETS[self.unit]} between two characters",
            )
        if self.text is not None and moved > len(self.text):
            self._wrong(
                f"{at}.{name} is {shown(whole)}, past the end of the text ({plural(len(self.text), 'character')})",
                self._limit,
                "[[offsets=utf16]]   if the offsets come from JavaScript or Java"
                + (MODELS if self.quoted else ""),
            )
        if moved > FARTHEST:
            self._wrong(f"{at}.{name} is {shown(whole)}", "an offset into a text")
        return moved

    def _wrong(self, what: str, expected: str, hint: str = "") -> NoReturn:
        raise InputError(what, where=self.where, expected=expected, hint=hint)


def _join_touching(fragments: Fragments) -> Fragments:
    """Join fragments that touch and drop empty ones, so that one set of characters has one form."""
    out: Fragments = []
    for start, end in fragments:
        if out and out[-1][1] == start and start < end:
            out[-1] = (out[-1][0], end)
        elif start < end:
            out.append((start, end))
    return out or fragments[:1]


def number_column(values: Sequence[int], *, typed: bool = False) -> Ints:
    """Return whole numbers; True and False are none. Typed ones are known to be whole numbers."""
    try:
        packed = struct.pack(f"{len(values)}q", *values)  # twice as fast as an array made from the list
    except (struct.error, TypeError, OverflowError):  # no whole number, or past 64 bits
        raise Unfit from None
    out = np.frombuffer(packed, dtype=np.int64)
    if not typed and any(type(values[row]) is bool for row in np.flatnonzero((out == 0) | (out == 1)).tolist()):
        raise Unfit
    return out


def check_offset_columns(start: Ints, end: Ints, texts: Sequence[str | None], sizes: Ints, unit: str) -> None:
    """See to it that the offsets of documents are in order, as they are in the unit given."""
    if unit != "codepoints" and not all(text is not None and text.isascii() for text in texts):
        raise Unfit  # a character may have several units
    if (start < 0).any() or (end < start).any() or (end > FARTHEST).any():
        raise Unfit
    if any_there(texts):
        try:
            lengths = list(map(len, texts))  # type: ignore[arg-type]
        except TypeError:  # some document has no text
            lengths = [FARTHEST if text is None else len(text) for text in texts]
        if (end > np.repeat(number_column(lengths, typed=True), sizes)).any():
            raise Unfit
