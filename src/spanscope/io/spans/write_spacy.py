"""Labelled spans as spaCy's documents: a DocBin, or the JSON of `Doc.to_json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spanscope.errors import EngineError
from spanscope.io.losses import Document, tokens_of
from spanscope.io.writer import json_lines

GROUP = "sc"  # spaCy's usual group of spans that may overlap


def write_docbin(documents: Sequence[Document]) -> bytes:
    """Return a .spacy file: entities, or the group of spans `sc` where any overlap; ids stand in the user data."""
    spacy = _spacy()
    from spacy.tokens import DocBin

    vocabulary = spacy.blank("xx").vocab
    group = overlap_anywhere(documents)
    out = DocBin(store_user_data=True)
    for document in documents:
        out.add(_doc(document, vocabulary, group=group))
    packed: bytes = out.to_bytes()
    return packed


def _spacy() -> Any:
    try:
        import spacy
    except ImportError:
        raise EngineError(
            "files of spaCy are written by spaCy", expected="spaCy", hint="pip install spacy"
        ) from None
    return spacy


def _doc(document: Document, vocabulary: Any, *, group: bool) -> Any:
    from spacy.tokens import Doc, Span

    words, spaces, at = _words(document)
    doc = Doc(vocabulary, words=words, spaces=spaces)
    first = {start: number for number, (start, _) in enumerate(at)}
    last = {end: number + 1 for number, (_, end) in enumerate(at)}
    spans = [Span(doc, first[one["start"]], last[one["end"]], label=one["label"]) for one in document["spans"]]
    if group:
        doc.spans[GROUP] = spans
    else:
        doc.set_ents(spans)
    doc.user_data |= {key: document[key] for key in ("id",) if key in document}
    return doc


def _words(document: Document) -> tuple[list[str], list[bool], list[tuple[int, int]]]:
    """Return tokens that make the text again; a blank goes with the token before it unless a span is cut there."""
    text = document["text"]
    starts, ends = ({span[key] for span in document["spans"]} for key in ("start", "end"))
    at: list[tuple[int, int]] = []
    spaces: list[bool] = []
    end = 0
    for start, last in [*tokens_of(text, [(edge, edge) for edge in starts | ends]), (len(text), len(text))]:
        while end < start:
            trails = text[end] == " " and at and not spaces[-1] and at[-1][1] == end
            if trails and end not in starts and end + 1 not in ends:
                spaces[-1] = True
            else:
                at.append((end, end + 1))
                spaces.append(False)
            end += 1
        if start < last:
            at.append((start, last))
            spaces.append(False)
        end = last
    return [text[a:b] for a, b in at], spaces, at


def overlap_anywhere(documents: Sequence[Document]) -> bool:
    """Tell whether spans overlap in some document."""
    for document in documents:
        end = 0
        for start, last in sorted((span["start"], span["end"]) for span in document["spans"]):
            if start < end:
                return True
            end = max(end, last)
    return False


def write_spacy_json(documents: Sequence[Document]) -> bytes:
    """Return a line for each document as `Doc.to_json` makes it, without what pipelines add to tokens."""
    group = overlap_anywhere(documents)
    return json_lines([_json(one, group=group) for one in documents])


def _json(document: Document, *, group: bool) -> dict[str, Any]:
    at = _words(document)[2]
    tokens = [{"id": number, "start": start, "end": end} for number, (start, end) in enumerate(at)]
    spans = [{key: span[key] for key in ("start", "end", "label")} for span in document["spans"]]
    if not group:
        return {"text": document["text"], "ents": spans, "tokens": tokens}
    grouped = [{**span, "kb_id": ""} for span in spans]
    return {"text": document["text"], "tokens": tokens, "spans": {GROUP: grouped}, "ents": []}
