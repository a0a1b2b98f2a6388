"""The segment measures in plain Python: slow, unit by unit and window by window, written from their definitions.

Every measure is a function from documents to `Figures`: the pooled rates (micro), their mean over documents, and
the rates of each document. What all measures share is written once, in `figures`: a document without a boundary
on either side is perfect; it adds nothing to the pool, unless a rate is a share of windows, units, segments, pairs
of units or gaps (`pooled`), in which both sides simply agree. A text of nothing has no segments, gaps or ends. An
undefined rate is NaN and left out of the mean.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from statistics import fmean, median
from typing import NamedTuple

Numbers = dict[str, float]
Typed = frozenset[tuple[int, str]]  # boundaries: place and type
NAN = math.nan


class Doc(NamedTuple):
    """A text of `n` units, and the inner boundaries of both sides, each with its type."""

    n: int
    gold: Typed
    pred: Typed

    @property
    def r(self) -> list[int]:
        """Return the places of the gold boundaries."""
        return sorted({place for place, _ in self.gold})

    @property
    def h(self) -> list[int]:
        """Return the places of the predicted boundaries."""
        return sorted({place for place, _ in self.pred})

    @property
    def empty(self) -> bool:
        """Say whether neither side has a boundary."""
        return not self.gold and not self.pred

    def types(self) -> list[str]:
        """Return the types seen on either side."""
        return sorted({kind for _, kind in self.gold | self.pred})


class Figures(NamedTuple):
    """What a measure says about documents: the rates of all, their means, and rates and counts of each."""

    micro: Numbers
    document: Numbers
    each: list[Numbers]
    counts: list[Numbers]


def figures(
    docs: list[Doc],
    count: Callable[[Doc], Numbers],
    rates: Callable[[Numbers], Numbers],
    *,
    pooled: bool = False,
    empty: Callable[[Doc], bool] = lambda doc: doc.empty,
) -> Figures:
    """Read the rates from the sums over all documents, and from every document by itself."""
    best = {rate: BEST.get(rate, 1.0) for rate in rates(Counter())}
    counts: list[Numbers] = [{} if empty(doc) and not pooled else count(doc) for doc in docs]
    total: Numbers = Counter()
    for one in counts:
        for column, number in one.items():
            total[column] += number
    each = [best if empty(doc) else rates(Counter(one)) for doc, one in zip(docs, counts, strict=True)]
    return Figures(rates(total), {rate: mean(one[rate] for one in each) for rate in best}, each, counts)


DISTANCES = ("displacement", "displacement_pred", "median", "median_pred", "hausdorff", "ghd")
ERRORS = ("bias", "jsd", "pk", "window_diff")
BEST = dict.fromkeys((*DISTANCES, *ERRORS), 0.0) | {"mi": NAN}  # mutual information has no best value; else 1


def mean(values: Iterable[float]) -> float:
    """Return the mean of the values that are defined."""
    defined = [value for value in values if not math.isnan(value)]
    return fmean(defined) if defined else NAN


def ratio(part: float, whole: float) -> float:
    """Divide; 0/0 is undefined."""
    return part / whole if whole else NAN


def harmonic(p: float, r: float) -> float:
    """Return the harmonic mean; 0 where one of the two is 0 or undefined, undefined where both are."""
    if math.isnan(p) and math.isnan(r):
        return NAN
    return 2 * p * r / (p + r) if p > 0 and r > 0 else 0.0


def prf(tp_pred: float, pred: float, tp_gold: float, gold: float) -> Numbers:
    """Return precision, recall and F1."""
    p, r = ratio(tp_pred, pred), ratio(tp_gold, gold)
    return {"precision": p, "recall": r, "f1": harmonic(p, r)}


def away(place: int, others: list[int]) -> float:
    """Return the distance to the nearest of the others."""
    return min((abs(place - other) for other in others), default=math.inf)


# ---------------------------------------------------------------- boundaries


def b_score(docs: list[Doc], *, tolerance: int = 3) -> Figures:
    """Count the boundaries of each side that have some boundary of the other within the tolerance."""

    def count(d: Doc) -> Numbers:
        near = [sum(away(b, d.r) <= tolerance for b in d.h), sum(away(b, d.h) <= tolerance for b in d.r)]
        return {"near_pred": near[0], "near_gold": near[1], "pred": len(d.h), "gold": len(d.r)}

    return figures(docs, count, lambda s: prf(s["near_pred"], s["pred"], s["near_gold"], s["gold"]))


def soft(docs: list[Doc], *, sigma: float = 5.0) -> Figures:
    """Credit every boundary with exp(-distance / sigma)."""

    def count(d: Doc) -> Numbers:
        credit = [sum(math.exp(-away(b, b_s) / sigma) for b in a_s) for a_s, b_s in ((d.h, d.r), (d.r, d.h))]
        return {"pred_credit": credit[0], "gold_credit": credit[1], "pred": len(d.h), "gold": len(d.r)}

    return figures(docs, count, lambda s: prf(s["pred_credit"], s["pred"], s["gold_credit"], s["gold"]))


def displacement(docs: list[Doc]) -> Figures:
    """Measure how far boundaries are from the nearest one of the other side; nothing where one side has none."""

    def count(d: Doc) -> Numbers:
        if not d.r or not d.h:
            return {"infinite": 1}
        gold, pred = [away(b, d.h) for b in d.r], [away(b, d.r) for b in d.h]
        sums = {"far_gold": sum(gold), "gold": len(gold), "far_pred": sum(pred), "pred": len(pred), "ones": 1}
        return sums | {"m_gold": median(gold), "m_pred": median(pred), "hausdorff": max(gold + pred)}

    def rates(s: Numbers) -> Numbers:
        means = {
            "displacement": ratio(s["far_gold"], s["gold"]),
            "displacement_pred": ratio(s["far_pred"], s["pred"]),
        }
        columns = {"median": "m_gold", "median_pred": "m_pred", "hausdorff": "hausdorff"}
        return means | {rate: ratio(s[column], s["ones"]) for rate, column in columns.items()}

    return figures(docs, count, rates)


def bias(docs: list[Doc]) -> Figures:
    """Compare the numbers of segments."""
    return figures(
        docs,
        lambda d: {"more": len(d.h) - len(d.r), "segments": len(d.r) + 1 if d.n else 0},
        lambda s: {"bias": ratio(s["more"], s["segments"])},
        pooled=True,
    )


def most_pairs(gold: list[int], pred: list[int], tolerance: int) -> int:
    """Match one to one within the tolerance, as many as possible, by augmenting paths."""
    partner: dict[int, int] = {}

    def place(g: int, tried: set[int]) -> bool:
        for p in pred:
            if abs(g - p) <= tolerance and p not in tried:
                tried.add(p)
                if p not in partner or place(partner[p], tried):
                    partner[p] = g
                    return True
        return False

    return sum(place(g, set()) for g in gold)


def boundaries(docs: list[Doc], *, tolerance: int = 0, labelled: bool = False, ends: bool = False) -> Figures:
    """Match boundaries one to one within the tolerance; each type by itself if labelled."""

    def count(d: Doc) -> Numbers:
        outer = [0, d.n] if ends and d.n else []
        sides = [([*d.r, *outer], [*d.h, *outer])]
        if labelled:
            sides = [([b for b, t in d.gold if t == x], [b for b, t in d.pred if t == x]) for x in d.types()]
        tp = sum(most_pairs(gold, pred, tolerance) for gold, pred in sides)
        return {"tp": tp, "pred": sum(len(p) for _, p in sides), "gold": sum(len(g) for g, _ in sides)}

    def rates(s: Numbers) -> Numbers:
        return prf(s["tp"], s["pred"], s["tp"], s["gold"])

    return figures(
        docs, count, rates, empty=lambda d: d.empty and not (ends and d.n)
    )  # its ends are boundaries too


def cover(docs: list[Doc], *, tolerance: int = 10) -> Figures:
    """Give the share of predicted boundaries within the tolerance of a gold one."""
    return figures(
        docs,
        lambda d: {"near": sum(away(b, d.r) <= tolerance for b in d.h), "pred": len(d.h)},
        lambda s: {"cover": ratio(s["near"], s["pred"])},
    )


def density_jsd(docs: list[Doc], *, bins: int = 20) -> Figures:
    """Compare where in the text boundaries stand, in bits; 1 where one side has none."""

    def divergence(d: Doc) -> float:
        if not d.r or not d.h:
            return 1.0
        sides = [Counter(b * bins // d.n for b in side) for side in (d.r, d.h)]
        p, q = ([side[x] / side.total() for x in range(bins)] for side in sides)
        return sum(
            x * math.log2(2 * x / (x + y)) / 2 for a, b in ((p, q), (q, p)) for x, y in zip(a, b, strict=True) if x
        )

    return figures(
        docs, lambda d: {"jsd": divergence(d), "ones": 1}, lambda s: {"jsd": ratio(s["jsd"], s["ones"])}
    )


# ---------------------------------------------------------------- windows


def width(d: Doc, window: int, auto: str) -> int:
    """Return how many gaps a window has, by default half a gold segment; halves are rounded to even."""
    half = round(Fraction(d.n, 2 * (len(d.r) + 1)))
    by = {"half": max(1, half), "segeval": max(2, half), "nltk": round(Fraction(d.n - 1, 2 * max(1, len(d.r))))}
    return window or by[auto]


def inside(cuts: list[int], i: int, k: int) -> int:
    """Count the boundaries in the window at i."""
    return sum(i < b <= i + k for b in cuts)


def windows(d: Doc, k: int, edges: str) -> tuple[range, int]:
    """Return the places of the windows, and what their number is said to be."""
    places = {"inside": range(d.n - k), "nltk": range(d.n - k + 1)}.get(edges, range(-k, d.n))
    return places, len(places) + (edges == "segeval")


def pk(docs: list[Doc], *, window: int = 0, auto: str = "half", edges: str = "inside") -> Figures:
    """Give the share of windows that hold a boundary on one side only."""

    def count(d: Doc) -> Numbers:
        k = width(d, window, auto)
        places, number = windows(d, k, edges)
        return {
            "wrong": sum((inside(d.r, i, k) > 0) != (inside(d.h, i, k) > 0) for i in places),
            "windows": number,
        }

    return figures(docs, count, lambda s: {"pk": ratio(s["wrong"], s["windows"])}, pooled=True)


def window_diff(
    docs: list[Doc], *, window: int = 0, auto: str = "half", edges: str = "inside", weighted: bool = False
) -> Figures:
    """Give the share of windows that hold different numbers of boundaries, or the mean difference."""

    def count(d: Doc) -> Numbers:
        k = width(d, window, auto)
        places, number = windows(d, k, edges)
        off = [abs(inside(d.r, i, k) - inside(d.h, i, k)) for i in places]
        return {"wrong": sum(off) if weighted else sum(one > 0 for one in off), "windows": number}

    return figures(docs, count, lambda s: {"window_diff": ratio(s["wrong"], s["windows"])}, pooled=True)


def win_pr(docs: list[Doc], *, window: int = 0, auto: str = "half") -> Figures:
    """Count in every window that touches a gap the boundaries both sides have there; a window has one at least."""

    def count(d: Doc) -> Numbers:
        k = max(1, width(d, window, auto))
        both = sum(min(inside(d.r, i, k), inside(d.h, i, k)) for i in range(1 - k, d.n - 1))
        return {"tp": both, "pred": k * len(d.h), "gold": k * len(d.r)}

    return figures(docs, count, lambda s: prf(s["tp"], s["pred"], s["tp"], s["gold"]))
