"""LangExtract's documents: JSON Lines, and AnnotatedDocument in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.data.corpus import with_quotes_nowhere
from spanscope.data.problems import problem_at
from spanscope.errors import InputError, shown
from spanscope.io.documents import documents_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.fitting import translate_quoting
from spanscope.io.spans.reading import ALONE, Sides
from spanscope.io.spans.recognise_models import is_extracted

EXACT = "match_exact"
FIELDS = ("extraction_class", "extraction_text", "char_interval", "alignment_status", "attributes")


def read_langextract(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of the documents; extractions without an interval are predictions without a place."""
    found = documents_of(_as_list(source), options.side or "documents", _unwrap, (), options.report)
    near = 0

    def translate(value: Any, where: str) -> dict[str, Any]:
        nonlocal near
        document = _document(value, where)
        spans = [_span(one, f"extractions[{number}]", where) for number, one in enumerate(document["extractions"])]
        near += sum(status != EXACT for _, status in spans if status is not None)
        own = {"id": document["document_id"], "text": document["text"]}
        return {**own, "spans": [span for span, _ in spans]}

    corpus = with_quotes_nowhere(translate_quoting(found, translate, options, alike=_fold))
    nowhere = int((~corpus.spans.located).sum())
    notes = [problem_at("nowhere", corpus.name, {"option": "[[locate]]"}, number=nowhere)] if nowhere else []
    notes += [problem_at("near place", corpus.name, number=near)] if near else []
    corpus.problems[:0] = notes
    return {ALONE: corpus}


def _as_list(source: Any) -> Any:
    return source if not is_extracted(source) or isinstance(source, Mapping) else [source]


def _unwrap(value: Any, _: str) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _document(value: Any, where: str) -> dict[str, Any]:
    """Return the fields of a document, which may be an object of the library or what it is as JSON."""
    if not isinstance(value, Mapping) and not is_extracted(value):
        raise InputError(f"a document is {shown(value)}", where=where, expected="a document with extractions")
    found = {name: _field_of(value, name) for name in ("document_id", "text", "extractions")}
    if found["extractions"] is None and not isinstance(value, Mapping):
        return {**found, "extractions": []}
    if not isinstance(found["extractions"], (list, tuple)):
        raise InputError(
            f"extractions is {shown(found['extractions'])}",
            where=where,
            expected="extractions, an empty list if there are none",
        )
    return found


def _span(one: Any, at: str, where: str) -> tuple[dict[str, Any], str | None]:
    """Return an extraction as a span, and how its interval was found: None where there is none.

    The words of an extraction that was found otherwise than exactly are not those of the text, by design.
    """
    label, quote, place, status, more = (_field_of(one, name) for name in FIELDS)
    if not isinstance(quote, str):
        raise InputError(f"{at}.extraction_text is {shown(quote)}", where=where, expected="a string")
    start, end = (None, None) if place is None else (_field_of(place, "start_pos"), _field_of(place, "end_pos"))
    span = {"label": label, "meta": more} if more else {"label": label}
    if start is None and end is None:
        return {**span, "text": quote}, None
    status = getattr(status, "value", status) or EXACT
    own = {"text": quote} if status == EXACT else {}
    return {**span, "start": start, "end": end, **own}, status


def _field_of(one: Any, name: str) -> Any:
    """Return a field of an object, or of what it is as JSON."""
    return one.get(name) if isinstance(one, Mapping) else getattr(one, name, None)


def _fold(text: str) -> str:
    """Return a text without what LangExtract does not look at when it says that words are exactly the text's."""
    return "".join(text.casefold().split())
