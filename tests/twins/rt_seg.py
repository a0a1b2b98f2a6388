"""RT-SEG's figures in plain Python, unit by unit: on lists of spans as given, in whatever order and state."""

import math
from collections import Counter
from statistics import fmean
from typing import NamedTuple

from tests.twins.segments import NAN, Figures, Numbers, mean

Spans = list[tuple[int, int]]
BINS = 20


class Listed(NamedTuple):
    """A text of `n` units, and the spans of both sides as they are listed."""

    n: int
    gold: Spans
    pred: Spans


def painted(n: int, spans: Spans) -> list[int]:
    """Write 1, 2, ... over the units of the spans, later ones over earlier ones; 0 is what no span covers."""
    units = [0] * n
    for number, (start, end) in enumerate(spans, start=1):
        for place in range(*slice(start, end).indices(n)):
            units[place] = number
    return units


def ends(spans: Spans) -> list[int]:
    """Return the ends of all spans but the last one listed."""
    return [end for _, end in spans[:-1]]


def nearest(place: int, others: list[int]) -> float:
    """Return the distance to the nearest of the others."""
    return min((abs(place - other) for other in others), default=math.inf)


def harmonic(p: float, r: float) -> float:
    """Return the harmonic mean, 0 for 0/0."""
    return 2 * p * r / (p + r) if p + r else 0.0


def windows(gold: list[int], pred: list[int]) -> Numbers:
    """Return Pk and WindowDiff; the window is half of the text over the largest gold number."""
    n = len(gold)
    k = max(1, round(n / (max(gold) or 1) / 2)) if n else 0
    if n <= k:
        return {"P_k": NAN, "WindowDiff": NAN}

    def changes(units: list[int], i: int) -> int:
        return sum(units[j] != units[j + 1] for j in range(i, i + k))

    places = range(n - k)
    wrong = sum((gold[i] == gold[i + k]) != (pred[i] == pred[i + k]) for i in places)
    differ = sum(changes(gold, i) != changes(pred, i) for i in places)
    return {"P_k": wrong / (n - k), "WindowDiff": differ / (n - k)}


def alike(gold: list[int], pred: list[int]) -> Numbers:
    """Return the mean of the best IoU, and of the best Dice, over the gold numbers that are left."""
    sizes = Counter(gold), Counter(pred)
    both = Counter(zip(gold, pred, strict=True))
    iou, dice = [], []
    for g in sorted(set(gold) - {0}):
        pairs = [(both[g, p], sizes[0][g] + sizes[1][p]) for p in set(pred) - {0}]
        iou.append(max((x / (total - x) for x, total in pairs), default=0.0))
        dice.append(max((2 * x / total for x, total in pairs), default=0.0))
    return {"Mean_IoU": fmean(iou), "Mean_Dice": fmean(dice)} if iou else {"Mean_IoU": NAN, "Mean_Dice": NAN}


def exact(gold: list[int], pred: list[int]) -> Numbers:
    """Return precision (0 without predictions), recall (1 without gold) and F1 of the sets of boundaries."""
    g, p = set(gold), set(pred)
    precision, recall = len(g & p) / len(p) if p else 0.0, len(g & p) / len(g) if g else 1.0
    f1 = harmonic(precision, recall)
    return {"Boundary_Precision": precision, "Boundary_Recall": recall, "Boundary_F1": f1}


def near(gold: list[int], pred: list[int], sigma: float, window: int, slack: int) -> Numbers:
    """Return everything that asks for the nearest boundary of the other side."""
    alone = 0.0 if gold or pred else 1.0
    p, r, similar, moved = alone, alone, alone, math.inf
    if gold and pred:
        p, r = (
            fmean(math.exp(-nearest(b, others) / sigma) for b in own)
            for own, others in ((pred, gold), (gold, pred))
        )
        sides = ((set(gold), pred), (set(pred), gold))
        similar = harmonic(*(fmean(nearest(b, others) <= window for b in own) for own, others in sides))
        moved = fmean(nearest(b, pred) for b in gold)
    return {
        "Soft_Precision": p,
        "Soft_Recall": r,
        "Soft_Boundary_F1": harmonic(p, r),
        "Boundary_Displacement": moved,
        "Boundary_Similarity": similar,
        "Boundary_Cover": fmean(nearest(b, gold) <= slack for b in pred) if pred else 1.0,
    }


def density(gold: list[int], pred: list[int], n: int) -> float:
    """Return the divergence of the densities, which sum to 20 / n; undefined where a side has none in the text.

    Numpy's histogram from 0 to 0 is one from -0.5 to 0.5: of a text of nothing all boundaries are in one bin.
    """
    long, n = n, max(n, 1)
    sides = []
    for own in ([b for b in side if 0 <= b <= long] for side in (gold, pred)):
        if not own:
            return NAN
        counted = Counter(min(b * BINS // n, BINS - 1) for b in own)
        sides.append([counted[x] / len(own) * BINS / n + 1e-9 for x in range(BINS)])
    return (
        sum(x * math.log(2 * x / (x + y)) + y * math.log(2 * y / (x + y)) for x, y in zip(*sides, strict=True)) / 2
    )


def document(d: Listed, sigma: float, window: int, slack: int) -> Numbers:
    """Return all figures of one text."""
    units, bounds = [painted(d.n, side) for side in (d.gold, d.pred)], [ends(side) for side in (d.gold, d.pred)]
    return {
        **windows(*units),
        **exact(*bounds),
        **near(*bounds, sigma, window, slack),
        **alike(*units),
        "Segmentation_Bias": (len(d.pred) - len(d.gold)) / max(1, len(d.gold)),
        "Boundary_Density_JSD": density(*bounds, d.n),
    }


def rt_seg(docs: list[Listed], *, sigma: float = 5.0, window: int = 3, slack: int = 10) -> Figures:
    """Return the figures of every text and their mean: NaN is left out, one infinite figure makes it infinite."""
    each = [document(d, sigma, window, slack) for d in docs]
    names = document(Listed(1, [], []), sigma, window, slack)
    means = {name: mean(one[name] for one in each) for name in names}
    return Figures(means, means, each, [])
