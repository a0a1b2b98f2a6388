"""spaCy's objects in memory, and the documents that a DocBin holds."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

from spanscope.errors import InputError, shown
from spanscope.io.source import MOST_RATIO, MOST_UNPACKED, is_object_of, refuse_swollen

ENTS = "ents"  # the layer of entities; the others are groups of spans by their names
Span = dict[str, Any]


class Layered(NamedTuple):
    """A document: its id, its text, its spans by layer, and what else is known of it."""

    id: Any
    text: Any
    layers: dict[str, list[Any]]
    meta: dict[str, Any]


def layers_of(ents: list[Any], groups: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Return entities and groups of spans as layers by name; a group called as entities are has a longer name."""
    return {ENTS: ents} | {f"spans.{ENTS}" if name == ENTS else str(name): own for name, own in groups.items()}


def from_object(one: Any) -> Layered:
    """Return a document of spaCy's, or the document that spans of one are of."""
    if is_object_of(one, "spacy", "Doc"):
        groups = {name: _group(group) for name, group in one.spans.items()}
        meta = {"cats": dict(one.cats)} if one.cats else {}
        return Layered(_id(one), one.text, layers_of([_span(ent) for ent in one.ents], groups), meta)
    if is_object_of(one, "spacy", "SpanGroup"):
        return Layered(_id(one.doc), one.doc.text, layers_of(_group(one), {}), {})
    spans = [one] if is_object_of(one, "spacy", "Span") else list(one)
    if not spans:
        return Layered(None, None, layers_of([], {}), {})
    doc = spans[0].doc
    if any(span.doc is not doc for span in spans):
        raise InputError("a list holds spans of several documents", expected="a list for each document")
    return Layered(_id(doc), doc.text, layers_of([_span(span) for span in spans], {}), {})


def _id(doc: Any) -> Any:
    """Return the id that somebody gave a document: spaCy has none of its own."""
    own = doc.user_data.get("id")
    return own if isinstance(own, (str, int)) and not isinstance(own, bool) else None


def _group(group: Any) -> list[Span]:
    """Return the spans of a group; spaCy's categoriser of spans leaves their scores beside them."""
    spans = [_span(span) for span in group]
    scores = group.attrs.get("scores")
    if scores is None or len(scores) != len(spans):
        return spans
    return [{**span, "score": score} for span, score in zip(spans, scores, strict=True)]


def _span(span: Any) -> Span:
    out: Span = {"start": span.start_char, "end": span.end_char, "label": span.label_}
    meta = {name: own for name in ("kb_id", "id") if (own := getattr(span, f"{name}_", ""))}
    if meta:
        out["meta"] = meta
    score = span._.score if span.has_extension("score") else None
    return {**out, "score": score} if isinstance(score, Real) else out


def sides_of(examples: Sequence[Any], names: tuple[str, str]) -> dict[str, list[Any]]:
    """Return the references of examples, and what was predicted."""
    reference, predicted = names
    return {reference: [one.reference for one in examples], predicted: [one.predicted for one in examples]}


def unpack(given: Any, name: str) -> list[Layered]:
    """Return the documents of a DocBin, or of its bytes; what damaged bytes make is refused."""
    try:
        from spacy.tokens import DocBin
        from spacy.vocab import Vocab
    except ImportError:
        raise InputError(
            "is a spaCy DocBin: reading it needs spaCy, which is not installed",
            where=name,
            hint="pip install 'spanscope[spacy]'   or write each doc.to_json() as a line of JSON",
        ) from None
    try:
        packed = DocBin().from_bytes(_refuse_swollen(given, name)) if isinstance(given, bytes) else given
        return [from_object(doc) for doc in packed.get_docs(Vocab())]
    except InputError:
        raise
    except Exception as error:  # whatever spaCy, numpy and msgpack make of damaged bytes
        raise InputError(
            f"is not a valid DocBin ({type(error).__name__}: {shown(str(error)[:120])})",
            where=name,
            expected="a file that DocBin.to_disk wrote",
        ) from None


def _refuse_swollen(data: bytes, name: str) -> bytes:
    """Return packed bytes that unpack to no more than they should."""
    most = max(MOST_UNPACKED, MOST_RATIO * len(data))
    unpacking = zlib.decompressobj()
    if len(unpacking.decompress(data, most + 1)) > most:
        refuse_swollen(name, len(data), most + 1)
    if behind := len(unpacking.unused_data):
        raise InputError(f"has {behind:,} bytes after its end", where=name, expected="one DocBin alone")
    return data
