"""scikit-learn: a scorer for cross_val_score, GridSearchCV and whatever else takes `scoring`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spanscope.commands.evaluate import evaluate
from spanscope.results.result import Result


@dataclass(frozen=True)
class SpanScorer:
    """A scorer: called with an estimator, its input and gold, it scores what the estimator predicts.

    measure    what is measured.
    rate       the rate; the one that leads unless given. Likewise the average, and the label.
    options    other keywords of `spanscope.evaluate`, such as {"read": Reading(scheme="IOB2")}.

    `y`, and what `predict` returns, hold a list of spans or of tags for every document, or a dict. A higher score
    is better in scikit-learn, so a rate that is best at 0, such as an error, is returned with its sign changed.
    """

    measure: str = "spans.exact"
    rate: str | None = None
    average: str | None = None
    label: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:  # noqa: N803  as scikit-learn calls it
        result = evaluate(
            _as_lists(y), _as_lists(estimator.predict(X)), self.measure, **{"ci": False, **self.options}
        )
        return self._sign(result) * result.value(self.rate, average=self.average, label=self.label)

    def _sign(self, result: Result) -> float:
        measure = result.measures[0]
        name = self.rate or result.settings.lead(measure).rate.name
        best = next((rate.best for rate in result.settings.rates(measure) if rate.name == name), 1.0)
        return -1.0 if best == 0.0 else 1.0


def _as_lists(documents: Sequence[Any]) -> list[Any]:
    """Return documents as a list of lists: scikit-learn may have made arrays of them."""
    return [one.tolist() if isinstance(one, np.ndarray) else one for one in documents]
