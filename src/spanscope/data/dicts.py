"""A corpus as plain documents: what `Corpus.to_dicts` returns, for every family in the fields its readers know."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from spanscope.data.corpus import Corpus

UNLABELLED = "segment"  # the label of segments that have none
PLAIN = "(no file)"  # the label of passages that name no file
Document = dict[str, Any]


def documents_of(corpus: Corpus) -> Iterator[Document]:
    """Yield the documents of a corpus, one after the other."""
    make = MAKERS[corpus.family](corpus)
    for row in range(corpus.n_documents):
        own = {} if corpus.ids is None or corpus.queries.named_by_text else {"id": corpus.ids[row]}
        yield own | make(row) | _meta(corpus, row)


def _meta(corpus: Corpus, row: int) -> Document:
    own = None if corpus.meta is None else corpus.meta[row]
    return {} if own is None else {"meta": own}


def _text(corpus: Corpus, row: int) -> Document:
    text = None if corpus.texts is None else corpus.texts[row]
    return {} if text is None else {"text": text}


def _rows_of(corpus: Corpus) -> list[int]:
    """Return where the spans of each document start, and where those of the last end."""
    rows: list[int] = np.searchsorted(corpus.spans.doc, np.arange(corpus.n_documents + 1)).tolist()
    return rows


# ---------------------------------------------------------------- labelled spans


def _labelled_documents(corpus: Corpus) -> Callable[[int], Document]:
    first = _rows_of(corpus)

    def make(row: int) -> Document:
        spans = [_span(corpus, span) for span in range(first[row], first[row + 1])]
        return {**_text(corpus, row), "spans": spans}

    return make


def _span(corpus: Corpus, row: int) -> Document:
    """Return a span: its place, its label, and what else it came with; its text where it is not the document's."""
    spans = corpus.spans
    out: Document = {}
    if spans.located[row]:
        out |= {"start": int(spans.start[row]), "end": int(spans.end[row])}
    out["label"] = corpus.labels[spans.label[row]]
    if (text := _own_text(corpus, row)) is not None:
        out["text"] = text
    if len(pieces := spans.pieces_of(row)) > 1:
        out["fragments"] = [list(piece) for piece in pieces]
    score = spans.extra.get("score")
    if score is not None and not math.isnan(score[row]):
        out["score"] = float(score[row])
    meta = spans.extra.get("meta")
    return out if meta is None or meta[row] is None else {**out, "meta": meta[row]}


def _own_text(corpus: Corpus, row: int) -> str | None:
    """Return the text that a span came with; None where it is the document's at its place."""
    spans = corpus.spans
    texts = [column[row] for column in (spans.quote, spans.text) if column is not None]
    text: str | None = next((own for own in texts if own is not None), None)
    whole = None if corpus.texts is None else corpus.texts[spans.doc[row]]
    known = whole is not None and spans.located[row] and spans.cut(row, whole) == text
    return None if known else text


# ---------------------------------------------------------------- tagged tokens


def _tagged_documents(corpus: Corpus) -> Callable[[int], Document]:
    """Tokens with their tags, and the spans that these make: of tags alone, in numbers of tokens."""
    tokens, labelled = corpus.tokens, _labelled_documents(corpus)

    def make(row: int) -> Document:
        spans = labelled(row)
        if tokens is None:
            return spans
        own = slice(int(tokens.first[row]), int(tokens.first[row + 1]))
        if tokens.text is None:
            return {**spans, "tags": tokens.tag[own].tolist()}
        words = {"tokens": tokens.text[own].tolist(), "tags": tokens.tag[own].tolist()}
        return {**spans, **words, "start_indices": tokens.start[own].tolist()}

    return make


# ---------------------------------------------------------------- segmentations


def _segmented_documents(corpus: Corpus) -> Callable[[int], Document]:
    first, spans = _rows_of(corpus), corpus.spans

    def make(row: int) -> Document:
        own = slice(first[row], first[row + 1])
        columns = (spans.start[own], spans.end[own], spans.label[own])
        found = [(a, b, corpus.labels[label]) for a, b, label in zip(*(c.tolist() for c in columns), strict=True)]
        length = {} if corpus.lengths is None else {"length": int(corpus.lengths[row])}
        took = {"ptime": corpus.seconds[row]} if row in corpus.seconds else {}
        return {**(_text(corpus, row) or length), "segments": _segments(found), **took}

    return make


def _segments(found: list[tuple[int, int, str]]) -> Any:
    """Return segments as pairs, with labels where they have some; by label where they are of several levels."""
    if all(label == UNLABELLED for _, _, label in found):
        return [[start, end] for start, end, _ in found]
    if all(one[1] <= other[0] for one, other in pairwise(found)):
        return [[start, end, label] for start, end, label in found]
    labels = dict.fromkeys(label for _, _, label in found)
    return {label: [[start, end] for start, end, own in found if own == label] for label in labels}


# ---------------------------------------------------------------- queries


def _queries(corpus: Corpus) -> Callable[[int], Document]:
    first, queries = _rows_of(corpus), corpus.queries
    gold = queries.kind == "gold"

    def make(row: int) -> Document:
        query = corpus.ids[row] if corpus.ids is not None and queries.named_by_text else None
        if queries.questions is not None:
            query = queries.questions[row]
        out: Document = {} if query is None else {"query": query}
        if queries.lists is not None:
            return out | _identifiers(queries.lists[row], queries.kind)
        if queries.no_answer is not None and not math.isnan(queries.no_answer[row]):
            out["no_answer_probability"] = float(queries.no_answer[row])
        spans = range(first[row], first[row + 1])
        passages = _answers(corpus, spans) if gold else [_passage(corpus, span, gold=False) for span in spans]
        return {**out, "snippets" if gold else "retrieved_passages": passages}

    return make


def _identifiers(numbers: Any, kind: str) -> Document:
    """Return what is known by identifiers alone: judged, or found; as numbers where nobody said which."""
    if kind == "gold":
        return {"snippets": [{"id": name, "relevance": grade} for name, grade in numbers.items()]}
    if kind == "retrieved":
        ordered = sorted(numbers.items(), key=lambda one: one[1], reverse=True)  # ties as they came
        return {"retrieved_passages": [{"id": name, "score": score} for name, score in ordered]}
    return {"documents": dict(numbers)}


def _answers(corpus: Corpus, rows: range) -> list[Document]:
    """Return gold answers; wordings of one answer stand together."""
    group = corpus.spans.extra["alternative"]
    out = []
    for _, own in groupby(rows, key=lambda row: int(group[row])):
        wordings = [_passage(corpus, row, gold=True) for row in own]
        answer = wordings[0]
        if len(wordings) > 1:
            known = {key: value for key, value in answer.items() if key not in ("text", "span")}
            places = [one.get("span") for one in wordings]
            answer = {"answer": [one["text"] for one in wordings], **known, **places_of_wordings(places)}
        out.append(answer)
    return out


def places_of_wordings(places: list[list[int] | None]) -> Document:
    """Return the field that has the places of an answer's wordings: one for all, or one each."""
    if any(one != places[0] for one in places):
        return {"spans": places}
    return {} if places[0] is None else {"span": places[0]}


def _passage(corpus: Corpus, row: int, *, gold: bool) -> Document:
    """Return a passage: its text, file and place, identifier, and its score or its grade."""
    spans = corpus.spans
    label = corpus.labels[spans.label[row]]
    text = None if spans.text is None else spans.text[row]
    out: Document = {} if text is None else {"text": text}
    if label != PLAIN:
        out["file_path"] = label
    if spans.located[row]:
        out["span"] = [int(spans.start[row]), int(spans.end[row])]
    if (name := spans.extra["name"][row]) is not None:
        out["id"] = name
    if gold and (grade := spans.extra["relevance"][row]) != 1:
        out["relevance"] = int(grade) if float(grade).is_integer() else float(grade)
    if not gold and not math.isnan(score := spans.extra["score"][row]):
        out["score"] = float(score)
    meta = spans.extra.get("meta")
    return out if meta is None or meta[row] is None else {**out, "meta": meta[row]}


MAKERS: dict[str, Callable[[Corpus], Callable[[int], Document]]] = {
    "spans": _labelled_documents,
    "tokens": _tagged_documents,
    "segments": _segmented_documents,
    "passages": _queries,
}
