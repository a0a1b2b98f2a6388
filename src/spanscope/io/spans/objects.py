"""Documents that are already Python objects: lists of dicts, an object keyed by id, nervaluate's lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import Any

from spanscope.errors import InputError, fields_of, shown
from spanscope.io.builder import Builder
from spanscope.io.fields import KNOWN, Fields, Names, chosen_names, first_values
from spanscope.io.metadata import Meta, meta_of
from spanscope.io.spans.batch import Batch, check_offsets
from spanscope.io.spans.values import Unfit, confidence_column, id_column, number_column, text_column
from spanscope.io.strict import Rules, is_accepted, read_documents

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
    return [_with_key(key, item, names) for key, item in value.items()], None


def _is_document(value: Sequence[Any], names: Fields) -> bool:
    """Tell one document, spaCy's [text, {...}] or a list of spans, from a list of documents."""
    if is_pair(value):
        return True
    offsets = (names["start"][0], names["end"][0])
    return bool(value) and all(isinstance(span, Mapping) and all(key in span for key in offsets) for span in value)


def _with_key(key: str, item: Any, names: Fields) -> dict[str, Any]:
    """Return a document with its key as id, unless it has an id of its own."""
    if isinstance(item, list):
        return {names["id"][0]: key, names["spans"][0]: item}
    return {names["id"][0]: key, **item}


def add_objects(builder: Builder, documents: Sequence[Any], where: Callable[[int], str], rules: Rules) -> None:
    """Put documents into the builder, in batches: the fast way, or the strict one where that does not fit."""
    names = chosen_names(rules.names, documents[:20])
    for first in range(0, len(documents), BATCH):
        part = documents[first : first + BATCH]
        try:
            batch = check_offsets(_columns(part, names, builder, rules.keep), rules.offsets, rules.inclusive)
            batch.rows = range(first, first + len(part))
        except (Unfit, LookupError, TypeError, ValueError):  # what is missing, unhashable, or an array
            batch = read_documents(part, where, rules, first)
        builder.add(batch)


def _columns(documents: Sequence[Any], names: Names, builder: Builder, keep: Sequence[str]) -> Batch:
    """Return the columns of plain documents."""
    ids, texts, spans = _documents(documents, names)
    flat = list(chain.from_iterable(spans))
    labels = list(map(dict.get, flat, repeat(names.label)))  # raises TypeError for what is no dict
    starts, ends = (list(map(itemgetter(name), flat)) for name in (names.start, names.end))
    there = {names.start, names.end, names.label}
    try:
        given = list(map(itemgetter(names.span_text), flat))
        there.add(names.span_text)
    except KeyError:
        given = [span.get(names.span_text) for span in flat]
    others = sum(map(len, flat)) > len(there) * len(flat)  # some span has a field that was not looked at
    if others and any(span.get(name) is not None for name in names.span_others for span in flat):
        raise Unfit
    scored = others or not there.isdisjoint(names.scores)
    return Batch(
        ids,
        texts,
        number_column(list(map(len, spans)), typed=True),
        number_column(starts),
        number_column(ends),
        builder.coded(labels),
        text_column(given),
        confidence_column(_scores(flat, names)) if scored else None,
        meta=_meta(documents, names, keep),
        span_meta=[meta_of(span.get(names.meta)) for span in flat] if others and names.meta else (),
    )


def _documents(
    documents: Sequence[Any], names: Names
) -> tuple[Sequence[str | None], Sequence[str | None], Sequence[list[Any]]]:
    """Return ids, texts and spans of plain documents."""
    kinds = set(map(type, documents))
    if kinds == {list}:
        nothing: list[None] = [None] * len(documents)
        return nothing, nothing, documents
    if kinds != {dict} or not all(map(is_accepted, documents)):
        raise Unfit
    some = [name for name in names.others if _is_there(name, documents)]
    if any(document.get(name) is not None for name in some for document in documents):
        raise Unfit
    spans = [document[names.spans] for document in documents]
    if set(map(type, spans)) != {list}:
        raise Unfit
    ids = id_column([document.get(names.id) for document in documents])
    return ids, text_column([document.get(names.text) for document in documents]), spans


def _meta(documents: Sequence[Any], names: Names, keep: Sequence[str]) -> Sequence[Meta | None]:
    """Return the metadata of plain documents; nothing where none can have any."""
    if type(documents[0]) is not dict or not any(_is_there(name, documents) for name in (*keep, names.meta)):
        return ()  # the first is a list of spans, as all are then
    return [meta_of(document.get(names.meta), document, keep) for document in documents]


def _is_there(name: str, documents: Sequence[dict[str, Any]]) -> bool:
    """Tell whether some document has a field; twice as fast as a generator."""
    return any(map(dict.__contains__, documents, repeat(name)))


def _scores(flat: Sequence[dict[str, Any]], names: Names) -> Sequence[Any]:
    return first_values([[span.get(name) for span in flat] for name in names.scores])
