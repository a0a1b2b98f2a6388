"""Both sides as data frames of Spark whose rows are documents: a key, a place and a line of JSON each.

A line is JSON as a file would have it, so that the readers of files read it. Where a row of a frame is a span, its
lines are put together to columns again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from spanscope.engines.choice import Spark, is_frame
from spanscope.engines.sizes import can_cut
from spanscope.engines.spark_session import session, spark_error
from spanscope.errors import InputError
from spanscope.io.archive import is_archive
from spanscope.io.detect import formats_claiming
from spanscope.io.fields import KNOWN, PASSAGES, Fields, document_names, has_row_a_span
from spanscope.io.folder import is_folder, sources_in
from spanscope.io.format import Format
from spanscope.io.json_lines import can_stream
from spanscope.io.opening import holds_table
from spanscope.io.passages.names import IDS
from spanscope.io.pipes import is_pipe
from spanscope.io.source import FEW, Source

LINES = (".jsonl", ".ndjson", ".json", ".jsonl.gz", ".ndjson.gz", ".json.gz", ".txt")
SIDES = ("gold", "pred")


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
    """One side as a data frame of Spark: what it is called, and whether a row is a line, a span, or a document."""

    name: str
    frame: Any
    flat: str | None  # the column that names a span's document, where a row is a span
    lined: bool = False  # a row is a line of JSON, as text

    def source(self, rows: Sequence[Row]) -> Any:
        """Return some rows as an input of the readers: lines, or columns where a row is a span."""
        if self.flat is None:
            places = [Place(at, key or "") for key, at, _ in rows]
            return Source(self.name, b"\n".join(line for *_, line in rows), "", lined=True, numbers=places)
        found = [msgspec.json.decode(line) for *_, line in rows]
        known = list(dict.fromkeys(["start", "end", "label", self.flat, *(key for row in found for key in row)]))
        return {key: [row.get(key) for row in found] for key in known}


def open_sides(gold: Any, pred: Any, how: Spark, names: Fields) -> list[Side]:
    """Return both sides as data frames; paths are read by Spark."""
    if pred is None:
        raise InputError("there are no predictions", expected="gold and predictions, two data frames or paths")
    both = list(zip((gold, pred), SIDES, strict=True))
    given = [source if is_frame(source) else _read(source, how, word) for source, word in both]
    out = []
    for (source, word), frame in zip(both, given, strict=True):
        called = str(source) if isinstance(source, (str, Path)) else word
        lined = not is_frame(source) and _is_lined(source)
        is_flat = not lined and has_row_a_span(frame.columns, names)
        flat = _ids_in(frame, called, document_names(names), names)[0] if is_flat else None
        out.append(Side(called, frame, flat, lined))
    return out


def _is_lined(path: Any) -> bool:
    """Tell lines of JSON: by the ending, or by what stands in a file or in a folder of this machine."""
    return str(path).endswith(LINES) or can_stream(path)


def _read(source: Any, how: Spark, word: str) -> Any:
    """Return a path as a data frame: lines of JSON as text, everything else as Parquet."""
    if not isinstance(source, (str, Path)):
        raise InputError(
            f"the {word} side is {type(source).__name__}", expected="a data frame of Spark, or a path"
        )
    if is_pipe(source):
        raise InputError("is a pipe, which Spark cannot read", where=str(source), expected="a file")
    _refuse_other_files(source)
    files = sources_in(source) if is_folder(source) else [str(source)]
    spark = session(how.master)
    try:
        if _is_lined(source):
            return spark.read.text(files)
        own = spark.read.option("basePath", str(source)) if Path(source).is_dir() else spark.read
        return own.parquet(*files)  # with columns that are the names of folders in it
    except Exception as error:
        raise spark_error(error, str(source)) from None


def _refuse_other_files(source: str | Path) -> None:
    """Refuse a file or folder of this machine that is in a format which Spark cannot read.

    What Spark alone can see, such as what stands in a cluster, and tables are left to it.
    """
    found = () if holds_table(source) else formats_claiming(source)
    if found and not any(one.in_blocks for one in found):
        _refuse_format(found[0], str(source))
    if is_folder(source) and (is_archive(source) or not can_cut(source)):
        kind = "an archive" if is_archive(source) else "a folder of files that are read whole"
        raise InputError(
            f"is {kind}, which Spark cannot read",
            where=str(source),
            expected="a folder of JSON Lines, whose lines are documents, or of Parquet with the same columns",
            hint="without [[engine=spark]]",
        )


def _refuse_format(known: Format, where: str) -> None:
    raise InputError(
        f"is in the format {known.name}, which is read whole, and not by Spark",
        where=where,
        expected="JSON Lines, whose lines are documents, or Parquet",
        hint="without [[engine=spark]]",
    )


def key_rows(side: Side, known: Format, names: Fields) -> Side:
    """Return a side whose rows are the keys of documents, their places and their lines."""
    from pyspark.sql import functions as f

    if not known.in_blocks:
        _refuse_format(known, side.name)
    frame, at = side.frame, f.monotonically_increasing_id().alias("at")  # the order, which a shuffle would lose
    own = tuple(dict.fromkeys((*known.ids, *_names(names))))
    if side.lined:
        keys = [f.get_json_object(_line(side), f"$['{name}']") for name in own]
        frame = frame.where(f.trim("value") != "")
        rows = frame.select(f.coalesce(*keys).alias("key"), at, _line(side).alias("line"))
        return Side(side.name, rows, None)
    ids = _ids_in(frame, side.name, document_names(names) if side.flat else own, names)
    _check(frame, side.name, ids)
    key = f.coalesce(*(f.col(f"`{name}`").cast("string") for name in ids)).alias("key")
    return Side(side.name, frame.select(key, at, _line(side).alias("line")), side.flat)


def _line(side: Side) -> Any:
    """Return the column of JSON that a row is, or is made into."""
    from pyspark.sql import functions as f

    if side.lined:
        return f.expr("trim(LEADING '\ufeff' FROM value)")
    return f.to_json(f.struct(*(f.col(f"`{name}`") for name in side.frame.columns)))


def _ids_in(frame: Any, called: str, known: Sequence[str], names: Fields) -> list[str]:
    """Return the columns of a data frame that name documents."""
    there = frame.columns
    if ids := [name for name in known if name in there]:
        return ids
    raise InputError(
        f"there is no column of ids (there are {', '.join(there[:12])})",
        where=called,
        expected=f"{names['id'][0]}: Spark brings gold and predictions together by it",
        hint="[[fields=id=NAME]]   if it stands under another name",
    )


def _names(names: Fields) -> tuple[str, ...]:
    """Return the names under which what joins documents may stand: ids first, at last the texts of queries."""
    own = names["id"]
    return (*own, *(name for name in (*IDS, *PASSAGES["query"]) if name not in own)) if own == KNOWN["id"] else own


def _check(frame: Any, called: str, ids: Sequence[str]) -> None:
    """Refuse columns of ids that are neither strings nor whole numbers."""
    for field in frame.schema.fields:
        kind = field.dataType.simpleString()
        if field.name in ids and kind not in ("string", "int", "bigint", "smallint", "tinyint"):
            raise InputError(
                f"the column {field.name} is {kind[:60]}", where=called, expected="strings or whole numbers"
            )


def first_rows(side: Side) -> Any:
    """Return the first rows of a side, by which its format is recognised."""
    try:
        frame = side.frame.where("trim(value) != ''") if side.lined else side.frame
        rows = frame.limit(FEW).select(_line(side).alias("line")).collect()
    except Exception as error:
        raise spark_error(error, side.name) from None
    return side.source([(None, at, row.line.encode()) for at, row in enumerate(rows)])
