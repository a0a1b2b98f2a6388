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


Rule = Callable[[Item, Item], bool]  # of a passage and a gold answer
ASCII = "abcdefghijklmnopqrstuvwxyz0123456789"


def tidy(text: str) -> str:
    return " ".join(text.lower().split())


def inside(passage: Item, gold: Item) -> bool:
    one, other = tidy(passage.text), tidy(gold.text)
    return bool(one) and bool(other) and (one in other or other in one)


def equal(passage: Item, gold: Item) -> bool:
    return passage.text.strip().lower() == gold.text.strip().lower()


def called(passage: Item, gold: Item) -> bool:
    return passage.name == gold.name


def covering(threshold: float) -> Rule:
    def rule(passage: Item, gold: Item) -> bool:
        both = covered([passage]) & covered([gold])
        return bool(both) and len(both) >= threshold * (gold.end - gold.start)

    return rule


def covered(items: Sequence[Item]) -> set[tuple[str, int]]:
    """Return every character by its file and place."""
    return {(item.file, at) for item in items for at in range(item.start, item.end)}


def ranking(gold: Sequence[Item], passages: Sequence[Item], k: int, rule: Rule) -> dict[str, float]:
    """Return the figures of a query with gold answers."""
    held = [{n for n, one in enumerate(gold) if rule(passage, one)} for passage in passages]
    slots: list[int] = []
    known: set[int] = set()
    for own in held:
        slots += [1] * len(own - known) or [0]
        known |= own
    first = next((rank for rank, own in enumerate(held[:k], 1) if own), None)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), k) + 1))
    gained = sum(slot / math.log2(rank + 1) for rank, slot in enumerate(slots[:k], 1))
    precisions = [sum(slots[:rank]) / rank for rank, slot in enumerate(slots[:k], 1) if slot]
    return {
        "recall": len(set().union(*held[:k])) / len(gold),
        "precision": sum(bool(own) for own in held[:k]) / k,
        "hit": float(first is not None),
        "mrr": 0.0 if first is None else 1 / first,
        "map": sum(precisions) / len(gold),
        "ndcg": gained / ideal,
        "r_precision": sum(slots[: len(gold)]) / len(gold),
    }


def exact_match(gold: Sequence[Item], passages: Sequence[Item]) -> float:
    return float(any(equal(passages[0], one) for one in gold)) if passages else 0.0


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


def span_f1(gold: Sequence[Item], passages: Sequence[Item], *, sets: bool = True) -> float:
    if not passages:
        return 0.0
    return max(f1(words(passages[0].text), words(one.text), sets=sets) for one in gold)


def characters(gold: Sequence[Item], passages: Sequence[Item], k: int) -> dict[str, int]:
    """Return the counts of a query."""
    wanted, found = covered(gold), covered(passages[:k])
    files = {item.file for item in gold}
    return {
        "shared": len(wanted & found),
        "wanted": len(wanted),
        "retrieved": len(found),
        "elsewhere": sum(item.file not in files for item in passages[:k]),
        "passages": len(passages[:k]),
    }
