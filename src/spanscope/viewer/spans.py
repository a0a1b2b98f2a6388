"""What the page of labelled spans and of tokens shows: documents, spans, and their verdicts at every step."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.commands.slider import ends_exactly, runs, slid, walk
from spanscope.data.corpus import Spans
from spanscope.findings import taxonomy
from spanscope.findings.similarities import similarities
from spanscope.jsonable import JsonObject, as_shown, finite
from spanscope.match.verdicts import CORRECT, KINDS
from spanscope.report.rounding import round_number
from spanscope.report.tables.scores import about_overall
from spanscope.results.result import Result
from spanscope.viewer import documents, leaks, quotes, slices
from spanscope.viewer.context import hide_far

ASTRAL = re.compile("[\U00010000-\U0010ffff]")  # two units of UTF-16, where everything else is one
PER_SPAN, PER_DOCUMENT, PER_CHARACTER = 20, 20, 0.6  # bytes, as compressed


def page_data(result: Result, budget: float) -> JsonObject:
    """Return what only this page shows; `budget` limits the bytes of the documents that are in it."""
    explained = result.drawable
    shown = choose_documents(result, budget)
    places = _places(result, shown)
    beside = result.settings.beside(result.measures[result.settings.explained])
    return {
        "beside": None if beside is None else result.measures.index(beside),
        "errors": [
            {"kind": kind, **{key: finite(value) for key, value in row.items()}}
            for kind, row in result.errors().items()
        ],
        "confusion": _confusion(result),
        "leaks": leaks.shown_leaks(result, shown, places) if explained else None,
        "quotes": quotes.shown_quotes(result, shown),
        "overall": about_overall(result.measures[0]),
        "labels": list(result.comparison.labels),
        "kinds": list(KINDS),
        "said": taxonomy.IN_WORDS,
        "corpus": corpus(result, shown, places) if explained else None,
        "by_document": by_document(result, np.flatnonzero(shown)),
    }


def by_document(result: Result, docs: Ints) -> JsonObject:
    """Return figures and counts of the documents that are shown."""
    return documents.cut([*documents.columns_of(result), *documents.columns_of_findings(result)], docs)


def _confusion(result: Result) -> JsonObject | None:
    """Return the label pairs of the headline by number; the last name stands for nothing on that side.

    Where there are verdicts they are those of the verdicts, so that a cell counts what the page lists under it;
    tokens.presidio counts pairs by rules of its own, which the exported JSON has.
    """
    found = result.confusion()
    if not found:
        return None
    code = {name: at for at, name in enumerate(found)}
    cells = [[code[gold], code[pred], n] for gold, row in found.items() for pred, n in row.items()]
    if result.found.verdicts is not None:
        own = taxonomy.confusion(result.comparison, result.found.verdicts)
        cells = [list(cell) for cell in zip(*(column.tolist() for column in own), strict=True)]
    return {"names": list(found), "cells": cells}


def _places(result: Result, shown: Bools) -> dict[str, Ints]:
    """Return by side the rows of the spans of documents that are shown, in the order of the page."""
    sides = result.comparison.sides.items()
    return {side: _sort_rows(spans, np.flatnonzero(shown[spans.doc])) for side, spans in sides}


def corpus(result: Result, shown: Bools, rows: dict[str, Ints]) -> JsonObject:
    """Return the documents that are shown, their spans, and the verdicts on them at every step."""
    c = result.comparison
    docs = np.flatnonzero(shown)
    texts = texts_shown(result, docs)
    place = np.cumsum(shown) - 1
    sides = {}
    for side in ("gold", "pred"):
        spans = c.sides[side].take(rows[side])
        sides[side] = _columns(spans, place[spans.doc], texts)
    scored = c.pred.extra.get("score")
    sides["pred"]["score"] = None if scored is None else [finite(n) for n in scored[rows["pred"]].tolist()]
    walked = walk(result, rows)
    first, start, (kind, pred) = runs(walked.gold, walked.partner)
    alone_first, alone_start, (alone,) = runs(walked.pred)
    return {
        "embedded": len(docs),
        "total": c.documents,
        "names": [c.names[doc] for doc in docs.tolist()],
        "texts": texts,
        **sides,
        "unplaced": quotes.quotes_without_place(result, rows["pred"]),
        "steps": list(walked.steps),
        "moved": moved.without("threshold") if (moved := slid(result)) is not None else None,
        "exact": ends_exactly(result),
        "at": walked.at,
        "whole": walked.whole,
        "by_label": walked.by_label,
        "band": walked.band,
        "gold_runs": {"first": first, "from": start, "kind": kind, "pred": pred}
        | _similarity_of_runs(result, rows, first, pred),
        "pred_runs": {"first": alone_first, "from": alone_start, "kind": alone},
        "ways": slices.ways(result, docs, rows),
    }


def _similarity_of_runs(result: Result, rows: dict[str, Ints], first: Ints, pred: Ints) -> JsonObject:
    """Return how alike the spans of each pair among the runs are, in ten thousandths; -1: no such figure."""
    paired = np.flatnonzero(pred >= 0)
    gold = np.repeat(rows["gold"], np.diff(first))[paired]
    found = similarities(result.comparison, gold, rows["pred"][pred[paired]], slid(result))
    out = {}
    for name, values in found._asdict().items():
        each, at = np.unique(values, return_inverse=True)
        told = [-1 if np.isnan(one) else int(round_number(one, 4).replace(".", "")) for one in each.tolist()]
        out[name] = np.full(len(pred), -1)
        out[name][paired] = np.array(told, dtype=np.int64)[at]
    return out


def _sort_rows(spans: Spans, rows: Ints) -> Ints:
    """Return rows by document, start and end: the page relies on this order to lay the sides into one."""
    return rows[np.lexsort((spans.end[rows], spans.start[rows], spans.doc[rows]))]


def choose_documents(result: Result, budget: float) -> Bools:
    """Tell which documents are shown: all that fit into the budget, those with most errors first, then in order.

    Their size is a guess, from what texts and spans take on average once they are compressed.
    """
    c, size = result.comparison, np.full(result.documents, float(PER_DOCUMENT))
    for spans in c.sides.values():
        size += PER_SPAN * np.bincount(spans.doc, minlength=c.documents)
    if c.texts is not None and result.settings.text != "none":
        size += PER_CHARACTER * np.array([len(text or "") for text in c.texts.tolist()])
    if size.sum() <= budget:
        return np.ones(c.documents, dtype=bool)
    order = np.argsort(-_errors(result), kind="stable")
    out = np.zeros(c.documents, dtype=bool)
    out[order[np.cumsum(size[order]) <= budget]] = True
    return out


def _errors(result: Result) -> Ints:
    """Return how many errors each document has at the threshold that was asked for."""
    v, c = result.found.verdicts, result.comparison
    if v is None:
        return np.zeros(c.documents, dtype=np.int64)
    wrong = v.kind != CORRECT
    gold, pred = v.gold[wrong & (v.gold >= 0)], v.pred[wrong & (v.gold < 0)]
    docs = np.concatenate((c.gold.doc[gold], c.pred.doc[pred]))
    return np.bincount(docs, minlength=c.documents)


def texts_shown(result: Result, docs: Ints) -> list[str | None]:
    """Return the texts of documents as they may be shown: in full, masked, around errors only, or not at all."""
    c, how = result.comparison, result.settings.text
    if c.texts is None or how == "none":
        return [None] * len(docs)
    texts = c.texts[docs].tolist()
    if how == "context":
        around = _places_of_errors(result)
        own = zip(docs.tolist(), texts, strict=True)
        return [None if text is None else hide_far(text, around.get(doc, [])) for doc, text in own]
    return [as_shown(text, how) for text in texts]


def _places_of_errors(result: Result) -> dict[int, list[tuple[int, int]]]:
    """Return the places of errors by document, both sides' spans of an error, at the threshold asked for."""
    v, c = result.found.verdicts, result.comparison
    out: dict[int, list[tuple[int, int]]] = {}
    if v is None:
        return out
    wrong = v.kind != CORRECT
    for spans, rows in ((c.gold, v.gold), (c.pred, v.pred)):
        own = rows[wrong & (rows >= 0)]
        places = zip(*(column[own].tolist() for column in (spans.doc, spans.start, spans.end)), strict=True)
        for doc, start, end in places:
            out.setdefault(doc, []).append((start, end))
    return out


def _columns(spans: Spans, doc: Ints, texts: Sequence[str | None]) -> JsonObject:
    """Return the columns of one side: places in code points (-1: none), and in the units of a browser."""
    begin, close = (np.where(spans.located, column, -1) for column in (spans.start, spans.end))
    start, end = in_utf16(begin, doc, texts), in_utf16(close, doc, texts)
    columns = {"doc": doc, "start": begin, "end": close, "label": spans.label}
    return {**columns, "start16": start, "end16": end}


def in_utf16(places: Ints, doc: Ints, texts: Sequence[str | None]) -> Ints:
    """Return places in code points as places in UTF-16 units of the shown text; without a text as they are.

    Places outside of the text, which only a protocol that copies a tool lets in, move to its ends.
    """
    length = np.array([-1 if text is None else len(text) for text in texts], dtype=np.int64)[doc]
    out = np.where(length < 0, places, np.clip(places, 0, np.maximum(length, 0)))
    edges = np.searchsorted(doc, np.arange(len(texts) + 1)).tolist()
    for at, text in enumerate(texts):
        if text is None or text.isascii() or edges[at] == edges[at + 1]:
            continue
        own = slice(edges[at], edges[at + 1])
        wide = [found.start() for found in ASTRAL.finditer(text)]
        if wide:
            out[own] += np.searchsorted(wide, out[own], "left")
    return out
