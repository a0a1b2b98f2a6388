"""What GLiNER2 returns with spans: entities by label, each with its text, its places and how sure the model is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.errors import InputError, fields_of, shown
from spanscope.io.documents import documents_of
from spanscope.io.fields import KNOWN, value_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.reading import ALONE, Sides, translate_documents

EXPECTED = "entities by label, each with start and end"
OWN = {"start": "start", "end": "end", "text": "text", "score": "confidence"}  # our names, and GLiNER2's


def read_gliner2(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of the results, in the order of the texts unless somebody put ids or texts beside them."""
    found = documents_of(source, options.side or "documents", _unwrap, (), options.report, EXPECTED)
    return {ALONE: translate_documents(found, _document, options)}


def _unwrap(value: Any, _: str) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _document(value: Any, where: str) -> dict[str, Any]:
    groups = value.get("entities") if isinstance(value, Mapping) else None
    if not isinstance(groups, Mapping) or not all(isinstance(own, (list, tuple)) for own in groups.values()):
        what = f"a result has {fields_of(value)}" if isinstance(value, Mapping) else f"a result is {shown(value)}"
        raise InputError(what, where=where, expected=EXPECTED)
    spans = [_span(one, label, at, where) for label, own in groups.items() for at, one in enumerate(own)]
    return {"id": value_of(value, KNOWN["id"]), "text": value_of(value, KNOWN["text"]), "spans": spans}


def _span(one: Any, label: str, at: int, where: str) -> dict[str, Any]:
    if not isinstance(one, Mapping) or "start" not in one or "end" not in one:
        what = f"entities.{label}[{at}] is {shown(one)}: it has no place"
        hint = "include_spans=True   in GLiNER2 returns places, [[locate]] looks for the quotes"
        raise InputError(what, where=where, expected=EXPECTED, hint=hint)
    own = {ours: one[theirs] for ours, theirs in OWN.items() if one.get(theirs) is not None}
    return {**own, "label": label}
