"""Hugging Face: figures for a Trainer of token classification, and a metric like those of `evaluate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from spanscope.adapters.scalars import scalar_names
from spanscope.commands.evaluate import evaluate
from spanscope.errors import DocumentError, InputError, MeasureError, shown
from spanscope.io.tokens.schemes import PREFIXES
from spanscope.results.result import Result
from spanscope.settings.reading import Reading

OF_TAGS = ("spans.exact", "tokens.accuracy")  # what people report of a tagger
PREFIXED = ("IOB2", "IOBES", "BILOU", "BMES")  # schemes that show in the names of the labels
Side = list[list[int]]


def compute_metrics(
    label_names: Sequence[str] | Mapping[int, str],
    measures: str | Sequence[str] = OF_TAGS,
    *,
    labels: bool = False,
    read: Reading | None = None,
    **options: Any,
) -> Callable[[Any], dict[str, float]]:
    """Return a function for `Trainer(compute_metrics=...)`: of an EvalPrediction, figures by name.

    label_names   the names of the classes in their order, or `model.config.id2label`.
    measures      what is measured; exact spans, and the accuracy of tags.
    labels        give the figures of every label too, as `spans.exact/f1/label/PER`.
    read          how tags are read, such as Reading(scheme="IO"); the scheme shows in the names where they have
                  both B- and other prefixes.
    options       whatever else `spanscope.evaluate` takes; intervals are left out unless ci says otherwise.

    Predictions are logits or numbers of classes (by `preprocess_logits_for_metrics`). Tokens whose label is -100
    are not scored. A rate stands under its own name (`f1`, `precision`, `recall`, `accuracy`) for the first
    measure that has it, in the average that leads, and under its full name (`spans.iou_threshold_0.5/f1/micro`)
    for others. What is undefined is NaN; score=Scoring(undefined=0) makes it 0.
    """
    names = _names(label_names)
    how = replace(read or Reading(), tag_names=names)
    how = replace(how, scheme=how.scheme or _scheme(names))
    given = {"ci": False, **options}

    def score(gold: Side, pred: Side) -> Result:
        return evaluate(gold, pred, measures, read=how, **given)

    def compute(prediction: Any) -> dict[str, float]:
        return _figures(score(*_sides(prediction, len(names))), labels=labels)

    tags = [[*range(len(names))]]
    with suppress(DocumentError, InputError):  # of these tags, which nobody has
        score(tags, tags)  # what is wrong with the options is said now, and not after the first epoch
    return compute


class SpanMetric:
    """A metric that is called as those of Hugging Face's `evaluate`: `add`, `add_batch` and `compute`.

    References and predictions are lists of tags, or whatever else `spanscope.evaluate` takes.

    >>> metric = SpanMetric()
    >>> tags = [["B-PER", "I-PER", "O"], ["B-LOC"]]
    >>> metric.compute(predictions=[["B-PER", "I-PER", "O"], ["O"]], references=tags)["overall_recall"]
    0.5
    """

    name = "spanscope"

    def __init__(self, measures: str | Sequence[str] | None = None, **options: Any) -> None:
        self.measures = measures
        self.options = {"ci": False, **options}
        self._references: list[Any] = []
        self._predictions: list[Any] = []

    def add(self, *, prediction: Any, reference: Any) -> None:
        """Keep one document until `compute` is called."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Sequence[Any], references: Sequence[Any]) -> None:
        """Keep documents until `compute` is called."""
        if len(predictions) != len(references):
            raise DocumentError(
                f"{len(predictions):,} predictions for {len(references):,} references",
                expected="one for each",
            )
        self._predictions += list(predictions)
        self._references += list(references)

    def compute(self, *, predictions: Any = None, references: Any = None) -> dict[str, Any]:
        """Return the figures as seqeval's metric does: of every label a dict, and `overall_` ones.

        Without documents: of those that were added, which are forgotten then.
        """
        if (predictions is None) != (references is None):
            raise MeasureError("predictions and references go together", expected="both, or neither")
        if predictions is None:
            predictions, references = self._predictions, self._references
            self._predictions, self._references = [], []
        measures = self.measures
        if measures is None and "protocol" not in self.options:
            measures = OF_TAGS if _are_tags(references) else OF_TAGS[0]
        result = evaluate(references, predictions, measures, **self.options)
        return _by_label(result) | {f"overall_{name}": own for name, own in _figures(result).items()}


def _names(given: Sequence[str] | Mapping[int, str]) -> list[str]:
    """Return the names of classes in their order."""
    if isinstance(given, Mapping):
        if sorted(given) != list(range(len(given))):
            raise MeasureError("label_names lacks numbers", expected="a name for every number from 0 on")
        given = [given[number] for number in range(len(given))]
    if isinstance(given, str) or not given or not all(isinstance(name, str) for name in given):
        raise MeasureError(f"label_names is {shown(given)}", expected="the names of the classes in their order")
    return list(given)


def _scheme(names: Sequence[str]) -> str | None:
    """Return the scheme that the names of classes show; None where it does not show in them.

    >>> _scheme(["O", "B-PER", "I-PER"]), _scheme(["O", "U-PER", "B-PER"]), _scheme(["O", "PER"])
    ('IOB2', 'BILOU', None)
    """
    used = {name[0] for name in names if name[1:2] == "-"}
    if "B" not in used or len(used) == 1:
        return None
    return next((scheme for scheme in PREFIXED if used <= set(PREFIXES[scheme])), None)


def _sides(prediction: Any, classes: int) -> tuple[Side, Side]:
    """Return the numbers of the classes of gold, and of predictions, a list for each document."""
    found = getattr(prediction, "predictions", None)
    gold = getattr(prediction, "label_ids", None)
    if found is None and gold is None:
        found, gold = prediction
    found = found[0] if isinstance(found, tuple) else found  # logits come first, whatever else a model returns
    pred, ids = np.asarray(found), np.asarray(gold)
    if pred.ndim == 3:
        if pred.shape[2] != classes:
            raise MeasureError(
                f"logits are of {pred.shape[2]:,} classes, and label_names has {classes:,} names",
                expected="a name for each class",
            )
        pred = pred.argmax(axis=2)
    if ids.ndim != 2 or pred.shape != ids.shape:
        raise MeasureError(
            f"predictions have the shape {pred.shape}, and labels {ids.shape}",
            expected="labels by document and token, and predictions with them",
        )
    return ids.tolist(), np.where(ids == -100, 0, pred).tolist()  # whatever is predicted where gold is -100


def _figures(result: Result, *, labels: bool = False) -> dict[str, float]:
    """Return the rates by their own names where these are free, else by their full names."""
    lead = {str(one): result.settings.lead(one).average for one in result.measures}
    rows = [row for row in result.rows if row.label is None and row.average == lead[row.measure]]
    rows += [row for row in result.rows if labels and row.label is not None]
    out: dict[str, float] = {}
    for name, row in zip(scalar_names(result, rows), rows, strict=True):
        out[row.rate if row.label is None and row.rate not in out else name] = row.value
    return out


def _by_label(result: Result) -> dict[str, dict[str, Any]]:
    """Return the rates of every label, and how many gold spans it has."""
    measure = result.measures[0]
    counts = result.counts(measure)
    out: dict[str, dict[str, Any]] = {}
    for row in result.rows:
        if row.measure == str(measure) and row.label is not None:
            out.setdefault(row.label, {})[row.rate] = row.value
    return {label: own | {"number": counts[label].get("gold")} for label, own in out.items()}


def _are_tags(references: Any) -> bool:
    """Tell lists of tags from documents."""
    if not isinstance(references, (list, tuple)):
        return False
    return any(isinstance(row[0], str) for row in references if isinstance(row, (list, tuple)) and row)
