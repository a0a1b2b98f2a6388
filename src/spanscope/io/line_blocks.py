"""JSON Lines of two files in blocks of as many documents: what is in memory at once does not grow with the files.

Where the documents of the two files are in the same order, block stands beside block. Where they are not, the
lines are first dealt into temporary files by their ids, so that both lines of a document are in the same pair.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

import msgspec
import numpy as np

from spanscope.io.fields import value_of
from spanscope.io.line_stream import Stream
from spanscope.io.part_stream import PartStream
from spanscope.io.row_stream import RowStream, deal_rows, read_dealt
from spanscope.io.source import Source
from spanscope.io.spans.values import ID
from spanscope.io.target import no_room

LINES = 20_000  # of a block, at most
BYTES = 1 << 25  # of a block, unless a single line has more
PACKED = 8  # how much larger than its gzip file JSON may be
ROOM = 64_000_000  # bytes of the lines that stand together in one temporary file, both sides
NUMBERED = re.compile(r"(#[0-9]+)+\Z")


AnyStream = Stream | PartStream | RowStream


class Pair(NamedTuple):
    """Lines of both files with as many documents, and how many documents come before."""

    gold: Source
    pred: Source
    first: int = 0


class Unordered(Exception):
    """The two files cannot be read beside each other; the message says why."""


def pair_in_order(gold: AnyStream, pred: AnyStream, lines: int | None = None) -> Iterator[Pair]:
    """Return blocks of both files beside each other; Unordered where one ends before the other."""
    done = 0
    while True:
        ours, theirs = (side.ahead(lines or LINES, BYTES) for side in (gold, pred))
        number = min(ours, theirs)
        if not number:
            if ours or theirs:
                raise Unordered("not as many documents as")
            return
        yield Pair(gold.block(number), pred.block(number), done)
        done += number


def deal_by_id(
    gold: AnyStream,
    pred: AnyStream,
    names: Sequence[tuple[str, ...]],
    files: int,
    room: Path,
    tick: Callable[[], None],
) -> Iterator[Pair]:
    """Deal the lines of both files by the ids of their documents, then return the pairs of dealt files.

    `names` are those under which an id may stand, of gold and of predictions. Where a line has no id, or is no
    JSON, all lines stay together: whoever reads them says what is wrong. `tick` is called as the files are dealt.
    """
    sides = zip(("gold", "pred"), (gold, pred), names, strict=True)
    known = [_deal(stream, side, own, files, room, tick) for side, stream, own in sides]
    if all(known):
        for n in range(files):
            pair = (_read(room, "gold", [n], gold), _read(room, "pred", [n], pred))
            if any(side.held for side in pair):
                yield Pair(*pair)
        return
    every = range(files)
    yield Pair(_read(room, "gold", every, gold), _read(room, "pred", every, pred))


def _deal(
    stream: AnyStream, side: str, names: tuple[str, ...], files: int, room: Path, tick: Callable[[], None]
) -> bool:
    """Deal the lines of a file, and tell whether all of them have an id.

    Files are opened for every block of lines, because there may be more of them than may be open.
    """
    if not isinstance(stream, Stream) and stream.is_table:
        try:
            return deal_rows(stream, side, names, lambda one: _file_of(one, files), room, (LINES, BYTES), tick)
        except OSError as error:
            raise no_room(error) from None
    known, decode = True, _decoder(names)
    while number := stream.ahead(LINES, BYTES):
        block = stream.block(number)
        lines = block.data.split(b"\n")
        rows = [row for row, line in enumerate(lines) if line.strip()]
        ids = [_id(lines[row], decode) for row in rows]
        known = known and None not in ids
        place = np.array([_file_of(name or "", files) for name in ids], dtype=np.int64)
        for n in np.unique(place).tolist():
            own = [rows[at] for at in np.flatnonzero(place == n).tolist()]
            pair = (room.joinpath(f"{side}.{n}"), room.joinpath(f"{side}.{n}.lines"))
            try:
                with pair[0].open("ab") as out, pair[1].open("ab") as at:
                    out.writelines(lines[row] + b"\n" for row in own)
                    at.write(array("q", [row + block.first_line + stream.before for row in own]).tobytes())
            except OSError as error:
                raise no_room(error) from None
        tick()
    return known


def _file_of(name: str, files: int) -> int:
    """Return the number of the file for an id: one and the same for all documents that share it.

    A repeated q may be called q#2, unless that is the id of another document: so these two stay together, and so
    do ids that are the same but for their Unicode form.
    """
    own = NUMBERED.sub("", name) if "#" in name else name
    own = own if own.isascii() else normalize("NFC", own)
    return zlib.crc32(own.encode("utf-8", "surrogatepass")) % files


def _decoder(names: tuple[str, ...]) -> msgspec.json.Decoder[Any]:
    """Return what decodes the ids of a line: a field for each of their names, in their order."""
    fields = [(f"id_{i}", ID, None) for i in range(len(names))]
    kind = msgspec.defstruct("Id", fields, rename=dict(zip((name for name, *_ in fields), names, strict=True)))
    return msgspec.json.Decoder(kind)


def _id(line: bytes, decoder: msgspec.json.Decoder[Any]) -> str | None:
    try:
        found = msgspec.structs.asdict(decoder.decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    own = value_of(found, found)
    return None if own is None else str(own)


def _read(room: Path, side: str, files: Any, stream: AnyStream) -> Source:
    """Return dealt files as lines of the file that they were dealt from, in its order."""
    if not isinstance(stream, Stream) and stream.is_table:
        return read_dealt(stream, side, files, room)
    lines: list[bytes] = []
    numbers = array("q")
    for n in files:
        path, at = room.joinpath(f"{side}.{n}"), room.joinpath(f"{side}.{n}.lines")
        if path.exists():
            data = path.read_bytes()
            lines += [line + b"\n" for line in data.split(b"\n")[:-1]] if len(files) > 1 else [data]
            numbers.frombytes(at.read_bytes())
            path.unlink()
            at.unlink()
    if len(files) > 1:
        order = np.argsort(np.array(numbers), kind="stable").tolist()
        lines, numbers = [lines[row] for row in order], array("q", [numbers[row] for row in order])
    return Source(stream.name, b"".join(lines), "", lined=True, numbers=numbers)
