"""What segments.boundaries says at every window of the slider: its figures, and what each boundary is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.counts import Counts
from spanscope.jsonable import finite
from spanscope.match.boundaries import cuts, no_distance
from spanscope.match.boundary_pairs import KINDS, MISSED, BoundaryMatch
from spanscope.measures.registry import Measure, Outcome, parse
from spanscope.settings.run_settings import Settings
from spanscope.sides.comparison import Comparison
from spanscope.stats.averages import scores

MEASURE = "segments.boundaries"
LEAST, STEPS = 5, 30  # the largest window offered is at least this; so many steps above 0 at most


@dataclass(frozen=True)
class WindowWalk:
    """Kinds of all boundaries, one line per window; which gold boundary each predicted one has; figures."""

    gold: NDArray[Any]
    pred: NDArray[Any]
    partner: NDArray[Any]  # a row of the gold boundaries, -1: none
    figures: list[list[float | None]]  # precision, recall and F1 of all boundaries, mean F1 over documents

    def whole(self) -> list[list[int]]:
        """Return how many there are of each kind, one list per window."""
        found = [np.bincount(line, minlength=len(KINDS)) for line in self.pred]
        missed = (self.gold == MISSED).sum(axis=1).tolist()
        return [[*line[:MISSED].tolist(), n] for line, n in zip(found, missed, strict=True)]


def tolerance_of(measures: Sequence[Measure]) -> int:
    """Return the tolerance of the B-score, else the first there is, RT-SEG's window among them, else 0."""
    own = [measure for measure in measures if _tolerance(measure) is not None]
    own.sort(key=lambda measure: measure.name != "segments.b_score")
    return (_tolerance(own[0]) or 0) if own else 0


def _tolerance(measure: Measure) -> int | None:
    name = "window" if measure.name == "segments.rt_seg" else "tolerance"
    found = dict(measure.params).get(name)
    return None if found is None else max(int(str(found)), 0)


def windows(wanted: int) -> list[int]:
    """Return the windows to choose from: 0 to twice the one asked for, which is always among them.

    >>> windows(3)
    [0, 1, 2, 3, 4, 5, 6]
    >>> windows(100)[:3], windows(100)[-1], 100 in windows(100)
    ([0, 7, 14], 200, True)
    """
    last = max(2 * wanted, LEAST)
    return sorted({*range(0, last, -(-last // STEPS)), wanted, last})


def match_within(c: Comparison, window: int) -> BoundaryMatch:
    """Return the pairs of boundaries that segments.boundaries counts at a window."""
    return _match_of(_outcome(c, window))


def _outcome(c: Comparison, window: int) -> Outcome:
    reach = min(window, no_distance(c))  # a window may be wider than a tolerance may be, and than every text
    return parse(MEASURE).replace(tolerance=reach)(c)


def _match_of(outcome: Outcome) -> BoundaryMatch:
    if outcome.boundaries is None:
        raise ValueError(f"{MEASURE} gives no match")
    return outcome.boundaries


def walk_windows(c: Comparison, offered: Sequence[int], settings: Settings) -> WindowWalk:
    """Return the kind of every boundary, and the figures, at every window."""
    gold, pred = (np.empty((len(offered), len(cuts(c, of).key)), dtype=np.int8) for of in ("gold", "pred"))
    partner = np.full(pred.shape, -1, dtype=np.int32)
    figures = []
    for step, window in enumerate(offered):
        outcome = _outcome(c, window)
        match = _match_of(outcome)
        gold[step], pred[step] = match.kinds
        ours, theirs = match.pairs
        partner[step, theirs] = ours
        figures.append(_figures(outcome.counts, settings))
    return WindowWalk(gold, pred, partner, figures)


def _figures(counts: Counts, settings: Settings) -> list[float | None]:
    measure = parse(MEASURE)
    rows = scores(MEASURE, counts, settings.rates(measure), measure.definition.rate_set, settings.policy)
    value = {(row.rate, row.average): finite(row.value) for row in rows}
    return [*(value[rate, "micro"] for rate in ("precision", "recall", "f1")), value["f1", "document"]]
