"""Documents that are already Python objects: lists of dicts, an object keyed by id, nervaluate's lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.batch import Batch, Unfit, confidences, first_of, whole_numbers
from spanscope.io.build import Builder
from spanscope.io.careful import Report, read_documents
from spanscope.io.fields import OF_SPANS, Fields, Names, before, chosen

CONTAINERS = ("items", "data", "documents", "examples")
BATCH = 1000  # documents whose objects stay in the processor cache while their columns are taken
ANSWERS = ("accept", None)


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
            f"the object has {', '.join(str(key)[:30] for key in list(value)[:8]) or 'nothing'}",
            where=where,
            expected="documents under items, or documents keyed by id",
        )
    return [_keyed(key, item, names) for key, item in value.items()], None


def _is_document(value: Sequence[Any], names: Fields) -> bool:
    """Tell one document, spaCy's [text, {...}] or a list of spans, from a list of documents."""
    if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], Mapping):
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
        accepted(part, where, first, report)
        try:
            batch = _columns(part, names, used, offsets, builder)
            batch.rows = range(first, first + len(part))
            builder.add(batch)
        except (Unfit, KeyError, TypeError, AttributeError, ValueError):
            builder.add(read_documents(part, where, names, offsets, report, first))


def accepted(documents: Sequence[Any], where: Callable[[int], str], first: int, report: Report) -> None:
    """Refuse Prodigy's rejected and ignored examples: they are neither gold nor predictions."""
    if dict not in set(map(type, documents)):
        return
    for row, document in enumerate(documents, start=first):
        if isinstance(document, dict) and document.get("answer") not in ANSWERS and "_task_hash" in document:
            error = InputError(
                f"the answer is {shown(document['answer'])}",
                where=where(row),
                expected="accepted examples only",
                hint='grep \'"answer":"accept"\'   to keep those',
            )
            report.bad(error, "not accepted")


def _columns(documents: Sequence[Any], names: Fields, used: Names, offsets: str, builder: Builder) -> Batch:
    """Return the columns of plain documents; anything unusual raises, and the careful reader takes over."""
    ids, texts, spans = _documents(documents, names, used, offsets)
    start, end, label, own = (used[key] for key in ("start", "end", "label", "span_text"))
    flat = list(chain.from_iterable(spans))
    if any(name in span for name in before(names, used, *OF_SPANS) for span in flat):
        raise Unfit
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
    if not kinds <= {str, type(None)}:
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
        scores=confidences(_scores(flat, names, there)),
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
    strangers = [name for key in ("id", "spans") for name in names[key] if name != used[key]]
    strangers += before(names, used, "text")
    if any(name in document for name in strangers for document in documents):
        raise Unfit
    ids = [document.get(key_id) for document in documents]
    texts = [document.get(key_text) for document in documents]
    spans = [document[key_spans] for document in documents]
    if not {type(text) for text in texts} <= {str, type(None)} or {type(part) for part in spans} != {list}:
        raise Unfit
    if not {type(name) for name in ids} <= {str, int, type(None)}:
        raise Unfit
    if offsets != "codepoints" and not all(text is not None and text.isascii() for text in texts):
        raise Unfit
    return ids, texts, spans


def _scores(flat: Sequence[Any], names: Fields, there: set[str]) -> Sequence[Any]:
    """Return the confidences of spans, all of which have the fields `there`; spans with no other have none."""
    wanted = names["span_score"]
    if sum(map(len, flat)) == len(there) * len(flat) and there.isdisjoint(wanted):
        return ()
    return first_of([[span.get(name) for span in flat] for name in wanted])
