"""Texts of answers compared as SQuAD's scripts do, 1.1 and 2.0, digit for digit.

Punctuation and articles go, then multisets of what is between blanks are compared.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from spanscope.arithmetic import added_up, ratio
from spanscope.errors import InputError, MeasureError, plural, shown
from spanscope.measures.passages.answer_texts import bag_f1

Version = Literal["1.1", "2.0"]
PERCENT = 100.0

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
    return float(ratio(PERCENT * added_up(values), len(values)))  # multiplied first, as both scripts do


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
