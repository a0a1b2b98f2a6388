"""What kind of error each span is: one kind for every gold and every predicted span.

Spans matched by the chosen measure are `correct`. The rest are paired, each once, in four tiers, inside a tier
by intersection over union, then by content:

    text            same label and offsets, another text
    type            same offsets, another label
    boundary        same label, overlapping
    boundary+type   another label, overlapping

What is left over on its own side is

    duplicate       a prediction for a gold span that another prediction overlapping it already has, with the
                    same offsets or the same label as that gold span
    split           a surplus piece of a gold span: the prediction that has it lies elsewhere in it
    merge           a surplus gold span under one prediction, which belongs to a gold span elsewhere in it
    spurious        any other prediction
    missing         any other gold span

Kinds are exclusive, and they add up to the gold spans and to the predicted spans. Spans of the same label, offsets
and text that the measure does not match (ReqFlow's rules never match zero-length ones) are no pair. A measure that
compares texts alone brings its own pairs where spans have no offsets: texts stand for offsets then.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from spanscope.arithmetic import Bools, Ints, ratio
from spanscope.counts import Counts, make
from spanscope.data.corpus import Spans
from spanscope.match.one_to_one import greedy
from spanscope.match.overlaps import Pairs, overlapping_pairs
from spanscope.match.verdicts import (
    BOTH,
    BOUNDARY,
    DUPLICATE,
    KINDS,
    MERGE,
    MISSING,
    NONE,
    SPLIT,
    SPURIOUS,
    TEXT,
    TYPE,
    Confusion,
    Verdicts,
)
from spanscope.measures.registry import Outcome
from spanscope.sides.comparison import Comparison
from spanscope.sides.texts import quoted_at

IN_WORDS = {
    "correct": "matched",
    "boundary": "right label, wrong boundaries",
    "type": "right boundaries, wrong label",
    "boundary+type": "overlapping, wrong label and boundaries",
    "split": "another part of a gold span that is already matched",
    "merge": "a gold span inside a prediction that matches another one",
    "duplicate": "predicted again",
    "spurious": "predicted, not in gold",
    "missing": "in gold, not predicted",
    "text": "right label and boundaries, wrong text",
}
PAIRED = ("text", "type", "boundary", "boundary+type")
ADDED = ("missing", "merge")  # fixing one finds the gold span: one more prediction, one more match
REMOVED = ("spurious", "split", "duplicate")  # fixing one takes the prediction away
RANK = np.zeros(len(KINDS), dtype=np.int8)
RANK[[TEXT, TYPE, BOUNDARY, BOTH]] = range(4)


def classify(c: Comparison, outcome: Outcome) -> Verdicts:
    """Return the verdict on every span, given what a measure accepted."""
    match = outcome.match
    if match is None:
        raise ValueError("a measure without matches has no errors to name")
    pairs = _counted_pairs(overlapping_pairs(c) if outcome.near is None else outcome.near, outcome)
    of_gold, of_pred = np.full(len(c.gold), NONE), np.full(len(c.pred), NONE)
    of_gold[match.gold], of_pred[match.pred] = match.pred, match.gold
    free = _different(c, pairs.where((of_gold == NONE)[pairs.gold] & (of_pred == NONE)[pairs.pred]))
    near = free.where(greedy(free.gold, free.pred, (RANK[_tier(free)], -free.iou, free.pred, free.gold)))
    of_gold[near.gold], of_pred[near.pred] = near.pred, near.gold
    counted = outcome.counted or (np.ones(len(c.gold), dtype=bool), np.ones(len(c.pred), dtype=bool))
    left_gold = np.flatnonzero((of_gold == NONE) & counted[0])
    left_pred = np.flatnonzero((of_pred == NONE) & counted[1])
    lone_gold = _surplus_gold(c, pairs, of_gold, of_pred)[left_gold]
    lone_pred = _surplus_pred(c, pairs, of_gold, of_pred)[left_pred]
    blank = np.full(len(left_gold) + len(left_pred), np.nan)
    return Verdicts(
        np.concatenate((np.zeros(len(match), dtype=np.int64), _tier(near), lone_gold, lone_pred)),
        np.concatenate((match.gold, near.gold, left_gold, np.full(len(left_pred), NONE))),
        np.concatenate((match.pred, near.pred, np.full(len(left_gold), NONE), left_pred)),
        np.concatenate((match.score, near.iou, blank)),
    )


def _counted_pairs(pairs: Pairs, outcome: Outcome) -> Pairs:
    if outcome.counted is None or all(side.all() for side in outcome.counted):
        return pairs
    return pairs.where(outcome.counted[0][pairs.gold] & outcome.counted[1][pairs.pred])


def _different(c: Comparison, pairs: Pairs) -> Pairs:
    """Return the pairs that differ in label, offsets or text: nothing says what is wrong with the others."""
    same = np.flatnonzero(pairs.same_label & pairs.identical)
    if not len(same):
        return pairs
    keep = np.ones(len(pairs), dtype=bool)
    keep[same] = [
        quoted_at(c.gold, c.texts, g) != quoted_at(c.pred, c.texts, p)
        for g, p in zip(pairs.gold[same].tolist(), pairs.pred[same].tolist(), strict=True)
    ]
    return pairs.where(keep)


def _tier(pairs: Pairs) -> Ints:
    """Return the kind of error that each pair would be."""
    same = pairs.identical
    return np.where(pairs.same_label, np.where(same, TEXT, BOUNDARY), np.where(same, TYPE, BOTH))


def _surplus_pred(c: Comparison, pairs: Pairs, of_gold: Ints, of_pred: Ints) -> Ints:
    """Return what each prediction is that nothing pairs with: duplicate, split or spurious."""
    used = pairs.where((of_gold != NONE)[pairs.gold] & (of_pred == NONE)[pairs.pred])
    touching = _hulls_overlap(c.pred, used.pred, of_gold[used.gold])
    twice = touching & (used.identical | used.same_label)
    kind = np.full(len(c.pred), SPURIOUS)
    kind[used.pred[~touching]] = SPLIT
    kind[used.pred[twice]] = DUPLICATE
    return kind


def _surplus_gold(c: Comparison, pairs: Pairs, of_gold: Ints, of_pred: Ints) -> Ints:
    """Return what each gold span is that nothing pairs with: merge or missing."""
    used = pairs.where((of_pred != NONE)[pairs.pred] & (of_gold == NONE)[pairs.gold])
    touching = _hulls_overlap(c.gold, used.gold, of_pred[used.pred])
    kind = np.full(len(c.gold), MISSING)
    kind[used.gold[~touching]] = MERGE
    return kind


def _hulls_overlap(spans: Spans, first: Ints, second: Ints) -> Bools:
    """Tell whether two spans of one side overlap (by their hulls); those without offsets may."""
    start = np.maximum(spans.start[first], spans.start[second])
    end = np.minimum(spans.end[first], spans.end[second])
    same = (spans.start[first] == spans.start[second]) & (spans.end[first] == spans.end[second])
    anywhere = ~(spans.located[first] & spans.located[second])
    return np.asarray((end > start) | same | anywhere)


def count_kinds(c: Comparison, verdicts: Verdicts) -> Counts:
    """Count the kinds by document and label: the gold span's label, or the prediction's where it stands alone."""
    cells = c.cells()
    cell = np.empty(len(verdicts.kind), dtype=np.int64)
    has_gold = verdicts.gold != NONE
    cell[has_gold] = cells.gold[verdicts.gold[has_gold]]
    cell[~has_gold] = cells.pred[verdicts.pred[~has_gold]]
    size = len(cells.doc)
    table = np.bincount(cell * len(KINDS) + verdicts.kind, minlength=size * len(KINDS)).reshape(size, len(KINDS))
    columns = {name: table[:, i].astype(np.int64) for i, name in enumerate(KINDS)}
    return make(c.documents, c.labels, cells.doc, cells.label, columns)


def confusion(c: Comparison, verdicts: Verdicts) -> Confusion:
    """Count label pairs: gold code, predicted code, number; the code after the last label stands for none."""
    none = len(c.labels)
    row = np.full(len(verdicts.kind), none)
    column = row.copy()
    has_gold, has_pred = verdicts.gold != NONE, verdicts.pred != NONE
    row[has_gold] = c.gold.label[verdicts.gold[has_gold]]
    column[has_pred] = c.pred.label[verdicts.pred[has_pred]]
    cells, number = np.unique(row * (none + 1) + column, return_counts=True)
    return cells // (none + 1), cells % (none + 1), number


def if_fixed(
    kinds: Mapping[str, int], tp: int, pred: int, gold: int, undefined: float = math.nan
) -> dict[str, float]:
    """Return the micro F1 the measure would have if only that kind of error were fixed; `undefined` for 0/0.

    A paired kind gains a match for the two spans it concerns; a missing or merged span is found, by one more
    prediction; a spurious, split or duplicate prediction goes away.
    """
    out = {}
    for kind in KINDS[1:]:
        n = kinds.get(kind, 0)
        found = tp + n if kind in PAIRED or kind in ADDED else tp
        predicted = pred + n if kind in ADDED else pred - n if kind in REMOVED else pred
        out[kind] = float(ratio(2 * found, predicted + gold, empty=undefined))
    return out


def boundary_detail(gold: tuple[int, int], pred: tuple[int, int]) -> str:
    """Say how a prediction's boundaries differ: shorter, longer or shifted, and on which side."""
    left, right = pred[0] - gold[0], pred[1] - gold[1]
    side = "both" if left and right else "left" if left else "right"
    if not left and not right:
        return ""
    if left >= 0 and right <= 0:
        return f"shorter, {side}"
    return f"longer, {side}" if left <= 0 and right >= 0 else "shifted, both"
