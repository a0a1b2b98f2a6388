"""Spark: gold and predictions brought together by document id, counted where they are; only counts come back.

Rows of both sides are shuffled by key, sorted, and given to a function a block of documents at a time: what a
worker holds does not grow with a partition. The function reads lines as the local engine reads those of a file.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from spanscope.engines.choice import Spark
from spanscope.engines.spark_frames import Row, Side
from spanscope.engines.spark_session import ignore_warnings, spark_error
from spanscope.errors import InputError, SpanscopeError, shown
from spanscope.io.broken_json import explain

BYTES = 64_000_000  # of a block, unless a single document has more
SHARE = 64_000_000  # bytes of gold for which there is a partition
PORTION = "at long, found binary"
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
        with ignore_warnings():
            rows = dealt.mapInArrow(_Worker(function, empty, fold, how.block), PORTION).collect()
    except Exception as error:
        raise spark_error(error) from None
    for row in sorted(rows, key=lambda row: int(row.at)):
        one = unpack(bytes(row.found))
        if isinstance(one, SpanscopeError):
            raise one
        yield one
    if not rows:
        yield function(*(side.source([]) for side in empty))


def pack(found: Any) -> bytes:
    """Return what a worker sends back."""
    return zlib.compress(pickle.dumps(found, protocol=5), 1)


def unpack(data: bytes) -> Any:
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
        """Return one row per block: its place among all blocks, and its pickled counts, or what is wrong."""
        import pyarrow as pa
        from pyspark import TaskContext

        context = TaskContext.get()
        first = (context.partitionId() if context else 0) << 32
        found = map(self._count, _blocks(batches, self.block))
        for number, one in enumerate(found if self.fold is None else _fold_all(found, self.fold)):
            yield pa.RecordBatch.from_pydict({"at": [first + number], "found": [pack(one)]})
            if isinstance(one, SpanscopeError):
                return

    def _count(self, block: Sequence[Sequence[Row]]) -> Any:
        """Return what the function gives, or the error for the user: raised here, it would be tried four times."""
        try:
            for side, rows in zip(self.both, block, strict=True):
                if (nameless := next((row for row in rows if row[0] is None), None)) is not None:
                    raise _nameless_error(side, nameless[2])
            return self.function(*(side.source(rows) for side, rows in zip(self.both, block, strict=True)))
        except SpanscopeError as error:
            return error


def _fold_all(found: Iterable[Any], fold: Fold) -> Iterator[Any]:
    """Make one of all, or return the first error."""
    out = None
    for one in found:
        if isinstance(one, SpanscopeError):
            yield one
            return
        out = one if out is None else fold(out, one)
    if out is not None:
        yield out


def _nameless_error(side: Side, line: bytes) -> InputError:
    """Say why a row has no key: it is no JSON, or has no id."""
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        error = explain(line, side.name)
        return InputError(error.what, where=side.name, expected=error.expected, hint=error.hint)
    return InputError(
        f"a document has no id: {shown(line.decode('utf-8', 'replace'))}",
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
