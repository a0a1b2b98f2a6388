"""Why a passage holds a gold answer, as the measure has matched them, and where in the passage it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from spanscope.data.corpus import NOWHERE
from spanscope.errors import MeasureError
from spanscope.jsonable import JsonObject
from spanscope.match.gold_ranking import Held, PassageMatch
from spanscope.measures.passages import answer_texts
from spanscope.measures.passages.queries import Item, Query
from spanscope.measures.registry import parse
from spanscope.results.result import Result

LAST = ("passages.exact_match", "passages.documents")  # they look at little of a list: others say more
RULES = {
    "id": "A passage is a gold answer when both have the same identifier.",
    "judged": "A document is relevant when it was judged so: grade {level} or more.",
    "overlap": "A passage holds an answer when it covers at least {coverage:.0%} of its place in the file.",
    "touch": "A passage holds an answer when both share a character or more in the same file.",
    "exact": "A passage holds an answer when the texts are equal, case and blanks around them aside.",
    "substring": "A passage holds an answer when one text is inside the other, case and white space aside.",
    "fuzzy": "A passage holds an answer when a part of one text is like the other, {similarity:.0%} or more.",
    "legal": "As in the script, a passage holds an answer when one text is inside the other; an empty one always.",
    "squad": "The answer is right when it is a gold answer, case, punctuation and articles aside.",
    "file": "A passage counts when it is from the file of a gold answer.",
}
HOWS = (
    "same identifier",
    "same text",
    "holds the answer",
    "part of the answer",
    "alike",
    "overlaps in the file",
    "empty, which the script lets match",
    "from the same file",
    "same once normalised",
)
ID, SAME, HOLDS, PART, ALIKE, PLACE, EMPTY, FILE, NORMAL = range(len(HOWS))
BY_RULE = {"id": ID, "judged": ID, "exact": SAME, "overlap": PLACE, "touch": PLACE, "file": FILE, "squad": NORMAL}
# What a passage brings: nothing, an answer, one that was found above; or it was judged not to be relevant.
NOTHING, NEW, AGAIN, JUDGED = range(4)
Mark = tuple[int, int]  # characters of a passage


class Holding(NamedTuple):
    """Which passages hold gold answers, as a measure has matched them."""

    match: PassageMatch
    params: JsonObject  # of the measure

    @property
    def rule(self) -> str:
        """Return the name of the rule by which passages were held against answers."""
        return self.match.rule

    @property
    def words(self) -> str:
        """Return the rule as a sentence."""
        return RULES[self.rule].format(**self.params)


def first_match(result: Result) -> Holding:
    """Return what every passage holds, by the first measure that matches; those of LAST only without any other.

    Where no measure matches, texts inside each other are what there is to see.
    """
    matching = sorted((one for one in result.measures if one.definition.matches), key=lambda one: one.name in LAST)
    for measure in (*matching, parse("passages.ranking(by=substring)")):
        match = result.outcome(measure).passages
        if match is not None and match.rule in RULES:
            return Holding(match, dict(measure.params))
    raise MeasureError("no measure says which passages hold an answer")


def contributions(query: Query, matches: Held, rule: str, right: bool) -> list[tuple[int, float]]:
    """Return what each passage brings, and its grade; `right` says that the first is the right answer."""
    judged = {one.name: one.grade for one in query.judged if one.name is not None and rule in ("id", "judged")}
    before: set[int] = set()
    out = []
    for one, own in zip(query.passages, matches, strict=True):
        state = NEW if right else JUDGED if one.name in judged else NOTHING
        if own:
            state = AGAIN if before.issuperset(own) else NEW
            before.update(own)
        grades = [query.gold[at][0].grade for at in own]
        out.append((state, max(grades) if grades else judged.get(one.name or "", 0)))
        right = False
    return out


# ---------------------------------------------------------------- why, and where in the text


class Link(NamedTuple):
    """A passage and a gold answer that it holds."""

    gold: int
    how: int
    mark: Mark | None
    alike: float | None = None


def link(own: Holding, passage: Item, number: int, wordings: Sequence[Item]) -> Link:
    """Return why a passage holds an answer, and which of its characters are the answer, where that is known."""
    how = BY_RULE.get(own.rule)
    if how == PLACE:
        return Link(
            number, PLACE, next(filter(None, (_shared_characters(passage, gold) for gold in wordings)), None)
        )
    if how in (SAME, NORMAL):
        return Link(number, int(how), _whole_text(passage.text))
    if own.rule == "fuzzy":
        return _closest_wording(passage, number, wordings)
    found = [_inside(passage.text, gold.text) for gold in wordings]
    best = next((one for one in found if one is not None), None)
    if how is not None:
        return Link(number, how, best[1] if best and best[0] == HOLDS else None)
    return Link(number, *best) if best else Link(number, EMPTY, None)


def _whole_text(text: str | None) -> Mark | None:
    return (0, len(text)) if text else None


def _shared_characters(passage: Item, gold: Item) -> Mark | None:
    """Return the characters of a passage that lie in a gold answer's place; None where its text is another."""
    if passage.text is None or passage.file != gold.file or len(passage.text) != passage.end - passage.start:
        return None
    low, high = max(passage.start, gold.start), min(passage.end, gold.end)
    return (low - passage.start, high - passage.start) if low < high else None


def _inside(text: str | None, gold: str | None) -> tuple[int, Mark] | None:
    """Return whether a passage holds a gold text or is part of it, and where."""
    flat, places = normalise_with_places(text or "")
    wanted = answer_texts.normalise(gold or "")
    if not flat or not wanted:
        return None
    at = flat.find(wanted)
    if at >= 0:
        return HOLDS, _original_place(places, at, at + len(wanted))
    return (PART, (0, len(text or ""))) if flat in wanted else None


def _closest_wording(passage: Item, number: int, wordings: Sequence[Item]) -> Link:
    from rapidfuzz.fuzz import partial_ratio_alignment

    flat, places = normalise_with_places(passage.text or "")
    pairs = [partial_ratio_alignment(flat, answer_texts.normalise(gold.text or "")) for gold in wordings]
    best = max((one for one in pairs if one is not None), key=lambda one: one.score)
    mark = _original_place(places, best.src_start, best.src_end) if best.src_start < best.src_end else None
    return Link(number, ALIKE, mark, best.score / 100)


def _original_place(places: Sequence[int], start: int, end: int) -> Mark:
    return places[start], places[end - 1] + 1


def normalise_with_places(text: str) -> tuple[str, list[int]]:
    r"""Return a text as `answer_texts.normalise` has it, and for each of its characters where it was before.

    >>> normalise_with_places(" A\n b")
    ('a b', [1, 2, 4])
    """
    low = text.lower()
    origin: Sequence[int] = range(len(text))
    if len(low) != len(text):  # a few letters become two in lower case
        origin = [at for at, one in enumerate(text) for _ in one.lower()]
    words = list(re.finditer(r"\S+", low))
    places: list[int] = []
    for word in words:
        if places:
            places.append(places[-1] + 1)
        places += origin[word.start() : word.end()]
    return " ".join(word[0] for word in words), places


# ---------------------------------------------------------------- what is shown of a text


def window(text: str, marks: Sequence[Mark], longest: int, around: int) -> Mark:
    """Return the part of a text that is shown: all of it, or what is around its first mark, else its beginning.

    >>> window("0123456789", [(7, 8)], 5, 2), window("0123456789", [], 5, 2), window("0123", [], 5, 2)
    ((5, 10), (0, 5), (0, 4))
    """
    if len(text) <= longest:
        return 0, len(text)
    start = max(min((low for low, _ in marks), default=0) - around, 0)
    return start, min(start + longest, len(text))


def utf16_counter(text: str) -> Callable[[int], int]:
    """Return what turns a place in code points into one in the units in which a browser counts."""
    if text.isascii() or max(text) < "\U00010000":
        return lambda at: at
    units = list(accumulate((1 + (one > "\uffff") for one in text), initial=0))
    return lambda at: units[at]


def has_place(item: Item) -> bool:
    """Tell whether an item has a place in a file."""
    return item.start != NOWHERE
