"""The documents of a table in Parquet or Arrow, some at a time, as `line_stream` has the lines of JSON Lines.

A row is a document, or a span: then rows of one document that follow each other are one. What comes in blocks are
rows; the readers of whole tables make documents of them.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.errors import DocumentError, InputError, named
from spanscope.io.arrow import TableRows, columns_of, first_rows, packed_rows, unpacked_rows
from spanscope.io.column_names import columns_of_spans, is_row_a_span
from spanscope.io.fields import KNOWN
from spanscope.io.folder import is_folder, sources_in
from spanscope.io.opening import holds_table
from spanscope.io.pipes import open_path
from spanscope.io.source import Source
from spanscope.io.surrogates import legible
from spanscope.io.tables import arrow, batches_of

EACH = 800  # bytes that a row takes while it is read, its text aside
PACKED = 8  # how many times its size a table takes where nothing says how many rows it has


def document_column(present: Sequence[str], own: Mapping[str, str]) -> str | None:
    """Return the column that names documents in a table with one row per span; None where a row is a document."""
    lists = (own["spans"],) if "spans" in own else KNOWN["spans"]
    columns = columns_of_spans(present, own)
    return columns["document"] if is_row_a_span(columns) and not {*lists} & {*present} else None


def is_cut_by_rows(path: Any) -> bool:
    """Tell a table that can be read in blocks, or files of such tables in a folder.

    Several annotators must be seen together: those that a column names, and those that have a file each.
    """
    if not isinstance(path, (str, Path)) or not str(path):
        return False
    if is_folder(path):
        return _are_parts(sources_in(path))
    schema = _schema_of(path)
    return schema is not None and _is_cut(schema.names)


def _is_cut(present: Sequence[str]) -> bool:
    return document_column(present, {}) is None or "annotator" not in columns_of_spans(present)


def _schema_of(path: str | Path) -> Any:
    """Return the schema of a table; None of what is no table, or none that can be opened."""
    if not holds_table(path):
        return None
    try:
        with open_path(path) as file:
            return batches_of(file, str(path)).schema.remove_metadata()
    except (InputError, OSError, UnicodeDecodeError):  # whoever reads it says what is wrong
        return None


def _are_parts(sources: Sequence[str]) -> bool:
    """Tell tables with the same columns that do not all begin with the same row, as those of annotators may."""
    schemas = [_schema_of(source) for source in sources]
    first = schemas[0] if schemas else None
    if first is None or not _is_cut(first.names) or any(one is None or one != first for one in schemas):
        return False
    begun = (first_rows(source).split(b"\n", 1)[0] for source in sources)
    row = next(begun)
    return len(sources) == 1 or any(other != row for other in begun)


class RowStream:
    """The documents of one table, some at a time, and the hash of the file."""

    before = 0  # rows of other files that come before
    is_table = True
    starts: Sequence[int] = (0,)

    def __init__(self, path: str | Path, own: Mapping[str, str]) -> None:
        """Open a file; `own` are names of fields by somebody's word."""
        self.name, self.done = legible(path), 0
        self._path = path
        self._file = open_path(path)
        self.schema, self._size, self._number, self._batches = batches_of(self._file, self.name)
        self.document = document_column(self.schema.names, own)
        self._rest = self.schema.empty_table()
        self._ends: Ints = np.zeros(0, dtype=np.int64)  # of the documents in `_rest`
        self._row, self._over = 1, False

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @property
    def unpacked(self) -> int:
        """Return about how many bytes the rows take while they are read."""
        return EACH * self._number or PACKED * self._size

    @property
    def sha256(self) -> str:
        """Return the hash of the bytes of the file."""
        with open_path(self._path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]

    @property
    def lines(self) -> int:
        """Return how many rows were given out."""
        return self._row - 1

    def ahead(self, lines: int, size: int) -> int:
        """Return how many documents are there, up to so many and not far more than so many bytes."""
        while len(self._ends) < lines and self._rest.nbytes < size and not self._over:
            self._more()
        return min(len(self._ends), lines)

    def block(self, lines: int) -> Source:
        """Return so many of the documents that `ahead` has seen."""
        end = int(self._ends[lines - 1])
        own, self._rest = self._rest.slice(0, end), self._rest.slice(end)
        self._ends = self._ends[lines:] - end
        first, self._row = self._row, self._row + end
        return Source(self.name, TableRows(columns_of(own, self.name), self.name), "", first, lined=True)

    def empty(self) -> Source:
        """Return no documents at all."""
        return Source(
            self.name, TableRows(columns_of(self.schema.empty_table(), self.name), self.name), "", lined=True
        )

    def _more(self) -> None:
        """Read what comes next; the last document may go on in what follows."""
        pa = arrow(self.name)
        self._rest = _copy_rows(self._rest)
        pa.default_memory_pool().release_unused()  # what batches before took, which Arrow would keep for itself
        batch = next(self._batches, None)
        self._over = batch is None
        if batch is not None:
            self._rest = pa.concat_tables([self._rest, pa.table(batch)])
            self.done = min(self._size, self._file.tell())
        ends = np.arange(1, self._rest.num_rows + 1)
        if self.document is not None:
            ends = _ends_of_runs(self._rest[self.document])
            ends = ends if self._over else ends[:-1]
        self._ends = ends


def _copy_rows(table: Any) -> Any:
    """Return the rows without the batch that they are a slice of, which would else stay as long as they do."""
    pa = arrow("table")
    try:
        return table.take(np.arange(table.num_rows))
    except pa.ArrowNotImplementedError:  # of views, in some releases of Arrow
        return table


def _ends_of_runs(column: Any) -> Ints:
    """Return where runs of equal values end."""
    import pyarrow.compute as pc

    if not len(column):
        return np.zeros(0, dtype=np.int64)
    plain = _comparable(column)
    other = pc.fill_null(pc.not_equal(plain[1:], plain[:-1]), True)
    return np.append(np.flatnonzero(other.to_numpy(zero_copy_only=False)) + 1, len(column)).astype(np.int64)


def _comparable(column: Any) -> Any:
    """Return a column in one piece, as plain numbers or bytes: Arrow compares no views, and checks no UTF-8."""
    import pyarrow as pa

    own = column.combine_chunks() if hasattr(column, "chunks") else column
    own = own.chunk(0) if hasattr(own, "chunks") else own
    if pa.types.is_dictionary(own.type):
        own = own.dictionary_decode()
    if pa.types.is_string_view(own.type):
        own = own.cast(pa.large_string())
    return own


class Dealt(Protocol):
    """The rows of one table or of several, some at a time, as they are dealt into files."""

    before: int
    document: str | None

    @property
    def name(self) -> str:
        """Return what the table, or the folder of them, is called."""

    @property
    def starts(self) -> Sequence[int]:
        """Return how many rows come before those of each table."""

    def ahead(self, lines: int, size: int) -> int:
        """Return how many documents come next."""

    def block(self, lines: int) -> Source:
        """Return so many of them."""

    def empty(self) -> Source:
        """Return no documents at all."""


def deal_rows(
    stream: Dealt,
    side: str,
    names: Sequence[str],
    file_of: Callable[[str], int],
    room: Path,
    ahead: tuple[int, int],
    tick: Callable[[], None],
) -> bool:
    """Deal the rows of tables into files by the ids of their documents, and tell whether all of them have one.

    `stream` has the rows of one table or of several; `names` are those under which a row may have its id, where it
    is a document.
    """
    known = True
    while number := stream.ahead(*ahead):
        block = stream.block(number)
        table = block.held.table  # type: ignore[union-attr]
        ids = _ids(table, (stream.document,) if stream.document is not None else names)
        known = known and None not in ids
        files = {one: file_of(one or "") for one in dict.fromkeys(ids)}
        place = np.fromiter(map(files.__getitem__, ids), np.int64, len(ids))
        for n in np.unique(place).tolist():
            rows = np.flatnonzero(place == n)
            with (
                room.joinpath(f"{side}.{n}").open("ab") as out,
                room.joinpath(f"{side}.{n}.lines").open("ab") as at,
            ):
                out.write(packed_rows(table.take(rows)))
                at.write(array("q", (rows + block.first_line + stream.before).tolist()).tobytes())
        tick()
    return known


def _ids(table: Any, names: Sequence[str]) -> list[str | None]:
    """Return the ids of rows as strings, none where one has none, or none that it can have."""
    columns = [_comparable(table[name]).to_pylist() for name in names if name in table.column_names]
    if not columns:
        return [None] * table.num_rows
    return [_id(next((one for one in row if one is not None), None)) for row in zip(*columns, strict=True)]


def _id(value: Any) -> str | None:
    if isinstance(value, float) and value.is_integer():  # as data frames have whole numbers with gaps
        value = int(value)
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def read_dealt(stream: Dealt, side: str, files: Sequence[int], room: Path) -> Source:
    """Return dealt rows as those of the table, or of the tables, that they were dealt from, in their order."""
    pa = arrow(stream.name)
    tables, numbers = [], array("q")
    for n in files:
        path, at = room.joinpath(f"{side}.{n}"), room.joinpath(f"{side}.{n}.lines")
        if path.exists():
            tables += unpacked_rows(path.read_bytes())
            numbers.frombytes(at.read_bytes())
            path.unlink()
            at.unlink()
    if not tables:
        return stream.empty()
    table = pa.concat_tables(tables)
    if len(files) > 1:
        order = np.argsort(np.array(numbers), kind="stable")
        table, numbers = table.take(order), array("q", np.array(numbers)[order].tolist())
    _refuse_divided(table, stream, np.array(numbers))
    return Source(stream.name, TableRows(table, stream.name), "", lined=True, numbers=numbers)


def _refuse_divided(table: Any, stream: Dealt, numbers: Ints) -> None:
    """Refuse a document with spans in several files, as readers of whole files do: it would seem to be two."""
    if stream.document is None or len(stream.starts) < 2:
        return
    part = np.searchsorted(np.array(stream.starts), numbers) - 1
    names = _comparable(table[stream.document]).to_pylist()
    ids: dict[Any, int] = {}
    for name, own in zip(names, part.tolist(), strict=True):
        if ids.setdefault(name, own) != own:
            what, expected = (
                f"the id {named(name)} is repeated in another file",
                "all spans of a document in one file",
            )
            raise DocumentError(what, where=stream.name, expected=expected)
