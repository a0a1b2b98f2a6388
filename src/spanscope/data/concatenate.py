"""Corpora put one after the other: the parts of one side, each from a file of its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus, Pieces, Queries, Spans, Texts, Tokens, recode
from spanscope.errors import InputError


def concatenate(parts: Sequence[Corpus], name: str, sha256: str | None) -> Corpus:
    """Return one corpus of the documents of all parts, in their order; each is still where its part had it."""
    first = [0, *accumulate(part.n_documents for part in parts)]
    labels = tuple(sorted({label for part in parts for label in part.labels}))
    schemas = [part.schema for part in parts if part.schema is not None]
    return Corpus(
        name,
        _ids(parts),
        labels,
        _spans(parts, first, labels),
        _column([part.texts for part in parts], parts),
        lambda row: parts[(at := bisect_right(first, row) - 1)].where(row - first[at]),
        tuple(dict.fromkeys(label for schema in schemas for label in schema)) if schemas else None,
        sha256,
        [
            replace(problem, row=problem.row + before)
            for part, before in zip(parts, first, strict=False)
            for problem in part.problems
        ],
        own_text=any(part.own_text for part in parts),
        open_ended=any(part.open_ended for part in parts),
        n_documents=first[-1],
        lengths=_whole([part.lengths for part in parts]),
        tokens=_tokens(parts),
        seconds={
            row + before: took
            for part, before in zip(parts, first, strict=False)
            for row, took in part.seconds.items()
        },
        queries=_queries(parts),
        all_texts=all(part.all_texts for part in parts),
        meta=_column([part.meta for part in parts], parts),
        renamed=frozenset().union(*(part.renamed for part in parts)),
        role=parts[0].role if len({part.role for part in parts}) == 1 else "",
        left_out={name: text for part in parts for name, text in part.left_out.items()},
    )


def _ids(parts: Sequence[Corpus]) -> list[str] | None:
    """Return the ids of all documents: all parts have some, or none has."""
    filled = [part for part in parts if part.n_documents]
    lacking = next((part for part in filled if part.ids is None), None)
    if lacking is None:
        return [own for part in filled for own in part.ids or ()] if filled else None
    if any(part.ids is not None for part in filled):
        raise InputError(
            "has no id, documents of other files have", where=lacking.where(0), expected="an id in every document"
        )
    return None


def _spans(parts: Sequence[Corpus], first: Sequence[int], labels: Sequence[str]) -> Spans:
    code = {label: at for at, label in enumerate(labels)}
    rows = [0, *accumulate(len(part.spans) for part in parts)]
    own = [recode(part.spans, part.labels, code) for part in parts]
    texts = [one.text for one in own]
    has_text = any(text is not None for text in texts)
    return Spans(
        _join([one.doc + before for one, before in zip(own, first, strict=False)]),
        _join([one.start for one in own]),
        _join([one.end for one in own]),
        _join([one.label for one in own]),
        _join([one.position + before for one, before in zip(own, rows, strict=False)]),
        _join([_fill(text, len(one), None, object) for text, one in zip(texts, own, strict=True)])
        if has_text
        else None,
        _pieces(own, rows),
        {key: _join([_extra(one, key, own) for one in own]) for one in own for key in one.extra},
        all(one.all_text for one in own) and not (has_text and any(text is None for text in texts)),
    )


def _pieces(spans: Sequence[Spans], rows: Sequence[int]) -> Pieces | None:
    if all(one.pieces is None for one in spans):
        return None
    found = [one.fragments() for one in spans]
    return Pieces(
        _join([one.span + before for one, before in zip(found, rows, strict=False)]),
        _join([one.start for one in found]),
        _join([one.end for one in found]),
    )


def _extra(spans: Spans, key: str, others: Sequence[Spans]) -> NDArray[Any]:
    """Return an optional column; of spans that come without it, what stands for nothing there."""
    if key in spans.extra:
        return spans.extra[key]
    if key == "number":  # of each span in its document
        return np.arange(len(spans)) - np.searchsorted(spans.doc, spans.doc)
    kind = next(one.extra[key].dtype for one in others if key in one.extra)
    return _fill(None, len(spans), {"f": np.nan, "O": None}.get(kind.kind, 0), kind)


def _fill(column: NDArray[Any] | None, size: int, value: Any, kind: Any) -> NDArray[Any]:
    return np.full(size, value, kind) if column is None else column


def _join(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(columns)


def _column(columns: Sequence[Texts | None], parts: Sequence[Corpus]) -> Texts | None:
    """Return a column of documents, None where a part has none of it."""
    if all(column is None for column in columns):
        return None
    pairs = zip(columns, parts, strict=True)
    return _join([_fill(column, part.n_documents, None, object) for column, part in pairs])


def _whole(columns: Sequence[Ints | None]) -> Ints | None:
    found = [column for column in columns if column is not None]
    return _join(found) if found else None


def _tokens(parts: Sequence[Corpus]) -> Tokens | None:
    found = [part.tokens for part in parts if part.tokens is not None]
    if not found:
        return None
    before = [0, *accumulate(len(one.tag) for one in found)]
    edges = [one.first[1:] + start for one, start in zip(found, before, strict=False)]
    texts = [one.text for one in found if one.text is not None]
    return Tokens(
        np.concatenate([[0], *edges]).astype(np.int64),
        _join([one.start for one in found]),
        _join([one.end for one in found]),
        _join([one.tag for one in found]),
        _join(texts) if len(texts) == len(found) else None,
    )


def _queries(parts: Sequence[Corpus]) -> Queries:
    own = [part.queries for part in parts]
    lists = [one.lists for one in own if one.lists is not None]
    sure = [one.no_answer for one in own if one.no_answer is not None]
    kinds = {one.kind for one in own}
    return Queries(
        [one for part in lists for one in part] if lists else None,
        _join(sure) if sure else None,
        _column([one.questions for one in own], parts),
        any(one.named_by_text for one in own),
        next(iter(kinds)) if len(kinds) == 1 else "",
    )
