"""Labelled spans: nested, overlapping, duplicated and zero-length ones included.

Offsets are half-open. Two spans overlap when they share a character; two zero-length spans overlap when they
are at the same place, and are then the same span. Unless a measure says otherwise spans of one label are
compared, each span is used once, and duplicates count as separate spans.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from spanscope.arithmetic import Floats, Ints
from spanscope.counts import make
from spanscope.data.corpus import Spans, Texts
from spanscope.errors import MeasureError
from spanscope.match.one_to_one import Match, greedy, greedy_by, optimal
from spanscope.match.overlaps import Pairs, identical_pairs, pair_in_step, same_label_pairs
from spanscope.match.similarity import longest_ratio, text_ratio
from spanscope.measures import tally
from spanscope.measures.registry import Outcome, Share, measure
from spanscope.rates import COUNTED
from spanscope.sides.comparison import Comparison
from spanscope.sides.texts import texts_of

Assignment = Literal["greedy", "optimal"]
Duplicates = Literal["list", "set"]
LONG_TEXT = 100  # characters from which on to hold texts against each other costs more than to choose which
ORDER = "ties fall to the order of the input, as in the tool it copies"


@measure("spans.exact", COUNTED)
def exact(c: Comparison, *, duplicates: Duplicates = "list") -> Outcome:
    """Match spans with the same label, start and end.

        tp = | gold ∩ pred |   as multisets of (label, start, end)

    Nested and overlapping spans are allowed. Duplicates count as separate spans; with duplicates=set each
    distinct span counts once per side. Discontinuous spans match if all of their fragments are equal.

    Counts     tp, pred, gold, by document and label.
    Undefined  precision without predictions, recall without gold, F if there are neither.
    Source     Tjong Kim Sang & De Meulder (2003), CoNLL-2003, section 2.3; ReqFlow, evaluate.py.
    Differs    seqeval and ReqFlow's command line use sets (duplicates=set); nervaluate's strict scheme matches
               in the order of the predictions and can lose an exact match to an earlier overlapping one.
    Checked    tests/oracles/reqflow_random.json; seqeval 1.2.2 live; tests/twins/spans.py.
    """
    gold, pred, counted_gold, counted_pred = identical_pairs(c, labelled=True, once=duplicates == "set")
    match = Match(gold, pred, np.ones(len(gold)))
    return Outcome(
        tally.by_label(c, gold, counted_gold, counted_pred), match, counted=(counted_gold, counted_pred)
    )


@measure("spans.unlabelled", COUNTED)
def unlabelled(c: Comparison, *, duplicates: Duplicates = "list") -> Outcome:
    """Match spans with the same start and end, whatever their labels.

        tp = | gold ∩ pred |   as multisets of (start, end)

    With duplicates=set each distinct pair of start and end counts once per side.

    Counts     tp, pred, gold, by document, under `*` only: there are no figures by label, and no macro average.
    Undefined  precision without predictions, recall without gold, F if there are neither.
    Source     the exact scheme of SemEval-2013 task 9.1; spaCy's `labeled=False`.
    Checked    tests/twins/spans.py; cases worked by hand in tests/measures/test_measures_spans.py.
    """
    gold, pred, counted_gold, counted_pred = identical_pairs(c, labelled=False, once=duplicates == "set")
    match = Match(gold, pred, np.ones(len(gold)))
    return Outcome(tally.overall(c, gold, counted_gold, counted_pred), match, counted=(counted_gold, counted_pred))


@measure("spans.iou", COUNTED)
def iou(c: Comparison, *, threshold: Share = 0.5, assignment: Assignment = "greedy") -> Outcome:
    """Match spans with the same label by intersection over union.

        score(g, p) = |g ∩ p| / |g ∪ p|   in characters;   a pair counts when score >= threshold

    assignment=greedy accepts the pair with the highest score first; ties go to the earlier predicted, then the
    earlier gold span, where earlier means smaller (start, end, text). assignment=optimal maximises the number
    of pairs, then their total score. The two spans must overlap, also at threshold 0. With a threshold above
    0.5, and if no spans of the same side overlap, each span has at most one possible partner, so that greedy
    is optimal.

    Counts     tp, pred, gold, by document and label.
    Undefined  precision without predictions, recall without gold, F if there are neither.
    Source     Jaccard index; as in object detection (PASCAL VOC) and Panoptic Quality (Kirillov 2019).
    Differs    in spaneval's MinimumOverlap(Jaccard) one span can match several.
    Checked    tests/twins/spans.py; scipy's assignment live; cases worked by hand.
    """
    pairs = same_label_pairs(c)
    return _threshold(c, pairs, pairs.iou, threshold, assignment)


@measure("spans.overlap", COUNTED)
def overlap(c: Comparison, *, assignment: Assignment = "greedy") -> Outcome:
    """Match spans with the same label that share at least one character.

    Each span is in at most one pair; the pair with the highest intersection over union is accepted first, and
    ties are broken as in spans.iou. assignment=optimal maximises the number of pairs, then their total
    intersection over union.

    Counts     tp, pred, gold, by document and label.
    Undefined  precision without predictions, recall without gold, F if there are neither.
    Source     lenient matching of GATE's Corpus Quality Assurance; HIPE's fuzzy regime.
    Differs    nervaluate's ent_type scheme also has an outcome for overlapping pairs with different labels (INC).
    Checked    tests/twins/spans.py; cases worked by hand.
    """
    pairs = same_label_pairs(c)
    outcome = _threshold(c, pairs, pairs.iou, 0.0, assignment)
    return Outcome(outcome.counts, outcome.match)


@measure(
    "spans.relaxed",
    COUNTED,
    needs=frozenset({"offsets", "text"}),
    breaks={"order": f"rules=reqflow: {ORDER}", "perfect": "rules=reqflow: zero-length spans never match"},
)
def relaxed(
    c: Comparison,
    *,
    threshold: Share = 0.5,
    iou_weight: Share = 0.65,
    assignment: Assignment = "greedy",
    text: Literal["gestalt", "difflib"] = "gestalt",
    rules: Literal["spanscope", "reqflow"] = "spanscope",
) -> Outcome:
    """Match spans with the same label that overlap and have similar texts.

        score(g, p) = w * |g ∩ p| / |g ∪ p|  +  (1 - w) * ratio(text p, text g)

    w is `iou_weight`. ratio is difflib's SequenceMatcher ratio, predicted text first (it is not symmetric),
    without difflib's heuristic for frequent characters (text=difflib turns it on). A pair counts when
    score >= threshold. Each span is in at most one pair; the pair with the highest score is accepted first, and
    ties go to the earlier predicted, then the earlier gold span, where earlier means smaller (start, end,
    text). assignment=optimal maximises the number of pairs, then their total score. The text of a span is that
    of the document at its offsets, or the text given with the span if the document has no text.

    rules=reqflow reproduces ReqFlow: ties are broken by the order of the input, zero-length spans have IoU 0,
    and at threshold 0 spans with the same label match even if they do not overlap.

    Counts     tp, pred, gold, by document and label.
    Undefined  precision without predictions, recall without gold, F if there are neither.
    Source     ReqFlow v1 and v2, span_score and match_counts; Ratcliff & Metzener (1988) for ratio.
    Differs    ReqFlow uses difflib's heuristic, which gives wrong ratios for texts of 200 or more characters
               (.02 for .95), and at threshold 0 it matches spans that do not overlap. A threshold of 1 is not
               the same as spans.exact: equal offsets with different texts do not match.
    Checked    tests/oracles/reqflow_random.json; difflib live; tests/twins/spans.py.
    """
    if rules == "reqflow" and assignment != "greedy":
        raise MeasureError("rules=reqflow goes with assignment=greedy: ReqFlow has no other")
    pairs = same_label_pairs(c)
    if rules == "reqflow":
        pairs = pairs.where(pairs.union > 0)
    autojunk = text == "difflib"
    if assignment == "optimal":
        key = ("relaxed", iou_weight, text)
        score = c.cached(key, lambda: blend(c, pairs, iou_weight, autojunk=autojunk))
        return _threshold(c, pairs, score, threshold, assignment)
    ladder = c.cached(
        ("relaxed ladder", iou_weight, text, rules),
        lambda: _match_relaxed(c, pairs, iou_weight, autojunk=autojunk, reqflow=rules == "reqflow"),
    )
    match = ladder.at_least(threshold)
    return Outcome(tally.by_label(c, match.gold), match, ladder)


@measure("spans.characters", COUNTED, matches=False)
def characters(c: Comparison) -> Outcome:
    """Count the characters that gold and predicted spans of a label cover.

        tp = | G ∩ P |,  gold = | G |,  pred = | P |   G, P: the positions covered by a label's spans

    A position that several spans with the same label cover counts once, so duplicates and nesting within a
    label change nothing; a position with two labels counts for both. Zero-length spans cover nothing.

    Counts     tp, pred, gold in characters, by document and label.
    Undefined  precision without predicted, recall without gold characters, F if there are neither.
    Source     character-level scoring, e.g. spaneval's TextCoverage; Da San Martino et al. (2019).
    Checked    tests/twins/spans.py; cases worked by hand.
    """
    cells = c.cells()
    size = len(cells.doc)
    gold, pred = _characters_covered(c.gold, cells.gold), _characters_covered(c.pred, cells.pred)
    both = [np.concatenate(columns) for columns in zip(gold, pred, strict=True)]
    in_gold, in_pred, in_either = (covered_positions(part, size) for part in (gold, pred, both))
    columns = {"tp": in_gold + in_pred - in_either, "pred": in_pred, "gold": in_gold}
    return Outcome(make(c.documents, c.labels, cells.doc, cells.label, columns))


def _threshold(c: Comparison, pairs: Pairs, score: Floats, threshold: float, assignment: Assignment) -> Outcome:
    """Accept pairs at or above the threshold, best first or optimally."""
    if assignment == "optimal":
        high = score >= threshold
        gold, pred, score = pairs.gold[high], pairs.pred[high], score[high]
        taken = optimal(gold, pred, score)
        match = Match(gold[taken], pred[taken], score[taken])
        return Outcome(tally.by_label(c, match.gold), match)
    taken = greedy(pairs.gold, pairs.pred, (-score, pairs.pred, pairs.gold))
    ladder = Match(pairs.gold[taken], pairs.pred[taken], score[taken])
    match = ladder.at_least(threshold)
    return Outcome(tally.by_label(c, match.gold), match, ladder)


def _match_relaxed(c: Comparison, pairs: Pairs, weight: float, *, autojunk: bool, reqflow: bool) -> Match:
    """Take pairs best score first; ties fall to the order of content, or as ReqFlow has it of the lists."""
    ties = (pairs.pred, pairs.gold)
    if reqflow:
        ties = (c.pred.position[pairs.pred], c.gold.position[pairs.gold])
    sizes = _sizes(c, weight)
    taken, score = greedy_by(
        pairs.gold,
        pairs.pred,
        _largest_blend(pairs, weight, *sizes),
        lambda rows: blend(c, pairs.where(rows), weight, autojunk=autojunk),
        ties,
        cost=1 + int(sizes[0].sum() + sizes[1].sum()) // (LONG_TEXT * max(len(c.gold) + len(c.pred), 1)),
    )
    ladder = Match(pairs.gold[taken], pairs.pred[taken], score)
    return _pair_left_over(c, ladder) if reqflow else ladder


def _pair_left_over(c: Comparison, used: Match) -> Match:
    """Add what ReqFlow adds: whatever is left pairs up in the order of the lists, with a score of 0."""
    cells = c.cells()
    left = []
    for rows, side, cell in ((used.gold, c.gold, cells.gold), (used.pred, c.pred, cells.pred)):
        free = np.setdiff1d(np.arange(len(cell)), rows)
        free = free[np.lexsort((side.position[free], cell[free]))]
        left.append((free, cell[free]))
    g, p, _, _ = pair_in_step(left[0][1], left[1][1])
    return Match(
        np.concatenate((used.gold, left[0][0][g])),
        np.concatenate((used.pred, left[1][0][p])),
        np.concatenate((used.score, np.zeros(len(g)))),
    )


def _sizes(c: Comparison, weight: float) -> tuple[Ints, Ints]:
    """Return the lengths of the texts; any will do where texts have no weight, and there may be none."""
    if c.from_text or weight == 1.0:
        return c.gold.end - c.gold.start, c.pred.end - c.pred.start
    gold, pred = texts(c, "gold").tolist(), texts(c, "pred").tolist()
    return np.fromiter(map(len, gold), np.int64, len(gold)), np.fromiter(map(len, pred), np.int64, len(pred))


def _largest_blend(pairs: Pairs, weight: float, gold: Ints, pred: Ints) -> Floats:
    """Return what `_blend` is at most, from lengths of texts alone: no more can be alike than the shorter text."""
    alike = longest_ratio(gold[pairs.gold], pred[pairs.pred])
    return np.asarray(weight * pairs.iou + (1 - weight) * alike)


def blend(c: Comparison, pairs: Pairs, weight: float, *, autojunk: bool) -> Floats:
    """Return weight * IoU + (1 - weight) * text ratio of each pair."""
    if weight == 1.0:
        return pairs.iou
    alike = _cut_ratio(c, pairs, autojunk=autojunk) if c.from_text else _text_ratio(c, pairs, autojunk=autojunk)
    return np.asarray(weight * pairs.iou + (1 - weight) * alike)


def _text_ratio(c: Comparison, pairs: Pairs, *, autojunk: bool) -> Floats:
    """Return how alike the texts of each pair are."""
    gold, pred = texts(c, "gold"), texts(c, "pred")
    return text_ratio(pred[pairs.pred], gold[pairs.gold], autojunk=autojunk)


def _cut_ratio(c: Comparison, pairs: Pairs, *, autojunk: bool) -> Floats:
    """Return the same where all texts are the documents' at the offsets, reading only those that must be read.

    The same offsets have the same text; of a span inside another the text is in the other's, and then the lengths
    say it all (see text_ratio).
    """
    size_g, size_p = (c.gold.end - c.gold.start)[pairs.gold], (c.pred.end - c.pred.start)[pairs.pred]
    out = longest_ratio(size_g, size_p)
    nested = pairs.identical if autojunk else pairs.shared == np.minimum(size_g, size_p)
    rest = np.flatnonzero(~nested)
    if len(rest):
        rest = rest[np.argsort(pairs.gold[rest], kind="stable")]  # a gold text is prepared once for its pairs
        gold, pred = _cut(c, "gold", pairs.gold[rest]), _cut(c, "pred", pairs.pred[rest])
        if gold is not None and pred is not None:
            out[rest] = text_ratio(pred, gold, autojunk=autojunk)
    return out


def _cut(c: Comparison, side: str, rows: Ints) -> Texts | None:
    """Return the texts of some spans, those that come again cut once."""
    own, at = np.unique(rows, return_inverse=True)
    found = texts_of(c.sides[side].take(own), c.texts)
    return None if found is None else found[at]


def texts(c: Comparison, side: str) -> Texts:
    """Return the text of every span of a side, or say what to do without."""
    found = c.text(side)
    if found is None or c.untold(side):
        raise MeasureError(
            f"the {side} spans have no text, and there is no document text to cut it from",
            expected="a text in every document, or in every span",
            hint="spans.iou   which compares offsets only",
        )
    return found


def _characters_covered(spans: Spans, cell: Ints) -> list[Ints]:
    pieces = spans.fragments()
    return [cell[pieces.span], pieces.start, pieces.end]


def covered_positions(stretches: list[Ints], size: int) -> Ints:
    """Return how many positions the stretches of each cell cover together."""
    cell, start, end = stretches
    low = int(start.min(initial=0))  # below 0 only under the rules of a tool that lets such spans in
    width = int(end.max(initial=0)) - low + 1
    first = cell * width + start - low
    order = np.argsort(first)  # those that start together may stand in any order: what they add up to is the same
    first, last = first[order], (cell * width + end - low)[order]
    reached = np.maximum.accumulate(np.concatenate((first[:1], last)))[:-1] if len(last) else last
    new = np.maximum(last - np.maximum(first, reached), 0)
    return np.bincount(cell[order], weights=new, minlength=size).astype(np.int64)
