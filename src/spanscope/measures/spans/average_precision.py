"""Average precision: how well a system's confidence puts right predictions before wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.errors import MeasureError, plural
from spanscope.match.one_to_one import greedy
from spanscope.match.overlaps import identical_pairs, same_label_pairs
from spanscope.measures.registry import Measure
from spanscope.measures.spans.matching import blend
from spanscope.sides.comparison import Comparison

WHOLE = -1  # the label code of spans whose labels the measure does not look at
NEEDS = "score or confidence in every predicted span"
HINT = "[[fields=span_score=NAME]]   if the confidence stands under another name"


@dataclass(frozen=True, eq=False)
class Ranked:
    """Predictions with their scores, and whether each found a gold span; the gold spans that were to be found."""

    doc: Ints
    label: Ints
    score: Floats
    hit: Bools
    gold_doc: Ints  # of every gold span
    gold_label: Ints

    def of_label(self, code: int) -> Ranked:
        """Return what is of one label."""
        own, gold = self.label == code, self.gold_label == code
        return Ranked(
            self.doc[own],
            self.label[own],
            self.score[own],
            self.hit[own],
            self.gold_doc[gold],
            self.gold_label[gold],
        )


@dataclass(frozen=True, eq=False)
class Steps:
    """The distinct scores, highest first, with how many predictions have at least that score and are right."""

    score: Floats
    tp: Ints
    pred: Ints
    gold: int


def rank_predictions(c: Comparison, measure: Measure) -> Ranked:
    """Match predictions best score first, each gold span once.

    The pairs that may match are those of the measure: of `spans.exact` and `spans.unlabelled` identical spans, of
    `spans.iou`, `spans.overlap` and `spans.relaxed` the overlapping spans of one label whose similarity reaches
    the threshold. The prediction with the highest score chooses first, and takes the most similar gold span that
    is still free; one that finds none is wrong. Among equal scores the more similar pair comes first, then the
    earlier predicted, then the earlier gold span, where earlier means smaller (start, end, text).

    What is matched at a score does not depend on predictions below it, so the matching at any lowest score is the
    part of this one that reaches it.

    Undefined  predictions without a score are refused.
    Source     Pascal VOC (Everingham et al. 2010) and COCO (Lin et al. 2014), detections in order of confidence.
    Differs    in VOC a prediction whose most similar gold span is taken is wrong, even where another would do;
               here, as in COCO, it takes that one. For spans.iou and spans.relaxed at a score the pairs may be
               others than those of the measure itself, which takes the most similar pair first.
    Checked    tests/twins/confidence.py; cases worked by hand in tests/measures/test_average_precision.py.
    """
    refuse_without_scores(c)
    if (find := PAIRS.get(measure.name)) is None:
        raise MeasureError(
            f"{measure.short} does not match spans one by one", expected=", ".join(PAIRS), hint="-m spans.exact"
        )
    params = dict(measure.params)
    if params.get("assignment", "greedy") != "greedy" or params.get("rules", "spanscope") != "spanscope":
        raise MeasureError(
            f"{measure.short} has rules of its own for which pairs come first",
            expected="a measure whose pairs can be taken in the order of scores: without assignment and rules",
        )
    score = c.pred.extra.get("score", np.zeros(0))
    pred, counted_gold, counted_pred = find(c, score, params)
    hit = np.zeros(len(c.pred), dtype=bool)
    hit[pred] = True
    gold_label, label = c.gold.label, c.pred.label
    if measure.name == "spans.unlabelled":
        gold_label, label = np.full(len(gold_label), WHOLE), np.full(len(label), WHOLE)
    return Ranked(
        c.pred.doc[counted_pred],
        label[counted_pred],
        score[counted_pred],
        hit[counted_pred],
        c.gold.doc[counted_gold],
        gold_label[counted_gold],
    )


def refuse_without_scores(c: Comparison) -> None:
    """Refuse predictions that do not say how sure the system is of them."""
    if lacking := count_unscored(c):
        raise MeasureError(
            f"{lacking:,} of {plural(len(c.pred), 'prediction')} without a score, and average precision needs one",
            expected=NEEDS,
            hint=HINT,
        )


def count_unscored(c: Comparison) -> int:
    """Return how many predictions have no score."""
    score = c.pred.extra.get("score")
    return len(c.pred) if score is None else int(np.isnan(score).sum())


def _identical(c: Comparison, score: Floats, params: dict[str, Any], labelled: bool) -> tuple[Ints, Bools, Bools]:
    """Pair identical spans, of several identical predictions those with the highest scores."""
    order = np.argsort(-score, kind="stable")
    best_first = replace(c, sides={"gold": c.gold, "pred": c.pred.take(order)}, cache={})
    once = params["duplicates"] == "set"
    _, pred, counted_gold, counted = identical_pairs(best_first, labelled=labelled, once=once)
    counted_pred = np.zeros(len(order), dtype=bool)
    counted_pred[order] = counted
    return order[pred], counted_gold, counted_pred


def _pair_overlapping(
    c: Comparison, score: Floats, params: dict[str, Any], kind: str
) -> tuple[Ints, Bools, Bools]:
    """Pair overlapping spans of one label that are similar enough, best score first."""
    pairs = same_label_pairs(c)
    alike = pairs.iou
    if kind == "relaxed":
        weight, autojunk = params["iou_weight"], params["text"] == "difflib"
        alike = c.cached(("relaxed", weight, params["text"]), lambda: blend(c, pairs, weight, autojunk=autojunk))
    near = np.flatnonzero(alike >= params.get("threshold", 0.0))
    gold, pred = pairs.gold[near], pairs.pred[near]
    taken = greedy(gold, pred, (-score[pred], -alike[near], pred, gold))
    return pred[taken], np.ones(len(c.gold), dtype=bool), np.ones(len(c.pred), dtype=bool)


Finding = Callable[[Comparison, Floats, dict[str, Any]], tuple[Ints, Bools, Bools]]
PAIRS: dict[str, Finding] = {
    "spans.exact": lambda c, score, params: _identical(c, score, params, labelled=True),
    "spans.unlabelled": lambda c, score, params: _identical(c, score, params, labelled=False),
    "spans.iou": lambda c, score, params: _pair_overlapping(c, score, params, "iou"),
    "spans.overlap": lambda c, score, params: _pair_overlapping(c, score, params, "overlap"),
    "spans.relaxed": lambda c, score, params: _pair_overlapping(c, score, params, "relaxed"),
}


def steps(found: Ranked) -> Steps:
    """Return the points of the precision-recall curve: equal scores enter together.

        precision(s) = tp(s) / pred(s)      recall(s) = tp(s) / gold

    with tp(s) and pred(s) over the predictions whose score is at least s, and gold over all gold spans.
    """
    order = np.argsort(-found.score, kind="stable")
    score, hit = found.score[order], found.hit[order]
    last = _last_of_equals(score)
    return Steps(score[last], np.cumsum(hit.astype(np.int64))[last], last + 1, len(found.gold_doc))


def average_precision(found: Ranked, weights: NDArray[Any] | None = None, *, undefined: float = np.nan) -> Floats:
    """Return the area under the precision-recall curve, by steps.

        AP = sum over distinct scores s, highest first, of (recall(s) - recall(before s)) * precision(s)

    Equal scores enter together. Gold spans that no prediction found are in every recall, so a system that finds
    half of them has at most 0.5. The mean over labels is that of the labels that have gold spans. `weights` has a
    column for each of several weightings of the documents, one row per document, such as resamples.

    Undefined  without gold spans; 0 with gold spans and no prediction.
    Source     scikit-learn's average_precision_score; Pascal VOC and COCO, mean average precision over classes.
    Differs    VOC and COCO first raise every precision to the best at that or a higher recall (COCO at 101
               recalls), so their figure is never lower; scikit-learn knows no gold that was never predicted, and
               divides by the gold spans found.
    Checked    scikit-learn live, where every gold span was found or its divisor is put right; tests/twins/
               confidence.py; cases worked by hand.
    """
    order = np.argsort(-found.score, kind="stable")
    last, doc, hit = _last_of_equals(found.score[order]), found.doc[order], found.hit[order]
    documents = int(max(doc.max(initial=-1), found.gold_doc.max(initial=-1))) + 1
    given = np.ones((documents, 1)) if weights is None else weights
    own = given[doc].astype(np.float64)
    gold = given[found.gold_doc].astype(np.float64).sum(axis=0)
    tp, pred = np.cumsum(own * hit[:, None], axis=0)[last], np.cumsum(own, axis=0)[last]
    area = (np.diff(tp, axis=0, prepend=0.0) * ratio(tp, pred, empty=0.0)).sum(axis=0)
    return ratio(area, gold, empty=undefined)


def _last_of_equals(ordered: Floats) -> Ints:
    """Return where the last of each run of equal values stands."""
    return np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(ordered) else np.zeros(0, np.int64)
