"""Live comparison with scikit-learn: curve, average precision and calibration of what was right and wrong."""

import random

import numpy as np
import pytest

import spanscope
from spanscope.results.confidence import Confidence
from tests.support import needs

metrics, calibration = needs("sklearn.metrics"), needs("sklearn.calibration")


def judged(seed: int, found: float) -> tuple[Confidence, list[bool], list[float], int]:
    """Return what we say of distinct predictions; flags and scores for scikit-learn, and how many gold spans."""
    rng = random.Random(seed)
    gold, pred, flags, scores = [], [], [], []
    for doc in range(12):
        places = range(0, 200, 10)
        own = {start for start in places if rng.random() < 0.4}
        said = {start for start in own if rng.random() < found} | {start for start in places if rng.random() < 0.1}
        gold.append({"id": str(doc), "spans": [{"start": at, "end": at + 4, "label": "A"} for at in sorted(own)]})
        spans = []
        for start in sorted(said):
            scores.append(round(rng.random(), 2))
            flags.append(start in own)
            spans.append({"start": start, "end": start + 4, "label": "A", "score": scores[-1]})
        pred.append({"id": str(doc), "spans": spans})
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    return result.confidence(), flags, scores, int(result.totals()["gold"])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("found", [1.0, 0.6])
def test_average_precision_and_curve(seed: int, found: float) -> None:
    """scikit-learn divides by the gold spans that were predicted; where all were, the figures are the same."""
    ours, flags, scores, gold = judged(seed, found)
    known = sum(flags)
    assert (known == gold) == (found == 1.0)
    theirs = metrics.average_precision_score(flags, scores)
    assert ours.value() == pytest.approx(theirs * known / gold, abs=1e-12)
    precision, recall, least = metrics.precision_recall_curve(flags, scores)
    points = ours.points()[::-1]
    assert [one.score for one in points] == least.tolist()
    assert [one.precision for one in points] == pytest.approx(precision[:-1].tolist())
    assert [one.recall * gold / known for one in points] == pytest.approx(recall[:-1].tolist())


@pytest.mark.parametrize("seed", range(8))
def test_calibration_curve(seed: int) -> None:
    ours, flags, scores, _ = judged(seed, 0.7)
    share, mean = calibration.calibration_curve(flags, scores, n_bins=10)
    own = [one for one in ours.bins if one.pred]
    assert [one.accuracy for one in own] == pytest.approx(share.tolist())
    assert [one.mean for one in own] == pytest.approx(mean.tolist())
    weight = np.array([one.pred for one in own])
    assert ours.error == pytest.approx(float(np.average(np.abs(share - mean), weights=weight)))
