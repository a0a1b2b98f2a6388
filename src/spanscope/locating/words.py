"""The words of a text, its numbers and its signs, as guards compare them."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from spanscope.locating.edges import is_unspaced
from spanscope.locating.folding import ENTITY, FOLDS, fold_quote
from spanscope.locating.word_lists import NUMBERS

_MARKS = (  # combining marks, and what is left out within a word
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0903\u093a-\u094f"
    "\u0981-\u0983\u09bc-\u09cd\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u3099\u309a\u00ad\u200b-\u200d"
)
_WORD = re.compile(
    r"\b[AaPp]\.\s?[Mm]\b|\b[Nn]['’](?=[^\W\d_])|[<>]=?|[≤≥≠=]|[$€£¥₹₽₩]|[%°#@]|\+\+|"
    rf"\d+(?:[.,]\d+)*|[^\W\d_](?:[^\W\d_]|[{_MARKS}])*"
    r"(?:['’](?:t|re|ve|ll|s|d|m)\b)?|[\U0001f000-\U0001faff\u2600-\u27bf]"
)
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010\u2011]\s+(?=[^\W\d_])")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_GROUPED = re.compile(r"(?<![\d.,])(\d{1,3})((?:[,'’\s\u00a0\u202f\u2009]\d{3})+)(?![\d]|[.,]\d{3}(?!\d))")
_POINTED = re.compile(r"(?<![\d.,])(\d{1,3})((?:\.\d{3}){2,})(?!\d)")
SIGN = re.compile(r"(?:(?<=[\s(\[{<>=≤≥~±])|^)[-\u2212\u2010-\u2013](?=\d)")
_FRACTION = re.compile("[\u00bc-\u00be\u2150-\u215e]")
_RAISED = re.compile(r"(?<=\d)(?=[²³¹⁰⁴-⁹])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_DIGIT = re.compile("[0-9]")
_OTHER_DIGIT = re.compile("[^\\D0-9]")
_RUN = re.compile(r"\d+")


class Word(NamedTuple):
    """A word as it is compared, and as it stands in the text."""

    key: str
    start: int
    end: int
    capital: bool  # a capital first letter, or digits within: it may be a name


@lru_cache(4096)
def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text; each character of a script without spaces is one."""
    out: list[Word] = []
    for found in _WORD.finditer(text):
        own, start = found[0], found.start()
        if own[1:] in ("'", "’"):  # the French negation, before a vowel
            out.append(Word("ne", start, found.end(), capital=False))
            continue
        if own.isascii():  # most words, and quickly
            if key := own.lower() if own.isalnum() else own.translate(FOLDS):
                out.append(Word(key, start, found.end(), own[0].isupper()))
        elif is_unspaced(own[0]) or (len(own) > 1 and is_unspaced(own[-1])):
            out += _characters(own, start)
        elif key := fold_quote(own):
            out.append(Word(unicodedata.normalize("NFC", key), start, found.end(), own[0].isupper()))
    return tuple(out)


def _characters(own: str, start: int) -> list[Word]:
    out: list[Word] = []
    for at, one in enumerate(own):
        if key := fold_quote(one):
            out.append(Word(key, start + at, start + at + 1, capital=False))
    return out


@lru_cache(1024)  # a quote is held against several places
def plain(text: str) -> str:
    """Return a text with entities resolved and words joined that a line break cut."""
    if "&" in text:
        text = ENTITY.sub(lambda found: html.unescape(found[0]), text)
    text = _HYPHENATED.sub("", text)
    return text if text.isascii() else _UNSEEN.sub("", text)


_LETTERS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_WHOLE = re.compile(r"[^\W\d_]+")
_TWICE = re.compile(r"\b(\d+)\s*\(\s*\1\s*\)")


@lru_cache(1024)
def in_digits(text: str) -> str:
    """Return a text with the numbers that are words as digits, and those that are both only once.

    >>> in_digits("thirty (30) days, twenty-five men and zwölf Frauen")
    '30 days, 25 men and 12 Frauen'
    """
    text = with_ascii_digits(text)
    if NUMBERS.keys().isdisjoint(_WHOLE.findall(text.casefold())):  # most texts
        return text
    return _TWICE.sub(r"\1", _LETTERS.sub(_digits_of, text))


def _digits_of(found: re.Match[str]) -> str:
    tens, _, unit = found[0].casefold().partition("-")
    whole, rest = NUMBERS.get(tens), NUMBERS.get(unit, 0)
    if whole is None or (unit and not (whole >= 20 and whole % 10 == 0 and 0 < rest < 10)):
        return found[0]
    return str(whole + rest)


@lru_cache(1024)
def numbers_of(text: str) -> tuple[str, ...]:
    """Return the numbers of a text: `1,000`, `1 000` and `1000` are one, `12.3` and `1.23` two.

    >>> numbers_of("1,000 and 12.3, 10-12, -5")
    ('1000', '12.3', '10', '12', '-5')
    """
    if not (_DIGIT.search(text) if text.isascii() else any(map(str.isnumeric, text))):
        return ()
    text = _RAISED.sub(" ", _FRACTION.sub(lambda one: f" {unicodedata.normalize('NFKC', one[0])} ", text))
    text = SIGN.sub("\ue000", unicodedata.normalize("NFKC", text))
    text = _GROUPED.sub(_without_marks, text)
    text = _POINTED.sub(_without_marks, text)
    out: list[str] = []
    for found in _NUMBER.finditer(text):
        own = found[0].replace(",", ".")
        sign = "-" if found.start() and text[found.start() - 1] == "\ue000" else ""
        parts = own.split(".")
        out += [sign + parts[0], *parts[1:]] if len(parts) > 2 else [sign + own]
    return tuple(_decimal(one) for one in out)


def with_ascii_digits(text: str) -> str:
    """Return a text with the digits of other scripts, full-width ones among them, as 0 to 9."""
    return text if text.isascii() else _OTHER_DIGIT.sub(lambda one: str(unicodedata.decimal(one[0])), text)


def _without_marks(found: re.Match[str]) -> str:
    return re.sub(r"\D", "", found[0])


def _decimal(number: str) -> str:
    """Return a number with ordinary digits, whatever script it is written in."""
    return with_ascii_digits(number)


@lru_cache(1024)
def digit_runs(text: str) -> tuple[str, ...]:
    """Return the runs of digits of a text, with their minus signs."""
    text = SIGN.sub("\ue000", unicodedata.normalize("NFKC", text))
    return tuple(
        _decimal(("-" if at.start() and text[at.start() - 1] == "\ue000" else "") + at[0])
        for at in _RUN.finditer(text)
    )
