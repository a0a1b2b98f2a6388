"""Calibration: whether predictions with a score of 0.8 are right in eight of ten cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio, total

BINS = 10


@dataclass(frozen=True, eq=False)
class Reliability:
    """The bins of scores from 0 to 1: how many predictions are in each, how many are right, the sum of scores."""

    edges: Floats  # one more than there are bins
    pred: Ints
    correct: Ints
    mean: Floats  # of the scores in a bin; NaN where it is empty

    @property
    def accuracy(self) -> Floats:
        """Return the share of predictions that are right, NaN in an empty bin."""
        return ratio(self.correct, self.pred)


def are_shares(score: Floats) -> bool:
    """Tell whether scores can be read as probabilities."""
    return bool(((score >= 0) & (score <= 1)).all())


def reliability(score: Floats, hit: Bools, bins: int = BINS) -> Reliability:
    """Put scores from 0 to 1 into bins of equal width, and count the right predictions in each.

    Bin i holds the scores above i / bins up to (i + 1) / bins; a score of 0 is in the first.

    Source     Guo et al. (2017), On calibration of modern neural networks; scikit-learn's calibration_curve.
    Checked    scikit-learn live; tests/twins/confidence.py.
    """
    edges = np.linspace(0.0, 1.0, bins + 1)
    at = np.searchsorted(edges[1:-1], score, "left")
    pred = np.bincount(at, minlength=bins)
    correct = np.bincount(at[hit], minlength=bins)
    sums = np.array([total(score[at == one]) for one in range(bins)])
    return Reliability(edges, pred, correct, ratio(sums, pred))


def expected_calibration_error(found: Reliability) -> float:
    """Return how far scores are from the share of right predictions, on average over predictions.

        ECE = sum over bins of pred(b) / pred * | correct(b) / pred(b) - mean score(b) |

    It depends on the bins. It is about the predictions that were made: gold spans that were missed have no score.

    Undefined  without predictions, and where a score is below 0 or above 1.
    Source     Guo et al. (2017), equation 3.
    Differs    there, confidence is the largest of the classes' probabilities; here it is what a span came with.
    Checked    tests/twins/confidence.py; a case worked by hand.
    """
    away = np.abs(np.nan_to_num(found.accuracy) - np.nan_to_num(found.mean))
    return float(ratio(total(np.asarray(found.pred * away, dtype=np.float64)), int(found.pred.sum())))
