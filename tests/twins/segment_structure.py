"""The measures that compare segments, and units by their segments, in plain Python."""

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from tests.twins.segments import Doc, Figures, Numbers, figures, harmonic, inside, prf, ratio


def pieces(n: int, cuts: list[int]) -> list[range]:
    """Return the segments as ranges of units; a text of nothing has none."""
    return [range(a, b) for a, b in zip([0, *cuts], [*cuts, n], strict=True) if a < b]


def shared(a: range, b: range) -> int:
    """Count the units of both segments."""
    return len(set(a) & set(b))


def overlap(docs: list[Doc]) -> Figures:
    """Give the likeness of every gold segment to the predicted segment most like it."""

    def count(d: Doc) -> Numbers:
        sums: Numbers = Counter(n=d.n)
        for g in pieces(d.n, d.r):
            pairs = [(shared(g, p), len(g) + len(p)) for p in pieces(d.n, d.h)]
            best = max(both / (total - both) for both, total in pairs)
            sums.update(iou=best, covering=best * len(g), gold=1)
            sums.update(dice=max(2 * both / total for both, total in pairs))
        return sums

    wholes = {"iou": "gold", "dice": "gold", "covering": "n"}
    return figures(
        docs, count, lambda s: {rate: ratio(s[rate], s[whole]) for rate, whole in wholes.items()}, pooled=True
    )


def purity(docs: list[Doc]) -> Figures:
    """Give the share of units in the largest common part, by predicted and by gold segments."""

    def count(d: Doc) -> Numbers:
        gold, pred = pieces(d.n, d.r), pieces(d.n, d.h)
        largest = [
            sum(max(shared(a, b) for b in other) for a in one) for one, other in ((pred, gold), (gold, pred))
        ]
        return {"pure": largest[0], "covered": largest[1], "n": d.n}

    def rates(s: Numbers) -> Numbers:
        p, c = ratio(s["pure"], s["n"]), ratio(s["covered"], s["n"])
        return {"purity": p, "coverage": c, "f1": harmonic(p, c)}

    return figures(docs, count, rates, pooled=True)


def pairs(docs: list[Doc]) -> Figures:
    """Compare for every two units whether they are in one segment."""

    def count(d: Doc) -> Numbers:
        table = Counter(
            (inside(d.r, i, j - i) == 0, inside(d.h, i, j - i) == 0) for j in range(d.n) for i in range(j)
        )
        gold, pred = (sum(n for key, n in table.items() if key[side]) for side in (0, 1))
        alike = table[True, True] + table[False, False]
        return {"both": table[True, True], "gold": gold, "pred": pred, "alike": alike, "all": table.total()}

    def rates(s: Numbers) -> Numbers:
        return prf(s["both"], s["pred"], s["both"], s["gold"]) | {"rand": ratio(s["alike"], s["all"])}

    return figures(docs, count, rates, pooled=True)


def entropy(sizes: Iterable[float], n: float) -> float:
    """Return the entropy, in nats, of a unit's segment."""
    return -sum(size / n * math.log(size / n) for size in sizes if size)


def clusters(docs: list[Doc]) -> Figures:
    """Compare the segments as two clusterings of the units; a figure by document, and their mean."""

    def figure(d: Doc) -> Numbers:
        gold, pred = pieces(d.n, d.r), pieces(d.n, d.h)
        both = entropy((shared(g, p) for g in gold for p in pred), d.n)
        h_gold, h_pred = entropy(map(len, gold), d.n), entropy(map(len, pred), d.n)
        mi = h_gold + h_pred - both if d.r and d.h else 0.0
        v = {"homogeneity": mi / h_gold if d.r else 1.0, "completeness": mi / h_pred if d.h else 1.0}
        over = 1 - (both - h_gold) / math.log(len(pred)) if d.h else 0.0
        under = 1 - (both - h_pred) / math.log(len(gold)) if d.r else 0.0
        sums = {
            "ari": adjusted_rand(gold, pred),
            **v,
            "v": harmonic(v["homogeneity"], v["completeness"]),
            "mi": mi,
        }
        normal = {
            "nmi": 2 * mi / (h_gold + h_pred),
            "nmi_geometric": mi / math.sqrt(h_gold * h_pred) if mi else 0.0,
        }
        return sums | normal | {"nce_over": over, "nce_under": under, "nce_f": harmonic(over, under), "ones": 1}

    names = (
        "ari",
        "homogeneity",
        "completeness",
        "v",
        "mi",
        "nmi",
        "nmi_geometric",
        "nce_over",
        "nce_under",
        "nce_f",
    )
    return figures(docs, figure, lambda s: {name: ratio(s[name], s["ones"]) for name in names})


def adjusted_rand(gold: list[range], pred: list[range]) -> float:
    """Return how far pairs of units agree beyond chance: 1 for the same segments, 0 as expected by chance."""
    together = sum(math.comb(shared(g, p), 2) for g in gold for p in pred)
    in_gold, in_pred = (sum(math.comb(len(one), 2) for one in side) for side in (gold, pred))
    chance = Fraction(in_gold * in_pred, math.comb(gold[-1].stop, 2))
    most = Fraction(in_gold + in_pred, 2)
    return 1.0 if gold == pred else float((together - chance) / (most - chance))


def ami(docs: list[Doc]) -> Figures:
    """Adjust mutual information for chance, by the exact expectation over all ways to deal out the units."""

    def information(n: int, both: int, a: int, b: int) -> float:
        return both / n * math.log(n * both / (a * b)) if both else 0.0

    def figure(d: Doc) -> float:
        gold, pred, n = pieces(d.n, d.r), pieces(d.n, d.h), d.n
        if gold == pred:
            return 1.0
        found = expected = 0.0
        for g, p in ((g, p) for g in gold for p in pred):
            a, b = len(g), len(p)
            found += information(n, shared(g, p), a, b)
            for both in range(max(0, a + b - n), min(a, b) + 1):
                chance = Fraction(math.comb(b, both) * math.comb(n - b, a - both), math.comb(n, a))
                expected += float(chance) * information(n, both, a, b)
        return (found - expected) / (max(entropy(map(len, gold), n), entropy(map(len, pred), n)) - expected)

    return figures(docs, lambda d: {"ami": figure(d), "ones": 1}, lambda s: {"ami": ratio(s["ami"], s["ones"])})
