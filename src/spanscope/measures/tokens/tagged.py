"""Tagged tokens and PII: spans found by what they cover together, and tokens one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.counts import STAR, Counts, concat, make
from spanscope.data.corpus import Tokens, expand
from spanscope.errors import MeasureError
from spanscope.match.overlaps import Pairs, overlapping_pairs
from spanscope.match.verdicts import BOTH, BOUNDARY, CORRECT, MISSING, NONE, SPURIOUS, TYPE, Confusion, Verdicts
from spanscope.measures.registry import Outcome, Share, measure
from spanscope.measures.spans.matching import covered_positions
from spanscope.measures.tally import count_each
from spanscope.measures.tools.presidio_rules import default_skip_words
from spanscope.rates import COUNTED, NamedRates, TwoSidedRates, share
from spanscope.sides.join import Comparison

Unit = Literal["token", "character"]
SkipWords = Literal["none", "presidio"]


@measure("tokens.presidio", TwoSidedRates("tp"), explains=True)
def presidio(
    c: Comparison,
    *,
    threshold: Share = 0.75,
    unit: Unit = "token",
    skip_words: SkipWords = "none",
    generic: str = "",
) -> Outcome:
    """Find gold spans by the predictions of their type that overlap them, taken together.

        IoU(g, P) = |g ∩ P| / |g ∪ P|,   P: all predictions of one type that overlap g, together, or one of them
        g is found when IoU(g, P) >= threshold for such a P of its own type; the predictions in P are right

    Where all of them together reach the threshold, all are right; else those that reach it alone, as where spans
    nest: a URL and the e-mail address in it, predicted as they are, are both found.

    Counting is two-sided: recall = found gold spans / gold spans, precision = right predictions / predictions, F
    from those two. Every gold span and every prediction counts once, whatever overlaps what. The overall row,
    `*`, is "any PII": types are not looked at, and nothing else changes (spans of different types do not fuse).

    unit=token counts tokens, where there are any, else characters, as unit=character does. skip_words=presidio
    leaves Presidio's 417 skip words out of the tokens that are counted. `generic` names types that stand for any
    (such as 'PII,ID'). A gold span that is not found is a `type` error where predictions of another type reach
    the threshold, `boundary` where its own type overlaps it, `boundary+type` where only another does, else
    missing; a prediction that is neither right nor part of one of these is spurious.

    Counts     tp_gold, gold, tp_pred, pred, by document and label, and under `*`.
    Undefined  precision without predictions, recall without gold, F with neither.
    Source     the span evaluation of presidio-evaluator, as its document describes it, with the two-sided
               counting its maintainers propose (issue 185).
    Differs    the tool itself (tokens.presidio_evaluator) charges a prediction once for each gold span it touches,
               loses spans of skip words, fuses spans over them and, for PII, spans of different types, gets
               combined IoU wrong by a character, and takes several predictions of a type only together.
    Checked    tests/twins/tokens.py; the seed's examples worked by hand in tests/measures/test_presidio_seed.py.
    """
    view = _view(c, unit, skip_words)
    pairs = _without_neighbours(c, view, overlapping_pairs(view))
    loose = np.isin(
        np.array(c.labels, dtype=object), [name.strip() for name in generic.split(",") if name.strip()]
    )
    alone = _iou_alone(view, pairs)
    typed = _groups(view, pairs, alone, c.pred.label[pairs.pred], max(len(c.labels), 1), threshold)
    same = (c.gold.label[typed.gold] == typed.label) | loose[c.gold.label[typed.gold]] | loose[typed.label]
    reached = typed.iou >= threshold
    found, right = _credit(c, typed, same & reached)
    anything = _groups(view, pairs, alone, np.zeros(len(pairs), dtype=np.int64), 1, threshold)
    star = _credit(c, anything, anything.iou >= threshold)
    verdicts, confused = _verdicts(c, typed, same, reached, right)
    counts = concat(_by_label(c, found, right), _overall(c, *star))
    return Outcome(counts, verdicts=verdicts, confused=confused)


def _without_neighbours(c: Comparison, view: Comparison, pairs: Pairs) -> Pairs:
    """Return the pairs without spans of nothing but skip words that stand beside each other, not on each other."""
    empty = view.gold.start[pairs.gold] == view.gold.end[pairs.gold]
    start = np.maximum(c.gold.start[pairs.gold], c.pred.start[pairs.pred])
    end = np.minimum(c.gold.end[pairs.gold], c.pred.end[pairs.pred])
    same = (c.gold.start[pairs.gold] == c.pred.start[pairs.pred]) & (
        c.gold.end[pairs.gold] == c.pred.end[pairs.pred]
    )
    return pairs.where(~empty | (end > start) | same)


@dataclass(frozen=True)
class _Groups:
    """Predictions of one type on one gold span: how well they cover it, together or the best of them alone."""

    gold: Ints
    label: Ints
    iou: Floats
    first: Ints  # the prediction shown for each group: the best alone, where it is better than all, else the first
    of: Ints  # the group of each pair that counts for it
    pred: Ints  # the prediction of each such pair


def _iou_alone(view: Comparison, pairs: Pairs) -> Floats:
    """Return the IoU of each pair; -1 where its gold span meets no other prediction, and the group says it all."""
    _, of, number = np.unique(pairs.gold, return_inverse=True, return_counts=True)
    crowded = np.flatnonzero(number[of.ravel()] > 1)
    out = np.full(len(pairs), -1.0)
    if len(crowded):
        out[crowded] = _iou(view, pairs.gold[crowded], pairs.pred[crowded], np.arange(len(crowded)))
    return out


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
    return ratio(g + p - union, union, empty=1.0)


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


def _verdicts(
    c: Comparison, groups: _Groups, same: Bools, reached: Bools, right: Bools
) -> tuple[Verdicts, Confusion]:
    """Say what became of every gold span, and which predictions stand alone."""
    kind = np.where(same, np.where(reached, CORRECT, BOUNDARY), np.where(reached, TYPE, BOTH))
    rank = np.array([0, 2, 1, 3])[kind]  # the codes of correct, boundary, type and both are 0 to 3
    order = np.lexsort((groups.first, -groups.iou, rank, groups.gold))
    best = order[np.append(True, np.diff(groups.gold[order]) > 0)[: len(order)]]
    kinds, pred, score = np.full(len(c.gold), MISSING), np.full(len(c.gold), NONE), np.full(len(c.gold), np.nan)
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
    return verdicts, _count_confusion(c, kinds, pred, right | mistaken)


def _count_confusion(c: Comparison, kinds: Ints, pred: Ints, explained: Bools) -> Confusion:
    """Count label pairs: a row sums to its gold spans; wrong predictions that explain no gold span stand alone."""
    none = len(c.labels)
    answered = (kinds == CORRECT) | (kinds == TYPE)
    column = np.full(len(kinds), none)
    column[answered] = c.pred.label[pred[answered]]
    column[kinds == CORRECT] = c.gold.label[kinds == CORRECT]
    alone = c.pred.label[~explained]
    rows = np.concatenate((c.gold.label, np.full(len(alone), none)))
    cells, number = np.unique(rows * (none + 1) + np.concatenate((column, alone)), return_counts=True)
    return cells // (none + 1), cells % (none + 1), number


def _by_label(c: Comparison, found: Bools, right: Bools) -> Counts:
    cells = c.cells()
    size = len(cells.doc)
    columns = {
        "tp_gold": count_each(cells.gold[found], size),
        "gold": count_each(cells.gold, size),
        "tp_pred": count_each(cells.pred[right], size),
        "pred": count_each(cells.pred, size),
    }
    return make(c.documents, c.labels, cells.doc, cells.label, columns)


def _overall(c: Comparison, found: Bools, right: Bools) -> Counts:
    docs = {"tp_gold": c.gold.doc[found], "gold": c.gold.doc, "tp_pred": c.pred.doc[right], "pred": c.pred.doc}
    present = np.flatnonzero(count_each(np.concatenate((c.gold.doc, c.pred.doc)), c.documents))
    columns = {name: count_each(rows, c.documents)[present] for name, rows in docs.items()}
    return make(c.documents, c.labels, present, np.full(len(present), STAR), columns)


def _view(c: Comparison, unit: Unit, skip_words: SkipWords) -> Comparison:
    """Return the comparison with offsets in tokens, skip words left out, where there are tokens."""
    tokens = _tokens(c)
    if skip_words != "none" and tokens is None:
        raise MeasureError("skip_words=presidio needs tokens", hint="skip_words=none")
    if tokens is None or (unit == "character" and skip_words == "none"):
        return c
    if unit == "character":
        raise MeasureError("skip_words=presidio goes with unit=token: it leaves out tokens")
    return c.cached(("in tokens", skip_words), lambda: _in_tokens(c, tokens, skip_words))


def _in_tokens(c: Comparison, tokens: Tokens, skip_words: SkipWords) -> Comparison:
    before = np.append(0, np.cumsum(_counting_tokens(tokens, skip_words)))
    doc = np.repeat(np.arange(c.documents), np.diff(tokens.first))
    ends = [int(column.max(initial=0)) for column in (tokens.end, c.gold.end, c.pred.end)]
    wide = max(ends) + 2
    starts, stops = doc * wide + tokens.start, doc * wide + tokens.end

    def moved(start: Ints, end: Ints, of: Ints) -> tuple[Ints, Ints]:
        first = np.searchsorted(stops, of * wide + start, "right")
        last = np.maximum(np.searchsorted(starts, of * wide + end, "left"), first)
        base = before[tokens.first[of]]
        return before[first] - base, before[last] - base

    sides = {}
    for name, spans in c.sides.items():
        start, end = moved(spans.start, spans.end, spans.doc)
        pieces = spans.pieces
        if pieces is not None:
            own = moved(pieces.start, pieces.end, spans.doc[pieces.span])
            pieces = replace(pieces, start=own[0], end=own[1])
        sides[name] = replace(spans, start=start, end=end, pieces=pieces)
    return Comparison(c.names, c.labels, sides)


@measure("tokens.tags", COUNTED, matches=False)
def tags(c: Comparison, *, skip_words: SkipWords = "none", generic: str = "") -> Outcome:
    """Compare the labels of tokens one by one.

        tp = tokens with the same label on both sides,   gold, pred = tokens with a label on that side

    A token's label is that of the span it is in (of several, the last by place); tokens outside of spans on both
    sides count for nothing. The
    overall row, `*`, is "any PII": tokens with some label on both sides. skip_words=presidio leaves Presidio's
    417 skip words out; `generic` names labels that stand for any (such as 'PII,ID').

    Counts     tp, pred, gold in tokens, by document and label, and under `*`.
    Undefined  precision without predicted, recall without gold tokens, F with neither.
    Source     the token evaluation of presidio-evaluator.
    Differs    the tool (tokens.presidio_tokens) counts a skip word when it is right and not when it is wrong.
    Checked    tests/twins/tokens.py; cases worked by hand.
    """
    gold, pred = (_labels(c, side) for side in ("gold", "pred"))
    tokens = _tokens(c) or c.tokens["gold"]
    names = [name.strip() for name in generic.split(",") if name.strip()]
    loose = np.append(np.isin(np.array(c.labels, dtype=object), names), False)
    pred = np.where(loose[pred] & (gold >= 0), gold, pred)
    gold = np.where(loose[gold] & (pred >= 0), pred, gold)
    counted = ((gold >= 0) | (pred >= 0)) & _counting_tokens(tokens, skip_words)
    doc = np.repeat(np.arange(c.documents), np.diff(tokens.first))[counted]
    gold, pred = gold[counted], pred[counted]
    return Outcome(_token_counts(c, doc, gold, pred), confused=_token_pairs(c, gold, pred))


ACCURACY = NamedRates((share("accuracy", "right", "tokens"),), perfect=False)


@measure("tokens.accuracy", ACCURACY, matches=False)
def accuracy(c: Comparison) -> Outcome:
    """Compare the tags of tokens as they were given, O among them.

        accuracy = tokens with the same tag on both sides / tokens

    Mostly O, so mostly high: it says little about entities.

    Counts     right, tokens, by document.
    Undefined  without tokens.
    Source     the accuracy of conlleval and of seqeval's accuracy_score.
    Checked    seqeval live; tests/twins/tokens.py.
    """
    _labels(c, "gold", "tokens.accuracy")  # refuses tokens that are not the same on both sides
    if len(c.tokens) < 2:
        raise MeasureError("tokens.accuracy needs tags on both sides", hint="tokens.tags")
    gold, pred = c.tokens["gold"], c.tokens["pred"]
    doc = np.repeat(np.arange(c.documents), np.diff(gold.first))
    size = np.diff(gold.first)
    right = count_each(doc[np.asarray(gold.tag == pred.tag, dtype=bool)], c.documents)
    columns = {"right": right, "tokens": size, "gold": size, "pred": size}
    return Outcome(make(c.documents, c.labels, np.arange(c.documents), np.full(c.documents, STAR), columns))


def _counting_tokens(tokens: Tokens, skip_words: SkipWords) -> Bools:
    """Tell which tokens count: all, or all but Presidio's skip words."""
    if skip_words == "none":
        return np.ones(len(tokens.start), dtype=bool)
    if tokens.text is None:
        raise MeasureError("skip_words=presidio needs tokens", hint="skip_words=none")
    words = default_skip_words()
    return np.array([word.lower().strip() not in words for word in tokens.text.tolist()], dtype=bool)


def _labels(c: Comparison, side: str, name: str = "tokens.tags") -> Ints:
    """Return the label of every token, -1 outside of spans."""
    tokens = _tokens(c)
    if tokens is None or not all(_same_tokens(tokens, own) for own in c.tokens.values()):
        raise MeasureError(
            f"{name} needs the same tokens on both sides",
            expected="tagged tokens, cut the same way",
            hint="tokens.presidio or spans.characters   which compare places in the text",
        )
    spans = c.sides[side]
    wide = int(max(tokens.end.max(initial=0), spans.end.max(initial=0))) + 2
    doc = np.repeat(np.arange(c.documents), np.diff(tokens.first))
    first = np.searchsorted(doc * wide + tokens.end, spans.doc * wide + spans.start, "right")
    last = np.maximum(np.searchsorted(doc * wide + tokens.start, spans.doc * wide + spans.end, "left"), first)
    out = np.full(len(tokens.start), -1)
    out[expand(first, last - first)] = np.repeat(spans.label, last - first)
    return out


def _tokens(c: Comparison) -> Tokens | None:
    """Return the tokens that are counted: gold's, or the predictions' where gold came as spans."""
    return c.tokens.get("gold", c.tokens.get("pred"))


def _same_tokens(one: Tokens, other: Tokens) -> bool:
    return np.array_equal(one.first, other.first) and np.array_equal(one.start, other.start)


def _token_counts(c: Comparison, doc: Ints, gold: Ints, pred: Ints) -> Counts:
    width = max(len(c.labels), 1)
    keys = [doc[side >= 0] * width + side[side >= 0] for side in (gold, pred)]
    right = (doc * width + gold)[(gold == pred) & (gold >= 0)]
    cells = np.unique(np.concatenate(keys))
    number = {
        name: count_each(np.searchsorted(cells, own), len(cells))
        for name, own in zip(("gold", "pred"), keys, strict=True)
    }
    tp = count_each(np.searchsorted(cells, right), len(cells))
    labels = make(
        c.documents,
        c.labels,
        cells // width,
        cells % width,
        {"tp": tp, "pred": number["pred"], "gold": number["gold"]},
    )
    present = np.unique(doc)
    some = {"tp": doc[(gold >= 0) & (pred >= 0)], "pred": doc[pred >= 0], "gold": doc[gold >= 0]}
    star = {name: count_each(rows, c.documents)[present] for name, rows in some.items()}
    return concat(labels, make(c.documents, c.labels, present, np.full(len(present), STAR), star))


def _token_pairs(c: Comparison, gold: Ints, pred: Ints) -> Confusion:
    none = len(c.labels)
    rows, columns = np.where(gold < 0, none, gold), np.where(pred < 0, none, pred)
    cells, number = np.unique(rows * (none + 1) + columns, return_counts=True)
    return cells // (none + 1), cells % (none + 1), number
