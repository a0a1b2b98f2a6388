"""`compute_metrics` on what a Trainer passes on, and the metric beside the figures of seqeval itself."""

import math
from typing import Any

import numpy as np
import pytest

from spanscope import DocumentError, MeasureError, Reading, Scoring
from spanscope.adapters.hugging_face import SpanMetric, compute_metrics
from tests.support import needs

NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
# [CLS] Anna Maria met Rome; then Rome, a further piece of it, padding: three gold spans, of which two are found.
GOLD = np.array([[-100, 1, 2, 0, 3], [-100, 3, -100, -100, -100]])
PRED = np.array([[4, 1, 2, 0, 0], [0, 3, 1, 2, 0]])
FIGURES = {"precision": 1.0, "recall": 2 / 3, "f1": 0.8, "accuracy": 4 / 5}
TAGS = [["B-PER", "I-PER", "O", "B-LOC"], ["I-LOC", "O", "B-PER"], ["O"]]
GUESSES = [["B-PER", "O", "O", "B-LOC"], ["I-LOC", "O", "B-LOC"], ["B-MISC"]]


def logits(classes: np.ndarray) -> np.ndarray:
    return np.eye(len(NAMES), dtype=np.float32)[classes] * 5


@pytest.mark.parametrize("names", [NAMES, dict(enumerate(NAMES))])
def test_what_a_trainer_passes_on(names: Any) -> None:
    prediction = needs("transformers").EvalPrediction
    compute = compute_metrics(names)
    for predictions in (PRED, logits(PRED), (logits(PRED), np.zeros((2, 5, 3)))):
        found = compute(prediction(predictions=predictions, label_ids=GOLD))
        assert found == pytest.approx(FIGURES)
        assert all(type(value) is float for value in found.values())


def test_what_a_collator_padded_and_earlier_versions_pass_on() -> None:
    padded = np.where(GOLD == -100, -100, PRED)
    assert compute_metrics(NAMES)((padded, GOLD)) == pytest.approx(FIGURES)


def test_more_measures_and_labels() -> None:
    found = compute_metrics(NAMES, ["spans.exact", "spans.iou(threshold=0.3)"], labels=True)((PRED, GOLD))
    assert found["f1"] == pytest.approx(0.8)
    assert found["spans.iou_threshold_0.3/f1/micro"] == pytest.approx(0.8)
    assert found["spans.exact/recall/label/LOC"] == pytest.approx(1 / 2)
    assert "accuracy" not in found


def test_nothing_predicted_yet() -> None:
    nothing = np.zeros_like(PRED)
    assert math.isnan(compute_metrics(NAMES)((nothing, GOLD))["precision"])
    assert compute_metrics(NAMES, score=Scoring(undefined=0))((nothing, GOLD))["precision"] == 0.0


def test_the_scheme_is_that_of_the_names() -> None:
    """A model that has not learnt B- yet is not read in another scheme: two I- in a row are one span."""
    wild = np.array([[0, 2, 2, 0, 4], [0, 4, 0, 0, 0]])
    assert compute_metrics(NAMES)((wild, GOLD))["f1"] == 1.0
    strict = compute_metrics(NAMES, read=Reading(repair="strict"))((wild, GOLD))
    assert strict["f1"] == 0.0
    plain = compute_metrics(["O", "PER", "LOC"])((np.array([[1, 1, 2]]), np.array([[1, 0, 2]])))
    assert plain["f1"] == pytest.approx(1 / 2)


def test_what_does_not_fit_is_refused_before_the_training() -> None:
    with pytest.raises(MeasureError, match="no measure is called"):
        compute_metrics(NAMES, "spans.exat")
    with pytest.raises(MeasureError, match="the gold spans have no text"):
        compute_metrics(NAMES, "spans.relaxed")
    with pytest.raises(TypeError, match="protocl"):
        compute_metrics(NAMES, protocl="pii")
    with pytest.raises(MeasureError, match="lacks numbers"):
        compute_metrics({1: "O", 2: "B-PER"})
    with pytest.raises(MeasureError, match="the names of the classes in their order"):
        compute_metrics("O")


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(MeasureError, match="logits are of 4 classes, and label_names has 5 names"):
        compute_metrics(NAMES)((logits(PRED)[:, :, :4], GOLD))
    with pytest.raises(MeasureError, match=r"predictions have the shape \(2, 4\), and labels \(2, 5\)"):
        compute_metrics(NAMES)((PRED[:, :4], GOLD))


@pytest.mark.parametrize("options", [{}, {"protocol": "seqeval"}])
def test_metric_beside_seqeval(options: dict[str, Any]) -> None:
    seqeval = needs("seqeval.metrics")
    theirs = seqeval.classification_report(TAGS, GUESSES, output_dict=True, zero_division=0)
    found = SpanMetric(**options).compute(predictions=GUESSES, references=TAGS)
    rates = {"precision": "precision", "recall": "recall", "f1": "f1-score"}
    for name, own in rates.items():
        assert found[f"overall_{name}"] == pytest.approx(theirs["micro avg"][own])
        for label in ("PER", "LOC"):
            assert found[label][name] == pytest.approx(theirs[label][own])
    assert found["LOC"]["number"] == theirs["LOC"]["support"] == 2
    if not options:  # seqeval's own report, like the protocol named after it, has no accuracy
        assert found["overall_accuracy"] == pytest.approx(seqeval.accuracy_score(TAGS, GUESSES))


def test_metric_in_batches() -> None:
    metric = SpanMetric(score=Scoring(undefined=0))
    whole = metric.compute(predictions=GUESSES, references=TAGS)
    metric.add_batch(predictions=GUESSES[:2], references=TAGS[:2])
    metric.add(prediction=GUESSES[2], reference=TAGS[2])
    assert metric.compute() == whole
    metric.add(prediction=["B-PER"], reference=["B-PER"])
    assert metric.compute()["overall_f1"] == 1.0
    with pytest.raises(DocumentError, match="2 predictions for 1 references"):
        metric.add_batch(predictions=GUESSES[:2], references=TAGS[:1])
    with pytest.raises(MeasureError, match="go together"):
        metric.compute(predictions=GUESSES)


def test_metric_of_spans() -> None:
    found = SpanMetric("spans.exact").compute(predictions=[[[0, 4, "A"], [5, 6, "A"]]], references=[[[0, 4, "A"]]])
    assert found["A"] == {"precision": 0.5, "recall": 1.0, "f1": pytest.approx(2 / 3), "number": 1}
    assert "overall_accuracy" not in found
