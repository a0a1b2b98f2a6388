"""Plain lines of JSON, decoded straight to the types that their fields have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import GenericAlias
from typing import Any, Literal, NamedTuple

import msgspec

from spanscope.io.fields import Names
from spanscope.io.metadata import META, Meta, meta_of
from spanscope.io.spans.values import CONFIDENCE, ID, OFFSET, TEXT, Unfit

FEW = 500  # labels up to which they are decoded to the same objects
KEPT = 8  # decoders


class Open(NamedTuple):
    """Which fields that few files have may hold something; the others must be null as yet."""

    score: bool = False
    meta: bool = False
    span_meta: bool = False


class Decoder:
    """Typed decoding that learns the labels, and whether there are confidences or metadata.

    A label that is one of a few known ones is decoded to the same object each time, instead of a new string
    that must be made, hashed and thrown away for every span. A new label is learnt when it is met. Confidences and
    metadata must be null until the first one is met: a file without any does not pay for them.
    """

    def __init__(self, names: Names, keep: Sequence[str] = ()) -> None:
        self.names, self.keep = names, keep
        self.labels: set[str] = set()
        self.open = Open()
        self.any_label: msgspec.json.Decoder[Any] | None = None
        self.known: msgspec.json.Decoder[Any] | None = None

    @property
    def scores(self) -> list[str]:
        """Return the attributes of a span that may hold a confidence."""
        return [f"score_{i}" for i in range(len(self.names.scores))] if self.open.score else []

    def meta_of_documents(self, documents: Sequence[Any]) -> Sequence[Meta | None]:
        """Return the metadata of documents; nothing where none has any."""
        if self.keep:
            kept = [(f"kept_{i}", name) for i, name in enumerate(self.keep)]
            records = [{name: getattr(one, own) for own, name in kept} for one in documents]
            found = [getattr(one, "meta", None) for one in documents]
            return [meta_of(own, record, self.keep) for own, record in zip(found, records, strict=True)]
        return [meta_of(one.meta) for one in documents] if self.open.meta else ()

    def meta_of_spans(self, spans: Sequence[Any]) -> Sequence[Meta | None]:
        """Return the metadata of spans; nothing where none has any."""
        return [meta_of(one.meta) for one in spans] if self.open.span_meta else ()

    def decode(self, chunk: memoryview) -> list[Any]:
        """Decode lines to documents."""
        if self.known is not None:
            try:
                return self.known.decode_lines(chunk)
            except msgspec.ValidationError:  # a new label, or something worse, which is met again below
                pass
        documents = self._with_any_label(chunk)
        self.labels |= {span.label for document in documents for span in document.spans}
        few = 0 < len(self.labels) <= FEW
        self.known = self._decoder(Literal[*sorted(self.labels)], self.open) if few else None
        return documents

    def _with_any_label(self, chunk: memoryview) -> list[Any]:
        self.any_label = self.any_label or self._decoder(str, self.open)
        try:
            return self.any_label.decode_lines(chunk)
        except msgspec.ValidationError:
            if all(self.open):
                raise
        whole = self._decoder(str, Open(True, True, True))
        documents: list[Any] = whole.decode_lines(chunk)  # raises where it was none of these that did not fit
        self.open = self._met(documents)
        self.any_label = self._decoder(str, self.open)
        return documents

    def _met(self, documents: Sequence[Any]) -> Open:
        """Return which fields may hold something, now that these documents were met."""
        spans = [span for document in documents for span in document.spans]
        scores = [f"score_{i}" for i in range(len(self.names.scores))]
        score, meta, span_meta = self.open
        return Open(
            score or any(getattr(span, name) is not None for span in spans for name in scores),
            meta or any(getattr(one, "meta", None) is not None for one in documents),
            span_meta or any(getattr(span, "meta", None) is not None for span in spans),
        )

    def _decoder(self, label: Any, known: Open) -> msgspec.json.Decoder[Any]:
        return _decoder_for(self.names, label, known, tuple(self.keep))


@lru_cache(KEPT)
def _decoder_for(names: Names, label: Any, known: Open, keep: tuple[str, ...]) -> msgspec.json.Decoder[Any]:
    """Return a decoder: gold and predictions mostly share theirs, which costs as much to make as many lines."""
    return msgspec.json.Decoder(_document_type(names, label, known, keep))


def _span_type(names: Names, label: Any, known: Open) -> type[Any]:
    """Return the type of a plain span; two fields under one name are for the strict reader."""
    called = {"start": names.start, "end": names.end, "label": names.label, "text": names.span_text}
    scores = {f"score_{i}": name for i, name in enumerate(names.scores)}
    others = {f"other_{i}": name for i, name in enumerate(names.span_others)}
    called |= scores | others | ({META: names.meta} if names.meta else {})
    if len(set(called.values())) < len(called):
        raise Unfit
    return msgspec.defstruct(
        "Span",
        [
            ("start", OFFSET),
            ("end", OFFSET),
            ("label", label),
            ("text", TEXT, None),
            *((name, CONFIDENCE if known.score else None, None) for name in scores),
            *((META, Any if known.span_meta else None, None) for _ in range(bool(names.meta))),
            *((name, None, None) for name in others),
        ],
        rename=called,
        gc=False,
    )


def _document_type(names: Names, label: Any, known: Open, keep: Sequence[str]) -> type[Any]:
    """Return the type of a plain line, whose objects the garbage collector does not track.

    A field under another name than the one used must be null here: anything else is for the strict reader.
    """
    span = _span_type(names, label, known)
    own = {"spans": names.spans, "id": names.id, "text": names.text}
    others = {f"other_{i}": name for i, name in enumerate(names.others)}
    if names.meta:
        own[META] = names.meta
    kept = {f"kept_{i}": name for i, name in enumerate(keep)}
    called = [*own.values(), "answer", *others.values(), *keep]
    if len(set(called)) < len(called):  # likewise
        raise Unfit
    return msgspec.defstruct(
        "Document",
        [
            ("spans", GenericAlias(list, (span,))),
            ("id", ID, None),
            ("text", TEXT, None),
            ("answer", Literal["accept"] | None, None),
            *((META, Any if known.meta else None, None) for _ in range(bool(names.meta))),
            *((name, Any, None) for name in kept),
            *((name, None, None) for name in others),
        ],
        rename=own | others | kept,
        gc=False,
    )
