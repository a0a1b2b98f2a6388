"""The scorer in cross-validation and in a search."""

import math
import pickle
import re
from typing import Any

import numpy as np
import pytest

from spanscope.adapters.scikit_learn import SpanScorer
from tests.support import needs

needs("sklearn")
from sklearn.base import BaseEstimator  # noqa: E402
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score  # noqa: E402

TEXTS = ["a1 b2", "b3", "c", "a5 a6"]
GOLD = [[(0, 2, "A"), (3, 5, "B")], [(0, 2, "B")], [], [(0, 2, "A")]]


class Finder(BaseEstimator):  # type: ignore[misc]
    """Finds a letter that is followed by a digit."""

    def __init__(self, letters: str = "a") -> None:
        self.letters = letters

    def fit(self, X: Any, y: Any) -> "Finder":  # noqa: N803
        self.classes = sorted({label for spans in y for *_, label in spans})
        return self

    def predict(self, X: Any) -> list[list[tuple[int, int, str]]]:  # noqa: N803
        pattern = re.compile(f"[{self.letters}][0-9]")
        return [[(*one.span(), one[0][0].upper()) for one in pattern.finditer(text)] for text in X]


def test_cross_validation() -> None:
    """Halves: one of three gold spans is found by one prediction; one of one by two."""
    scores = cross_val_score(Finder(), TEXTS, GOLD, cv=KFold(2), scoring=SpanScorer())
    assert scores.tolist() == pytest.approx([2 * 1 / (1 + 3), 2 * 1 / (2 + 1)])
    recall = cross_val_score(Finder(), TEXTS, GOLD, cv=KFold(2), scoring=SpanScorer(rate="recall"))
    assert recall.tolist() == pytest.approx([1 / 3, 1.0])


def test_search() -> None:
    """With both letters all of the first half is found; the second half is the same."""
    scoring = {"f": SpanScorer(), "b": SpanScorer(rate="recall", label="B", options={"labels": ["A", "B"]})}
    search = GridSearchCV(Finder(), {"letters": ["a", "b", "ab"]}, cv=KFold(2), scoring=scoring, refit="f")
    with pytest.warns(UserWarning, match="non-finite"):  # no B in the second half
        search.fit(TEXTS, GOLD)
    assert search.best_params_ == {"letters": "ab"}
    assert search.best_score_ == pytest.approx((1 + 2 / 3) / 2)
    assert search.cv_results_["split0_test_b"].tolist() == [0.0, 1.0, 1.0]


def test_errors_change_their_sign_and_arrays_are_read() -> None:
    """Of one boundary, found one character too far: the distance is 1."""
    gold = np.array([["O", "B-A"], ["B-A", "I-A"]], dtype=object)

    class Same(Finder):
        def predict(self, X: Any) -> Any:  # noqa: N803
            return gold.copy()

    assert SpanScorer()(Same(), None, gold) == 1.0
    texts = [{"id": 1, "text": "abcdef", "segments": [[0, 3], [3, 6]]}]

    class Cut(Finder):
        def predict(self, X: Any) -> Any:  # noqa: N803
            return [{"id": 1, "text": "abcdef", "segments": [[0, 4], [4, 6]]}]

    assert SpanScorer("segments.displacement")(Cut(), None, texts) == -1.0
    assert SpanScorer("segments.boundaries", "recall")(Cut(), None, texts) == 0.0


def test_undefined_is_nan_and_scorers_can_be_sent() -> None:
    scorer = pickle.loads(pickle.dumps(SpanScorer(rate="recall")))
    assert math.isnan(scorer(Finder(), ["c"], [[]]))
    assert repr(scorer).startswith("SpanScorer(measure='spans.exact', rate='recall'")
