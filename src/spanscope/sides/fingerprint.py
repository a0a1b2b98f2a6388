"""What the gold of a run is, as one number: the same for the same gold, wherever it was read and in what order."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np

from spanscope.arithmetic import Keys, keys_of, scramble
from spanscope.data.corpus import Spans
from spanscope.data.names import Numbered
from spanscope.sides.comparison import Comparison

ALL = 2**64


def fingerprint(c: Comparison, first: int = 0) -> int:
    """Return the sum of a number of each document: those of portions add up to that of the whole, modulo 2^64.

    It is made of the names of the documents and of their gold spans: places and labels, the tags of tokens, and of
    answers and judgements texts, identifiers and grades. The texts of documents are no part of it: the same gold
    is kept with texts and without. Documents without ids are known by their place; `first` come before these.
    """
    nameless = isinstance(c.names, Numbered)
    place = np.arange(first + 1, first + 1 + c.documents, dtype=np.uint64)
    names = place if nameless else c.keys().copy()
    return int(scramble(_content(c) + scramble(names)).sum(dtype=np.uint64)) if c.documents else 0


def add(one: int, other: int) -> int:
    """Return the fingerprint of the documents of both."""
    return (one + other) % ALL


def _content(c: Comparison) -> Keys:
    """Return a number for the gold of each document."""
    if "gold" in c.lists:
        return _hash([_list_fields(own) for own in c.lists["gold"]])
    if "gold" in c.tokens:
        tokens = c.tokens["gold"]
        tags, edges = tokens.tag.tolist(), tokens.first.tolist()
        return _hash(["\0".join(map(str, tags[a:b])) for a, b in pairwise(edges)])
    out = np.zeros(c.documents, dtype=np.uint64)
    np.add.at(out, c.gold.doc, _of_spans(c.gold, c.labels))  # in no order: the order of spans means nothing
    return out


def _of_spans(spans: Spans, labels: tuple[str, ...]) -> Keys:
    """Return a number for each span."""
    pieces = spans.fragments()
    start, end = (column.astype(np.uint64) for column in (pieces.start, pieces.end))
    places = scramble(start + scramble(end))
    if spans.pieces is not None:
        each, places = places, np.zeros(len(spans), dtype=np.uint64)
        np.add.at(places, pieces.span, each)
    named = np.append(keys_of(labels), np.uint64(0))[spans.label]
    words = _words(spans)
    return scramble(places + named if words is None else places + named + scramble(words))


def _words(spans: Spans) -> Keys | None:
    """Return a number for what stands for a span beside its place: of answers everything, else a text alone."""
    extra = [spans.extra[name].tolist() for name in ("name", "relevance") if name in spans.extra]
    if "rank" in spans.extra:
        texts = [None] * len(spans) if spans.text is None else spans.text.tolist()
        return _hash([repr(row) for row in zip(texts, *extra, strict=True)])
    if spans.text is None or bool(spans.located.all()):
        return None
    pairs = zip(spans.text.tolist(), spans.located.tolist(), strict=True)
    return _hash(["" if located or text is None else text for text, located in pairs])


def _list_fields(own: Mapping[str, Any]) -> str:
    return "\0".join(sorted(f"{name}\t{float(grade)!r}" for name, grade in own.items()))


def _hash(texts: list[str]) -> Keys:
    """Return a number for each text; equal texts have the same, and an empty one 0."""
    nothing = bytes(8)
    digests = [
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() if text else nothing
        for text in texts
    ]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)
