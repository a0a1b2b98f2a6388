"""Sentences with a label each: 1 where a segment ends or begins, or the number or name of its section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any, Literal

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, plural, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.segments.reading import read_documents
from spanscope.io.segments.recognise import CONTAINERS, LABELS, SECTIONS, SENTENCES

Mark = Literal["last", "first", "sections"]
ASK = "[[input=sentences-last]], [[input=sentences-first]] or [[input=sentences-sections]]"


def _read(source: Any, options: ReadOptions, mark: Mark | None = None) -> dict[str, Corpus]:
    """Return the segmentation of sentences; what the labels mark shows in all documents, or is asked for."""
    found = documents_of(source, options.side or "documents", _unwrap, CONTAINERS, options.report)
    read = [_labels(one, found.where(row)) for row, one in enumerate(found.values)]
    mark = mark or _mark([(key, own) for key, own, _ in read], found)
    documents = [
        _document(one, own, texts, mark, found.where(row))
        for row, (one, (_, own, texts)) in enumerate(zip(found.values, read, strict=True))
    ]
    return read_documents(found._replace(values=documents), options)


read_sentences = _read
read_last = partial(_read, mark="last")
read_first = partial(_read, mark="first")
read_sections = partial(_read, mark="sections")


def _unwrap(value: Any, name: str) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return list(value)
    own = value if isinstance(value, Mapping) else {}
    if any(key in own for key in SENTENCES):
        return [own]
    listed = next((own[key] for key in CONTAINERS if isinstance(own.get(key), list)), None)
    if listed is None:
        raise InputError(
            f"the input is {shown(value)}", where=name, expected="documents with sentences and labels"
        )
    return list(listed)


def _labels(one: Any, where: str) -> tuple[str, list[Any], list[str]]:
    """Return the name of the labels of a document, the labels and its sentences."""
    known = one if isinstance(one, Mapping) else {}
    sentences = next((known[key] for key in SENTENCES if key in known), None)
    key = next((key for key in LABELS if key in known), "")
    labels = known.get(key)
    if not isinstance(sentences, (list, tuple)) or not isinstance(labels, (list, tuple)):
        raise InputError(f"a document is {shown(one)}", where=where, expected="sentences, and a label for each")
    if len(labels) != len(sentences):
        what = f"there are {plural(len(sentences), 'sentence')} and {plural(len(labels), 'label')}"
        raise InputError(what, where=where, expected="a label for every sentence")
    odd = next((n for n, label in enumerate(labels) if not isinstance(label, (int, str))), None)
    if odd is not None:
        raise InputError(f"{key}[{odd}] is {shown(labels[odd])}", where=where, expected="a number or a name")
    return key, [int(label) if isinstance(label, bool) else label for label in labels], list(sentences)


def _mark(read: Sequence[tuple[str, list[Any]]], found: Documents) -> Mark:
    """Return what the labels of all documents mark; refuse those that may mark several things."""
    if len(names := {key for key, _ in read if key}) > 1:
        what = f"documents have labels under {' and under '.join(sorted(names))}"
        raise InputError(what, where=found.name, expected="labels under one name in all documents", hint=ASK)
    full = [(row, own) for row, (_, own) in enumerate(read) if own]
    if any(key in SECTIONS for key, _ in read) or any(set(own) - {0, 1} for _, own in full):
        return "sections"
    last, first = (all(own[at] == 1 for _, own in full) for at in (-1, 0))
    falls = any(one > other for _, own in full for one, other in pairwise(own))
    if last != first and falls:
        return "last" if last else "first"
    if not falls:
        why = "labels may mark segments or number them: in no document does a 0 follow a 1"
    elif last:
        why = "labels may mark the last sentence of a segment or the first: all documents begin and end with 1"
    else:
        why = "labels may mark the last sentence of a segment or the first: neither is always 1"
    where = found.where(full[0][0]) if full else found.name
    raise InputError(
        why, where=where, expected="1 at the end of every document, or at the start of every one", hint=ASK
    )


def _document(
    one: Mapping[str, Any], labels: list[Any], texts: list[str], mark: Mark, where: str
) -> dict[str, Any]:
    segments: list[list[Any]] = []
    if mark == "sections":
        at = 0
        for label, run in groupby(labels):
            size = len(list(run))
            segments.append([at, at + size, *([label] if isinstance(label, str) and label else [])])
            at += size
    else:
        if odd := next((label for label in labels if label not in (0, 1)), None):
            raise InputError(f"a label is {shown(odd)}", where=where, expected="0 or 1")
        behind = int(mark == "last")
        cuts = [at + behind for at, label in enumerate(labels) if label == 1]
        edges = [0, *(cut for cut in cuts if 0 < cut < len(labels)), len(labels)] if labels else []
        segments = [[start, end] for start, end in pairwise(edges)]
    own = {key: one[key] for key in one if key not in (*SENTENCES, *LABELS)}
    meta = own.get("meta")
    known = dict(meta) if isinstance(meta, Mapping) else {}
    return {**own, "length": len(labels), "segments": segments, "meta": {**known, "sentences": texts}}
