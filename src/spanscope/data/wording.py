"""The words of data problems, filled in with values; texts of documents are masked where nobody may see them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Any, NamedTuple

from spanscope.errors import kind_of_value, may_quote_now, named, plural, say_options

VERBS = {
    "are": "is",
    "have": "has",
    "come": "comes",
    "begin": "begins",
    "start": "starts",
    "end": "ends",
}  # plural, singular
OF_EVERY_PROBLEM = {"number", "document"}  # what words may use besides the values


class Quote(NamedTuple):
    """What a document holds, cut to be shown, and other words for it where texts are masked."""

    words: str
    masked: str

    def __repr__(self) -> str:  # nothing of the document
        return f"<{self.masked}>"


def quote(value: object, limit: int = 60, masked: str = "") -> Quote:
    """Return a value of the data to be shown; nothing of it is kept where texts may not be quoted at all.

    >>> quote("John")
    <a string of 4 characters>
    """
    hidden = masked or kind_of_value(value)
    return Quote(named(value, limit) if may_quote_now() else hidden, hidden)


def fill(words: str, known: Mapping[str, Any], quotes: bool) -> str:
    """Return words with their values in them; without `quotes` texts of documents are masked."""
    return _Wording(quotes).vformat(words, (), known)


class _Wording(Formatter):
    """Fills in the words of a kind."""

    def __init__(self, quotes: bool) -> None:
        self.quotes = quotes

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        if conversion == "n":
            return value if isinstance(value, Quote) else named(value)
        if conversion == "o":
            return say_options(str(value))
        return super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Quote):
            return value.words if self.quotes else value.masked
        if isinstance(value, tuple):
            return ", ".join(value)
        if format_spec == "figure":  # evidence in a sentence; the figures of reports are rounded there
            return "undefined" if math.isnan(value) else f"{value:.4f}"
        if format_spec in VERBS:
            return VERBS[format_spec] if value == 1 else format_spec
        if format_spec.replace(" ", "").isalpha():
            return plural(int(value), format_spec)
        return str(super().format_field(value, format_spec))


@cache
def values_in(words: str) -> frozenset[str]:
    """Return the names of the values that words use."""
    out: set[str] = set()
    for _, name, form, _ in Formatter().parse(words):
        out |= {name} if name else set()
        out |= values_in(form) if form else frozenset()
    return frozenset(out - OF_EVERY_PROBLEM)


def rounded_apart(value: float, other: float, margin: float = 0.0) -> tuple[float, float]:
    """Return two figures that a sentence compares, rounded to the fewest digits that do not belie it.

    One is above, equal to or below the other as it was, and by more than a margin or not.

    >>> rounded_apart(1 / 3, 0.5), rounded_apart(0.79996, 0.8)
    ((0.3333, 0.5), (0.79996, 0.8))
    """

    def standing(one: float, beside: float) -> tuple[bool, bool, bool]:
        return one < beside, one > beside, abs(one - beside) > margin

    each = ((round(value, digits), round(other, digits)) for digits in range(4, 17))
    return next((pair for pair in each if standing(*pair) == standing(value, other)), (value, other))
