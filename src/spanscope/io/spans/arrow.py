"""Labelled spans from Arrow's buffers: one row per document, or one row per span.

What is not plain is turned into Python objects for the strict reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Ints
from spanscope.data.corpus import Corpus
from spanscope.io.arrow import TableRows, documents_of, refusing_undecodable
from spanscope.io.builder import Builder
from spanscope.io.column_names import columns_of_spans, is_row_a_span
from spanscope.io.fields import (
    Names,
    chosen_columns,
    chosen_names,
    document_names,
    first_values,
    has_row_a_span,
    meta_name,
)
from spanscope.io.metadata import Meta, meta_of
from spanscope.io.source import FEW, Source
from spanscope.io.spans.batch import Batch, check_offsets
from spanscope.io.spans.columns import by_document, corpus_of_rows, read_columns, refuse_texts
from spanscope.io.spans.values import Unfit, confidence_column, id_column
from spanscope.io.strict import ANSWERS, Rules, read_documents
from spanscope.io.tables import AT_ONCE


def read_rows(
    source: Source, rows: TableRows, rules: Rules, own: Mapping[str, str], progress: Callable[[int], None]
) -> dict[str, Corpus]:
    """Return the corpus of labelled spans in a table, or those of its annotators; `own` are names of fields."""
    table = _with_our_names(rows.table, rules, own)
    with refusing_undecodable(table, source.name, source.line):
        if not has_row_a_span(table.column_names, rules.names):
            refuse_texts(rules, source.name)
            return {"": _read_rows_of_documents(source, table, rules, progress)}
        return {name: _read_rows_of_spans(source, part, rules) for name, part in _by_annotator(table, own).items()}


def _with_our_names(table: Any, rules: Rules, own: Mapping[str, str]) -> Any:
    """Return a table with one row per span under the names that readers look for, where it has others."""
    present = table.column_names
    columns = columns_of_spans(present, own)
    if not is_row_a_span(columns) or any(name in present for name in rules.names["spans"]):
        return table
    import pyarrow.compute as pc

    if "end" not in columns:
        ends = pc.add(table[columns["start"]], table[columns["length"]])
        table = table.append_column(rules.names["end"][0], ends)
    taken = {columns["document"]: document_names(rules.names)[0]}
    for field in ("start", "end", "label", "span_text", "span_score"):
        if field in columns and columns[field] not in rules.names[field]:
            taken[columns[field]] = rules.names[field][0]
    others = {name for name in taken.values() if name not in taken}
    table = table.select([name for name in table.column_names if name not in others or name in taken])
    return table.rename_columns([taken.get(name, name) for name in table.column_names])


def _by_annotator(table: Any, own: Mapping[str, str]) -> dict[str, Any]:
    """Return the rows of every annotator, all under an empty name where no column names them."""
    import pyarrow.compute as pc

    column = columns_of_spans(table.column_names, own).get("annotator")
    if column is None:
        return {"": table}
    names = pc.fill_null(table[column].cast("string"), "")
    return {str(name): table.filter(pc.equal(names, name)) for name in pc.unique(names).to_pylist()}


# ---------------------------------------------------------------- one row per document


def _read_rows_of_documents(source: Source, table: Any, rules: Rules, progress: Callable[[int], None]) -> Corpus:
    builder = Builder(source.name, lambda row: f"{source.name}:{source.line(row + 1)}")
    names = chosen_names(rules.names, documents_of(table.slice(0, FEW)))
    for first in range(0, table.num_rows, AT_ONCE):
        part = table.slice(first, AT_ONCE)
        try:
            batch = check_offsets(_batch(part, names, builder, rules.keep), rules.offsets, rules.inclusive)
            batch.rows = range(first, first + part.num_rows)
        except Unfit:
            batch = read_documents(documents_of(part), builder.where, rules, first)
        builder.add(batch)
        progress(first)
    return builder.corpus(sha256=source.sha256 or None)


def _batch(part: Any, names: Names, builder: Builder, keep: Sequence[str]) -> Batch:
    """Return the columns of plain rows."""
    import pyarrow as pa

    own = {name: _one(part, name) for name in part.column_names}
    _refuse_values(own, names.others)
    if names.spans not in own or ("answer" in own and set(own["answer"].to_pylist()) - {*ANSWERS}):
        raise Unfit
    lists = own[names.spans]
    if not (pa.types.is_list(lists.type) or pa.types.is_large_list(lists.type)) or lists.null_count:
        raise Unfit
    spans = lists.flatten()
    if not pa.types.is_struct(spans.type) or spans.null_count:
        raise Unfit
    columns = {field.name: spans.field(i) for i, field in enumerate(spans.type)}
    nothing: list[None] = [None] * part.num_rows
    return Batch(
        id_column(_ids(own[names.id])) if names.id in own else nothing,
        _strings(own[names.text]) if names.text in own else nothing,
        np.diff(lists.offsets.to_numpy()).astype(np.int64),
        *_span_columns(columns, names, builder, len(spans)),
        meta=_meta_of_documents(part, names, keep),
        span_meta=_meta_of_spans(columns, names),
    )


def _meta_of_documents(part: Any, names: Names, keep: Sequence[str]) -> Sequence[Meta | None]:
    """Return the metadata of plain rows; nothing where there are no such columns."""
    wanted = [name for name in dict.fromkeys((names.meta, *keep)) if name in part.column_names]
    records = documents_of(part.select(wanted)) if wanted else []
    return [meta_of(record.get(names.meta), record, keep) for record in records]


def _meta_of_spans(columns: Mapping[str, Any], names: Names) -> Sequence[Meta | None]:
    """Return the metadata of plain spans; nothing where there is no such field."""
    import pyarrow as pa

    if names.meta not in columns:
        return ()
    found = documents_of(pa.table({names.meta: columns[names.meta]}))
    return [meta_of(one.get(names.meta)) for one in found]


# ---------------------------------------------------------------- one row per span


def _read_rows_of_spans(source: Source, table: Any, rules: Rules) -> Corpus:
    sha256 = source.sha256 or None
    try:
        if (
            rules.offsets != "codepoints"
            or rules.keep
            or rules.texts
            or meta_name(rules.names) in table.column_names
        ):
            raise Unfit  # metadata is taken from columns of Python objects
        return corpus_of_rows(source.name, lambda builder: _rows_batch(table, rules, builder), sha256)
    except Unfit:
        columns = {name: table[name].to_pylist() for name in table.column_names}
        return read_columns(columns, source.name, rules, sha256)


def _rows_batch(table: Any, rules: Rules, builder: Builder) -> Batch:
    """Return the columns of plain rows of spans, by document."""
    import pyarrow as pa

    document = next((name for name in document_names(rules.names) if name in table.column_names), None)
    if document is None or table[document].null_count:
        raise Unfit
    column = _one(table, document)
    if not (pa.types.is_integer(column.type) or _has_strings(column)):
        raise Unfit
    coded = column.dictionary_encode()
    own = {name: _no_nan(_one(table, name)) for name in table.column_names if name != document}
    names = chosen_columns(rules.names, own)
    return by_document(
        id_column(_ids(coded.dictionary)),
        coded.indices.to_numpy().astype(np.int64),
        *_span_columns(own, names, builder, table.num_rows),
    )


def _no_nan(column: Any) -> Any:
    """Return a column with null for NaN, which data frames write for no value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(column.type):
        return column
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)


# ---------------------------------------------------------------- columns


def _span_columns(
    own: Mapping[str, Any], names: Names, builder: Builder, size: int
) -> tuple[Ints, Ints, NDArray[Any], Sequence[str | None], Floats | None]:
    """Return starts, ends, labels, texts and confidences of plain spans."""
    _refuse_values(own, names.span_others)
    return (
        _integers(own.get(names.start)),
        _integers(own.get(names.end)),
        _labels(own.get(names.label), builder),
        _strings(own[names.span_text]) if names.span_text in own else [None] * size,
        confidence_column(first_values([own[name].to_pylist() for name in names.scores if name in own])),
    )


def _refuse_values(columns: Mapping[str, Any], names: Sequence[str]) -> None:
    """Leave spans with something under names that may count to the strict reader."""
    if any(columns[name].null_count < len(columns[name]) for name in names if name in columns):
        raise Unfit


def _one(table: Any, name: str) -> Any:
    """Return a column in one piece."""
    column = table[name].combine_chunks()
    return column if not hasattr(column, "chunks") else column.chunk(0)


def _integers(column: Any) -> Ints:
    import pyarrow as pa

    if column is None or not pa.types.is_integer(column.type) or column.null_count:
        raise Unfit
    try:
        return np.asarray(column.cast(pa.int64()).to_numpy())
    except pa.ArrowInvalid:  # past 64 bits
        raise Unfit from None


def _labels(column: Any, builder: Builder) -> NDArray[Any]:
    """Return the builder's numbers of the labels."""
    import pyarrow as pa

    if column is None or column.null_count:
        raise Unfit
    if not pa.types.is_dictionary(column.type) and not _has_strings(column):
        raise Unfit
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    return np.asarray(builder.coded(_strings(coded.dictionary))[coded.indices.to_numpy()])


def _strings(column: Any) -> list[Any]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not _has_strings(column):
        if column.null_count == len(column):
            return [None] * len(column)
        raise Unfit
    try:
        values: list[Any] = column.to_numpy(zero_copy_only=False).tolist()
    except pa.ArrowException:  # a value that is not UTF-8; the slow way says which
        values = column.to_pylist()
    return values


def _has_strings(column: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))


def _ids(column: Any) -> list[Any]:
    import pyarrow as pa

    values: list[Any] = column.to_pylist() if pa.types.is_integer(column.type) else _strings(column)
    return values
