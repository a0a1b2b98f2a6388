"""Spark: gold and predictions brought together by document id, counted where they are; only counts come back.

Each document of either side becomes a row (key, side, at, line), its line JSON as a file would have it. Rows are
shuffled by key, sorted, and given to a function a block of documents at a time: what a worker holds does not grow
with a partition. The function reads lines as the local engine reads those of a file.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from spanscope.engines.choice import Spark, is_frame
from spanscope.engines.session import failed, quietly, session
from spanscope.errors import InputError, SpanscopeError
from spanscope.io.columns import DOCUMENT
from spanscope.io.fields import KNOWN, Fields
from spanscope.io.queries import IDS, QUERIES
from spanscope.io.source import Source, explain

BYTES = 64_000_000  # of a block, likewise
SHARE = 64_000_000  # bytes of gold for which there is a partition
LINES = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz", ".txt")
SIDES = ("gold", "pred")
PORTION = "at long, found binary"


class Place(int):
    """The place of a row among those of its side, shown as the id of its document: nobody knows the place."""

    name: str

    def __new__(cls, at: int, name: str) -> Place:
        """Return a number that is shown as a name."""
        out = super().__new__(cls, at)
        out.name = name
        return out

    def __str__(self) -> str:
        return self.name

    def __format__(self, form: str) -> str:
        return format(self.name, form)


Row = tuple[str | None, int, bytes]  # key, place, line


@dataclass(frozen=True)
class Side:
    """One side as rows of Spark: what it is called, and whether a row is a span and not a document."""

    name: str
    frame: Any
    flat: str | None  # the column that names a span's document

    def source(self, rows: Sequence[Row]) -> Any:
        """Return some rows as an input of the readers: lines, or columns where a row is a span."""
        if self.flat is None:
            places = [Place(at, key or "") for key, at, _ in rows]
            return Source(self.name, b"\n".join(line for *_, line in rows), "", lined=True, numbers=places)
        found = [msgspec.json.decode(line) for *_, line in rows]
        known = list(dict.fromkeys(["start", "end", "label", self.flat, *(key for row in found for key in row)]))
        return {key: [row.get(key) for row in found] for key in known}


def sides(gold: Any, pred: Any, how: Spark, names: Fields) -> list[Side]:
    """Return both sides as rows; paths are read by Spark."""
    if pred is None:
        raise InputError("there are no predictions", expected="gold and predictions, two data frames or paths")
    both = list(zip((gold, pred), SIDES, strict=True))
    given = [source if is_frame(source) else _read(source, how, word) for source, word in both]
    out = []
    for (source, word), frame in zip(both, given, strict=True):
        called = str(source) if isinstance(source, (str, Path)) else word
        out.append(_side(frame, called, names, lined=not is_frame(source) and _is_lined(source)))
    return out


def _is_lined(path: Any) -> bool:
    return str(path).endswith(LINES)


def _read(source: Any, how: Spark, word: str) -> Any:
    """Return a path as a data frame: lines of JSON as text, everything else as Parquet."""
    if not isinstance(source, (str, Path)):
        raise InputError(
            f"the {word} side is {type(source).__name__}", expected="a data frame of Spark, or a path"
        )
    spark = session(how.master)
    try:
        if _is_lined(source):
            return spark.read.text(str(source))
        return spark.read.parquet(str(source))
    except Exception as error:
        raise failed(error, str(source)) from None


def _side(frame: Any, called: str, names: Fields, *, lined: bool) -> Side:
    """Return the rows (key, at, line) of a data frame."""
    from pyspark.sql import functions as f

    at = f.monotonically_increasing_id().alias("at")  # the order within a side, which the shuffle would lose
    if lined:
        line = f.expr("trim(LEADING '\ufeff' FROM value)")
        keys = [f.get_json_object(line, f"$['{name}']") for name in _names(names)]
        rows = frame.where(f.trim("value") != "").select(f.coalesce(*keys).alias("key"), at, line.alias("line"))
        return Side(called, rows, None)
    there = frame.columns
    flat = not set(there) & set(names["spans"]) and all(set(there) & set(names[key]) for key in ("start", "end"))
    ids = [name for name in ((*DOCUMENT, *names["id"]) if flat else _names(names)) if name in there]
    if not ids:
        raise InputError(
            f"there is no column of ids (there are {', '.join(there[:12])})",
            where=called,
            expected=f"{names['id'][0]}: Spark brings gold and predictions together by it",
            hint="--field id=NAME   if it stands under another name",
        )
    _check(frame, called, ids)
    key = f.coalesce(*(f.col(f"`{name}`").cast("string") for name in ids)).alias("key")
    line = f.to_json(f.struct(*(f.col(f"`{name}`") for name in there))).alias("line")
    return Side(called, frame.select(key, at, line), ids[0] if flat else None)


def _names(names: Fields) -> tuple[str, ...]:
    """Return the names under which what joins documents may stand: ids first, at last the texts of queries."""
    own = names["id"]
    return (*own, *(name for name in (*IDS, *QUERIES) if name not in own)) if own == KNOWN["id"] else own


def _check(frame: Any, called: str, ids: Sequence[str]) -> None:
    """Refuse columns of ids that are neither strings nor whole numbers."""
    for field in frame.schema.fields:
        kind = field.dataType.simpleString()
        if field.name in ids and kind not in ("string", "int", "bigint", "smallint", "tinyint"):
            raise InputError(
                f"the column {field.name} is {kind[:60]}", where=called, expected="strings or whole numbers"
            )


def head(side: Side) -> Any:
    """Return the first rows of a side, by which its family is recognised."""
    try:
        rows = side.frame.limit(5).collect()
    except Exception as error:
        raise failed(error, side.name) from None
    return side.source([(row.key, row.at, row.line.encode()) for row in rows])


Function = Callable[[Any, Any], Any]
Fold = Callable[[Any, Any], Any]


def run(function: Function, both: Sequence[Side], how: Spark, fold: Fold | None = None) -> Iterator[Any]:
    """Apply the function to blocks of documents of both sides, wherever they are, and return what it gives.

    `fold` makes one of two, where the blocks of a partition are to be added up before they come back. With very
    many partitions the rows that come back could be folded by Spark as well, in the form of a tree, right here.
    """
    from pyspark.sql import functions as f

    number = how.partitions or _partitions(both[0].frame)
    marked = [side.frame.withColumn("side", f.lit(at).cast("byte")) for at, side in enumerate(both)]
    dealt = marked[0].unionByName(marked[1]).repartition(number, "key").sortWithinPartitions("key", "side", "at")
    empty = [Side(side.name, None, side.flat) for side in both]  # a data frame stays on the driver
    try:
        with quietly():
            rows = dealt.mapInArrow(_Worker(function, empty, fold, how.block), PORTION).collect()
    except Exception as error:
        raise failed(error) from None
    for row in sorted(rows, key=lambda row: int(row.at)):
        one = unpacked(bytes(row.found))
        if isinstance(one, SpanscopeError):
            raise one
        yield one
    if not rows:
        yield function(*(side.source([]) for side in empty))


def packed(found: Any) -> bytes:
    """Return what a worker sends back."""
    return zlib.compress(pickle.dumps(found, protocol=5), 1)


def unpacked(data: bytes) -> Any:
    """Return what a worker sent."""
    return pickle.loads(zlib.decompress(data))


def _partitions(gold: Any) -> int:
    """Return how many partitions there are: by the size of gold, so that every run has as many."""
    from pyspark.sql import SparkSession

    spark = SparkSession.active()
    usual = int(str(spark.conf.get("spark.sql.shuffle.partitions")))
    try:
        size = int(str(gold._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))
        cores = int(spark.sparkContext.defaultParallelism)
    except Exception:  # a session that is reached through Spark Connect tells neither
        return usual
    return min(max(cores, 1 + size // SHARE), max(usual, 100_000)) if size < 1 << 60 else usual


@dataclass(frozen=True)
class _Worker:
    """What is done in a partition: cut sorted rows into blocks, count each, and give back what is left of it."""

    function: Function
    both: Sequence[Side]
    fold: Fold | None
    block: int

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Return one row a block: its place among all blocks, and its pickled counts, or what is wrong with it."""
        import pyarrow as pa
        from pyspark import TaskContext

        context = TaskContext.get()
        first = (context.partitionId() if context else 0) << 32
        found = map(self._counted, _blocks(batches, self.block))
        for number, one in enumerate(found if self.fold is None else _folded(found, self.fold)):
            yield pa.RecordBatch.from_pydict({"at": [first + number], "found": [packed(one)]})
            if isinstance(one, SpanscopeError):
                return

    def _counted(self, block: Sequence[Sequence[Row]]) -> Any:
        """Return what the function gives, or the error for the user: raised here, it would be tried four times."""
        try:
            for side, rows in zip(self.both, block, strict=True):
                if (nameless := next((row for row in rows if row[0] is None), None)) is not None:
                    raise _nameless(side, nameless[2])
            return self.function(*(side.source(rows) for side, rows in zip(self.both, block, strict=True)))
        except SpanscopeError as error:
            return error


def _folded(found: Iterable[Any], fold: Fold) -> Iterator[Any]:
    """Make one of all, or return the first error."""
    out = None
    for one in found:
        if isinstance(one, SpanscopeError):
            yield one
            return
        out = one if out is None else fold(out, one)
    if out is not None:
        yield out


def _nameless(side: Side, line: bytes) -> InputError:
    """Say why a row has no key: it is no JSON, or has no id."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        error = explain(line, side.name)
        return InputError(error.what, where=side.name, expected=error.expected, hint=error.hint)
    start = line[:60].decode("utf-8", "replace")
    return InputError(
        f"a document has no id: {start}...",
        where=side.name,
        expected="an id in every document: Spark brings gold and predictions together by it",
    )


def _blocks(batches: Iterable[Any], documents: int) -> Iterator[list[list[Row]]]:
    """Cut sorted rows into blocks of both sides, between two keys, once there are enough of them."""
    block: list[list[Row]] = [[], []]
    last, rows, size = None, 0, 0
    for batch in batches:
        columns = [batch.column(name).to_pylist() for name in ("side", "key", "at")]
        lines = batch.column("line").cast("binary").to_pylist()
        for side, key, at, line in zip(*columns, lines, strict=True):
            if key != last and (rows >= 2 * documents or size >= BYTES):
                yield block
                block, rows, size = [[], []], 0, 0
            block[side].append((key, at, line))
            last, rows, size = key, rows + 1, size + len(line)
    if rows:
        yield block
