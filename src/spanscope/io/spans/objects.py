"""Documents that are already Python objects: lists of dicts, an object keyed by id, nervaluate's lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from spanscope.errors import InputError, fields_of, shown
from spanscope.io.builder import Builder
from spanscope.io.fields import KNOWN, Fields, Names, chosen, span_strangers, strangers
from spanscope.io.spans.batch import Batch, Unfit, confidences, first_of, whole_numbers
from spanscope.io.strict import Report, is_accepted, read_documents
from spanscope.io.surrogates import any_half

CONTAINERS = ("items", "data", "documents", "examples")
BATCH = 1000  # documents whose objects stay in the processor cache while their columns are taken


def is_pair(value: Any) -> bool:
    """Tell spaCy's [text, {...}]."""
    listed = isinstance(value, (list, tuple)) and len(value) == 2
    return listed and isinstance(value[0], str) and isinstance(value[1], Mapping)


def is_labelled(document: Any, own: Mapping[str, str]) -> bool:
    """Tell a document with labelled spans, or a span; `own` gives other names of fields, as for the reader."""
    if isinstance(document, (list, tuple)):
        return is_pair(document) or (bool(document) and all(isinstance(one, Mapping) for one in document))
    if not isinstance(document, Mapping):
        return False
    start, end, spans = ((own[key],) if key in own else KNOWN[key] for key in ("start", "end", "spans"))
    return any(name in document for name in spans) or all(
        any(name in document for name in names) for names in (start, end)
    )


def is_without_spans(value: Any) -> bool:
    """Tell a list of no documents, and lists of no spans."""
    found = value.values() if isinstance(value, Mapping) and value else value
    listed = isinstance(value, (list, tuple)) or found is not value
    return listed and all(isinstance(one, (list, tuple)) and not one for one in found)


def unwrap(value: object, names: Fields, where: str) -> tuple[list[Any], list[str] | None]:
    """Return the documents in one of the shapes people have, and the labels the input declares.

    A list; an object with the list under `items` (and perhaps labels under `schema`); one document; an object
    keyed by document id, whose values are documents or lists of spans.
    """
    if isinstance(value, (list, tuple)):
        return [value] if _is_document(value, names) else list(value), None
    if not isinstance(value, Mapping):
        raise InputError(
            f"the input is {shown(value)}", where=where, expected="a list of documents, or an object of them"
        )
    for name in CONTAINERS:
        if isinstance(value.get(name), list):
            schema = value.get("schema")
            known = isinstance(schema, list) and all(isinstance(label, str) for label in schema)
            return list(value[name]), list(schema) if known and schema else None
    if any(name in value for name in names["spans"]) or any(
        isinstance(value.get(key), str) for key in names["text"]
    ):
        return [dict(value)], None
    if not value or not all(isinstance(item, (dict, list)) for item in value.values()):
        raise InputError(
            f"the object has {fields_of(value)}",
            where=where,
            expected="documents under items, or documents keyed by id",
        )
    return [_keyed(key, item, names) for key, item in value.items()], None


def _is_document(value: Sequence[Any], names: Fields) -> bool:
    """Tell one document, spaCy's [text, {...}] or a list of spans, from a list of documents."""
    if is_pair(value):
        return True
    offsets = (names["start"][0], names["end"][0])
    return bool(value) and all(isinstance(span, Mapping) and all(key in span for key in offsets) for span in value)


def _keyed(key: str, item: Any, names: Fields) -> dict[str, Any]:
    """Return a document with its key as id, unless it has an id of its own."""
    if isinstance(item, list):
        return {names["id"][0]: key, names["spans"][0]: item}
    return {names["id"][0]: key, **item}


def add_objects(
    builder: Builder,
    documents: Sequence[Any],
    where: Callable[[int], str],
    names: Fields,
    offsets: str,
    report: Report,
) -> None:
    """Put documents into the builder, in batches: the fast way, or the careful one where that does not fit."""
    used = chosen(names, documents[:20])
    for first in range(0, len(documents), BATCH):
        part = documents[first : first + BATCH]
        try:
            batch = _columns(part, names, used, offsets, builder)
            batch.rows = range(first, first + len(part))
            builder.add(batch)
        except (Unfit, LookupError, TypeError, AttributeError, ValueError):  # Unfit, or objects that are no dicts
            builder.add(read_documents(part, where, names, offsets, report, first))


def _columns(documents: Sequence[Any], names: Fields, used: Names, offsets: str, builder: Builder) -> Batch:
    """Return the columns of plain documents; anything unusual raises, and the careful reader takes over."""
    if not all(map(is_accepted, documents)):
        raise Unfit
    ids, texts, spans = _documents(documents, names, used, offsets)
    start, end, label, own = (used[key] for key in ("start", "end", "label", "span_text"))
    flat = list(chain.from_iterable(spans))
    labels = [span[label] for span in flat]
    starts = [span[start] for span in flat]
    ends = [span[end] for span in flat]
    there = {start, end, label}
    try:
        given = [span[own] for span in flat]
        there.add(own)
    except KeyError:
        given = [span.get(own) for span in flat]
    kinds = set(map(type, given))
    if not kinds <= {str, type(None)} or any_half(given):
        raise Unfit
    others = sum(map(len, flat)) > len(there) * len(flat)  # some span has a field that was not looked at
    if others and any(span.get(name) is not None for name in span_strangers(names, used) for span in flat):
        raise Unfit
    return Batch(
        ids,
        texts,
        list(map(len, spans)),
        whole_numbers(starts),
        whole_numbers(ends),
        builder.coded(labels),
        given,
        all_text=type(None) not in kinds,
        typed=True,
        scores=confidences(_scores(flat, names) if others or not there.isdisjoint(names["span_score"]) else ()),
    )


def _documents(
    documents: Sequence[Any], names: Fields, used: Names, offsets: str
) -> tuple[list[Any], list[Any], Sequence[list[Any]]]:
    """Return ids, texts and spans of plain documents."""
    if set(map(type, documents)) == {list}:
        if offsets != "codepoints":
            raise Unfit
        nothing: list[Any] = [None] * len(documents)
        return nothing, nothing, documents
    key_id, key_text, key_spans = (used[key] for key in ("id", "text", "spans"))
    if any(name in document for name in strangers(names, used) for document in documents):
        raise Unfit
    ids = [document.get(key_id) for document in documents]
    texts = [document.get(key_text) for document in documents]
    spans = [document[key_spans] for document in documents]
    if not set(map(type, texts)) <= {str, type(None)} or set(map(type, spans)) != {list}:
        raise Unfit
    if not set(map(type, ids)) <= {str, int, type(None)}:
        raise Unfit
    if any_half(texts) or any_half(ids):
        raise Unfit
    if offsets != "codepoints" and not all(text is not None and text.isascii() for text in texts):
        raise Unfit
    return ids, texts, spans


def _scores(flat: Sequence[Any], names: Fields) -> Sequence[Any]:
    """Return the confidences of spans: under the first of their names that is not null."""
    return first_of([[span.get(name) for span in flat] for name in names["span_score"]])
