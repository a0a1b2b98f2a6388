"""spaCy: a scorer for a component of a pipeline, and the same as a function of examples."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from spanscope.adapters.scalars import scalars
from spanscope.commands.evaluate import evaluate
from spanscope.io.spans.spacy_objects import ENTS, from_object
from spanscope.results.result import Result
from spanscope.settings.options import Scoring

RATES = (("p", "precision"), ("r", "recall"), ("f", "f1"))  # as spaCy calls them
Scores = dict[str, Any]


def make_scorer(
    measures: str | list[str] | None = None,
    layer: str = ENTS,
    protocol: str | None = None,
    text: str = "full",
    undefined: float | None = None,
) -> Callable[..., Scores]:
    """Return a scorer for a component: `@scorers = "spanscope.scorer.v1"` in the configuration of a pipeline.

    measures    what is measured; the first one leads. Exact spans, where no protocol is given.
    layer       `ents`, or the name of a group of spans, such as `sc`.
    protocol    a named bundle of measures and settings.
    text        as in `spanscope.evaluate`.
    undefined   what 0/0 is; None unless given, as spaCy has it.
    """
    given: dict[str, Any] = {"measures": measures, "protocol": protocol, "text": text, "undefined": undefined}

    def scorer(examples: Iterable[Any], **_: Any) -> Scores:  # spaCy passes on what a component was given
        return score_examples(examples, layer=layer, **given)

    return scorer


def score_examples(
    examples: Iterable[Any],
    measures: str | Sequence[str] | None = None,
    *,
    layer: str = ENTS,
    protocol: str | None = None,
    undefined: float | None = None,
    **options: Any,
) -> Scores:
    """Return the scores of examples under the names of spaCy, and every figure under its own name.

    `ents_p`, `ents_r`, `ents_f` and `ents_per_type` (for a group of spans `spans_sc_p` and so on) are those of
    the first measure, so that `score_weights` and the table of `spacy train` stay as they are; the others are
    called as `spanscope.adapters.scalars` says. What is undefined is None. Examples whose reference was never
    annotated are left out, as spaCy does.
    """
    kept = [one for one in examples if _is_annotated(one.reference, layer)]
    prefix = "ents" if layer == ENTS else f"spans_{layer}"
    if not kept:
        return {f"{prefix}_{short}": None for short, _ in RATES} | {f"{prefix}_per_type": None}
    wanted = "spans.exact" if measures is None and protocol is None else measures
    score = {"score": Scoring(undefined=undefined)} if undefined is not None else {}
    gold = [_document(one.reference, layer, number) for number, one in enumerate(kept)]
    pred = [_document(one.predicted, layer, number) for number, one in enumerate(kept)]
    result = evaluate(gold, pred, wanted, protocol=protocol, **{"ci": False, **score, **options})
    return _scores_by_spacy_name(result, prefix) | scalars(result)


def _is_annotated(reference: Any, layer: str) -> bool:
    """Tell whether somebody looked for spans in a document: a group may be empty, but must be there."""
    return bool(reference.has_annotation("ENT_IOB")) if layer == ENTS else layer in from_object(reference).layers


def _document(doc: Any, layer: str, number: int) -> dict[str, Any]:
    """Return a document with the spans of a layer; a group that a pipeline did not write is empty."""
    found = from_object(doc)
    return {"id": number, "text": found.text, "spans": found.layers.get(layer, [])}


def _scores_by_spacy_name(result: Result, prefix: str) -> Scores:
    """Return precision, recall and F of the first measure as spaCy calls them, overall and by type."""
    measure = result.measures[0]
    average = result.settings.lead(measure).average
    types: dict[str, Scores] = {}
    out: Scores = {f"{prefix}_{short}": None for short, _ in RATES}
    short = {rate: name for name, rate in RATES}
    for row in result.rows:
        if row.measure != str(measure) or row.rate not in short:
            continue
        if row.label is not None:
            types.setdefault(row.label, {})[short[row.rate]] = _none_for_nan(row.value)
        elif row.average == average:
            out[f"{prefix}_{short[row.rate]}"] = _none_for_nan(row.value)
    return out | {f"{prefix}_per_type": types}


def _none_for_nan(value: float) -> float | None:
    return None if math.isnan(value) else value
