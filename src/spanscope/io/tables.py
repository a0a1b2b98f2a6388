"""The tables in Parquet, Arrow and Feather files: nothing outside their buffers, and not far more than the file.

Arrow does not look at what the buffers of its own files say before somebody uses them: an offset past the end of a
buffer reads other memory, or ends the process. And a few kilobytes can stand for gigabytes, by compression or by
repeating one string.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from spanscope.errors import InputError
from spanscope.io.pipes import open_path
from spanscope.io.source import MOST_UNPACKED
from spanscope.system.child_process import TABLES, bounded, reading

AT_ONCE, FEWEST = 20_000, 1000  # rows that are unpacked at once
DENSE = 5  # times the bytes of a file, beyond which it is packed more densely than most
TIMES = 1000  # how many times the bytes of its file a large table may have: repeated values take next to none
ROOM = 4 * 10**9  # bytes that Arrow may set aside besides what a table takes
BUFFER = 1 << 20  # bytes of a column of Parquet that are read at once
LOOK = 10**8  # bytes for a look at the first rows
PARQUET, FILE = TABLES[:2]
POINTER = 8  # bytes that a value takes at least when it is read
FAULTS = (OSError, ValueError, KeyError, IndexError, TypeError, ArithmeticError, SystemError, RecursionError)


def arrow(name: str) -> Any:
    """Return the library of Arrow, or say how to get it."""
    try:
        import pyarrow as pa
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            "Parquet and Arrow need pyarrow, which is not installed",
            where=name,
            hint="pip install 'spanscope[arrow]'",
        ) from None
    return pa


def table_of(raw: bytes, name: str, most: int | None = None, *, hint: str = "", seconds: int | None = None) -> Any:
    """Return the table in the bytes of a file; refuse a damaged one, or one that takes more than `most` bytes."""
    pa = arrow(name)
    kind = "Parquet" if raw[:4] == PARQUET or name.endswith(".parquet") else "Arrow"
    limit = max(MOST_UNPACKED, TIMES * len(raw)) if most is None else most
    with _refusing_damaged(pa, name, kind, limit, hint), bounded(ROOM + 3 * limit, seconds):
        schema, batches = _open_table(pa, raw, kind, limit)
        return pa.Table.from_batches(list(_limit_batches(batches, limit, name, hint)), schema)


class Opened(NamedTuple):
    """A table in a file: its schema, the bytes of the file, about how many rows it has, and these some at a time.

    The number of rows is 0 where nothing says it.
    """

    schema: Any
    size: int
    rows: int
    batches: Iterator[Any]


def batches_of(file: IO[bytes], name: str) -> Opened:
    """Return the table in a file.

    Nothing but what is asked for is in memory: of Parquet about as many rows as are unpacked at once, of Arrow's
    files a batch as it was written.
    """
    pa = arrow(name)
    magic = file.read(len(FILE))
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    limit = max(MOST_UNPACKED, TIMES * size)
    kind, number = "Parquet" if magic[:4] == PARQUET else "Arrow", 0
    with _refusing_damaged(pa, name, kind, limit, ""):
        if kind == "Parquet":
            own = pa.parquet.ParquetFile(file, pre_buffer=False, buffer_size=BUFFER)
            rows = _rows_at_once(own.metadata, size, limit)
            number, schema = own.metadata.num_rows, own.schema_arrow
            parts = _gather_batches(pa, own.iter_batches(rows, use_threads=False), limit)
        elif magic == FILE:
            opened = pa.ipc.open_file(file)
            schema, several = opened.schema, range(opened.num_record_batches)
            number = len(several) * opened.get_batch(0).num_rows if several else 0
            parts = (opened.get_batch(at) for at in several)
        else:
            stream = pa.ipc.open_stream(file)
            schema, parts = stream.schema, iter(stream)

    def batches() -> Iterator[Any]:
        found = _limit_batches(parts, limit, name, "")
        while True:
            with _refusing_damaged(pa, name, kind, limit, ""):
                if (batch := next(found, None)) is None:
                    return
            yield batch

    return Opened(schema, size, number, batches())


@contextmanager
def _refusing_damaged(pa: Any, name: str, kind: str, limit: int, hint: str) -> Iterator[None]:
    """Read a file; a damaged one is refused, and one that takes more memory than there is."""
    try:
        with reading(name):
            yield
    except MemoryError:  # Arrow's own is one too
        raise _too_large(limit, name, hint) from None
    except (pa.ArrowException, *FAULTS) as error:  # what Arrow says to damaged files is of many kinds
        reason = str(error).strip().split("\n")[0][:120]
        expected = "a Parquet file" if kind == "Parquet" else "an Arrow or Feather file"
        raise InputError(f"is not a whole {kind} file ({reason})", where=name, expected=expected) from None


def head_of(path: str | Path, rows: int) -> Any:
    """Return the first rows of the table in a file."""
    pa = arrow(str(path))
    with reading(str(path)), open_path(path) as file:
        magic = file.read(len(FILE))
        size = file.seek(0, os.SEEK_END)
        limit = max(MOST_UNPACKED, TIMES * size)
        file.seek(0)
        if magic[:4] == PARQUET:
            own = pa.parquet.ParquetFile(file, pre_buffer=False)
            rows = min(rows, _rows_at_once(own.metadata, size, LOOK))
            batch = next(own.iter_batches(rows, use_threads=False))  # no thread is left behind
        elif magic == FILE:
            batch = pa.ipc.open_file(file).get_batch(0)
        else:
            batch = pa.ipc.open_stream(file).read_next_batch()
        return pa.table(next(_limit_batches(iter([batch.slice(0, rows)]), limit, str(path), "")))


def _open_table(pa: Any, raw: bytes, kind: str, limit: int) -> tuple[Any, Iterator[Any]]:
    """Return the schema of a file, and its rows some at a time."""
    source = pa.BufferReader(raw)
    if kind == "Parquet":
        own = pa.parquet.ParquetFile(source)
        return own.schema_arrow, _gather_batches(
            pa, own.iter_batches(_rows_at_once(own.metadata, len(raw), limit)), limit
        )
    if raw[: len(FILE)] == FILE:
        file = pa.ipc.open_file(source)
        return file.schema, (file.get_batch(at) for at in range(file.num_record_batches))
    stream = pa.ipc.open_stream(source)
    return stream.schema, iter(stream)


def _gather_batches(pa: Any, batches: Iterator[Any], limit: int) -> Iterator[Any]:
    """Put small batches together, up to the limit: a look at one of them costs as much as a look at many."""
    held: list[Any] = []
    rows = size = 0
    for batch in batches:
        held.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if size > limit:
            yield from held
        elif rows >= AT_ONCE:
            yield from pa.Table.from_batches(held).combine_chunks().to_batches()
        else:
            continue
        held, rows = [], 0
    if held:
        yield from pa.Table.from_batches(held).combine_chunks().to_batches()


def _limit_batches(batches: Iterator[Any], limit: int, name: str, hint: str) -> Iterator[Any]:
    """Return batches that are sound, as long as they take no more than so many bytes together."""
    size = 0
    for batch in batches:
        check_buffers(batch)
        size += sum(map(size_unpacked, batch.columns)) + POINTER * batch.num_rows
        if size > limit:
            raise _too_large(limit, name, hint)
        yield batch


def _too_large(limit: int, name: str, hint: str) -> InputError:
    said = f"{limit // 10**6:,} MB" if limit >= 10**6 else f"{limit:,} bytes"
    expected = "" if hint else f"at most {TIMES:,} times the file, or a gigabyte"  # the hint is for another limit
    return InputError(f"unpacks to more than {said}", where=name, expected=expected, hint=hint)


def _rows_at_once(metadata: Any, size: int, limit: int) -> int:
    """Return how many rows of a Parquet file may be unpacked before somebody looks at how much that is.

    A column that repeats entries of a dictionary gives, for a few bits, a string that can be as long as all of it.
    Where the file is not packed very densely, these are no fewer than can be taken without losing time.
    """
    largest: int = max([1, *(metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))])
    return max(1 if largest > DENSE * size else FEWEST, min(AT_ONCE, limit // largest))


# ---------------------------------------------------------------- how much a batch takes


def size_unpacked(column: Any) -> int:
    """Return about how many bytes the values of a column take once each stands for itself."""
    import pyarrow.types as kinds

    kind, size = column.type, POINTER * len(column)
    if kinds.is_dictionary(kind):
        return size + _times(column.dictionary, column.indices)
    if kinds.is_struct(kind):
        return size + sum(size_unpacked(column.field(at)) for at in range(kind.num_fields))
    if kinds.is_map(kind):
        return size + size_unpacked(column.keys) + size_unpacked(column.items)
    if kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind):
        return size + size_unpacked(column.values)
    if kinds.is_list_view(kind) or kinds.is_large_list_view(kind):
        values = column.values
        return size + int(column.sizes.to_numpy().sum(dtype=np.int64)) * (
            size_unpacked(values) // max(len(values), 1) + 1
        )
    if kinds.is_string_view(kind) or kinds.is_binary_view(kind):
        return size + int(_view_lengths(column).sum())
    return max(size, int(column.nbytes))


def _times(values: Any, rows: Any) -> int:
    """Return about how many bytes the entries of a dictionary take, each as often as it is there."""
    import pyarrow.compute as pc
    import pyarrow.types as kinds

    if kinds.is_string(values.type) or kinds.is_large_string(values.type):
        return int(pc.sum(pc.binary_length(values).cast("int64").take(rows)).as_py() or 0)
    return len(rows) * (size_unpacked(values) // max(len(values), 1) + 1)


def _view_lengths(column: Any) -> Any:
    """Return the lengths of strings that are views: the first of the four numbers of each."""
    views = np.frombuffer(column.buffers()[1], dtype=np.int32)[::4]
    return views[column.offset : column.offset + len(column)].astype(np.int64)


# ---------------------------------------------------------------- nothing outside the buffers


def check_buffers(table: Any) -> Any:
    """Return a table or a batch whose offsets, views and indices all stay within its buffers; else Arrow raises.

    Whether strings are UTF-8 is seen when they are read; it would take most of the time of a full validation. So
    they are taken for bytes here, which copies nothing.
    """
    table.validate()
    for column in table.columns:
        kind = _of_bytes(column.type)
        (column if kind == column.type else column.cast(kind)).validate(full=True)
    return table


def _of_bytes(kind: Any) -> Any:
    """Return a type with bytes for strings, as far as Arrow can take one for the other without a copy."""
    import pyarrow as pa

    if pa.types.is_string(kind):
        return pa.binary()
    if pa.types.is_large_string(kind):
        return pa.large_binary()
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_of_bytes(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_of_bytes(field.type)) for field in kind])
    return kind
