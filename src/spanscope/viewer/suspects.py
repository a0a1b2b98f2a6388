"""Gold under suspicion on the page of several runs: what most systems agree on against gold."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.commands.audit import audit
from spanscope.data.corpus import Corpus
from spanscope.families import SPANS, TOKENS
from spanscope.jsonable import JsonObject, as_shown
from spanscope.results.audit import Suspect
from spanscope.results.compared import Compared
from spanscope.results.result import Result
from spanscope.viewer.context import hide_far
from spanscope.viewer.spans import PER_CHARACTER, in_utf16

MOST = 2000  # suspects that are in the page, those that most systems agree on


def page_data(compared: Compared, text: str, known: Collection[str], budget: float) -> JsonObject | None:
    """Return the suspects, and gold of their documents: whose documents are flagged needs all of their spans.

    known   documents whose texts are in the page already: they are not put into it again.
    None where not every run was read, has spans with offsets and is about the same documents.
    """
    runs = _runs(compared)
    if runs is None:
        return None
    (first, *_), systems = runs.values(), list(runs)
    docs = _suspected_documents(list(runs.values()))
    found = audit(
        _corpus(first, "gold", docs), *((name, _corpus(run, "pred", docs)) for name, run in runs.items())
    )
    shown = found.suspects[:MOST]
    place = {name: at for at, name in enumerate(dict.fromkeys(one.document for one in shown))}
    labels = sorted({*first.comparison.labels, *(one.found["label"] for one in shown)})
    texts = _texts(first, shown, place, text)
    gold = _gold(first, place, labels, texts)
    row = {key: at for at, key in reversed(list(enumerate(_keys(gold, labels))))}  # of equal spans the first
    number = {name: at for at, name in enumerate(systems)}
    return {
        "systems": systems,
        "total": len(found.suspects),
        "labels": labels,
        "names": list(place),
        "texts": _texts_to_embed(texts, list(place), known, budget),
        "gold": gold,
        "found": _columns([(place[one.document], one.found) for one in shown], labels, texts),
        "kind": [one.kind for one in shown],
        "of": [one.of for one in shown],
        "row": [-1 if one.gold is None else row.get((place[one.document], *_key(one.gold)), -1) for one in shown],
        "votes": [[number[name] for name in one.systems] for one in shown],
        "with_gold": [[number[name] for name in one.with_gold] for one in shown],
    }


def _runs(compared: Compared) -> dict[str, Result] | None:
    """Return the runs by name, where all of them can be held against one gold."""
    found = {name: own[0].result for name, own in compared.runs.items() if len(own) == 1}
    read = {
        name: one
        for name, one in found.items()
        if one is not None
        and one.settings.family in (SPANS, TOKENS)
        and one.kept == "spans"
        and one.comparison.located
    }
    names = {tuple(one.comparison.names) for one in read.values()}
    whole = len(read) == len(compared.runs) and compared.left_out is None and len(names) == 1
    return read if whole and len(read) > 1 else None


def _suspected_documents(runs: Sequence[Result]) -> Ints:
    """Return the documents in which more than half of the runs have a span that gold has not.

    An audit takes documents one by one, and most have none. Spans of several fragments are told apart by these
    only there: with some, all documents are looked at.
    """
    first = runs[0].comparison
    if any(spans.pieces is not None for one in runs for spans in one.comparison.sides.values()):
        return np.arange(first.documents)
    code = {name: at for at, name in enumerate(sorted({name for one in runs for name in one.comparison.labels}))}
    gold = _places(runs[0], "gold", code)
    each = np.concatenate([_places(one, "pred", code) for one in runs])
    own, votes = np.unique(each, axis=0, return_counts=True)
    agreed = np.concatenate((own[votes * 2 > len(runs)], gold, gold))
    found, times = np.unique(agreed, axis=0, return_counts=True)
    return np.unique(found[times == 1, 0])  # what gold has is there twice or three times


def _places(run: Result, side: str, code: dict[str, int]) -> Ints:
    """Return document, start, end and label of the spans of a side, each once."""
    c, spans = run.comparison, run.comparison.sides[side]
    label = np.array([code[name] for name in c.labels], dtype=np.int64)[spans.label]
    columns = np.stack((spans.doc, spans.start, spans.end, label), axis=1)[spans.located]
    return np.asarray(np.unique(columns, axis=0), dtype=np.int64)


def _corpus(run: Result, side: str, docs: Ints) -> Corpus:
    """Return some documents of a side."""
    c = run.comparison
    place = np.full(c.documents, -1)
    place[docs] = np.arange(len(docs))
    spans = c.sides[side].take(np.flatnonzero(place[c.sides[side].doc] >= 0))
    names = [c.names[doc] for doc in docs.tolist()]
    texts = None if c.texts is None else c.texts[docs]
    return Corpus(side, names, c.labels, replace(spans, doc=place[spans.doc]), texts, n_documents=len(docs))


def _texts(run: Result, shown: Sequence[Suspect], place: dict[str, int], text: str) -> list[str | None]:
    """Return the texts of the documents with suspects as they may be shown."""
    c = run.comparison
    if c.texts is None or text == "none":
        return [None for _ in place]
    around: dict[str, list[tuple[int, int]]] = {}
    for one in shown:
        spans = [one.found, *([one.gold] if one.gold else [])]
        around.setdefault(one.document, []).extend((own["start"], own["end"]) for own in spans)
    row = {name: at for at, name in enumerate(c.names)}
    own = {name: c.texts[row[name]] for name in place}
    if text == "context":
        return [None if one is None else hide_far(one, around[name]) for name, one in own.items()]
    return [as_shown(one, text) for one in own.values()]


def _texts_to_embed(
    texts: Sequence[str | None], names: Sequence[str], known: Collection[str], budget: float
) -> list[str | None]:
    """Return the texts that are put into the page: as many as fit, and none that is in it already."""
    out: list[str | None] = []
    there = frozenset(known)
    for name, text in zip(names, texts, strict=True):
        budget -= 0 if name in there else PER_CHARACTER * len(text or "")
        out.append(None if name in there or budget < 0 else text)
    return out


def _gold(run: Result, place: dict[str, int], labels: Sequence[str], texts: Sequence[str | None]) -> JsonObject:
    """Return the spans of gold in the documents with suspects, in the order of the page."""
    c, spans = run.comparison, run.comparison.gold
    number = np.array([place.get(name, -1) for name in c.names], dtype=np.int64)[spans.doc]
    rows = np.flatnonzero((number >= 0) & spans.located)
    rows = rows[np.lexsort((spans.end[rows], spans.start[rows], number[rows]))]
    told = [
        (doc, {"start": start, "end": end, "label": c.labels[label]})
        for doc, start, end, label in zip(
            *(column[rows].tolist() for column in (number, spans.start, spans.end, spans.label)), strict=True
        )
    ]
    return _columns(told, labels, texts)


def _columns(
    told: Sequence[tuple[int, JsonObject]], labels: Sequence[str], texts: Sequence[str | None]
) -> JsonObject:
    """Return spans as columns: places in code points, and in the units of a browser."""
    code = {name: at for at, name in enumerate(labels)}
    doc, start, end, label = (
        np.array(column, dtype=np.int64)
        for column in (
            [at for at, _ in told],
            [one["start"] for _, one in told],
            [one["end"] for _, one in told],
            [code[one["label"]] for _, one in told],
        )
    )
    order = np.argsort(doc, kind="stable")  # as `in_utf16` wants it
    start16, end16 = (_in_order(in_utf16(column[order], doc[order], texts), order) for column in (start, end))
    return {"doc": doc, "start": start, "end": end, "label": label, "start16": start16, "end16": end16}


def _in_order(values: Ints, order: Ints) -> Ints:
    out = np.empty_like(values)
    out[order] = values
    return out


def _keys(columns: JsonObject, labels: Sequence[str]) -> list[tuple[Any, ...]]:
    each = zip(*(columns[name].tolist() for name in ("doc", "start", "end", "label")), strict=True)
    return [(doc, start, end, labels[label]) for doc, start, end, label in each]


def _key(span: JsonObject) -> tuple[Any, ...]:
    return span["start"], span["end"], span["label"]
