"""Parquet files, Arrow and Feather files, and Arrow tables: a row a document, or a row a span.

The rows of a table count as the lines of JSON Lines: every reader takes them as documents, under the names that
JSON has. Labelled spans have a fast way from Arrow's buffers; what does not fit goes to the reader that explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io.builder import Builder
from spanscope.io.fields import (
    FRAGMENTS,
    KNOWN,
    OF_SPANS,
    SEGMENTS,
    Fields,
    Names,
    chosen,
    span_strangers,
    strangers,
)
from spanscope.io.source import Source
from spanscope.io.spans.batch import Batch, Unfit, confidences, first_of
from spanscope.io.spans.columns import DOCUMENT, read_columns
from spanscope.io.strict import ANSWERS, Report, read_documents
from spanscope.io.tables import AT_ONCE, arrow, head_of, sound, table_of
from spanscope.system.child_process import reading

FEW = 20  # rows that show what a table holds
READ = frozenset(name for names in (*KNOWN.values(), *SEGMENTS.values()) for name in names) | {*DOCUMENT}
PLAIN = ("null", "bool", "int", "uint", "float", "double", "halffloat", "string", "large_string", "string_view")
LISTS = ("list<", "large_list<", "list_view<", "large_list_view<", "fixed_size_list<")


class Rows(Source):
    """A table as an input; its rows are turned into lines only for a reader that asks for bytes."""

    table: Any

    def __init__(
        self,
        name: str,
        data: bytes | None = None,
        sha256: str = "",
        first_line: int = 1,
        lined: bool = True,
        numbers: Any = None,
        table: Any = None,
    ) -> None:
        super().__init__(name, data or b"", sha256, first_line, lined, numbers)
        object.__setattr__(self, "table", table)
        if data is None:
            del self.__dict__["data"]

    @cached_property
    def data(self) -> bytes:  # a field there, made when asked for here
        """Return the rows as JSON Lines."""
        return _lines(self.table, self.name)

    def head(self, size: int) -> bytes:
        """Return the first rows as JSON Lines."""
        return _lines(self.table.slice(0, FEW), self.name)[:size]


def is_table(value: object) -> bool:
    """Tell an Arrow table or record batch, without loading Arrow for anything else."""
    return type(value).__module__.partition(".")[0] == "pyarrow" and hasattr(value, "schema")


def as_rows(value: Any, name: str) -> Any:
    """Return an Arrow table as an input with a name; anything else as it is."""
    if not is_table(value):
        return value
    pa = arrow(name)
    if hasattr(value, "read_all"):
        value = value.read_all()
    table = value if isinstance(value, pa.Table) else pa.table(value)
    try:
        return Rows(name, table=_columns_of(sound(table), name))
    except pa.ArrowException as error:
        raise InputError(f"is not a sound table ({str(error)[:120]})", where=name) from None


def read_table(raw: bytes, name: str, sha256: str) -> Rows:
    """Return the table in the bytes of a Parquet, Arrow or Feather file."""
    return Rows(name, sha256=sha256, table=_columns_of(table_of(raw, name), name))


def first_rows(path: str | Path) -> bytes:
    """Return the first rows of a file as JSON Lines; nothing where they cannot be read."""
    try:
        return _lines(_columns_of(head_of(path, FEW), str(path)), str(path))
    except Exception:  # whoever reads all of it says what is wrong
        return b""


def _columns_of(table: Any, name: str) -> Any:
    """Return the columns that JSON could hold; refuse one of another type where a reader would look for it."""
    try:
        names = table.schema.names
    except UnicodeDecodeError as error:
        raise _no_utf8("the name of a column", name, error) from None
    if twice := next((one for one in names if names.count(one) > 1), None):
        raise InputError(f"there are two columns {twice}", where=name, expected="one column of a name")
    keep = []
    nested = KNOWN["span_score"] if any(own in names for own in KNOWN["spans"]) else ()  # no reader looks there
    for field in table.schema:
        if _plain_type(field.type):
            keep.append(field.name)
        elif field.name in READ and field.name not in nested:
            raise InputError(
                f"the column {field.name} is {str(field.type)[:60]}",
                where=name,
                expected="strings, numbers, or lists and structs of them",
            )
    return table.select(keep)


def _plain_type(kind: Any) -> bool:
    """Tell a type that JSON has too."""
    text = str(kind)
    if text.startswith("dictionary<"):
        return _plain_type(kind.value_type)
    if text.startswith("map<"):
        return str(kind.key_type) in PLAIN and _plain_type(kind.item_type)
    if text.startswith(LISTS):
        return _plain_type(kind.value_type)
    if text.startswith("struct<"):
        return all(_plain_type(kind.field(i).type) for i in range(kind.num_fields))
    return text.rstrip("0123456789") in PLAIN


def _documents(table: Any) -> list[Any]:
    """Return rows as plain documents; a field without a value is one that is not there."""
    maps = {"maps_as_pydicts": "strict"} if "map<" in str(table.schema) else {}
    return [_present(row) for row in table.to_pylist(**maps)]


def _present(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _present(one) for key, one in value.items() if one is not None}
    return [_present(one) for one in value] if isinstance(value, list) else value


def _lines(table: Any, name: str) -> bytes:
    with _decoded(table, name):
        return msgspec.json.Encoder().encode_lines(_documents(table))


@contextmanager
def _decoded(table: Any, name: str, line: Callable[[int], int] = int) -> Iterator[None]:
    """Read values of a table; what cannot be one in JSON is refused with the number of its row."""
    try:
        with reading(name):
            yield
    except (UnicodeDecodeError, KeyError):
        for row in range(table.num_rows):
            for column in table.column_names:
                try:
                    _documents(table.select([column]).slice(row, 1))
                except UnicodeDecodeError as error:
                    raise _no_utf8(f"the column {column}", f"{name}:{line(row + 1)}", error) from None
                except KeyError:
                    what = f"a map of the column {column} has a key twice"
                    raise InputError(what, where=f"{name}:{line(row + 1)}", expected="every key once") from None
        raise


def _no_utf8(what: str, where: str, error: UnicodeDecodeError) -> InputError:
    return InputError(
        f"byte {error.object[error.start]:#04x} in {what} is not UTF-8", where=where, expected="UTF-8"
    )


# ---------------------------------------------------------------- labelled spans


def read_rows(
    source: Rows, names: Fields, offsets: str, report: Report, progress: Callable[[int], None]
) -> Corpus:
    """Return the corpus of labelled spans in a table: a row a document, or a row a span."""
    with _decoded(source.table, source.name, source.line):
        return _corpus(source, names, offsets, report, progress)


def _corpus(source: Rows, names: Fields, offsets: str, report: Report, progress: Callable[[int], None]) -> Corpus:
    table, where = source.table, lambda row: f"{source.name}:{source.line(row + 1)}"
    flat = _is_flat(table, names)
    if flat:
        nested = _nested(table, names) if offsets == "codepoints" else None
        if nested is None:
            columns = {name: table[name].to_pylist() for name in table.column_names}
            return read_columns(columns, source.name, names, offsets, report)
        table, ids = nested
        where = lambda row: f"{source.name} document {ids[row]!r}"  # noqa: E731
    builder = Builder(source.name, where)
    used = chosen(names, _documents(table.slice(0, FEW)))
    for first in range(0, table.num_rows, AT_ONCE):
        _add(builder, table.slice(first, AT_ONCE), first, names, used, offsets, report)
        progress(first)
    corpus = builder.corpus(sha256=source.sha256 or None)
    if flat:
        corpus.ids, corpus.open_ended = corpus.ids or [], True
    return corpus


def _add(
    builder: Builder, part: Any, first: int, names: Fields, used: Names, offsets: str, report: Report
) -> None:
    """Take some rows in: the fast way, or the careful one where that does not fit."""
    try:
        batch = _fast(part, names, used, offsets, builder)
        batch.rows = range(first, first + part.num_rows)
        builder.add(batch)
    except Unfit:
        documents = _documents(part)
        builder.add(read_documents(documents, builder.where, names, offsets, report, first))


def _is_flat(table: Any, names: Fields) -> bool:
    """Tell a row a span: there are columns of offsets, and none of lists of spans."""
    own = set(table.column_names)
    return not own & set(names["spans"]) and all(own & set(names[key]) for key in ("start", "end"))


def _nested(table: Any, names: Fields) -> tuple[Any, list[str]] | None:
    """Return rows of spans as rows of documents, in the order in which these appear; None where they are odd."""
    import pyarrow as pa

    wanted = DOCUMENT if names["id"] == KNOWN["id"] else names["id"]
    document = next((name for name in wanted if name in table.column_names), None)
    of_spans = [FRAGMENTS, *(name for key in (*OF_SPANS, "span_score") for name in names[key])]
    keep = [name for name in of_spans if name in table.column_names and name != document]
    labelled = any(name in keep for name in names["label"])
    if document is None or not labelled or len(set(keep)) < len(keep) or table[document].null_count:
        return None
    column = _one(table, document)
    if not (pa.types.is_string(column.type) or pa.types.is_integer(column.type)):
        return None
    coded = column.dictionary_encode()
    codes = coded.indices.to_numpy()
    rows = table.select(keep).take(pa.array(np.argsort(codes, kind="stable")))
    edges = np.append(0, np.cumsum(np.bincount(codes, minlength=len(coded.dictionary)))).astype(np.int32)
    scores = names["span_score"]
    columns = [_no_nan(_one(rows, name)) if name in scores else _one(rows, name) for name in keep]
    spans = pa.StructArray.from_arrays(columns, names=keep)
    lists = pa.ListArray.from_arrays(pa.array(edges, type=pa.int32()), spans)
    ids = coded.dictionary
    return pa.table({names["id"][0]: ids, names["spans"][0]: lists}), [str(name) for name in ids.to_pylist()]


def _no_nan(column: Any) -> Any:
    """Return a column with null for NaN, which data frames write for no value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(column.type):
        return column
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)


def _one(table: Any, name: str) -> Any:
    """Return a column in one piece."""
    column = table[name].combine_chunks()
    return column if not hasattr(column, "chunks") else column.chunk(0)


def _fast(part: Any, names: Fields, used: Names, offsets: str, builder: Builder) -> Batch:
    """Return the columns of plain rows; anything unusual raises, and the careful reader takes over."""
    import pyarrow as pa

    there = set(part.column_names)
    _none_in(part, [name for name in strangers(names, used) if name in there])
    if used["spans"] not in there or ("answer" in there and set(part["answer"].to_pylist()) - {*ANSWERS}):
        raise Unfit
    lists = _one(part, used["spans"])
    if not (pa.types.is_list(lists.type) or pa.types.is_large_list(lists.type)) or lists.null_count:
        raise Unfit
    spans = lists.flatten()
    if not pa.types.is_struct(spans.type) or spans.null_count:
        raise Unfit
    own = {field.name: spans.field(i) for i, field in enumerate(spans.type)}
    _none_in(own, [name for name in span_strangers(names, used) if name in own])
    texts = _strings(_one(part, used["text"])) if used["text"] in there else [None] * part.num_rows
    if offsets != "codepoints" and not all(text is not None and text.isascii() for text in texts):
        raise Unfit
    return Batch(
        _ids(_one(part, used["id"])) if used["id"] in there else [None] * part.num_rows,
        texts,
        np.diff(lists.offsets.to_numpy()).tolist(),
        _integers(own.get(used["start"])),
        _integers(own.get(used["end"])),
        _labels(own.get(used["label"]), builder),
        _strings(own[used["span_text"]]) if used["span_text"] in own else [None] * len(spans),
        typed=True,
        scores=confidences(first_of([own[name].to_pylist() for name in names["span_score"] if name in own])),
    )


def _none_in(columns: Any, names: list[str]) -> None:
    """Refuse values under names that come before the ones used: which of them counts the careful reader says."""
    if any(columns[name].null_count < len(columns[name]) for name in names):
        raise Unfit


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
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    return np.asarray(builder.coded(_strings(coded.dictionary))[coded.indices.to_numpy()])


def _strings(column: Any) -> list[Any]:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        if column.null_count == len(column):
            return [None] * len(column)
        raise Unfit
    values: list[Any]
    try:
        values = column.to_numpy(zero_copy_only=False).tolist()
    except pa.ArrowException:  # bytes that are not UTF-8: the slow way says so with an error of Python's own
        values = column.to_pylist()
    return values


def _ids(column: Any) -> list[Any]:
    import pyarrow as pa

    values: list[Any] = column.to_pylist() if pa.types.is_integer(column.type) else _strings(column)
    return values
