"""The measures that count edits from one set of boundaries to the other, in plain Python."""

from fractions import Fraction
from functools import cache
from itertools import permutations

from tests.twins.segments import Doc, Figures, Numbers, Typed, figures, ratio


def ghd(docs: list[Doc], *, insert: float = 2.0, delete: float = 2.0, shift: float = 1.0) -> Figures:
    """Make the gold boundaries into the predicted ones, as cheaply as can be, from left to right."""

    def cost(d: Doc) -> float:
        @cache
        def cheapest(i: int, j: int) -> float:
            ways = [delete + cheapest(i + 1, j)] if i < len(d.r) else []
            ways += [insert + cheapest(i, j + 1)] if j < len(d.h) else []
            if i < len(d.r) and j < len(d.h):
                ways.append(shift * abs(d.r[i] - d.h[j]) + cheapest(i + 1, j + 1))
            return min(ways, default=0.0)

        return cheapest(0, 0)

    return figures(docs, lambda d: {"ghd": cost(d), "ones": 1}, lambda s: {"ghd": ratio(s["ghd"], s["ones"])})


# ---------------------------------------------------------------- boundary edit distance

Sets = dict[int, set[str]]  # the types of the boundaries at a place
Found = tuple[list[int], list[tuple[str, str]], int]  # distances of moves, substitutions, number of additions


def untyped(side: Typed) -> Typed:
    """Give all boundaries the same type."""
    return frozenset((place, "") for place, _ in side)


def only(own: Typed, other: Typed) -> Sets:
    """Return the types at every place that only this side has there."""
    return {i: {t for place, t in own - other if place == i} for i, _ in own | other}


def in_order(gold: Typed, pred: Typed, n_t: int) -> Found:
    """Take moves as segeval does: short ones first, from left to right, unless two substitutions explain both."""
    a, b = only(gold, pred), only(pred, gold)
    moves = []
    for d in range(1, n_t):
        for i, j in ((i, i + d) for i in sorted(a) if i + d in a):
            for t in sorted((a[i] & b[j]) | (b[i] & a[j])):
                if not (a[i] and b[i] and a[j] and b[j]):
                    moves.append(d)
                    for side in (a[i], b[i], a[j], b[j]):
                        side.discard(t)
    swaps = [swap for i in a for swap in closest(a[i], b[i])]
    return moves, swaps, sum(len(a[i]) + len(b[i]) for i in a) - 2 * len(swaps)


def closest(a: set[str], b: set[str]) -> list[tuple[str, str]]:
    """Pair as many types as possible, numbers so that they differ least in all, by trying every way."""
    few, many = sorted((sorted(a), sorted(b)), key=len)
    ways = [list(zip(few, chosen, strict=True)) for chosen in permutations(many, len(few))]
    return min(ways, key=lambda way: sum(map(apart, way)))


def apart(pair: tuple[str, str]) -> int:
    """Return the difference of two types that are numbers, else 1."""
    one, other = pair
    return abs(int(one) - int(other)) if one.isdecimal() and other.isdecimal() else 1


def least(gold: Typed, pred: Typed, n_t: int, costs: str) -> Found:
    """Take the moves that cost least, by trying every way to pair; of equally cheap ways the fewest moves."""
    own, others = (sorted(place for place, _ in side) for side in (gold - pred, pred - gold))

    @cache
    def best(at: int, free: frozenset[int]) -> tuple[Fraction, int, tuple[int, ...]]:
        if at == len(own):
            return Fraction(len(free)), 0, ()
        near = frozenset(p for p in free if p > own[at] - n_t)  # the rest is out of reach from here on
        cost, number, moves = best(at + 1, near)
        ways = [(cost + 1, number, moves)]
        for p in (p for p in near if abs(p - own[at]) < n_t):
            cost, number, moves = best(at + 1, near - {p})
            d = abs(p - own[at])
            ways.append((cost + (Fraction(d, n_t) if costs == "scaled" else 1), number + 1, (d, *moves)))
        cost, number, moves = min(ways)
        return cost + len(free) - len(near), number, moves

    moves = list(best(0, frozenset(others))[2])
    return moves, [], len(own) + len(others) - 2 * len(moves)


def edited(d: Doc, n_t: int, edits: str, costs: str, types: str) -> Numbers:
    """Count the edits of one document, and what they cost."""
    gold, pred = (d.gold, d.pred) if types != "none" else (untyped(d.gold), untyped(d.pred))
    moves, swaps, added = in_order(gold, pred, n_t) if edits == "greedy" else least(gold, pred, n_t, costs)
    kinds = {t for _, t in gold | pred}
    moved, swapped = float(len(moves)), float(len(swaps))
    if costs == "scaled":
        moved = sum(moves) / n_t
    if costs == "scaled" and types == "ordinal" and kinds:
        numbers = sorted(map(int, kinds))
        swapped = sum(map(apart, swaps)) / (numbers[-1] - numbers[0] + 1)
    number = {
        "additions": added,
        "transpositions": len(moves),
        "substitutions": len(swaps),
        "matches": len(gold & pred),
    }
    size = {"gold": len(gold), "pred": len(pred), "gaps": max(d.n - 1, 0) * max(len(kinds), 1)}
    return number | {"transposed": moved, "substituted": swapped} | size


def cost(s: Numbers) -> float:
    """Add up what the edits cost."""
    return s["additions"] + s["transposed"] + s["substituted"]


def operations(s: Numbers) -> float:
    """Count the edits and matches."""
    return s["additions"] + s["transpositions"] + s["substitutions"] + s["matches"]


def edit_distance(
    docs: list[Doc], *, n_t: int = 2, edits: str = "greedy", costs: str = "scaled", types: str = "none"
) -> Figures:
    """Compare the cost of the edits with the number of operations (B) and of places (S)."""
    return figures(
        docs,
        lambda d: edited(d, n_t, edits, costs, types),
        lambda s: {"b": 1 - ratio(cost(s), operations(s)), "s": 1 - ratio(cost(s), s["gaps"])},
        pooled=True,
    )


def agreement(
    docs: list[Doc], *, of: str = "b", n_t: int = 2, costs: str = "scaled", types: str = "none"
) -> Figures:
    """Correct the similarity of two annotators for the boundaries they would have in common by chance."""

    def count(d: Doc) -> Numbers:
        s = edited(d, n_t, "greedy", costs, types)
        whole = operations(s) if of == "b" else s["gaps"]
        chance = {"share": (s["gold"] + s["pred"]) / s["gaps"], "annotations": 2} if s["gaps"] else {}
        return s | {"whole": whole, "agreed": whole - cost(s)} | chance

    def rates(s: Numbers) -> Numbers:
        agreed = ratio(s["agreed"], s["whole"])
        pi = ratio(s["share"], s["annotations"]) ** 2
        kappa = ratio(s["gold"], s["gaps"]) * ratio(s["pred"], s["gaps"])
        corrected = {"pi": ratio(agreed - pi, 1 - pi), "kappa": ratio(agreed - kappa, 1 - kappa)}
        return {"agreement": agreed, **corrected, "bias": pi - kappa}

    return figures(docs, count, rates, pooled=True)
