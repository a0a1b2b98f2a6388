"""How alike the two spans of a finding are: by place, by text, and by the score of the measure."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints
from spanscope.match.overlaps import pairs_of_rows
from spanscope.measures.registry import Measure
from spanscope.measures.spans.matching import blend
from spanscope.sides.comparison import Comparison

SCORED = ("spans.iou", "spans.overlap", "spans.relaxed")  # measures whose pairs have a score


class Similarities(NamedTuple):
    """Of each pair: intersection over union, text ratio, and the measure's score; NaN: undefined."""

    iou: Floats
    text: Floats
    score: Floats


def similarities(c: Comparison, gold: Ints, pred: Ints, measure: Measure | None) -> Similarities:
    """Return how alike the spans of each pair of rows are.

    The text ratio is that of `spans.relaxed`. The score is what the measure holds against its threshold: the blend
    of both where it has weights, else the intersection over union. Without offsets there is no intersection, and
    without texts no text ratio; measures that do not score pairs have no score.
    """
    own = {} if measure is None else dict(measure.params)
    pairs = pairs_of_rows(c, gold, pred)
    placed = c.gold.located[gold] & c.pred.located[pred]
    text = score = np.full(len(gold), np.nan)
    told = len(gold) > 0 and all(c.text(side) is not None and not c.untold(side) for side in ("gold", "pred"))
    blended = partial(blend, c, pairs, autojunk=own.get("text") == "difflib")
    if told:
        text = blended(0.0)
    if measure is not None and measure.name in SCORED:
        weight = own.get("iou_weight")
        score = blended(weight) if told and isinstance(weight, (int, float)) else pairs.iou
    return Similarities(np.where(placed, pairs.iou, np.nan), text, np.where(placed, score, np.nan))
