"""Texts of answers compared with texts: words in common, equality, one inside the other.

Three rules beside each other, for their figures differ:

* ours: words are runs of letters and digits of any script, sets of them unless multisets are asked for;
* SQuAD's, 1.1 and 2.0, digit for digit: punctuation and articles go, then multisets of what is between blanks;
* those of the legal retrieval script `score.py`, digit for digit: NLTK's tokens, sets, passages by their place.
"""

from __future__ import annotations

import math
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Literal

import numpy as np

from spanscope.arithmetic import ratio
from spanscope.errors import InputError, MeasureError, plural, shown

Tokeniser = Callable[[str], Iterable[str]]
Version = Literal["1.1", "2.0"]
NAN = float("nan")
PERCENT = 100.0


# ---------------------------------------------------------------- words and what they share

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


# ---------------------------------------------------------------- equality, and one text inside the other


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


# ---------------------------------------------------------------- SQuAD 1.1 and 2.0

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def squad_normalise(text: str) -> str:
    """Return a text as SQuAD compares it: lower case, no ASCII punctuation, no English articles, single spaces.

    >>> squad_normalise("The well-known U.S. act")
    'wellknown us act'
    """
    return " ".join(squad_tokens(text))


def squad_tokens(text: str) -> list[str]:
    """Return SQuAD's tokens: what is between blanks once punctuation and articles are gone."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def squad_exact(prediction: str, golds: Sequence[str], *, version: Version = "2.0") -> bool:
    """Tell whether SQuAD takes a text for one of the gold answers; 2.0: an empty text where there is none."""
    return squad(prediction, golds, version)[0]


def squad_f1(prediction: str, golds: Sequence[str], *, version: Version = "2.0") -> float:
    """Return SQuAD's F1 of a text and the best gold answer.

    The versions differ where nothing is left of both texts: 0 in 1.1, 1 in 2.0; and 2.0 scores questions without
    answers, to which the empty text is the only right one.

    >>> squad_f1("the", ["a"], version="1.1"), squad_f1("the", ["a"]), squad_f1("", [])
    (0.0, 1.0, 1.0)
    """
    return squad(prediction, golds, version)[1]


def squad(prediction: str, golds: Sequence[str], version: Version) -> tuple[bool, float]:
    """Return SQuAD's exact match and F1; the best answer is looked for separately for each."""
    answers = [squad_tokens(gold) for gold in golds]
    if version == "2.0":
        answers = [tokens for tokens in answers if tokens] or [[]]
    elif version != "1.1":
        raise MeasureError(f"SQuAD's version is {shown(version)}", expected="1.1 or 2.0")
    if not answers:
        raise InputError(
            "a question has no gold answer",
            expected="at least one in SQuAD 1.1",
            hint="version 2.0, which knows questions without answers",
        )
    found = squad_tokens(prediction)
    if not found and version == "1.1":
        return [] in answers, 0.0
    bag = Counter(found)
    return found in answers, max(bag_f1(bag, Counter(tokens)) for tokens in answers)


@dataclass(frozen=True)
class Question:
    """A question's gold answers (none: it has no answer), the predicted one, and how sure a system is of none."""

    golds: Sequence[str]
    prediction: str | None  # None: the system said nothing about this question
    no_answer: float | None = None  # the probability that there is no answer


def squad1_scores(questions: Iterable[Question]) -> dict[str, float]:
    """Return the figures of SQuAD 1.1's script, in per cent; a question without prediction counts 0.

    >>> squad1_scores([Question(["the cat"], "Cat"), Question(["dog"], None)])
    {'exact_match': 50.0, 'f1': 50.0}
    """
    scores = [
        (False, 0.0) if asked.prediction is None else squad(asked.prediction, asked.golds, "1.1")
        for asked in questions
    ]
    return {"exact_match": _percent(exact for exact, _ in scores), "f1": _percent(f1 for _, f1 in scores)}


def squad2_scores(questions: Iterable[Question], *, threshold: float = 1.0) -> dict[str, float]:
    """Return the figures of SQuAD 2.0's script, in per cent; questions without prediction are left out.

    Where the probability of no answer is above the threshold, the prediction counts as the empty one. With
    probabilities the best thresholds are there too; the script may stop between equal probabilities, at a figure
    that no threshold gives, and so does this. Its own HasAns and NoAns fail on a question without prediction.
    """
    asked = [question for question in questions if question.prediction is not None]
    chances = [question.no_answer for question in asked if question.no_answer is not None]
    if chances and len(chances) < len(asked):
        raise InputError(
            f"{plural(len(asked), 'question')} have {len(chances):,} probabilities of no answer",
            expected="one for every question, or none at all",
        )
    raw = [squad(question.prediction or "", question.golds, "2.0") for question in asked]
    exact, f1 = [float(both[0]) for both in raw], [both[1] for both in raw]
    answerable = [bool(question.golds) for question in asked]
    out: dict[str, float] = {}
    final = [
        [
            float(not has) if (question.no_answer or 0.0) > threshold else score
            for question, has, score in zip(asked, answerable, scores, strict=True)
        ]
        for scores in (exact, f1)
    ]
    for prefix, kept in (("", (True, False)), ("HasAns_", (True,)), ("NoAns_", (False,))):
        chosen = [[s for s, has in zip(scores, answerable, strict=True) if has in kept] for scores in final]
        if chosen[0] or not prefix:  # the script leaves out a group without questions
            out[f"{prefix}exact"], out[f"{prefix}f1"] = map(_percent, chosen)
            out[f"{prefix}total"] = len(chosen[0])
    if chances:
        for name, scores in (("exact", exact), ("f1", f1)):
            out[f"best_{name}"], out[f"best_{name}_thresh"] = _best_threshold(asked, scores)
    return out


def _percent(scores: Iterable[float]) -> float:
    values = list(scores)
    return float(ratio(PERCENT * sum(values), len(values)))  # multiplied first, as both scripts do


def _best_threshold(asked: Sequence[Question], scores: Sequence[float]) -> tuple[float, float]:
    """Return the best figure that a threshold could give, in per cent, and the threshold."""
    current: float = sum(not question.golds for question in asked)  # above every probability: all are empty
    best, threshold = current, 0.0
    for place in sorted(range(len(asked)), key=lambda n: asked[n].no_answer or 0.0):
        question = asked[place]
        if question.golds:
            current += scores[place]
        elif question.prediction:
            current -= 1
        if current > best:
            best, threshold = current, question.no_answer or 0.0
    return float(ratio(PERCENT * best, len(asked))), threshold


# ---------------------------------------------------------------- the legal script


def legal_tokens(text: str, *, punkt: bool = True) -> list[str]:
    """Return the legal script's tokens: NLTK's of the normalised text, those of letters and digits only.

    Without `punkt` the text is one sentence, and words before a full stop inside it are dropped: no data are
    needed then, and figures differ a little from the script's. Tokens also depend on the version of NLTK.
    """
    try:
        from nltk.tokenize import word_tokenize
    except ImportError:
        raise ImportError("the legal script's tokens are NLTK's: pip install 'spanscope[legal]'") from None
    try:
        found = word_tokenize(normalise(text), preserve_line=not punkt)
    except TimeoutError:  # NLTK stops patterns that take long
        raise MeasureError(
            f"NLTK gave up on a text of {len(text):,} characters", hint="-p passages, whose own words need no NLTK"
        ) from None
    except LookupError:  # NLTK's own message has thirty lines
        raise MeasureError(
            "NLTK has no data for sentences (punkt_tab)",
            hint="python -m nltk.downloader punkt_tab, or tokens that do without: punkt=no",
        ) from None
    return [token for token in found if token.isalnum()]


def has_punkt() -> bool:
    """Tell whether NLTK and its data for sentences are installed."""
    try:
        from nltk.data import find
    except ImportError:
        return False
    try:
        find("tokenizers/punkt_tab/english/")
    except LookupError:
        return False
    return True


def legal_query(passages: Sequence[str], golds: Sequence[str], k: int, tokens: Tokeniser) -> dict[str, float]:
    """Return the legal script's four figures of one query; NaN without gold texts, which the script leaves out.

    Exact match and span F1 look at the first passage only, recall and nDCG at the first k.

    >>> legal_query(["Dogs bark.", "A cat sat."], ["cat sat"], 10, words)
    {'exact_match': 0.0, 'span_f1': 0.0, 'recall': 1.0, 'ndcg': 0.6309297535714575}
    """
    if not golds:
        return dict.fromkeys(("exact_match", "span_f1", "recall", "ndcg"), NAN)
    if not passages:
        return dict.fromkeys(("exact_match", "span_f1", "recall", "ndcg"), 0.0)
    found = [normalise(passage) for passage in passages[:k]]
    held = legal_matches(found, [normalise(gold) for gold in golds])
    return {
        "exact_match": float(exact_match(passages[0], golds)),
        "span_f1": token_f1(passages[0], golds, tokens=tokens),
        "recall": _legal_recall(held, len(golds)),
        "ndcg": _legal_ndcg(held, k),
    }


def legal_matches(found: Sequence[str], wanted: Sequence[str]) -> list[list[int]]:
    """Return for each passage the gold texts that are part of it or have it as part; an empty one has them all.

    >>> legal_matches(["a cat sat", "", "dog"], ["cat", "a dog"])
    [[0], [0, 1], [1]]
    """
    return [[at for at, gold in enumerate(wanted) if gold in text or text in gold] for text in found]


def _legal_recall(held: Sequence[Sequence[int]], golds: int) -> float:
    """Return the share of gold texts that some passage has."""
    return float(ratio(len({at for own in held for at in own}), golds))


def _legal_ndcg(held: Sequence[Sequence[int]], k: int) -> float:
    """Return nDCG over the matches that were retrieved: gold texts that were missed do not lower it."""
    hits = [rank for rank, own in enumerate(held, 1) if own]
    ideal = range(1, min(len(hits), k) + 1)
    return float(ratio(sum(map(_discount, hits)), sum(map(_discount, ideal)), empty=0.0))


def _discount(rank: int) -> float:
    return 1.0 / math.log2(rank + 1)


def legal_scores(
    retrieved: Sequence[Sequence[str]], golds: Sequence[Sequence[str]], *, k: int = 10, tokens: Tokeniser
) -> dict[str, float]:
    """Return what the legal script prints: means over the queries that have gold texts, and how many there are.

    Queries belong together by their place. `num_examples` counts those without gold texts too, as the script
    does; the means are NaN if there are no others.
    """
    if len(retrieved) != len(golds):
        raise InputError(
            f"{len(retrieved):,} lists of passages, {len(golds):,} of gold texts",
            expected="one of each for every query, in the same order",
        )

    @cache  # passages and gold texts come back with other queries, and NLTK takes most of the time
    def known(text: str) -> frozenset[str]:
        return frozenset(tokens(text))

    rows = [legal_query(own, gold, k, known) for own, gold in zip(retrieved, golds, strict=True) if gold]
    names = {"exact_match": "exact_match", "span_f1": "span_f1", f"recall@{k}": "recall", f"ndcg@{k}": "ndcg"}
    out: dict[str, float] = {
        name: float(ratio(np.sum([row[key] for row in rows]), len(rows))) for name, key in names.items()
    }
    return out | {"num_examples": len(retrieved)}
