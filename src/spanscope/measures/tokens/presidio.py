"""PII: gold spans found by what predictions of their type cover together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.counts import Counts, concat, make
from spanscope.data.corpus import expand
from spanscope.match.overlaps import Pairs, identical_pairs, overlapping_pairs
from spanscope.match.verdicts import (
    BOTH,
    BOUNDARY,
    CORRECT,
    MERGE,
    MISSING,
    NONE,
    SPURIOUS,
    TYPE,
    Confusion,
    Verdicts,
)
from spanscope.measures.registry import Outcome, Share, measure
from spanscope.measures.spans.matching import covered_positions
from spanscope.measures.tally import count_each, count_under_star
from spanscope.measures.tokens.units import ANY_PII, SkipWords, Unit, in_units, skip_list, split_names
from spanscope.rates import TwoSidedRates
from spanscope.sides.comparison import Comparison

Counting = Literal["groups", "two_sided"]


@measure("tokens.presidio", TwoSidedRates("tp"), explains=True, overall=ANY_PII)
def presidio(
    c: Comparison,
    *,
    threshold: Share = 0.75,
    unit: Unit = "token",
    counting: Counting = "groups",
    skip_words: SkipWords = "none",
    extra_skip_words: str = "",
    generic: str = "",
) -> Outcome:
    """Match gold spans with all overlapping predictions of their type together.

        IoU(g, P) = |g ∩ P| / |g ∪ P|,   P: the predictions that joined g, together, or one of them
        g is found when IoU(g, P) >= threshold

    Each prediction joins one gold span: of those of its type that it overlaps, the one with the highest IoU (the
    earlier one of two; identical spans join in their order, the first the first). The predictions that joined one
    gold span are a group, and a group counts as one prediction, right or wrong: three pieces of a name are one
    prediction. Where the group does not reach the threshold and some of it do alone, these are the one that is
    right, and the rest is one more that is wrong. A prediction that overlaps no gold span of its type joins one of
    another type in the same way, so that pieces are one wrong prediction; one that overlaps nothing stands alone.

        recall = found gold spans / gold spans,   precision = right groups / groups,   F from those two

    The overall row, `*`, is "any PII": types are not looked at, neither when predictions join nor when they count,
    and nothing else changes (spans of different types do not fuse). Spans may nest, overlap and repeat.

    counting=two_sided counts every prediction by itself: a gold span is found by all predictions of its type that
    overlap it, or by one of them alone, and each of these is right. There one prediction may find several gold
    spans, and three pieces are three predictions.

    unit=token counts tokens, where there are any, else characters, as unit=character does. skip_words=presidio
    leaves Presidio's 417 skip words out of the tokens that are counted, `extra_skip_words` those that it lists
    with blanks between them (such as 'gmbh dr.'). `generic` names types that stand for any (such as 'PII,ID').

    A gold span that is not found is a `type` error where predictions of another type reach the threshold,
    `boundary` where predictions of its type joined it, `merge` where those that overlap it all joined other gold
    spans, `boundary+type` where only another type overlaps it, else missing; a prediction that is neither right
    nor part of one of these is spurious.

    Counts     tp_gold, gold, tp_pred, pred, by document and label, and under `*`; pred are groups.
    Undefined  precision without predictions, recall without gold, F if there are neither.
    Source     the document of presidio-evaluator about its span evaluation: predictions of one type that overlap
               one annotation are combined and count as a single prediction. counting=two_sided is what its
               maintainers propose (issue 185).
    Differs    the document does not say what becomes of a prediction on two annotations; here it belongs to the
               one that it overlaps best. The tool itself (tokens.presidio_evaluator) charges it once for each gold
               span it touches, loses spans of skip words, fuses spans over them and, for PII, spans of different
               types, gets combined IoU wrong by a character, and takes predictions of a type only together.
    Checked    tests/twins/tokens.py; every example of the document in tests/measures/test_presidio_seed.py.
    """
    view = in_units(c, unit, skip_list(skip_words, extra_skip_words))
    pairs = _touching_pairs(c, view, overlapping_pairs(view))
    alone = _iou_of_pairs(view, pairs)
    loose = np.isin(np.array(c.labels, dtype=object), split_names(generic))
    grouped = counting == "groups"
    agree = pairs.same_label | loose[c.gold.label[pairs.gold]] | loose[c.pred.label[pairs.pred]]
    home = _join(c, pairs, alone, agree) if grouped else None
    own = ~agree | _at_home(pairs, home)
    label, width = c.pred.label[pairs.pred], max(len(c.labels), 1)
    typed = _groups(view, pairs.where(own), alone[own], label[own], width, threshold)
    same = (c.gold.label[typed.gold] == typed.label) | loose[c.gold.label[typed.gold]] | loose[typed.label]
    found, right = _credit(c, typed, same & (typed.iou >= threshold))
    elsewhere = np.zeros(len(c.gold), dtype=bool)
    elsewhere[pairs.gold[~own]] = True
    elsewhere[pairs.gold[own & agree]] = False
    numbers = _numbers(home, c.pred.label, right)
    verdicts, confused = _verdicts(c, typed, same, right, _Rest(elsewhere, numbers, threshold))
    counts = concat(_by_label(c, found, right, numbers), _overall(c, view, (pairs, alone), grouped, threshold))
    return Outcome(counts, verdicts=verdicts, confused=confused)


def _touching_pairs(c: Comparison, view: Comparison, pairs: Pairs) -> Pairs:
    """Return the pairs without spans of nothing but skip words that stand beside each other, not on each other."""
    empty = view.gold.start[pairs.gold] == view.gold.end[pairs.gold]
    start = np.maximum(c.gold.start[pairs.gold], c.pred.start[pairs.pred])
    end = np.minimum(c.gold.end[pairs.gold], c.pred.end[pairs.pred])
    same = (c.gold.start[pairs.gold] == c.pred.start[pairs.pred]) & (
        c.gold.end[pairs.gold] == c.pred.end[pairs.pred]
    )
    return pairs.where(~empty | (end > start) | same)


# ---------------------------------------------------------------- which gold span a prediction belongs to


def _join(c: Comparison, pairs: Pairs, iou: Floats, agree: Bools | None) -> Ints:
    """Return the gold span that each prediction joins, -1 for none; without `agree` types are not looked at.

    Of gold spans with the same IoU one of the very same type comes before one that only agrees with it.
    """
    alike = np.ones(len(pairs), dtype=bool)
    first, exact = (alike, alike) if agree is None else (agree, pairs.same_label)
    order = np.lexsort((pairs.gold, ~exact, -iou, ~first, pairs.pred))
    best = order[np.append(True, np.diff(pairs.pred[order]) > 0)[: len(order)]]
    home = np.full(len(c.pred), NONE)
    home[pairs.pred[best]] = pairs.gold[best]
    gold, pred, _, _ = identical_pairs(c, labelled=agree is not None, once=False)
    home[pred] = gold
    return home


def _at_home(pairs: Pairs, home: Ints | None) -> Bools:
    """Tell the pairs whose prediction joined the gold span; all where nothing is joined."""
    return np.ones(len(pairs), dtype=bool) if home is None else home[pairs.pred] == pairs.gold


def _numbers(home: Ints | None, label: Ints, right: Bools) -> Ints:
    """Return the number of the prediction that each predicted span is counted in.

    Those of one type in one group are one, what is right of it and what is wrong apart; without groups, and where
    a span joined nothing, each is its own.
    """
    own = np.arange(len(label))
    if home is None:
        return own
    group = np.where(home == NONE, int(home.max(initial=0)) + 1 + own, home)
    keys = (group * (int(label.max(initial=0)) + 1) + label) * 2 + right
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return np.asarray(first[inverse.ravel()])


# ---------------------------------------------------------------- what predictions cover together


@dataclass(frozen=True)
class _Groups:
    """Predictions of one type on one gold span: how well they cover it, together or the best of them alone."""

    gold: Ints
    label: Ints
    iou: Floats
    first: Ints  # the prediction shown for each group: the best alone, where it is better than all, else the first
    of: Ints  # the group of each pair that counts for it
    pred: Ints  # the prediction of each such pair


def _iou_of_pairs(view: Comparison, pairs: Pairs) -> Floats:
    """Return the IoU of each pair; several fragments of a span may lie in one token, which counts once."""
    if view.gold.pieces is None and view.pred.pieces is None:
        return pairs.iou
    return _iou(view, pairs.gold, pairs.pred, np.arange(len(pairs)))


def _groups(view: Comparison, pairs: Pairs, alone: Floats, label: Ints, width: int, threshold: float) -> _Groups:
    keys, of = np.unique(pairs.gold * width + label, return_inverse=True)
    gold, size = keys // width, len(keys)
    of = of.ravel()
    together = _iou(view, gold, pairs.pred, of)
    best = np.full(size, -1.0)
    np.maximum.at(best, of, alone)
    iou = np.maximum(together, best)
    first = np.full(size, np.iinfo(np.int64).max)
    shown = (together >= best)[of] | (alone == best[of])
    np.minimum.at(first, of[shown], pairs.pred[shown])
    counted = np.flatnonzero(((together >= threshold) | (best < threshold))[of] | (alone >= threshold))
    return _Groups(gold, keys % width, iou, first, of[counted], pairs.pred[counted])


def _iou(view: Comparison, gold: Ints, pred: Ints, of: Ints) -> Floats:
    """Return the IoU of each of some gold spans and the predictions of its group, together."""
    size = len(gold)
    own, theirs = view.gold.fragments(), view.pred.fragments()
    mine = _stretches(own.span, own.start, own.end, gold, np.arange(size))
    others = _stretches(theirs.span, theirs.start, theirs.end, pred, of)
    both = [np.concatenate(columns) for columns in zip(mine, others, strict=True)]
    g, p, union = (covered_positions(part, size) for part in (mine, others, both))
    return np.asarray(ratio(g + p - union, union, empty=1.0))


def _stretches(span: Ints, start: Ints, end: Ints, rows: Ints, group: Ints) -> list[Ints]:
    """Return the fragments of the chosen spans, with the group each belongs to."""
    low, high = np.searchsorted(span, rows, "left"), np.searchsorted(span, rows, "right")
    pieces = expand(low, high - low)
    return [np.repeat(group, high - low), start[pieces], end[pieces]]


def _credit(c: Comparison, groups: _Groups, good: Bools) -> tuple[Bools, Bools]:
    """Return which gold spans are found, and which predictions helped."""
    found, right = np.zeros(len(c.gold), dtype=bool), np.zeros(len(c.pred), dtype=bool)
    found[groups.gold[good]] = True
    right[groups.pred[good[groups.of]]] = True
    return found, right


# ---------------------------------------------------------------- what became of every span


@dataclass(frozen=True)
class _Rest:
    """What verdicts need besides the groups."""

    elsewhere: Bools  # gold spans whose predictions all joined others
    numbers: Ints  # the prediction that each predicted span is counted in
    threshold: float


def _verdicts(
    c: Comparison, groups: _Groups, same: Bools, right: Bools, rest: _Rest
) -> tuple[Verdicts, Confusion]:
    """Say what became of every gold span, and which predictions stand alone."""
    reached = groups.iou >= rest.threshold
    kind = np.where(same, np.where(reached, CORRECT, BOUNDARY), np.where(reached, TYPE, BOTH))
    rank = np.array([0, 2, 1, 3])[kind]  # the codes of correct, boundary, type and both are 0 to 3
    order = np.lexsort((groups.first, -groups.iou, rank, groups.gold))
    best = order[np.append(True, np.diff(groups.gold[order]) > 0)[: len(order)]]
    best = best[~((kind[best] == BOTH) & rest.elsewhere[groups.gold[best]])]
    kinds, pred, score = np.full(len(c.gold), MISSING), np.full(len(c.gold), NONE), np.full(len(c.gold), np.nan)
    kinds[rest.elsewhere] = MERGE
    at = groups.gold[best]
    kinds[at], pred[at], score[at] = kind[best], groups.first[best], groups.iou[best]
    chosen = np.zeros(len(groups.gold), dtype=bool)
    chosen[best] = True
    shown = np.zeros(len(c.pred), dtype=bool)
    shown[groups.pred[chosen[groups.of]]] = True
    lone = np.flatnonzero(~right & ~shown)
    verdicts = Verdicts(
        np.concatenate((kinds, np.full(len(lone), SPURIOUS))),
        np.concatenate((np.arange(len(c.gold)), np.full(len(lone), NONE))),
        np.concatenate((pred, lone)),
        np.concatenate((score, np.full(len(lone), np.nan))),
    )
    mistaken = np.zeros(len(c.pred), dtype=bool)
    mistaken[groups.pred[(chosen & (kind == TYPE))[groups.of]]] = True
    alone = _each_once(rest.numbers[~(right | mistaken)], c)
    return verdicts, _count_confusion(c, kinds, pred, c.pred.label[alone])


def _count_confusion(c: Comparison, kinds: Ints, pred: Ints, alone: Ints) -> Confusion:
    """Count label pairs: a row sums to its gold spans; wrong predictions that explain no gold span stand alone."""
    none = len(c.labels)
    answered = (kinds == CORRECT) | (kinds == TYPE)
    column = np.full(len(kinds), none)
    column[answered] = c.pred.label[pred[answered]]
    column[kinds == CORRECT] = c.gold.label[kinds == CORRECT]
    rows = np.concatenate((c.gold.label, np.full(len(alone), none)))
    cells, number = np.unique(rows * (none + 1) + np.concatenate((column, alone)), return_counts=True)
    return cells // (none + 1), cells % (none + 1), number


# ---------------------------------------------------------------- counting


def _each_once(numbers: Ints, c: Comparison) -> Ints:
    """Return numbers of predictions in order, each once."""
    there = np.zeros(len(c.pred), dtype=bool)
    there[numbers] = True
    return np.flatnonzero(there)


def _by_label(c: Comparison, found: Bools, right: Bools, numbers: Ints) -> Counts:
    cells = c.cells()
    size = len(cells.doc)
    columns = {
        "tp_gold": count_each(cells.gold[found], size),
        "gold": count_each(cells.gold, size),
        "tp_pred": count_each(cells.pred[_each_once(numbers[right], c)], size),
        "pred": count_each(cells.pred[_each_once(numbers, c)], size),
    }
    return make(c.documents, c.labels, cells.doc, cells.label, columns)


def _overall(
    c: Comparison, view: Comparison, met: tuple[Pairs, Floats], grouped: bool, threshold: float
) -> Counts:
    """Count the same without looking at types."""
    pairs, alone = met
    home = _join(c, pairs, alone, None) if grouped else None
    own = _at_home(pairs, home)
    anything = np.zeros(int(own.sum()), dtype=np.int64)
    groups = _groups(view, pairs.where(own), alone[own], anything, 1, threshold)
    found, right = _credit(c, groups, groups.iou >= threshold)
    numbers = _numbers(home, np.zeros(len(c.pred), dtype=np.int64), right)
    docs = {
        "tp_gold": c.gold.doc[found],
        "gold": c.gold.doc,
        "tp_pred": c.pred.doc[_each_once(numbers[right], c)],
        "pred": c.pred.doc[_each_once(numbers, c)],
    }
    return count_under_star(c, docs)
