"""Parquet files, Arrow and Feather files, and Arrow tables as inputs of every reader.

The rows of a table count as the lines of JSON Lines: every reader takes them as documents, under the names that
JSON has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from spanscope.errors import InputError
from spanscope.io.fields import DOCUMENT, KNOWN, SEGMENTS
from spanscope.io.hugging_face import is_dataset, table_of_dataset
from spanscope.io.source import FEW, Source, is_object_of
from spanscope.io.tables import arrow, check_buffers, head_of, table_of
from spanscope.system.child_process import reading

READ = frozenset(name for names in (*KNOWN.values(), *SEGMENTS.values()) for name in names) | {*DOCUMENT}
PLAIN = ("null", "bool", "int", "uint", "float", "double", "halffloat", "string", "large_string", "string_view")
LISTS = ("list<", "large_list<", "list_view<", "large_list_view<", "fixed_size_list<")


@dataclass(frozen=True, eq=False)
class TableRows:
    """The rows of a table, with the name of their input for messages."""

    table: Any
    name: str

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def __reduce__(self) -> tuple[Any, ...]:
        """Send only these rows to another process, and not the buffers that they are a part of."""
        return _rows_from, (packed_rows(self.table), self.name)

    def lines(self, most: int | None = None) -> bytes:
        """Return all rows as JSON Lines, or so many of the first."""
        table = self.table.slice(0, most)
        with refusing_undecodable(table, self.name):
            return msgspec.json.Encoder().encode_lines(documents_of(table))


def packed_rows(table: Any) -> bytes:
    """Return rows as bytes."""
    pa = arrow("table")
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as out:
        out.write_table(table)
    return bytes(sink.getvalue())


def unpacked_rows(data: bytes) -> list[Any]:
    """Return the tables in bytes, which may be those of several tables behind each other."""
    pa = arrow("table")
    source, out = pa.BufferReader(data), []
    while source.tell() < len(data):
        out.append(pa.ipc.open_stream(source).read_all())
    return out


def _rows_from(data: bytes, name: str) -> TableRows:
    return TableRows(unpacked_rows(data)[0], name)


def is_array(value: object) -> bool:
    """Tell arrays of numbers or words, of whichever library; a column of a data frame has a name, and is none."""
    if not hasattr(value, "tolist"):  # as nearly always: lists of tags come by the thousand
        return False
    return hasattr(value, "ndim") and hasattr(value, "dtype") and not hasattr(value, "name")


def is_table(value: object) -> bool:
    """Tell an Arrow table or record batch, without loading Arrow for anything else."""
    return is_object_of(value, "pyarrow") and hasattr(value, "schema")


def as_rows(value: Any, name: str) -> Any:
    """Return an Arrow table, or a data set of Hugging Face, as an input with a name; an array as lists.

    Anything else is returned as it is.
    """
    if is_array(value):
        return value.tolist()
    if is_dataset(value):
        value = table_of_dataset(value)
    elif not is_table(value):
        return value
    pa = arrow(name)
    if hasattr(value, "read_all"):
        value = value.read_all()
    table = value if isinstance(value, pa.Table) else pa.table(value)
    try:
        return _source(check_buffers(table), name, "")
    except pa.ArrowException as error:
        raise InputError(f"is not a sound table ({str(error)[:120]})", where=name) from None


def read_table(raw: bytes, name: str, sha256: str) -> Source:
    """Return the table in the bytes of a Parquet, Arrow or Feather file."""
    return _source(table_of(raw, name), name, sha256)


def named_table(table: Any, name: str, sha256: str) -> Source:
    """Return a table, which was opened before, as an input."""
    return _source(table, name, sha256)


def first_rows(path: str | Path) -> bytes:
    """Return the first rows of a file as JSON Lines; nothing where they cannot be read."""
    try:
        return _source(head_of(path, FEW), str(path), "").data
    except Exception:  # whoever reads all of it says what is wrong
        return b""


def _source(table: Any, name: str, sha256: str) -> Source:
    return Source(name, TableRows(columns_of(table, name), name), sha256, lined=True)


def columns_of(table: Any, name: str) -> Any:
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
    return _without_views(table.select(keep))


def _without_views(table: Any) -> Any:
    """Return a table whose strings are no views, which polars writes and much of Arrow cannot read yet."""
    pa = arrow("table")
    kinds = [_viewless(field.type) for field in table.schema]
    if kinds == table.schema.types:
        return table
    fields = [field.with_type(kind) for field, kind in zip(table.schema, kinds, strict=True)]
    try:
        return table.cast(pa.schema(fields))
    except pa.ArrowException:  # strings that are no UTF-8: whoever reads them says which
        return table


def _viewless(kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_viewless(kind.value_type)))
    if pa.types.is_large_list(kind):
        return pa.large_list(kind.value_field.with_type(_viewless(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_viewless(field.type)) for field in kind])
    return kind


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


def documents_of(table: Any) -> list[Any]:
    """Return rows as plain documents; a field without a value is one that is not there."""
    maps = {"maps_as_pydicts": "strict"} if "map<" in str(table.schema) else {}
    return [_without_nulls(row) for row in table.to_pylist(**maps)]


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


@contextmanager
def refusing_undecodable(table: Any, name: str, line: Callable[[int], int] = int) -> Iterator[None]:
    """Read values of a table; what cannot be one in JSON is refused with the number of its row."""
    try:
        with reading(name):
            yield
    except (UnicodeDecodeError, KeyError):
        for row in range(table.num_rows):
            for column in table.column_names:
                try:
                    documents_of(table.select([column]).slice(row, 1))
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
