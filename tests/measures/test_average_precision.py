"""Average precision and calibration, held to their plain-Python twins and to cases worked by hand."""

import math
import random
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.arithmetic import draws, keys_of, poisson
from spanscope.results.confidence import Confidence
from tests.twins import confidence as twin
from tests.twins.confidence import Scored

Corpus = list[dict[str, Any]]
NORMAL = NormalDist()
RULES = {
    "spans.exact": twin.identical,
    "spans.iou(threshold=0.3)": twin.iou_of_at_least(0.3),
    "spans.overlap": twin.iou_of_at_least(0.0),
}


def documents(spans: list[Scored], number: int) -> Corpus:
    """Return spans as documents; those of gold have no score."""
    out: Corpus = [{"id": str(doc), "spans": []} for doc in range(number)]
    for one in spans:
        score = {} if math.isnan(one.score) else {"score": one.score}
        out[one.doc]["spans"].append({"start": one.start, "end": one.end, "label": one.label, **score})
    return out


def drawn(seed: int, number: int = 4) -> tuple[list[Scored], list[Scored]]:
    """Return spans with many overlaps and, on the predicted side, few distinct scores."""
    rng = random.Random(seed)

    def span(score: float) -> Scored:
        start = rng.randrange(12)
        return Scored(rng.randrange(number), start, start + rng.randrange(1, 6), rng.choice("AB"), score)

    gold = sorted({span(math.nan)[:4] for _ in range(rng.randrange(14))})
    pred = {span(rng.randrange(9) / 8) for _ in range(rng.randrange(1, 14))}
    distinct = {one[:4]: one for one in sorted(pred)}
    return [Scored(*one) for one in gold], sorted(distinct.values())


def judged(gold: Corpus, pred: Corpus, measure: str = "spans.exact", ci: Any = False) -> Confidence:
    return spanscope.evaluate(gold, pred, measure, ci=ci).confidence()


def one_document(*spans: tuple[int, int, str] | tuple[int, int, str, float]) -> Corpus:
    return documents([Scored(0, *one) for one in spans], 1)


@pytest.mark.parametrize("measure", RULES)
@given(seed=st.integers(0, 2**32))
def test_average_precision_is_its_twin(measure: str, seed: int) -> None:
    gold, pred = drawn(seed)
    hit = twin.hits(gold, pred, RULES[measure])
    found = judged(documents(gold, 4), documents(pred, 4), measure)
    expected = twin.average_precision([one.score for one in pred], hit, len(gold))
    assert found.value() == pytest.approx(expected, nan_ok=True, abs=1e-12)
    each = []
    for label in sorted({one.label for one in [*gold, *pred]}):
        rows = [at for at, one in enumerate(pred) if one.label == label]
        own = sum(one.label == label for one in gold)
        each.append(twin.average_precision([pred[at].score for at in rows], [hit[at] for at in rows], own))
        assert found.value(label=label) == pytest.approx(each[-1], nan_ok=True, abs=1e-12)
    known = [one for one in each if not math.isnan(one)]
    mean = sum(known) / len(known) if known else math.nan
    assert found.value("macro") == pytest.approx(mean, nan_ok=True, abs=1e-12)
    assert found.error == pytest.approx(twin.calibration_error([one.score for one in pred], hit, 10), abs=1e-12)


@given(seed=st.integers(0, 2**32))
def test_a_point_of_the_curve_is_what_is_scored_from_that_score_on(seed: int) -> None:
    gold, pred = (documents(side, 4) for side in drawn(seed))
    for point in judged(gold, pred).points():
        result = spanscope.evaluate(
            gold, pred, "spans.exact", ci=False, score=spanscope.Scoring(min_score=point.score)
        )
        assert result.totals() == {"tp": point.tp, "pred": point.pred, "gold": point.gold}
        assert result.value() == pytest.approx(point.value, nan_ok=True)


def test_worked_by_hand() -> None:
    """Right, wrong, right, and the same again, which is wrong: 1/4 x 1 + 1/4 x 2/3, with two gold spans missed."""
    gold = one_document((0, 5, "A"), (10, 15, "A"), (20, 25, "A"), (30, 35, "A"))
    pred = one_document((0, 5, "A", 0.9), (1, 5, "A", 0.8), (10, 15, "A", 0.7), (10, 15, "A", 0.6))
    found = judged(gold, pred)
    assert found.value() == pytest.approx(1 / 4 + 1 / 4 * 2 / 3)
    assert [(one.score, one.tp, one.pred) for one in found.points()] == [
        *((0.9, 1, 1), (0.8, 1, 2), (0.7, 2, 3), (0.6, 2, 4))
    ]
    assert found.best is not None
    assert (found.best.score, found.best.value) == (0.7, pytest.approx(4 / 7))


def test_equal_scores_enter_together() -> None:
    gold = one_document((0, 5, "A"), (10, 15, "A"))
    pred = one_document((0, 5, "A", 0.5), (20, 25, "A", 0.5))
    assert judged(gold, pred).value() == pytest.approx(1 / 2 * 1 / 2)


def test_of_identical_predictions_the_surest_is_right() -> None:
    gold = one_document((0, 5, "A"))
    pred = one_document((0, 5, "A", 0.2), (0, 5, "A", 0.9))
    assert judged(gold, pred).value() == 1.0
    as_set = judged(gold, pred, "spans.exact(duplicates=set)")
    assert [(one.score, one.tp, one.pred) for one in as_set.points()] == [(0.9, 1, 1)]


def test_a_sure_prediction_takes_its_second_choice_as_in_coco() -> None:
    """Both overlap (0, 10) most; the surer one takes it, and the other one is left with (8, 18)."""
    gold = one_document((0, 10, "A"), (8, 18, "A"))
    pred = one_document((0, 10, "A", 0.9), (3, 12, "A", 0.8))
    found = judged(gold, pred, "spans.iou(threshold=0.2)")
    assert [(one.score, one.tp) for one in found.points()] == [(0.9, 1), (0.8, 2)]
    swapped = one_document((0, 10, "A", 0.8), (3, 12, "A", 0.9))
    assert [one.tp for one in judged(gold, swapped, "spans.iou(threshold=0.2)").points()] == [1, 1]


def test_calibration_by_hand() -> None:
    """Two of 0.75, one of them right: away by .25; one of 0.5, in the bin that ends there, right: away by .5."""
    gold = one_document((0, 5, "A"), (10, 15, "A"))
    pred = one_document((0, 5, "A", 0.75), (20, 25, "A", 0.75), (10, 15, "A", 0.5))
    found = judged(gold, pred)
    assert found.error == pytest.approx(2 / 3 * 0.25 + 1 / 3 * 0.5)
    assert [(round(one.low, 1), one.pred, one.correct) for one in found.bins if one.pred] == [
        *((0.4, 1, 1), (0.7, 2, 1))
    ]


def test_scores_that_are_no_shares_are_ordered_and_not_calibrated() -> None:
    gold, pred = one_document((0, 5, "A")), one_document((0, 5, "A", 3.5), (6, 9, "A", -2.0))
    found = judged(gold, pred)
    assert (found.value(), found.bins) == (1.0, [])
    assert math.isnan(found.error)


def test_undefined_without_gold_and_0_without_a_right_prediction() -> None:
    gold, pred = one_document((0, 5, "A")), one_document((0, 5, "B", 0.5))
    found = judged(gold, pred)
    assert found.value(label="A") == 0.0
    assert math.isnan(found.value(label="B"))
    assert found.value("macro") == 0.0
    assert found.best is None
    (mean,) = [row for row in found.rows if row.average == "macro"]
    assert mean.undefined == 1


def test_predictions_without_a_score_are_refused_and_counted() -> None:
    gold, pred = one_document((0, 5, "A")), one_document((0, 5, "A", 0.5), (6, 9, "A"))
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    assert not result.has_scores
    assert result.problems.number["no score"] == 1
    with pytest.raises(spanscope.MeasureError, match="1 of 2 predictions without a score"):
        result.confidence()


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("spans.characters", "does not match spans one by one"),
        ("spans.iou(assignment=optimal)", "rules of its own"),
    ],
)
def test_measures_that_have_no_order_of_scores_are_refused(measure: str, words: str) -> None:
    result = spanscope.evaluate(one_document((0, 5, "A")), one_document((0, 5, "A", 0.5)), measure, ci=False)
    assert not result.has_scores
    with pytest.raises(spanscope.MeasureError, match=words):
        result.confidence()


def test_without_spans_it_is_refused_in_words() -> None:
    gold, pred = one_document((0, 5, "A")), one_document((0, 5, "A", 0.5))
    totals = spanscope.evaluate(gold, pred, "spans.exact", ci=False, run=spanscope.Running(memory="totals"))
    assert not totals.has_scores
    with pytest.raises(spanscope.MeasureError, match="average precision needs the spans"):
        totals.confidence()


def mostly_right() -> tuple[list[Scored], list[Scored]]:
    """Return eight documents, most of whose gold spans are found."""
    rng = random.Random(4)
    gold = [Scored(doc, at, at + 5, "A") for doc in range(8) for at in range(0, 60, 10) if rng.random() < 0.7]
    found = [one._replace(score=rng.randrange(3, 9) / 8) for one in gold if rng.random() < 0.8]
    wrong = [Scored(doc, at + 1, at + 4, "A", rng.randrange(7) / 8) for doc in range(8) for at in (0, 30)]
    return gold, [*found, *wrong]


def weighed(gold: list[Scored], pred: list[Scored], weight: list[int]) -> float:
    """Return the average precision of a corpus in which each document stands as often as its weight says."""
    hit = twin.hits(gold, pred, twin.identical)
    rows = [at for at, one in enumerate(pred) for _ in range(weight[one.doc])]
    own = sum(weight[one.doc] for one in gold)
    return twin.average_precision([pred[at].score for at in rows], [hit[at] for at in rows], own)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_an_interval_is_that_of_corpora_with_documents_repeated(method: Any) -> None:
    """BCa: Efron (1987), by the normal distribution of the standard library; documents are left out one by one."""
    gold, pred = mostly_right()
    weights = poisson(draws(3, keys_of([str(doc) for doc in range(8)]), 60)).T.tolist()
    values = sorted(value for one in weights if not math.isnan(value := weighed(gold, pred, one)))
    value = weighed(gold, pred, [1] * 8)
    shares = [0.025, 0.975]
    if method == "bca":
        below = sum(one < value - 1e-12 for one in values) + sum(abs(one - value) <= 1e-12 for one in values) / 2
        bias = NORMAL.inv_cdf(below / len(values))
        without = [weighed(gold, pred, [int(doc != out) for doc in range(8)]) for out in range(8)]
        mean = sum(without) / len(without)
        skew = sum((mean - one) ** 3 for one in without) / (6 * sum((mean - one) ** 2 for one in without) ** 1.5)
        moved = [bias + NORMAL.inv_cdf(share) for share in shares]
        shares = [NORMAL.cdf(bias + one / (1 - skew * one)) for one in moved]
    ci = spanscope.Ci(resamples=60, seed=3, method=method)
    row = judged(documents(gold, 8), documents(pred, 8), ci=ci).rows[0]
    assert (row.rate, row.average) == ("average_precision", "micro")
    assert (row.low, row.high) == pytest.approx(tuple(np.quantile(values, shares)))
    assert row.low is not None
    assert row.high is not None
    assert row.low < row.high
