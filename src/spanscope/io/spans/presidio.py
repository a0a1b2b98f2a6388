"""What Presidio's analyzer returns, a list of results a text, and samples of presidio-evaluator in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.by_position import answer_of, open_answers
from spanscope.io.spans.reading import ALONE, Sides, translate_documents
from spanscope.io.spans.recognise_models import is_presidio_row, is_sample

SAMPLE = {"start": "start_position", "end": "end_position", "label": "entity_type", "text": "entity_value"}


def read_presidio(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of results by text, of the results of one text, or of samples."""
    found = open_answers([source] if is_sample(source) else source, is_presidio_row, options)

    def translate(value: Any, where: str) -> dict[str, Any]:
        if is_sample(value):
            spans = [{key: getattr(span, name) for key, name in SAMPLE.items()} for span in value.spans]
            return {"text": value.full_text, "spans": spans}
        answer = answer_of(value, is_presidio_row, where)
        return {"id": answer.id, "text": answer.text, "spans": [_span(row) for row in answer.rows]}

    return {ALONE: translate_documents(found, translate, options)}


def _span(row: Any) -> dict[str, Any]:
    """Return a result as a span; who found it is metadata."""
    if not isinstance(row, Mapping):
        names = ("entity_type", "start", "end", "score", "recognition_metadata")
        row = {name: getattr(row, name, None) for name in names}
    found = row.get("recognition_metadata")
    meta = {"meta": {"recognizer": found["recognizer_name"]}} if _is_named(found) else {}
    return {"start": row["start"], "end": row["end"], "label": row["entity_type"], "score": row["score"], **meta}


def _is_named(found: Any) -> bool:
    return isinstance(found, Mapping) and isinstance(found.get("recognizer_name"), str)
