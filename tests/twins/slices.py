"""Slices in plain Python: counts by slice of spans, and permutations tried one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from tests.twins.spans import Span, content, jaccard, overlaps, same_place

Doc = tuple[list[Span], list[Span]]
Slice = str
Sums = dict[Slice, Counter[str]]


def exact_pairs(gold: list[Span], pred: list[Span]) -> list[tuple[int, int]]:
    """Match spans with the same label and place, the first free gold span to every prediction."""
    free, out = list(range(len(gold))), []
    for p, one in enumerate(pred):
        g = next((g for g in free if gold[g].label == one.label and same_place(gold[g], one)), None)
        if g is not None:
            free.remove(g)
            out.append((g, p))
    return out


def meant(gold: list[Span], pred: list[Span], matched: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pair what was not matched as the kinds of errors do, and keep the pairs of one label.

    First those at one place, then those of one label that overlap, then those of two labels that do; among them
    the largest share of characters in common first, then the earlier prediction, then the earlier gold span.
    """
    golds = set(range(len(gold))) - {g for g, _ in matched}
    preds = set(range(len(pred))) - {p for _, p in matched}

    def tier(g: int, p: int) -> int:
        same = gold[g].label == pred[p].label
        if same_place(gold[g], pred[p]):
            return 0 if same else 1
        return 2 if same else 3

    possible = [(g, p) for g in golds for p in preds if overlaps(gold[g], pred[p])]
    possible.sort(
        key=lambda gp: (tier(*gp), -jaccard(gold[gp[0]], pred[gp[1]]), content(pred[gp[1]]), content(gold[gp[0]]))
    )
    out = []
    for g, p in possible:
        if g in golds and p in preds:
            golds.remove(g)
            preds.remove(p)
            out.append((g, p))
    return [(g, p) for g, p in out if gold[g].label == pred[p].label]


def recount(docs: Sequence[Doc], of: Callable[[list[Span], Span], Slice]) -> Sums:
    """Return tp, pred and gold of every slice; `of` says which one a span is in, among those of its side."""
    out: Sums = {}
    for gold, pred in docs:
        matched = exact_pairs(gold, pred)
        partner = {p: g for g, p in [*matched, *meant(gold, pred, matched)]}
        for one in gold:
            out.setdefault(of(gold, one), Counter())["gold"] += 1
        for g, _ in matched:
            out[of(gold, gold[g])]["tp"] += 1
        for p, one in enumerate(pred):
            own = of(gold, gold[partner[p]]) if p in partner else of(pred, one)
            out.setdefault(own, Counter())["pred"] += 1
    return out


def length(_: list[Span], one: Span) -> Slice:
    """Return the bin of a length."""
    size = one.end - one.start
    if size <= 1:
        return "0 or 1 character"
    for low, high in ((3, 5), (6, 10), (11, 20), (21, 50), (51, 100)):
        if low <= size <= high:
            return f"{low} to {high} characters"
    return "2 characters" if size == 2 else "over 100 characters"


def nesting(side: list[Span], one: Span) -> Slice:
    """Return whether a span lies in another of its side, or holds one."""
    others = [own for own in side if own[:3] != one[:3]]
    inside = any(own.start <= one.start and one.end <= own.end for own in others)
    around = any(one.start <= own.start and own.end <= one.end for own in others)
    return "nested" if inside or around else "not nested"


def f1(rows: Sequence[tuple[int, int, int]]) -> float | None:
    """Return F1 of documents with their tp, pred and gold."""
    tp, pred, gold = (sum(column) for column in zip(*rows, strict=True))
    return 2 * tp / (pred + gold) if pred + gold else None


def t_if_alike(here: Sequence[tuple[int, int, int]], rest: Sequence[tuple[int, int, int]]) -> float:
    """Return the difference of the F1 of two parts of the same units in standard errors as if both were alike.

    A unit's residual in a part is 2 tp - F1 (pred + gold), with the F1 of all, over the denominator of the part.
    """
    whole = f1([*here, *rest])
    one, other = f1(here), f1(rest)
    assert None not in (whole, one, other)
    sizes = [sum(pred + gold for _, pred, gold in part) for part in (here, rest)]
    square = 0.0
    for pair in zip(here, rest, strict=True):
        ours, theirs = (
            (2 * tp - whole * (pred + gold)) / size for (tp, pred, gold), size in zip(pair, sizes, strict=True)
        )
        square += (ours - theirs) ** 2
    return abs(one - other) / square**0.5


def all_choices(rows: Sequence[tuple[int, int, int]], chosen: Sequence[int]) -> float:
    """Return the share of all choices of so many documents whose F1 is as far from that of the others."""

    def apart(own: Sequence[int]) -> float:
        here = f1([rows[at] for at in own])
        there = f1([row for at, row in enumerate(rows) if at not in own])
        assert here is not None
        assert there is not None
        return abs(here - there)

    wanted = apart(chosen) - 1e-12
    every = [apart(own) >= wanted for own in combinations(range(len(rows)), len(chosen))]
    return sum(every) / len(every)
