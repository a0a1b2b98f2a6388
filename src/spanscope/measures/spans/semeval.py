"""SemEval-2013 and MUC: every gold and predicted span gets one of five outcomes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from spanscope.arithmetic import Bools, Ints, ratio
from spanscope.counts import Counts
from spanscope.match.one_to_one import Match, choose_in_turn, greedy
from spanscope.match.overlaps import Pairs, overlapping_pairs, same_label_pairs
from spanscope.measures.registry import Outcome, measure
from spanscope.measures.tally import count_each, labels_and_star
from spanscope.rates import SEMEVAL
from spanscope.sides.comparison import Comparison

Mode = Literal["strict", "exact", "partial", "type"]
ORDER = "matching=nervaluate: predictions choose in the order of the input, as in nervaluate"
COLUMNS = ("cor", "inc", "par", "mis", "spu")
NERVALUATE_PERCENT = 1.0  # nervaluate's min_overlap_percentage: how much of the gold span must be covered


@measure("spans.semeval", SEMEVAL, breaks={"order": ORDER})
def semeval(
    c: Comparison,
    *,
    mode: Mode = "strict",
    matching: Literal["best", "nervaluate"] = "best",
    ends: Literal["exclusive", "inclusive"] = "exclusive",
) -> Outcome:
    """Give every span one outcome: correct, incorrect, partial, missed or spurious.

        precision = (COR + PAR/2) / (COR + INC + PAR + SPU)
        recall    = (COR + PAR/2) / (COR + INC + PAR + MIS)

    Overlapping spans are paired, whatever their labels, and each span is in at most one pair. Whether a pair
    is COR depends on the mode. strict: same label, start and end; exact: same start and end; partial: same
    start and end, other pairs are PAR; type: same label. In all other cases a pair is INC. Unpaired gold spans
    are MIS, unpaired predictions SPU.

    The pair with the highest intersection over union is accepted first, and among these identical spans with
    the same label; in mode type all pairs with the same label come first. Remaining ties go to the earlier
    predicted, then the earlier gold span by (start, end, label, text). matching=nervaluate reproduces nervaluate
    1.2.1 instead: predictions choose in the order of the input, and must cover 1 % of the gold span.
    ends=inclusive takes the end of a span as its last position, as nervaluate does, so that touching spans
    overlap.

    Counts     cor, inc, par, mis, spu, by document: under `*` over all labels, and by label with both sides
               filtered to that label first. A wrong label is one INC under `*`, but one MIS and one SPU
               in the rows by label, which therefore do not add up to `*`.
    Undefined  precision without predictions, recall without gold, F if there are neither.
    Source     Segura-Bedmar et al. (2013), SemEval-2013 task 9.1; Chinchor & Sundheim (1993), MUC-5.
    Differs    nervaluate depends on the order of the input if a span overlaps several of the other side;
               nervaluate 1.0 to 1.2.0 lose the half credit of PAR if there are two or more documents.
    Checked    nervaluate 1.2.1 live; tests/twins/spans.py.
    """
    if ends == "inclusive":
        c = c.cached("inclusive", lambda: _lengthen(c))
    pairs, alike = overlapping_pairs(c), same_label_pairs(c)
    if matching == "nervaluate":
        pairs, alike = _in_order_of_input(c, pairs), _in_order_of_input(c, alike)
    inside = _pair(c, alike, mode, matching, inside=True)
    whole = _pair(c, pairs, mode, matching, inside=False)
    right = np.flatnonzero(_correct(whole.pairs, mode))
    found = whole.pairs.where(right)
    return Outcome(_count_outcomes(c, mode, inside, whole), Match(found.gold, found.pred, found.iou))


@dataclass(frozen=True, eq=False)
class _Pairing:
    """Pairs that were taken, the row of counts that each belongs to, and how many each row has."""

    pairs: Pairs
    row: Ints
    taken: Ints


def _pair(c: Comparison, pairs: Pairs, mode: Mode, matching: str, *, inside: bool) -> _Pairing:
    """Pair spans, within labels or over all; modes that pair alike share the pairing."""
    if matching == "nervaluate":
        return _pairing_of(c, pairs.where(_take_as_nervaluate(c, pairs, mode)), inside)
    by_type = mode == "type" and not inside  # inside one label every order by type is an order by overlap
    return c.cached(
        ("semeval", by_type, inside), lambda: _pairing_of(c, pairs.where(_take_best(pairs, by_type)), inside)
    )


def _pairing_of(c: Comparison, pairs: Pairs, inside: bool) -> _Pairing:
    rows = labels_and_star(c)
    row = c.cells().gold[pairs.gold] if inside else rows.star[c.gold.doc[pairs.gold]]
    return _Pairing(pairs, row, count_each(row, len(rows.doc)))


def _correct(pairs: Pairs, mode: Mode) -> Bools:
    if mode == "type":
        return pairs.same_label
    return pairs.identical & pairs.same_label if mode == "strict" else pairs.identical


def _take_best(pairs: Pairs, by_type: bool) -> Bools:
    # Labels must not decide ties between spans that share no label, or renaming labels would move the figure.
    score, other = -pairs.iou, ~pairs.same_label
    keys = (other, score) if by_type else (score, other | ~pairs.identical)
    return greedy(pairs.gold, pairs.pred, (*keys, pairs.pred, pairs.gold))


def _take_as_nervaluate(c: Comparison, pairs: Pairs, mode: Mode) -> Bools:
    same, place = pairs.same_label, pairs.identical
    first = {"strict": same & place, "exact": place, "partial": place, "type": same}[mode]
    distance = None
    if mode == "type":
        g, p = pairs.gold, pairs.pred
        distance = abs(c.gold.start[g] - c.pred.start[p]) + abs(c.gold.end[g] - c.pred.end[p])
    as_first, as_second = choose_in_turn(pairs.gold, pairs.pred, first, ~first, distance)
    return as_first | as_second


def _in_order_of_input(c: Comparison, pairs: Pairs) -> Pairs:
    """Sort pairs as nervaluate meets them, without those that cover less than 1 % of the gold span."""
    length = (c.gold.end - c.gold.start)[pairs.gold]
    pairs = pairs.where(ratio(pairs.shared, length, empty=1.0) * 100.0 >= NERVALUATE_PERCENT)
    return pairs.where(np.lexsort((c.gold.position[pairs.gold], c.pred.position[pairs.pred])))


def _lengthen(c: Comparison) -> Comparison:
    sides = {}
    for name, side in c.sides.items():
        pieces = None if side.pieces is None else replace(side.pieces, end=side.pieces.end + 1)
        sides[name] = replace(side, end=side.end + 1, pieces=pieces)
    return Comparison(c.names, c.labels, sides, c.texts, c.rows)


def _count_outcomes(c: Comparison, mode: Mode, inside: _Pairing, whole: _Pairing) -> Counts:
    """Count the outcomes: a pair that was taken is correct, else partial or incorrect; the rest was not taken."""
    rows = labels_and_star(c)
    size, taken = len(rows.doc), inside.taken + whole.taken
    right = np.concatenate([part.row[_correct(part.pairs, mode)] for part in (inside, whole)])
    values = np.zeros((len(COLUMNS), size), dtype=np.int64)
    values[0] = count_each(right, size)
    values[2 if mode == "partial" else 1] = taken - values[0]
    values[3], values[4] = rows.gold - taken, rows.pred - taken
    return Counts(c.documents, c.labels, COLUMNS, rows.doc, rows.label, values)
