"""The passages measures in plain Python, one query at a time: written from their definitions."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Item(NamedTuple):
    """A gold answer or a passage: its text, its identifier, and its place in a file."""

    text: str
    name: str
    file: str
    start: int
    end: int
    grade: int = 1  # of a gold answer
    also: tuple[str, ...] = ()  # other wordings of a gold answer

    @property
    def wordings(self) -> tuple[str, ...]:
        return (self.text, *self.also)


Rule = Callable[[Item, Item], bool]  # of a passage and a gold answer
Figures = dict[str, float | None]
ASCII = "abcdefghijklmnopqrstuvwxyz0123456789"


def relevant(gold: Sequence[Item]) -> list[Item]:
    return [one for one in gold if one.grade > 0]


# ---------------------------------------------------------------- which passage holds which answer


def tidy(text: str) -> str:
    return " ".join(text.lower().split())


def inside(passage: Item, gold: Item) -> bool:
    one = tidy(passage.text)
    others = [tidy(text) for text in gold.wordings]
    return any(bool(one) and bool(other) and (one in other or other in one) for other in others)


def equal(passage: Item, gold: Item) -> bool:
    plain = passage.text.strip().lower()
    return plain != "" and plain in [text.strip().lower() for text in gold.wordings]


def called(passage: Item, gold: Item) -> bool:
    return passage.name == gold.name


def covering(threshold: float) -> Rule:
    def rule(passage: Item, gold: Item) -> bool:
        both = covered([passage]) & covered([gold])
        return bool(both) and len(both) >= threshold * (gold.end - gold.start)

    return rule


def alike(similarity: float) -> Rule:
    def rule(passage: Item, gold: Item) -> bool:
        one = tidy(passage.text)
        others = [tidy(text) for text in gold.wordings]
        found = max((partial_ratio(one, other) for other in others if one and other), default=0.0)
        return found > 0 and found >= similarity

    return rule


def partial_ratio(one: str, other: str) -> float:
    """Return how much the shorter text is like the part of the longer that is most like it.

    Parts are as long as the shorter text, or shorter where they begin or end the longer.
    """
    if len(one) == len(other):
        return max(_best_part(one, other), _best_part(other, one))
    return _best_part(*sorted((one, other), key=len))


def _best_part(short: str, long: str) -> float:
    places = range(1 - len(short), len(long))
    parts = (long[max(first, 0) : first + len(short)] for first in places)
    return max(2 * common(short, part) / (len(short) + len(part)) for part in parts)


def common(one: str, other: str) -> int:
    """Return the length of the longest common subsequence."""
    if not one or not other:
        return 0
    if one[0] == other[0]:
        return 1 + common(one[1:], other[1:])
    return max(common(one[1:], other), common(one, other[1:]))


def covered(items: Sequence[Item]) -> set[tuple[str, int]]:
    """Return every character by its file and place."""
    return {(item.file, at) for item in items for at in range(item.start, item.end)}


# ---------------------------------------------------------------- ranks


def ranking(
    gold: Sequence[Item], passages: Sequence[Item], k: int, rule: Rule, *, exponential: bool = False
) -> Figures:
    """Return the figures of a query; None where it has no relevant gold answer."""
    wanted = relevant(gold)
    gains = [2**one.grade - 1 if exponential else one.grade for one in wanted]
    held = [{n for n, one in enumerate(wanted) if rule(passage, one)} for passage in passages]
    slots: list[int] = []
    known: set[int] = set()
    for own in held:
        slots += sorted((gains[n] for n in own - known), reverse=True) or [0]
        known |= own
    names = ("recall", "precision", "hit", "mrr", "map", "ndcg", "r_precision")
    if not wanted:
        return dict.fromkeys(names)
    first = next((rank for rank, own in enumerate(held[:k], 1) if own), None)
    precisions = [sum(bool(one) for one in slots[:rank]) / rank for rank, slot in enumerate(slots[:k], 1) if slot]
    values = (
        len(set().union(*held[:k])) / len(wanted),
        sum(bool(own) for own in held[:k]) / k,
        float(first is not None),
        0.0 if first is None else 1 / first,
        sum(precisions) / len(wanted),
        discounted(slots[:k]) / discounted(sorted(gains, reverse=True)[:k]),
        sum(bool(slot) for slot in slots[: len(wanted)]) / len(wanted),
    )
    return dict(zip(names, values, strict=True))


def f1_at(gold: Sequence[Item], passages: Sequence[Item], k: int, rule: Rule) -> Figures:
    own = ranking(gold, passages, k, rule)
    precision, recall = own["precision"], own["recall"]
    if precision is None or recall is None:
        return {"f1": None}
    return {"f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0}


def rbp(gold: Sequence[Item], passages: Sequence[Item], k: int, p: float, rule: Rule) -> Figures:
    """Return rank-biased precision, and what could be added to it, rank by rank."""
    if not relevant(gold):
        return {"rbp": None, "residual": None}
    found, unknown, patience = 0.0, 0.0, 1.0
    for passage in passages[:k]:
        if any(rule(passage, one) for one in relevant(gold)):
            found += (1 - p) * patience
        if not any(rule(passage, one) for one in gold if one.grade >= 0):
            unknown += (1 - p) * patience
        patience *= p
    return {"rbp": found, "residual": unknown + patience}


def judged(gold: Sequence[Item], passages: Sequence[Item], k: int, rule: Rule) -> Figures:
    known = [one for one in gold if one.grade >= 0]
    if not known or not passages:
        return {"judged": None}
    seen = passages[:k]
    return {"judged": sum(any(rule(passage, one) for one in known) for passage in seen) / len(seen)}


def discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


# ---------------------------------------------------------------- the first passage


def exact_match(gold: Sequence[Item], passages: Sequence[Item]) -> float | None:
    wanted = [text.strip().lower() for one in relevant(gold) for text in one.wordings]
    if not wanted:
        return None
    return float(passages[0].text.strip().lower() in wanted) if passages else 0.0


def words(text: str) -> list[str]:
    """Return the words of an ASCII text."""
    return "".join(sign if sign in ASCII else " " for sign in text.lower()).split()


def f1(one: list[str], other: list[str], *, sets: bool) -> float:
    """Return the F1 of words that both have."""
    if sets:
        one, other = sorted(set(one)), sorted(set(other))
    if not one and not other:
        return 1.0
    shared = sum(min(one.count(word), other.count(word)) for word in set(one))
    return 2 * shared / (len(one) + len(other))


def span_f1(gold: Sequence[Item], passages: Sequence[Item], *, sets: bool = True) -> float | None:
    texts = [text for one in relevant(gold) for text in one.wordings]
    if not texts:
        return None
    if not passages:
        return 0.0
    return max(f1(words(passages[0].text), words(text), sets=sets) for text in texts)


# ---------------------------------------------------------------- places


def characters(gold: Sequence[Item], passages: Sequence[Item], k: int) -> dict[str, int]:
    """Return the counts of a query."""
    wanted, found = covered(relevant(gold)), covered(passages[:k])
    return {
        "shared": len(wanted & found),
        "wanted": len(wanted),
        "retrieved": len(found),
        **elsewhere(gold, passages[:k]),
    }


def legalbench_rag(gold: Sequence[Item], passages: Sequence[Item], k: int) -> dict[str, int]:
    """Return the counts of a query: every pair of a gold answer and a passage counts."""
    wanted, found = relevant(gold), passages[:k]
    pairs = [(one, other) for one in wanted for other in found]
    return {
        "shared": sum(len(covered([one]) & covered([other])) for one, other in pairs),
        "wanted": sum(one.end - one.start for one in wanted),
        "retrieved": sum(one.end - one.start for one in found),
        **elsewhere(gold, found),
    }


def chroma(gold: Sequence[Item], passages: Sequence[Item], k: int) -> dict[str, int]:
    """Return the counts of a query: what is shared counts once, the sides as often as they have it."""
    wanted, found = relevant(gold), passages[:k]
    seen = covered(found)
    return {
        "shared": len(covered(wanted) & seen),
        "wanted": sum(one.end - one.start for one in wanted),
        "retrieved": sum(one.end - one.start for one in found),
        "uncovered": sum(len(covered([one]) - seen) for one in wanted),
    }


def elsewhere(gold: Sequence[Item], found: Sequence[Item]) -> dict[str, int]:
    files = {one.file for one in relevant(gold)}
    return {"elsewhere": sum(one.file not in files for one in found), "passages": len(found)}


def documents(gold: Sequence[Item], passages: Sequence[Item], k: int) -> dict[str, int]:
    """Return the counts of a query."""
    wanted, found = relevant(gold), passages[:k]
    files = {one.file for one in wanted}
    matches = [[one for one in wanted if inside(passage, one)] for passage in found]
    wrong = [
        bool(own) and all(one.file != passage.file for one in own)
        for passage, own in zip(found, matches, strict=True)
    ]
    return {
        "found": len(files & {one.file for one in found}),
        "files": len(files),
        "wrong": sum(wrong),
        "matches": sum(map(bool, matches)),
        **elsewhere(gold, found),
    }
