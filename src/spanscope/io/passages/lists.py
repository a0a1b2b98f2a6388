"""Judgements and runs that are no lines of TREC: numbers or lists of identifiers by query, and tables of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from spanscope.arguments import identifier
from spanscope.data.corpus import Corpus
from spanscope.errors import shown
from spanscope.io.json_lines import decode, is_lines, lines
from spanscope.io.opening import open_source
from spanscope.io.passages.judged import DOCUMENT, NUMBER, QUERY, columns_of, is_judged, is_judged_row
from spanscope.io.passages.rows import wrong
from spanscope.io.passages.trec import ASK, corpus_of_dicts, corpus_of_lines
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES
from spanscope.io.spans.columns import column_values

OPEN = "looks like qrels or a run"
SHAPE = "numbers by query and document, or lists of identifiers by query"


def read_judged(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return numbers or identifiers by query, of a JSON file, of a table or in memory.

    Numbers that nothing shows to be judgements or a run have no kind of their own: the other side may tell.
    """
    side = {"gold": "gold", "pred": "pred"}.get(options.side, "")
    found, shows = _read(source, options, side)
    if side and not shows:
        for corpus in found.values():
            corpus.queries = replace(corpus.queries, kind="")
    return found


def read_qrels(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return judgements, because somebody said that a source holds some."""
    return _read_as(source, options, "gold")


def read_run(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return a run, because somebody said that a source is one."""
    return _read_as(source, options, "pred")


def _read_as(source: Any, options: ReadOptions, side: str) -> dict[str, Corpus]:
    if options.side in ("gold", "pred") and options.side != side:
        what = "judgements" if side == "gold" else "a run"
        name = str(source) if isinstance(source, FILES) else ""
        wrong(name, f"the {options.side} side is said to hold {what}", "gold first, then the run")
    return _read(source, options, side)[0]


def _read(source: Any, options: ReadOptions, side: str) -> tuple[dict[str, Corpus], bool]:
    """Return a source as the side that it is read as, and whether it shows by itself that it is that one."""
    if not isinstance(source, FILES):
        frame = None if is_judged(source) else columns_of(source)
        value = source if frame is None else _from_columns(frame, options.side)
        return _by_side(value, options.side, side)
    file = open_source(source)
    if file.data.lstrip()[:1] not in (b"{", b"[") and not file.lined:
        corpus = corpus_of_lines(file, {"gold": "qrels", "pred": "run"}.get(side, ""))
        return {side: corpus}, True
    if is_lines(file):
        value = _from_rows([(f"{file.name}:{at}", decode(line, file.name, at)) for at, line in lines(file)])
    else:
        value = decode(file.data, file.name)
        if isinstance(value, list):
            value = _from_rows([(f"{file.name}[{at}]", one) for at, one in enumerate(value)])
    if not isinstance(value, Mapping):
        wrong(file.name, f"the input is {shown(value)}", SHAPE)
    out, shows = _by_side(value, file.name, side)
    for one in out.values():
        one.sha256 = file.sha256
    return out, shows


def _by_side(value: Any, name: str, side: str) -> tuple[dict[str, Corpus], bool]:
    """Return gold or a run: by the side that is read, else by fractions, which only scores have."""
    found = _numbers(value, name, side)
    is_run = side != "gold" and ((side == "pred" and not any(found.values())) or _has_fractions(found))
    if not side and not is_run:
        wrong(name, f"{OPEN}: no number has a fraction", "gold first, then the run", f"{ASK}   to say which")
    shows = found is not value or is_run  # lists say no numbers: their order does
    side = side or "pred"
    return {side: corpus_of_dicts(found, side, name)}, shows


def _has_fractions(found: Mapping[Any, Any]) -> bool:
    """Tell numbers of which one may have a fraction: scores, which are mostly known by the first."""
    return any(
        isinstance(number, (float, np.floating))
        for own in found.values()
        if isinstance(own, Mapping)
        for number in own.values()
    )


def settle_open(gold: Corpus, pred: Corpus) -> None:
    """Say of numbers by query and document which are gold, or refuse them where both sides may be either."""
    lists = [side.queries.lists for side in (gold, pred)]
    if all(own is not None and not side.queries.kind for own, side in zip(lists, (gold, pred), strict=True)):
        swapped = any(isinstance(number, float) for own in lists[0] or () for number in own.values())
        wrong(
            gold.name,
            f"looks like a run, and {pred.name} like qrels" if swapped else f"{OPEN}, and so does {pred.name}",
            "gold first, then the run; a fraction in the run shows that it is one",
            "[[gold_input=qrels]] [[pred_input=run]]   if they stand in this order",
        )
    for side, kind in ((gold, "gold"), (pred, "retrieved")):
        if side.queries.lists is not None:
            side.queries = replace(side.queries, kind=kind)


def _numbers(value: Any, name: str, side: str) -> Mapping[Any, Any]:
    """Return numbers by query and document: of lists their order, or the grade 1 of gold."""
    if not isinstance(value, Mapping):
        wrong(name, f"the input is {shown(value)}", SHAPE)
    first = next((own for own in value.values() if own), None)
    if not isinstance(first, (list, tuple)):
        return value
    out: dict[Any, dict[str, int]] = {}
    for query, own in value.items():
        if not isinstance(own, (list, tuple)):
            wrong(f"{name}[{query!r}]", f"the query has {shown(own)}", "a list of identifiers")
        names = [identifier(one) for one in own]
        if None in names:
            wrong(f"{name}[{query!r}]", f"a document is {shown(own[names.index(None)])}", "an identifier")
        if len(set(names)) < len(names):
            wrong(f"{name}[{query!r}]", "a document is in the list twice", "every document once")
        out[query] = {str(one): 1 if side == "gold" else len(names) - at for at, one in enumerate(names)}
    return out


def _from_columns(columns: Mapping[str, Any] | None, name: str) -> Mapping[Any, Any]:
    """Return numbers by query and document of columns in memory."""
    if columns is None or not is_judged_row(columns):
        wrong(name, "the input has no columns of judgements or of a run", SHAPE)
    own = [next(column for column in names if column in columns) for names in (QUERY, DOCUMENT, NUMBER)]
    values = [column_values(columns[column], column, name) for column in own]
    if len(set(map(len, values))) > 1:
        wrong(name, "the columns have different lengths", "a value for every row")
    found = [dict(zip(own, row, strict=True)) for row in zip(*values, strict=True)]
    return _from_rows([(f"{name}[{at}]", row) for at, row in enumerate(found)])


def _from_rows(rows: Sequence[tuple[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return numbers by query and document of rows that have a query, a document and a number."""
    out: dict[str, dict[str, Any]] = {}
    for where, one in rows:
        if not is_judged_row(one):
            wrong(where, f"the row is {shown(one)}", "a query, a document, and a grade or a score")
        query, document, number = (
            next(one[name] for name in names if name in one) for names in (QUERY, DOCUMENT, NUMBER)
        )
        own = out.setdefault(_name(query, where), {})
        if _name(document, where) in own:
            wrong(where, f"the document {shown(document)} of this query comes twice", "every document once")
        own[_name(document, where)] = number
    return out


def _name(value: Any, where: str) -> str:
    name = identifier(value.item() if hasattr(value, "item") else value)
    if name is None:
        wrong(where, f"an identifier is {shown(value)}", "a string or a whole number")
    return name
