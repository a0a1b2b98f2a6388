"""One row per span: a mapping of columns, or a data frame. Rows of one document need not stand together."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arguments import identifier
from spanscope.arithmetic import Floats, Ints
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.builder import Builder
from spanscope.io.column_names import DOCUMENT as DOCUMENTS
from spanscope.io.column_names import columns_of_spans, first_named, is_row_a_span, squashed
from spanscope.io.fields import (
    FRAGMENTS,
    KNOWN,
    OF_SPANS,
    Fields,
    chosen_columns,
    document_names,
    first_values,
    meta_name,
)
from spanscope.io.metadata import Meta, meta_of
from spanscope.io.offsets import OFFSETS
from spanscope.io.spans.batch import Batch, check_offsets
from spanscope.io.spans.values import Unfit, confidence_column, number_column, text_column
from spanscope.io.strict import Rules, read_documents
from spanscope.io.surrogates import any_half

if TYPE_CHECKING:
    from spanscope.io.document_texts import DocumentTexts

Columns = dict[str, list[Any]]


def is_columns(value: object, names: Fields = KNOWN) -> bool:
    """Tell a mapping of columns (or a data frame) from a mapping of documents."""
    if getattr(value, "columns", None) is not None and hasattr(value, "__getitem__"):
        return True
    return isinstance(value, Mapping) and all(any(own in value for own in names[key]) for key in ("start", "end"))


def has_named_columns(value: object, own: Mapping[str, str]) -> bool:
    """Tell a mapping of columns with one row per span, under any of the names that tables have."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        return False
    columns = columns_of_spans([*value], own)
    listed = all(
        hasattr(value[one], "__len__") and not isinstance(value[one], (str, Mapping)) for one in columns.values()
    )
    return is_row_a_span(columns) and listed


def with_our_names(value: Any, known: Fields, own: Mapping[str, str]) -> Any:
    """Return columns under the names that readers look for, where they have others: a mapping of them."""
    present = [str(one) for one in (value.columns if hasattr(value, "columns") else value)]
    columns = columns_of_spans(present, own)
    if not is_row_a_span(columns):
        return value
    out = {name: value[name] for name in present}
    if "end" not in columns:
        pairs = zip(out[columns["start"]], out[columns["length"]], strict=True)
        out[known["end"][0]] = [start + length for start, length in pairs]
    document = document_names(known)[0]
    out[document] = out[columns["document"]]
    for field in (*OF_SPANS, "span_score"):
        if field in columns and columns[field] not in known[field]:
            out[known[field][0]] = out.pop(columns[field])
    return out


def read_columns(value: Any, name: str, rules: Rules, sha256: str | None = None) -> Corpus:
    """Return the corpus of columns doc, start, end, label and perhaps text, score and fragments.

    Documents without spans cannot be seen in columns, so a document missing on one side counts as empty there.
    """
    present = list(value.columns) if hasattr(value, "columns") else list(value)
    if rules.offsets != "codepoints" and rules.texts is None:
        what, hint = f"offsets in {OFFSETS[rules.offsets]} need the text of the documents", "[[texts=FILE]]"
        raise InputError(what, where=name, hint=hint)
    document, wanted = _columns_wanted(present, name, rules.names)
    columns = {own: column_values(value[own], own, name) for own in wanted}
    kept = {own: column_values(value[own], own, name) for own in rules.keep if own in present and own != document}
    ids = _ids(column_values(value[document], document, name), name)
    if {len(column) for column in (*columns.values(), *kept.values())} != {len(ids)}:
        raise InputError("the columns are not equally long", where=name)
    about = kept_columns(ids, columns, kept, meta_name(rules.names))
    if rules.texts is not None:
        known = rules.texts.for_ids(ids)
        return _read_beside_texts(known, ids, columns, about, name, replace(rules, texts=known), sha256)
    try:
        return corpus_of_rows(name, lambda builder: _batch(ids, columns, about, rules.names, builder), sha256)
    except (Unfit, TypeError, ValueError):  # ValueError: arrays among the values
        return corpus_of_rows(name, lambda _: _read_rows(ids, columns, about, name, rules), sha256)


def refuse_texts(rules: Rules, name: str) -> None:
    """Refuse texts of a source of their own beside documents, which have theirs."""
    if rules.texts is not None:
        what = "the texts of documents are in the documents themselves"
        hint = "[[gold_texts=FILE]] or [[pred_texts=FILE]]   if they are those of the other side"
        raise InputError(what, where=name, expected="a table with one row per span beside them", hint=hint)


def _read_beside_texts(
    known: DocumentTexts,
    ids: list[str],
    columns: Columns,
    about: Mapping[str, Meta],
    name: str,
    rules: Rules,
    sha256: str | None,
) -> Corpus:
    """Return the corpus of all documents of a source of texts, with the spans that rows have of them."""
    for row, key in enumerate(ids):
        known.refuse_unknown(key, f"{name}[{row}]", rules.report)
    corpus = corpus_of_rows(name, lambda _: _read_rows(ids, columns, about, name, rules), sha256)
    corpus.open_ended = False
    corpus.problems.append(known.note(ids, name))
    return corpus


def kept_columns(ids: list[str], columns: Columns, kept: Columns, named: str) -> dict[str, Meta]:
    """Return the metadata of documents: columns that were to be kept and have one value a document.

    Those with several values in a document are about its spans: they are put beside what these have under meta.
    """
    values = {own: list(map(present_value, column)) for own, column in kept.items()}
    about: dict[str, Meta] = {}
    of_spans = []
    for own, column in values.items():
        first = dict(zip(reversed(ids), reversed(column), strict=True))
        if any(value != first[key] for key, value in zip(ids, column, strict=True)):
            of_spans.append(own)
            continue
        for key, value in first.items():
            if value is not None:
                about.setdefault(key, {})[own] = value
    if of_spans and named:
        rows = [
            dict(zip(of_spans, row, strict=True)) for row in zip(*(values[own] for own in of_spans), strict=True)
        ]
        given = columns.get(named, [None] * len(ids))
        columns[named] = [meta_of(present_value(one), row, of_spans) for one, row in zip(given, rows, strict=True)]
    return about


def corpus_of_rows(name: str, read: Callable[[Builder], Batch], sha256: str | None) -> Corpus:
    """Return the corpus of the batch that is read of all rows."""
    builder = Builder(name, lambda row: f"{name}[{row}]")
    builder.add(read(builder))
    corpus = builder.corpus(sha256=sha256)
    corpus.ids = corpus.ids or []
    corpus.open_ended = True
    return corpus


def by_document(
    ids: Sequence[str | None],
    document: Ints,
    starts: Ints,
    ends: Ints,
    labels: NDArray[Any],
    given: Sequence[str | None],
    scores: Floats | None,
    span_meta: Sequence[Meta | None] = (),
    texts: Sequence[str | None] = (),
) -> Batch:
    """Return plain rows in the order of their documents; `document` is the number of each row's.

    `texts` are those of the documents, where rows have them.
    """
    if (document[1:] < document[:-1]).any():
        order = np.argsort(document, kind="stable")
        starts, ends, labels = starts[order], ends[order], labels[order]
        given = [given[row] for row in order.tolist()]
        scores = None if scores is None else scores[order]
        span_meta = [span_meta[row] for row in order.tolist()] if len(span_meta) else ()
    sizes = np.bincount(document, minlength=len(ids))
    whole = texts or [None] * len(ids)
    batch = Batch(ids, whole, sizes, starts, ends, labels, given, scores, span_meta=span_meta)
    return check_offsets(batch, "codepoints")


def _columns_wanted(present: Sequence[Any], name: str, known: Fields) -> tuple[str, list[str]]:
    """Return the column that names documents, and those of the fields of spans."""
    for key in ("start", "end", "label"):
        if not any(own in present for own in known[key]):
            raise InputError(
                f"there is no column {key} (there are {', '.join(map(str, present))})",
                where=name,
                expected="columns doc, start, end, label and perhaps text",
            )
    wanted = document_names(known)
    document = next((own for own in wanted if own in present), None)
    if document is None:
        raise InputError(f"there is no column {wanted[0]}", where=name, expected=" or ".join(wanted))
    of_spans = [*(own for key in (*OF_SPANS, "span_score") for own in known[key]), FRAGMENTS, meta_name(known)]
    return document, [own for own in dict.fromkeys(of_spans) if own in present and own != document]


def column_values(column: Any, own: str, name: str) -> list[Any]:
    """Return a column as a list of Python objects, unchanged."""
    if hasattr(column, "tolist"):
        column = column.tolist()
    elif hasattr(column, "to_list"):  # of polars
        column = column.to_list()
    if not isinstance(column, (list, tuple)):
        raise InputError(f"the column {own} is {shown(column)}", where=name, expected="a list or an array")
    return list(column)


def documents_of_frame(value: Any) -> list[dict[str, Any]]:
    """Return the rows of columns as documents; what is no value in a data frame is a field that is not there."""
    present = list(value.columns) if hasattr(value, "columns") else list(value)
    columns = [column_values(value[own], str(own), "columns") for own in present]
    names = [
        "id" if own == first_named(DOCUMENTS, {squashed(str(one)): one for one in present}) else str(own)
        for own in present
    ]
    rows = (zip(names, map(_plain, row), strict=True) for row in zip(*columns, strict=True))
    return [{key: one for key, one in row if one is not None} for row in rows]


def _plain(value: Any) -> Any:
    """Return a cell as JSON has it: lists for arrays, and none for what is no value."""
    if isinstance(value, Mapping):
        return {key: own for key, one in value.items() if (own := _plain(one)) is not None}
    if hasattr(value, "tolist"):
        value = value.tolist()
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else present_value(value)


def present_value(value: Any) -> Any:
    """Return a value; what data frames have in place of one is none."""
    absent = (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"
    return None if absent else value


def _as_lists(value: Any) -> Any:
    """Return fragments as lists: data frames read from Parquet hold arrays of arrays."""
    if (value := present_value(value)) is None or isinstance(value, str):
        return value
    return [_as_lists(one) for one in value] if hasattr(value, "__iter__") else value


def _ids(keys: list[Any], name: str) -> list[str]:
    """Return the documents' ids, each made once where all are of a kind of which equal ones are the same."""
    if (kinds := set(map(type, keys))) == {str}:
        return keys
    if kinds != {int}:
        return [_document(key, name) for key in keys]
    made = {key: _document(key, name) for key in set(keys)}
    return [made[key] for key in keys]


def _document(key: Any, name: str) -> str:
    """Return a document's id; 1.0, as data frames have it, is 1, and nothing at all is refused."""
    if isinstance(key, float) and key.is_integer():
        key = int(key)
    own = identifier(key)
    if own is None:
        raise InputError(f"a document's id is {shown(key)}", where=name, expected="a string or a whole number")
    return own


def _batch(ids: list[str], columns: Columns, about: Mapping[str, Meta], known: Fields, builder: Builder) -> Batch:
    """Return plain rows by document, in the order in which documents first appear."""
    names = chosen_columns(known, columns)
    if any(present_value(value) is not None for other in names.span_others for value in columns.get(other, ())):
        raise Unfit
    number = {key: at for at, key in enumerate(dict.fromkeys(ids))}
    if any_half(number):
        raise Unfit
    given = columns.get(names.span_text, [None] * len(ids))
    if not set(map(type, given)) <= {str, type(None)}:
        given = list(map(present_value, given))
    scores = [list(map(present_value, columns[own])) for own in names.scores if own in columns]
    metas = columns.get(names.meta, ())
    batch = by_document(
        list(number),
        np.fromiter(map(number.__getitem__, ids), np.int64, len(ids)),
        number_column(columns[names.start]),
        number_column(columns[names.end]),
        builder.coded(columns[names.label]),
        text_column(given),
        confidence_column(first_values(scores)),
        [meta_of(present_value(one)) for one in metas],
    )
    batch.meta = [about.get(key) for key in number] if about else ()
    return batch


def _read_rows(ids: list[str], columns: Columns, about: Mapping[str, Meta], name: str, rules: Rules) -> Batch:
    """Collect the rows of each document, in the order in which documents first appear, and read them strictly."""
    found: dict[str, list[dict[str, Any]]] = {}
    cells = [map(_as_lists if own == FRAGMENTS else present_value, values) for own, values in columns.items()]
    for key, *values in zip(ids, *cells, strict=True):
        found.setdefault(key, []).append(dict(zip(columns, values, strict=True)))
    own, spans, text = (rules.names[key][0] for key in ("id", "spans", "text"))
    texts = {} if rules.texts is None else rules.texts.texts
    at = [*texts, *(key for key in found if key not in texts)]
    documents = [{own: key, spans: found.get(key, []), text: texts.get(key)} for key in at]
    batch = read_documents(documents, lambda row: f"{name} document {at[row]!r}", rules)
    batch.meta = [about.get(str(key)) for key in batch.ids] if about else ()
    return batch
