"""Average precision and calibration in plain Python: slow, written from their definitions."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Scored(NamedTuple):
    """A span with the score that a system gave it; gold has none."""

    doc: int
    start: int
    end: int
    label: str
    score: float = math.nan


Alike = Callable[[Scored, Scored], float | None]  # of (gold, pred); None where they may not match


def identical(gold: Scored, pred: Scored) -> float | None:
    """Return 1 for the same place and label."""
    return 1.0 if gold[:4] == pred[:4] else None


def iou_of_at_least(threshold: float) -> Alike:
    """Return the rule that spans of one label match from this intersection over union on."""

    def alike(gold: Scored, pred: Scored) -> float | None:
        shared = min(gold.end, pred.end) - max(gold.start, pred.start)
        if (gold.doc, gold.label) != (pred.doc, pred.label) or shared <= 0:
            return None
        value = shared / (gold.end - gold.start + pred.end - pred.start - shared)
        return value if value >= threshold else None

    return alike


def hits(gold: Sequence[Scored], pred: Sequence[Scored], alike: Alike) -> list[bool]:
    """Say which predictions find a gold span: the highest score first, of equal scores the most similar pair."""
    found, free = [False] * len(pred), list(range(len(gold)))
    for score in sorted({one.score for one in pred}, reverse=True):
        left = [p for p in range(len(pred)) if pred[p].score == score]
        while True:
            pairs = [(value, p, g) for p in left for g in free if (value := alike(gold[g], pred[p])) is not None]
            if not pairs:
                break
            _, p, g = min(pairs, key=lambda pair: (-pair[0], pred[pair[1]][1:3], gold[pair[2]][1:3]))
            found[p] = True
            left.remove(p)
            free.remove(g)
    return found


def average_precision(score: Sequence[float], hit: Sequence[bool], gold: int) -> float:
    """Return the sum of precision times the gain in recall over the distinct scores."""
    if not gold:
        return math.nan
    area, before = 0.0, 0
    for least in sorted(set(score), reverse=True):
        above = [right for one, right in zip(score, hit, strict=True) if one >= least]
        area += (sum(above) - before) / gold * sum(above) / len(above)
        before = sum(above)
    return area


def calibration_error(score: Sequence[float], hit: Sequence[bool], bins: int) -> float:
    """Return how far the mean score is from the share of right predictions in its bin, weighed by predictions."""
    away = 0.0
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        own = [
            (one, right)
            for one, right in zip(score, hit, strict=True)
            if low < one <= high or (number == 0 and one == 0)
        ]
        if own:
            mean = sum(one for one, _ in own) / len(own)
            away += len(own) / len(score) * abs(sum(right for _, right in own) / len(own) - mean)
    return away
