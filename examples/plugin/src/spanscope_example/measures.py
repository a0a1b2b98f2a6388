"""A measure of our own: intervals, tests, pages, processes and Spark follow from its counts."""

from __future__ import annotations

import numpy as np

from spanscope.match.one_to_one import Match, greedy
from spanscope.match.overlaps import same_label_pairs
from spanscope.measures import tally
from spanscope.measures.registry import Outcome, Whole, measure
from spanscope.rates import COUNTED
from spanscope.sides.comparison import Comparison


@measure("example.starts", COUNTED)
def starts(c: Comparison, *, within: Whole = 0) -> Outcome:
    """Match spans of one label that overlap and start at the same place.

        precision = tp / pred, recall = tp / gold, each span in one pair at most

    Starts may differ by `within` characters; nearer starts are paired first, then earlier spans.

    Counts     tp, pred, gold by document and label.
    Undefined  precision without predictions, recall without gold.
    """
    pairs = same_label_pairs(c)
    apart = np.abs(c.gold.start[pairs.gold] - c.pred.start[pairs.pred])
    near = apart <= within
    gold, pred, apart = pairs.gold[near], pairs.pred[near], apart[near]
    taken = greedy(gold, pred, (apart, gold, pred))
    match = Match(gold[taken], pred[taken], np.ones(int(taken.sum())))
    return Outcome(tally.by_label(c, match.gold), match)
