"""The lowest score that is best on other documents, applied to those that are scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from spanscope.data.names import Numbered
from spanscope.data.problems import Problem
from spanscope.errors import MeasureError
from spanscope.results.problems import Problems, show_tally, tally
from spanscope.results.result import Result
from spanscope.settings.by_side import Sourced, source
from spanscope.settings.options import Running, Scoring
from spanscope.settings.run_settings import Input
from spanscope.settings.tuning import Tuned
from spanscope.sides.comparison import Comparison, content_keys


def check_tuning(score: Scoring) -> bool:
    """Tell whether a lowest score is to be found on other documents; refuse what does not go with that."""
    if score.tune is None:
        if score.tune_gold is not None:
            raise MeasureError(
                "tune_gold is the gold of predictions to tune on, and there are none", expected="tune with it"
            )
        return False
    if score.min_score is not None:
        raise MeasureError(
            "tune finds the lowest score, and min_score says one", expected="one of the two, and not both"
        )
    return True


def sides_to_tune_on(
    gold: Any, score: Scoring, of_gold: Mapping[str, Any], of_pred: Mapping[str, Any]
) -> tuple[Any, Any, dict[str, Any]]:
    """Return gold and predictions to tune on, read as those that are scored, and how they are evaluated.

    Without gold of its own it is the one that is scored: the documents that were not predicted there are left out.
    """
    own = score.tune_gold
    sides = [
        one if isinstance(one, Sourced) or not how else source(one, **how)
        for one, how in ((gold if own is None else own, of_gold), (score.tune, of_pred))
    ]
    how = {
        "score": replace(score, tune=None, tune_gold=None, errors=False),
        "run": Running(memory="spans"),
        "ci": False,
        **({"missing": "skip"} if own is None else {}),
    }
    return sides[0], sides[1], how


def best_score(dev: Result) -> tuple[float, Tuned]:
    """Return the lowest score with the best F that leads, of equal ones the highest, and where it is from."""
    lead = dev.settings.headline
    if not lead.sums_up or lead.average != "micro":
        raise MeasureError(
            f"tune looks for the best F, and {lead.measure.short} has none over all spans",
            expected="a measure that matches spans",
            hint="-m spans.exact",
        )
    found = dev.confidence(lead.measure)
    if found.best is None:
        raise MeasureError(
            "no prediction to tune on is right, so no score is better than another",
            expected="gold and predictions of the same documents, and some that match",
        )
    gold, pred = dev.inputs
    said = Tuned(
        gold.path,
        pred.path,
        gold.sha256,
        pred.sha256,
        dev.documents,
        found.measure,
        found.rate,
        found.best.value,
    )
    return found.best.score, said


def with_tuning_noted(result: Result, dev: Result) -> Result:
    """Return a result with what is odd about the documents that were tuned on."""
    more = show_tally(tally(_note_tuned_on_itself(dev, result)), quotes=result.settings.quotes)
    if not more:
        return result
    known = result.problems
    return replace(result, problems=Problems({**more.number, **known.number}, {**more.first, **known.first}))


def _note_tuned_on_itself(dev: Result, result: Result) -> list[Problem]:
    """Note documents that are scored and were tuned on as well, or one file for both where spans are gone."""
    pred: tuple[Input, Input] = (dev.inputs[1], result.inputs[1])
    if result.kept == "spans":
        shared = len(_contents(dev.comparison) & _contents(result.comparison))
        return [Problem("tuned on itself", side="pred", number=shared)] if shared else []
    same = pred[0].sha256 is not None and pred[0].sha256 == pred[1].sha256
    if same or dev.gold_content == result.gold_content:
        return [Problem("tuned on itself", side="pred", number=dev.documents)]
    return []


def _contents(c: Comparison) -> set[tuple[str, int]]:
    """Return what tells documents with gold spans: their ids, where they have some, and what they hold."""
    names: Sequence[str] = [""] * c.documents if isinstance(c.names, Numbered) else c.names
    known = set(c.gold.doc.tolist())
    keys = content_keys(c).tolist()
    return {(names[doc], keys[doc]) for doc in known}
