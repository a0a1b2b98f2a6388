"""Plain lines of JSON, decoded straight to the types that their fields have."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from spanscope.io.fields import Names
from spanscope.io.spans.values import CONFIDENCE, ID, OFFSET, TEXT, Unfit

FEW = 500  # labels up to which they are decoded to the same objects


class Decoder:
    """Typed decoding that learns the labels, and whether spans have a confidence.

    A label that is one of a few known ones is decoded to the same object each time, instead of a new string
    that must be made, hashed and thrown away for every span. A new label is learnt when it is met. A confidence
    must be null until the first one is met: a file without any does not pay for them.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.labels: set[str] = set()
        self.score: Any = None  # the type of a confidence
        self.any_label: msgspec.json.Decoder[Any] | None = None
        self.known: msgspec.json.Decoder[Any] | None = None

    @property
    def scores(self) -> int:
        """Return how many fields of a span may hold a confidence."""
        return 0 if self.score is None else len(self.names.scores)

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
        self.known = self._decoder(Literal[*sorted(self.labels)], self.score) if few else None
        return documents

    def _with_any_label(self, chunk: memoryview) -> list[Any]:
        self.any_label = self.any_label or self._decoder(str, self.score)
        try:
            return self.any_label.decode_lines(chunk)
        except msgspec.ValidationError:
            if self.scores:
                raise
        scored = self._decoder(str, CONFIDENCE)
        documents: list[Any] = scored.decode_lines(chunk)  # raises where it was not a confidence that did not fit
        self.any_label, self.score = scored, CONFIDENCE
        return documents

    def _decoder(self, label: Any, score: Any) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(_document_type(self.names, label, score))


def _span_type(names: Names, label: Any, score: Any) -> type[Any]:
    """Return the type of a plain span; two fields under one name are for the strict reader."""
    called = {"start": names.start, "end": names.end, "label": names.label, "text": names.span_text}
    scores = {f"score_{i}": name for i, name in enumerate(names.scores)}
    others = {f"other_{i}": name for i, name in enumerate(names.span_others)}
    called |= scores | others
    if len(set(called.values())) < len(called):
        raise Unfit
    return msgspec.defstruct(
        "Span",
        [
            ("start", OFFSET),
            ("end", OFFSET),
            ("label", label),
            ("text", TEXT, None),
            *((name, score, None) for name in scores),
            *((name, None, None) for name in others),
        ],
        rename=called,
        gc=False,
    )


def _document_type(names: Names, label: Any, score: Any) -> type[Any]:
    """Return the type of a plain line, whose objects the garbage collector does not track.

    A field under another name than the one used must be null here: anything else is for the strict reader.
    """
    span = _span_type(names, label, score)
    own = {"spans": names.spans, "id": names.id, "text": names.text}
    others = {f"other_{i}": name for i, name in enumerate(names.others)}
    called = [*own.values(), "answer", *others.values()]
    if len(set(called)) < len(called):  # likewise
        raise Unfit
    return msgspec.defstruct(
        "Document",
        [
            ("spans", list[span]),  # type: ignore[valid-type]
            ("id", ID, None),
            ("text", TEXT, None),
            ("answer", Literal["accept"] | None, None),
            *((name, None, None) for name in others),
        ],
        rename=own | others,
        gc=False,
    )
