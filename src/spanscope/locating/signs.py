"""Numbers, signs and negations, which may differ though all letters of two texts are the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from spanscope.locating.edges import is_unspaced
from spanscope.locating.folding import ENTITY, fold_quote
from spanscope.locating.word_lists import NEGATIONS
from spanscope.locating.words import SIGN, Word, digit_runs, numbers_of, plain, with_ascii_digits, words_of


def key_of(word: str) -> str:
    """Return a word as guards compare it."""
    return unicodedata.normalize("NFC", fold_quote(word))


NEGATIVE = frozenset(map(key_of, NEGATIONS))


def same_signs(quote: str, found: str, *, has_digits: bool = True) -> str:
    """Return why a place whose letters are all the same is still another statement; nothing where it is none.

    has_digits   whether what is left of the quote has any; without, no number can differ.
    """
    if quote == found:
        return ""
    if has_digits and not (_same_runs(quote, found) or _same_numbers(quote, found)):
        return "number"
    quote, found = quote.casefold(), found.casefold()
    return "negation" if quote != found and _negated_by_spaces(quote, found) else ""


_LETTERS = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"\d+")
_DASHED = re.compile(r"[-\u2212\u2010-\u2013]\d")


def _same_runs(quote: str, found: str) -> bool:
    """Tell texts with the same digits, written alike and without a sign before one: most copies, and quickly."""
    if "&" in quote or "&" in found:
        quote, found = ENTITY.sub(" ", quote), ENTITY.sub(" ", found)
    if _RUN.findall(with_ascii_digits(quote)) != _RUN.findall(with_ascii_digits(found)):
        return False
    if not (_DASHED.search(quote) or _DASHED.search(found)):
        return True
    return not (SIGN.search(quote) or SIGN.search(found))


def _same_numbers(quote: str, found: str) -> bool:
    quote, found = with_ascii_digits(plain(quote)), with_ascii_digits(plain(found))
    return numbers_of(quote) == numbers_of(found) or digit_runs(quote) == digit_runs(found)


def _negated_by_spaces(quote: str, found: str) -> bool:
    """Tell texts of the same letters whose spaces make other negations of them: `not able`, `notable`."""
    if quote.split() == found.split() or (ours := _LETTERS.findall(quote)) == (theirs := _LETTERS.findall(found)):
        return False
    as_many = sum(map(NEGATIVE.__contains__, ours)) == sum(map(NEGATIVE.__contains__, theirs))
    if as_many and not any(map(_may_negate, {*ours} ^ {*theirs})):
        return False
    return sorted(negative_in(words_of(plain(quote)))) != sorted(negative_in(words_of(plain(found))))


def _may_negate(word: str) -> bool:
    key = key_of(word)
    return key in NEGATIVE or key.endswith("nt")


def negative_in(words: Sequence[Word]) -> list[str]:
    """Return the negations among some words."""
    return [
        word.key
        for word in words
        if (word.key in NEGATIVE and not is_unspaced(word.key[0]))
        or (word.key.endswith("nt") and word.key[:-2] in _MODALS)
    ]


_MODALS = frozenset(
    ("do", "does", "did", "is", "are", "was", "were", "should", "would", "could", "has", "have", "had", "must")
)
