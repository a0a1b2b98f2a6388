"""Texts of answers compared with texts: words in common, equality, one inside the other.

Words are runs of letters and digits of any script, sets of them unless multisets are asked for. Two scripts
compare texts by other rules, which give other figures: `squad_texts` and `legal_texts` have these.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from functools import cache
from itertools import chain

Tokeniser = Callable[[str], Iterable[str]]
NAN = float("nan")

_ASCII_WORD = re.compile("[a-z0-9]+")


def words(text: str) -> list[str]:
    """Return the words of a text: runs of letters and digits with their accents, whatever their case.

    Letters compare without case as Unicode folds them (STRASSE is straße), and é is the same letter written as one
    character or as two. An underscore, a hyphen or an apostrophe parts words.

    >>> words("The U.S. fee: 5.00% of Müller's net_revenue")
    ['the', 'u', 's', 'fee', '5', '00', 'of', 'müller', 's', 'net', 'revenue']
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    found = " ".join(_word().findall(text.replace("_", " ")))  # \w has the underscore, which is no letter
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", found).casefold())
    return folded.split(" ") if folded else []


@cache
def _word() -> re.Pattern[str]:
    r"""Return the pattern of a word of any script: \w alone would cut Hindi words at every vowel sign.

    Two texts in such a script share nearly all of their letters, so their sets of words would be nearly equal.
    Signs that only choose a glyph (variation selectors) are no part of a word: 1 is 1 also as a key cap.
    More than thirty marks in a row are no writing, and Unicode takes quadratic time to put them in order.
    """
    places = chain(range(0x300, 0xFE00), range(0xFE20, 0x1F000))  # where Unicode has marks, without selectors
    marks = [place for place in places if unicodedata.category(chr(place)) in ("Mn", "Mc")]
    first = [place for place, before in zip(marks, [0, *marks], strict=False) if place != before + 1]
    last = [place for place, after in zip(marks, [*marks[1:], 0], strict=True) if place != after - 1]
    mark = "[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in zip(first, last, strict=True)) + "]"
    near = f"(?=[{chr(marks[0])}-{chr(marks[-1])}])"  # hundreds of ranges are slow, and seldom asked then
    return re.compile(rf"\w++(?:{near}{mark}{{1,30}}+\w++)*+(?:{near}{mark}{{1,30}}+)?+")  # possessive: no memory


def token_f1(prediction: str, golds: Sequence[str], *, multiset: bool = False, tokens: Tokeniser = words) -> float:
    """Return the F1 of the words of a text and of the gold text that gives the best; NaN without gold texts.

    Two texts without words are alike (1), a text without words and one with words are not (0).

    >>> token_f1("the cat the cat", ["a dog", "the cat"]), token_f1("the cat the cat", ["the cat"], multiset=True)
    (1.0, 0.6666666666666666)
    """
    if multiset:
        bag = Counter(tokens(prediction))
        return max((bag_f1(bag, Counter(tokens(gold))) for gold in golds), default=NAN)
    found = frozenset(tokens(prediction))
    return max((set_f1(found, frozenset(tokens(gold))) for gold in golds), default=NAN)


def set_f1(one: Set[str], other: Set[str]) -> float:
    """Return the F1 of two sets of words; 1 if both are empty.

    >>> set_f1({"cat", "sat"}, {"cat"})
    0.6666666666666666
    """
    if not one and not other:
        return 1.0
    return _f1(len(one & other), len(one), len(other))


def bag_f1(one: Counter[str], other: Counter[str]) -> float:
    """Return the F1 of two multisets of words, a word counting as often as both have it; 1 if both are empty."""
    if not one and not other:
        return 1.0
    few, many = sorted((one, other), key=len)
    shared = sum(min(number, many[word]) for word, number in few.items() if word in many)
    return _f1(shared, one.total(), other.total())


def _f1(shared: int, one: int, other: int) -> float:
    """Return F1 in SQuAD's order of operations: 2 * shared / (one + other) has other last digits.

    Plain division, for this runs once for each pair of texts; something shared means that neither is empty.
    """
    if not shared:
        return 0.0
    precision, recall = shared / one, shared / other
    return 2 * precision * recall / (precision + recall)


def exact_match(prediction: str, golds: Iterable[str]) -> bool:
    """Tell whether a text is one of the gold texts, but for case and for blanks around it; blanks inside count."""
    found = prediction.strip().lower()
    return any(found == gold.strip().lower() for gold in golds)


def normalise(text: str) -> str:
    r"""Return a text in lower case, with one space for each run of blanks and none around.

    >>> normalise("  The\n Party ")
    'the party'
    """
    return " ".join(text.lower().split())


def substring_match(passage: str, gold: str) -> bool:
    """Tell whether one text is part of the other, but for case and blanks; an empty or blank one matches nothing.

    >>> substring_match("The Party shall not.", "party SHALL"), substring_match("", "party")
    (True, False)
    """
    return one_contains_other(normalise(passage), normalise(gold))


def one_contains_other(one: str, other: str) -> bool:
    """Tell whether one of two normalised texts is part of the other: `substring_match` for texts met repeatedly.

    Python searches in linear time, so texts of any length will do.
    """
    if not one or not other:
        return False
    return other in one if len(one) >= len(other) else one in other
