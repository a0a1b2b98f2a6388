"""What a quote and its place differ in, in words: case, white space, marks, forms of letters."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher

from spanscope.locating.asides import ASIDE
from spanscope.locating.candidates import ELLIPSIS
from spanscope.locating.folding import ENTITY, FOLDS

_QUOTATION = str.maketrans(
    {**dict.fromkeys("“”„‟«»″＂「」『』《》〈〉〝〞〟", '"'), **dict.fromkeys("‘’‚‛‹›′`", "'")}
)
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\ufe00-\ufe0f]")
_ENDS = re.compile(r"^\W+|\W+$")
_HYPHEN = re.compile(r"(?<=\w)-\s*\n\s*(?=\w)")

# In this order: each takes away what the ones before it left.
STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("entities", lambda text: ENTITY.sub(lambda one: html.unescape(one[0]), text)),
    ("tags and notes", lambda text: ASIDE.sub("", text)),
    ("unseen characters", lambda text: _UNSEEN.sub("", text)),
    ("quotation marks", lambda text: text.translate(_QUOTATION)),
    ("dashes", lambda text: text.translate(_DASHES)),
    ("letter forms", lambda text: unicodedata.normalize("NFKC", text)),
    ("hyphenation", lambda text: _HYPHEN.sub("", text)),
    ("white space", lambda text: " ".join(text.split())),
    ("ends", lambda text: _ENDS.sub("", text)),
    ("case", str.casefold),
    ("punctuation", lambda text: text.translate(FOLDS)),
)


def normalised_by(quote: str, found: str) -> tuple[str, ...]:
    """Return what had to be taken from a quote and its place until they were equal.

    >>> normalised_by("THE  fee", "the fee"), normalised_by("“fee”", "fee")
    (('white space', 'case'), ('ends',))
    """
    if quote == found:
        return ()
    out: list[str] = []
    for name, step in STEPS:
        before = (quote, found)
        quote, found = step(quote), step(found)
        if (quote, found) != before and _nearer(before, (quote, found)):
            out.append(name)
        if quote == found:
            return tuple(out)
    return (*out, "ellipsis") if ELLIPSIS.search(before[0]) or "..." in quote else (*out, "accents")


def _nearer(before: tuple[str, str], after: tuple[str, str]) -> bool:
    """Tell whether a step brought two texts nearer to each other, by the characters that only one of them has."""
    return _letters_apart(*after) < _letters_apart(*before)


def _letters_apart(one: str, other: str) -> int:
    first, second = Counter(one), Counter(other)
    return (first - second).total() + (second - first).total()


_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


def diff_words(quote: str, found: str) -> list[tuple[str, str]]:
    """Return a quote and a passage of the text as one row of pieces: what both have, or only one of them.

    >>> diff_words("in 45 days", "in 30 days")
    [('both', 'in '), ('quote', '45'), ('text', '30'), ('both', ' days')]
    """
    ours, theirs = _TOKEN.findall(quote), _TOKEN.findall(found)
    out: list[tuple[str, str]] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            out.append(("both", "".join(ours[a:b])))
        else:
            out += [("quote", "".join(ours[a:b]))] * (b > a) + [("text", "".join(theirs[c:d]))] * (d > c)
    return out
