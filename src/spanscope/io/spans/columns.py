"""Spans that already are columns: a mapping of arrays, or a data frame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spanscope.arguments import identifier
from spanscope.data.corpus import NOWHERE, Corpus
from spanscope.errors import InputError, shown
from spanscope.io.builder import Builder
from spanscope.io.fields import FRAGMENTS, KNOWN, OF_SPANS, Fields
from spanscope.io.spans.batch import Batch, Unfit, first_of
from spanscope.io.strict import OFFSETS, Report, read_documents
from spanscope.io.surrogates import any_half

DOCUMENT = ("doc", "id", "document")


def is_columns(value: object, names: Fields = KNOWN) -> bool:
    """Tell a mapping of columns (or a data frame) from a mapping of documents."""
    if getattr(value, "columns", None) is not None and hasattr(value, "__getitem__"):
        return True
    return isinstance(value, Mapping) and all(any(own in value for own in names[key]) for key in ("start", "end"))


def read_columns(value: Any, name: str, names: Fields, offsets: str, report: Report) -> Corpus:
    """Return the corpus of columns doc, start, end, label and perhaps text and score, a row each span.

    Documents without spans cannot be seen in columns, so a document missing on one side counts as empty there.
    """
    present = list(value.columns) if hasattr(value, "columns") else list(value)
    if offsets != "codepoints":
        raise InputError(f"offsets in {OFFSETS[offsets]} need the text of the documents", where=name)
    wanted = DOCUMENT if names["id"] == KNOWN["id"] else names["id"]
    document = next((key for key in wanted if key in present), None)
    chosen = {key: [own for own in names[key] if own in present] for key in OF_SPANS}
    for key in ("start", "end", "label"):
        if not chosen[key]:
            raise InputError(
                f"there is no column {key} (there are {', '.join(map(str, present))})",
                where=name,
                expected="columns doc, start, end, label and perhaps text",
            )
    if document is None:
        raise InputError(f"there is no column {wanted[0]}", where=name, expected=" or ".join(wanted))
    chosen[FRAGMENTS] = [FRAGMENTS] if FRAGMENTS in present else []
    lists = {key: _first(value, own, name) for key, own in chosen.items() if own}
    scores = [
        column_values(value[own], own, name) for own in names["span_score"] if own in present and own != document
    ]
    ids = _ids(column_values(value[document], document, name), name)
    if len({len(column) for column in (*lists.values(), *scores)} | {len(ids)}) > 1:
        raise InputError("the columns are not equally long", where=name)
    builder = Builder(name, lambda row: f"{name}[{row}]")
    lists["span_score"] = list(first_of([list(map(_present, column)) for column in scores])) or [None] * len(ids)
    try:
        builder.add(_columns(ids, lists))
    except (Unfit, TypeError, ValueError):  # ValueError: arrays among the values
        builder.add(_grouped(ids, lists, name, names, report))
    corpus = builder.corpus()
    corpus.ids = corpus.ids or []
    corpus.open_ended = True
    return corpus


def column_values(column: Any, own: str, name: str) -> list[Any]:
    """Return a column as a list of Python objects, unchanged."""
    if hasattr(column, "tolist"):
        column = column.tolist()
    if not isinstance(column, (list, tuple)):
        raise InputError(f"the column {own} is {shown(column)}", where=name, expected="a list or an array")
    return list(column)


def _first(value: Any, columns: Sequence[str], name: str) -> list[Any]:
    """Return a column, or of several under which a field may stand what is first there, row by row."""
    found = [column_values(value[own], own, name) for own in columns]
    if len(found) == 1:
        return found[0]
    if len(set(map(len, found))) > 1:
        raise InputError("the columns are not equally long", where=name)
    return list(first_of([list(map(_present, column)) for column in found])) or [None] * len(found[0])


def _present(value: Any) -> Any:
    """Return a value; what data frames have in place of one is none."""
    absent = (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"
    return None if absent else value


def _listed(value: Any) -> Any:
    """Return fragments as lists: data frames read from Parquet hold arrays of arrays."""
    if (value := _present(value)) is None or isinstance(value, str):
        return value
    return [_listed(one) for one in value] if hasattr(value, "__iter__") else value


def _ids(keys: list[Any], name: str) -> list[str]:
    """Return the documents' ids, each told once where all are of a kind of which equal ones are the same."""
    if (kinds := set(map(type, keys))) == {str}:
        return keys
    if kinds != {int}:
        return [_document(key, name) for key in keys]
    told = {key: _document(key, name) for key in set(keys)}
    return [told[key] for key in keys]


def _document(key: Any, name: str) -> str:
    """Return a document's id; 1.0, as data frames have it, is 1, and nothing at all is refused."""
    if isinstance(key, float) and key.is_integer():
        key = int(key)
    told = identifier(key)
    if told is None:
        raise InputError(f"a document's id is {shown(key)}", where=name, expected="a string or a whole number")
    return told


def _columns(ids: list[str], lists: Mapping[str, list[Any]]) -> Batch:
    """Return the columns by document, in the order in which documents first appear; raises what is unusual."""
    number = {key: at for at, key in enumerate(dict.fromkeys(ids))}
    doc = np.fromiter(map(number.__getitem__, ids), np.int64, len(ids))
    columns = dict(lists)
    if (doc[1:] < doc[:-1]).any():
        order = np.argsort(doc, kind="stable").tolist()
        columns = {key: [column[row] for row in order] for key, column in lists.items()}
    given = columns.get("span_text", [None] * len(ids))
    if not set(map(type, given)) <= {str, type(None)}:
        given = list(map(_present, given))
    if not set(map(type, given)) <= {str, type(None)} or NOWHERE in columns["start"]:
        raise Unfit
    if any_half(number) or any_half(given):
        raise Unfit
    if any(_present(own) is not None for own in columns.get(FRAGMENTS, ())):
        raise Unfit
    sizes = np.bincount(doc, minlength=len(number)).tolist()
    return Batch(
        list(number),
        [None] * len(number),
        sizes,
        columns["start"],
        columns["end"],
        columns["label"],
        given,
        scores=columns["span_score"],
    )


def _grouped(ids: list[Any], lists: Mapping[str, list[Any]], name: str, names: Fields, report: Report) -> Batch:
    """Collect the rows of each document, in the order in which documents first appear, and read them."""
    own, pieces = (lists.get(key, [None] * len(ids)) for key in ("span_text", FRAGMENTS))
    found: dict[str, list[dict[str, Any]]] = {}
    given = map(_present, own), lists["span_score"], map(_listed, pieces)
    for key, *values in zip(ids, lists["start"], lists["end"], lists["label"], *given, strict=True):
        row = dict(zip(("start", "end", "label", "text", "score", FRAGMENTS), values, strict=True))
        found.setdefault(key, []).append(row)
    documents = [{"id": key, "spans": spans} for key, spans in found.items()]
    plain = {**names, "id": ("id",), "spans": ("spans",), "span_text": ("text",), "span_score": ("score",)}
    plain |= {key: (key,) for key in ("start", "end", "label")}
    at = list(found)
    return read_documents(documents, lambda row: f"{name} document {at[row]!r}", plain, "codepoints", report)
