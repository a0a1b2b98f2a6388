"""What the scores of predictions are worth: average precision, the curve over the score, calibration.

Average precision is no function of sums of counts, for it looks at the order of all predictions of all documents.
It is a function of documents with weights: which predictions are right is decided within each document, so a
resample only weighs its rows. It therefore needs the spans, and is a finding on the result beside the score rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Ints, Keys
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.jsonable import JsonObject, finite_values
from spanscope.measures.registry import Measure
from spanscope.measures.spans import average_precision as definition
from spanscope.measures.spans.calibration import (
    BINS,
    are_shares,
    expected_calibration_error,
    reliability,
)
from spanscope.results.score_rows import plain_rows
from spanscope.stats.averages import Score
from spanscope.stats.bootstrap import Interval, mean_of_arrays
from spanscope.stats.cells import deal
from spanscope.stats.weighed import MOST_WORK, Figures, intervals_of_weighed, is_affordable

if TYPE_CHECKING:
    from spanscope.results.result import Result

AREA, ERROR = "average_precision", "calibration_error"  # the names of the rates
MOST_POINTS = 500  # of the curve that go into the JSON and into figures
MOST_BINS = 1_000
ABSENT = -2  # the code of a label that was asked for and that nothing has


@dataclass(frozen=True)
class ScoredPoint:
    """The figures of all predictions whose score is at least `score`; `value` is the F that leads."""

    score: float
    tp: int
    pred: int
    gold: int
    precision: float
    recall: float
    value: float


@dataclass(frozen=True)
class Bin:
    """The predictions with a score above `low` up to `high`: how many are right, and their mean score."""

    low: float
    high: float
    pred: int
    correct: int
    accuracy: float
    mean: float


class Curve(NamedTuple):
    """The points at all distinct scores, highest first, as columns."""

    score: Floats
    tp: Ints
    pred: Ints
    precision: Floats
    recall: Floats
    value: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Confidence:
    """How far the scores of predictions can be trusted, by one measure."""

    measure: str
    rate: str  # the F of the points, the one that leads
    rows: list[Score]
    curve: Curve
    gold: int
    best: ScoredPoint | None  # the point with the highest F, of equal ones that with the highest score
    bins: list[Bin]  # none where a score is below 0 or above 1
    error: float  # the expected calibration error
    unsure: str = ""  # why there are no intervals

    def __repr__(self) -> str:
        return f"<Confidence of {self.measure}: average precision {self.value()}>"

    def value(self, average: str = "micro", label: str | None = None) -> float:
        """Return the average precision: of all labels together (micro), their mean (macro), or of one label."""
        wanted = (AREA, average if label is None else "label", label)
        known = {(row.rate, row.average, row.label): row.value for row in self.rows}
        if wanted not in known:
            near = "" if label is None else did_you_mean(label, [str(row.label) for row in self.rows])
            what = f"average {shown(average)}" if label is None else f"label {shown(label)}"
            raise MeasureError(f"there is no average precision of {what}{near}", expected="micro, macro, a label")
        return known[wanted]

    def point(self, row: int) -> ScoredPoint:
        """Return one point of the curve: that of the highest score is the first."""
        return _point(self.curve, row, self.gold)

    def points(self, most: int | None = None) -> list[ScoredPoint]:
        """Return the precision-recall curve, one point per distinct score, highest first.

        Of more than `most` points as many are chosen, evenly by their places, and the best one beside them.
        """
        number = len(self.curve.score)
        at = np.arange(number)
        if most is not None and number > most:
            best = np.flatnonzero(self.best is not None and self.curve.score == self.best.score)
            at = np.union1d(np.linspace(0, number - 1, most).astype(np.int64), best)
        return [self.point(row) for row in at.tolist()]

    def plain(self) -> JsonObject:
        """Return it as it goes into JSON."""
        return {
            "measure": self.measure,
            "rate": self.rate,
            "rows": plain_rows(self.rows),
            "gold": self.gold,
            "scores": len(self.curve.score),
            "points": [finite_values(vars(one)) for one in self.points(MOST_POINTS)],
            "best": None if self.best is None else finite_values(vars(self.best)),
            "bins": [finite_values(vars(one)) for one in self.bins],
            "calibration_error": None if math.isnan(self.error) else self.error,
            "unsure": self.unsure or None,
        }


def restore(value: Mapping[str, Any]) -> Confidence:
    """Return what a result file holds; of many points it holds some."""
    points = [ScoredPoint(**_undefined_values(one)) for one in value["points"]]
    curve = Curve(*(np.array([getattr(one, name) for one in points]) for name in Curve._fields))
    rows = [Score(**{**one, "value": _number(one["value"])}) for one in value["rows"]]
    best = None if value["best"] is None else ScoredPoint(**_undefined_values(value["best"]))
    bins = [Bin(**_undefined_values(one)) for one in value["bins"]]
    error, unsure = _number(value["calibration_error"]), value["unsure"] or ""
    return Confidence(value["measure"], value["rate"], rows, curve, value["gold"], best, bins, error, unsure)


def _undefined_values(row: Mapping[str, Any]) -> JsonObject:
    return {name: _number(own) for name, own in row.items()}


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def has_scores(result: Result) -> bool:
    """Tell whether all predictions of a result have scores, and a measure matches spans one by one."""
    if result.kept != "spans" or not result.settings.family.labelled or result.comparison.tokens:
        return False
    pred = result.comparison.pred
    return len(pred) > 0 and not definition.count_unscored(result.comparison) and bool(_usable(result))


def _usable(result: Result) -> list[Measure]:
    params = ((one, dict(one.params)) for one in result.measures if one.name in definition.PAIRS)
    usual = {"assignment": "greedy", "rules": "spanscope"}
    return [one for one, own in params if all(own.get(name, word) == word for name, word in usual.items())]


def confidence(result: Result, measure: str | Measure | None = None, bins: int = BINS) -> Confidence:
    """Return what the scores of predictions are worth, as `Result.confidence` says."""
    result.needs("spans", "average precision")
    if type(bins) is not int or not 1 <= bins <= MOST_BINS:
        raise MeasureError(f"bins is {shown(bins)}", expected=f"a number of bins from 1 to {MOST_BINS:,}")
    if not result.settings.family.labelled:
        raise MeasureError("average precision is for labelled spans", expected="spans measures")
    usable = _usable(result)
    chosen = result.measures[result.index(measure)] if measure is not None or not usable else usable[0]
    found = _rank(result, chosen)
    steps = definition.steps(found)
    lead = result.settings.lead(chosen).rate
    sums = {"tp": steps.tp, "pred": steps.pred, "gold": np.full(len(steps.tp), steps.gold)}
    rates = {rate.name: rate for rate in result.settings.rates(chosen)}
    shown_rates = (rates["precision"], rates["recall"], lead)
    curve = Curve(steps.score, steps.tp, steps.pred, *(np.asarray(rate(sums)) for rate in shown_rates))
    own, error = _bins(found, bins)
    rows, unsure = _rows(result, chosen, found)
    calibrated = Score(str(chosen), ERROR, "micro", None, error, None, None, result.documents, 0)
    rows += [calibrated] if own else []
    best = _best(curve, steps.gold)
    return Confidence(str(chosen), lead.name, rows, curve, steps.gold, best, own, error, unsure)


def _rank(result: Result, measure: Measure) -> definition.Ranked:
    """Return the predictions of all documents with their scores, matched batch by batch."""
    parts, before = [], 0
    for batch in result.comparison.batches(result.settings.family.batch):
        one = definition.rank_predictions(result.settings.protocol.view(measure, batch), measure)
        columns = (one.doc + before, one.label, one.score, one.hit, one.gold_doc + before, one.gold_label)
        parts.append(columns)
        before += batch.documents
    return definition.Ranked(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _best(curve: Curve, gold: int) -> ScoredPoint | None:
    """Return the point with the highest F; None where no prediction is right."""
    if not len(curve.value) or not np.nanmax(np.nan_to_num(curve.value)) > 0:
        return None
    return _point(curve, int(np.argmax(np.nan_to_num(curve.value))), gold)


def _point(curve: Curve, row: int, gold: int) -> ScoredPoint:
    score, tp, pred, *figures = (column[row].item() for column in curve)
    return ScoredPoint(score, tp, pred, gold, *figures)


def _bins(found: definition.Ranked, bins: int) -> tuple[list[Bin], float]:
    """Return the bins of calibration and its error; nothing where scores are no shares."""
    if not are_shares(found.score):
        return [], math.nan
    own = reliability(found.score, found.hit, bins)
    columns = (own.edges[:-1], own.edges[1:], own.pred, own.correct, own.accuracy, own.mean)
    listed = [Bin(*line) for line in zip(*(column.tolist() for column in columns), strict=True)]
    return listed, expected_calibration_error(own)


def _rows(result: Result, measure: Measure, found: definition.Ranked) -> tuple[list[Score], str]:
    """Return the average precision over all labels, its mean and that of each; and why there are no bounds."""
    settings, comparison = result.settings, result.comparison
    code = {name: at for at, name in enumerate(comparison.labels)}
    labels = _labels(result, measure, found)
    dealt = deal(comparison.drawn_keys())
    drawn = replace(found, doc=dealt.at[found.doc], gold_doc=dealt.at[found.gold_doc])
    parts = [drawn, *(drawn.of_label(code.get(name, ABSENT)) for name in labels)]

    def figures(weights: NDArray[Any]) -> Floats:
        each = [definition.average_precision(one, weights, undefined=settings.policy.undefined) for one in parts]
        return np.array([each[0], *([mean_of_arrays(each[1:])] if labels else []), *each[1:]])

    value = figures(np.ones((len(dealt.keys), 1), dtype=np.uint8))[:, 0]
    keys = [("micro", None), *([("macro", None)] if labels else []), *(("label", name) for name in labels)]
    having = [len(np.union1d(one.doc, one.gold_doc)) for one in parts[1:]]
    cells = np.array([len(dealt.keys)] * (len(keys) - len(labels)) + having)
    sure, unsure = _intervals(result, value, figures, dealt.keys, cells, len(found.score))
    gone = int(np.isnan(value[2:]).sum())
    rows = []
    for (average, label), own, interval in zip(keys, value.tolist(), sure, strict=True):
        undefined = gone if average == "macro" else int(math.isnan(own))
        bounds = _bounds(interval)
        rows.append(Score(str(measure), AREA, average, label, own, *bounds, comparison.documents, undefined))
    return rows, unsure


def _labels(result: Result, measure: Measure, found: definition.Ranked) -> Sequence[str]:
    """Return the labels that have a figure of their own: those asked for, else those seen."""
    if measure.name == "spans.unlabelled":
        return ()
    seen = np.union1d(found.label, found.gold_label).tolist()
    return result.settings.policy.labels or [result.comparison.labels[code] for code in seen]


def _intervals(
    result: Result, value: Floats, figures: Figures, keys: Keys, cells: Ints, rows: int
) -> tuple[Sequence[Interval | None], str]:
    """Return the interval of every figure, where intervals were asked for and can be had."""
    ci, nothing = result.settings.ci, [None] * len(value)
    if ci is None or len(keys) < 2:
        return nothing, ""
    if not is_affordable(rows, keys, ci.resamples, ci.method):
        return nothing, f"No intervals: predictions times resamples are more than {MOST_WORK:,}."
    return intervals_of_weighed(value, figures, keys, cells, rows, **asdict(ci)), ""


def _bounds(interval: Interval | None) -> tuple[float | None, float | None]:
    if interval is None or math.isnan(interval.low):
        return None, None
    return interval.low, interval.high
