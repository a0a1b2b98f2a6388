"""What sets a slip of the pen apart from another statement: numbers, negations, names, words.

A changed number, name or negation is closer to the text than most honest slips, so no distance tells them apart.
Guards look at the words that differ between a quote and the place it would be given; the first that fails is the
reason why the quote is not placed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from spanscope.arithmetic import ratio
from spanscope.locating.distances import distance
from spanscope.locating.edges import is_unspaced
from spanscope.locating.folding import without_accents
from spanscope.locating.signs import NEGATIVE, key_of, negative_in
from spanscope.locating.word_lists import (
    FUNCTION,
    NEGATING_PREFIXES,
    OPPOSITE_PREFIXES,
    OPPOSITES,
    UNSPACED_NEGATIONS,
)
from spanscope.locating.words import Word, digit_runs, in_digits, numbers_of, plain, words_of

ALIKE = 0.62  # words below it, and more than one edit apart, are different words
UNSPACED_RUN = 2  # characters in a row that another text has instead: a different word
NAME_EDITS = ((13, 3), (9, 2), (0, 1))  # slips in a name, by its length: shorter ones are other names


_FUNCTION = frozenset(map(key_of, FUNCTION))
_OPPOSITES: dict[str, list[frozenset[str]]] = {}
for _row in OPPOSITES:
    for _word in _row:
        _OPPOSITES.setdefault(key_of(_word), []).append(frozenset(map(key_of, _row)))


def _negated_otherwise(quote: str, found: str, changed: Sequence[Change]) -> bool:
    """Tell whether the words that differ have more negations on one side; a negation may be misspelt."""
    if any(quote.count(one) != found.count(one) for one in UNSPACED_NEGATIONS):
        return True
    here = [word for own, _ in changed for word in own]
    there = [word for _, own in changed for word in own]
    ours, theirs = negative_in(here), negative_in(there)
    if len(ours) == len(theirs):
        return False
    few, many, other = (ours, theirs, here) if len(ours) < len(theirs) else (theirs, ours, there)
    plain_words = [word.key for word in other if word.key not in NEGATIVE and word.key not in _FUNCTION]
    misspelt = sum(
        len(word) > 3 and any(distance(word, own) <= 1 and own not in word for own in plain_words) for word in many
    )
    return len(few) + misspelt < len(many)


def why_not(quote: str, found: str, bare: str | None = None) -> str:
    """Return which guard holds a quote off a place: number, negation, word, order; nothing where none does.

    bare   the words of the place without asides: marks of footnotes and pages, numbers of lines.
    """
    bare = None if bare == found else bare
    quote, found = in_digits(plain(quote)), in_digits(plain(found))
    same = numbers_of(quote) == numbers_of(found) or digit_runs(quote) == digit_runs(found)
    if not same and (bare is None or numbers_of(quote) != numbers_of(in_digits(plain(bare)))):
        return "number"
    quote, found = _differing(quote, found)
    ours, theirs = words_of(quote), words_of(found)
    changed = _changes(ours, theirs)
    if _negated_otherwise(quote, found, changed):
        return "negation"
    for pair in changed:
        if reason := _reason(*pair):
            return reason
    return "order" if _names_swapped(ours, theirs) else ""


def _differing(quote: str, found: str) -> tuple[str, str]:
    """Return two texts without the words that both begin and end with: what guards look at is between."""
    ours, theirs = quote.split(), found.split()
    most = min(len(ours), len(theirs))
    first = next((at for at in range(most) if ours[at] != theirs[at]), most)
    last = next((at for at in range(most - first) if ours[-1 - at] != theirs[-1 - at]), most - first)
    return " ".join(ours[first : len(ours) - last]), " ".join(theirs[first : len(theirs) - last])


Change = tuple[list[Word], list[Word]]


def _changes(ours: Sequence[Word], theirs: Sequence[Word]) -> list[Change]:
    """Return the words of a quote beside those that the text has instead, without words that only moved."""
    from cydifflib import SequenceMatcher

    first, second = [word.key for word in ours], [word.key for word in theirs]
    codes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    out = [(list(ours[a:b]), list(theirs[c:d])) for tag, a, b, c, d in codes if tag != "equal"]
    lost = Counter(word.key for _, there in out for word in there)
    extra = Counter(word.key for here, _ in out for word in here)
    moved = lost & extra
    return (
        [(_words_without(here, moved.copy()), _words_without(there, moved.copy())) for here, there in out]
        if moved
        else out
    )


def _words_without(words: list[Word], moved: Counter[str]) -> list[Word]:
    out = []
    for word in words:
        if moved[word.key] > 0:
            moved[word.key] -= 1
        else:
            out.append(word)
    return out


def _reason(ours: list[Word], theirs: list[Word]) -> str:
    """Return why some words may not stand for others."""
    if "".join(word.key for word in ours) == "".join(word.key for word in theirs):
        return ""
    if any(is_unspaced(word.key[0]) for word in (*ours, *theirs)):
        return _refuse_unspaced(ours, theirs)
    if any(_are_opposites(word.key, other.key) for word in ours for other in theirs):
        return "word"
    if any(_are_roman(word, other) for word in ours for other in theirs):
        return "number"
    left = list(theirs)
    for word in ours:
        near = min(left, key=lambda other: _distance_apart(word, other), default=None)
        both = near is not None and word.key in _FUNCTION and near.key in _FUNCTION
        if near is not None and (both or _slip(word, near)):
            if reason := _opposition(word, near):
                return reason
            left.remove(near)
        elif word.key not in _FUNCTION and not _pieces(word, theirs):
            return "word"
    return "word" if any(_is_sign(word) for word in left) else ""


def _refuse_unspaced(ours: list[Word], theirs: list[Word]) -> str:
    """Return why characters of a script without spaces may not stand for others."""
    if any(_are_opposites(word.key, other.key) for word in ours for other in theirs):
        return "word"
    here = [word for word in ours if word.key not in _FUNCTION]
    there = [word for word in theirs if word.key not in _FUNCTION]
    if min(len(here), len(there)) >= UNSPACED_RUN or len(here) >= UNSPACED_RUN:
        return "word"
    return ""


def _is_sign(word: Word) -> bool:
    return not word.key[0].isalnum() and word.key not in "°"


def _pieces(word: Word, theirs: Sequence[Word]) -> bool:
    """Tell a word that is several of the text written together, or a part of one written apart."""
    whole = "".join(other.key for other in theirs)
    return len(word.key) > 3 and (word.key in whole or (len(whole) > 3 and distance(word.key, whole) <= 1))


_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})  # where a keyboard lacks them


def _distance_apart(word: Word, other: Word) -> float:
    return float(ratio(distance(word.key, other.key), max(len(word.key), len(other.key))))


def _slip(word: Word, other: Word) -> bool:
    """Tell two words of which one may be the other misspelt or inflected."""
    if _is_sign(word) or _is_sign(other) or word.key[0].isdigit() or other.key[0].isdigit():
        return word.key == other.key
    edits = distance(word.key, other.key)
    if edits <= 1:
        return len(other.key) > 2 or len(word.key) > 2 or (other.key in _FUNCTION and word.key not in _FUNCTION)
    if sorted(word.key) == sorted(other.key) and edits == 2:
        return True  # two letters changed places
    if without_accents(word.key) == without_accents(other.key):
        return True
    if word.key.translate(_SPELT) == other.key.translate(_SPELT):
        return True
    size = max(len(word.key), len(other.key))
    if word.capital and other.capital and not _are_inflections(word.key, other.key):
        return edits <= next(most for least, most in NAME_EDITS if size >= least)
    return float(ratio(edits, size)) <= 1 - ALIKE


def _are_inflections(one: str, other: str) -> bool:
    """Tell words that differ in their endings only."""
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return same >= 4 and max(len(one), len(other)) - same <= 3


def _are_opposites(word: str, other: str) -> bool:
    """Tell words of one row of the list, of which another says another thing."""
    return word != other and any(other in row for row in _OPPOSITES.get(word, ()))


def _are_roman(word: Word, other: Word) -> bool:
    """Tell two different Roman numerals; `IV` and `VI` have the same letters."""
    both = word.capital and other.capital and word.key != other.key
    return both and bool(_ROMAN.fullmatch(word.key)) and bool(_ROMAN.fullmatch(other.key))


_ROMAN = re.compile("(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")


def _negated_inside(word: str, other: str) -> bool:
    """Tell words of which one has the Turkish infix of negation: `ödeyecek`, `ödemeyecek`."""
    short, long = sorted((word, other), key=len)
    if len(long) != len(short) + 2 or len(short) < 6:
        return False
    at = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return any(
        long[own : own + 2] in ("me", "ma") and long[:own] + long[own + 2 :] == short
        for own in range(max(at - 2, 2), min(at, len(short) - 3) + 1)
    )


def _opposition(word: Word, other: Word) -> str:
    """Return why two words that look alike say opposite things."""
    if _negated_inside(word.key, other.key):
        return "negation"
    short, long = sorted((word.key, other.key), key=len)
    if len(short) > 2 and any(long == prefix + short for prefix in NEGATING_PREFIXES):
        return "negation"
    for one, two in OPPOSITE_PREFIXES:
        for a, b in ((word.key, other.key), (other.key, word.key)):
            if (
                a.startswith(one)
                and b.startswith(two)
                and a[len(one) :] == b[len(two) :]
                and len(a) > len(one) + 2
            ):
                return "word"
    return ""


def _names_swapped(ours: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Tell whether names occur in another order than in the text: who does what to whom."""
    first, second = _names(ours), _names(theirs)
    return len(first) > 1 and first != second and Counter(first) == Counter(second)


def _names(words: Sequence[Word]) -> list[frozenset[str]]:
    """Return the names of a text: words with capitals that stand together, in whatever order."""
    out: list[frozenset[str]] = []
    own: set[str] = set()
    for word in words:
        if word.capital and word.key not in _FUNCTION:
            own.add(word.key)
        elif own and word.key not in ("of", "de", "von", "van"):
            out.append(frozenset(own))
            own = set()
    return [*out, frozenset(own)] if own else out
