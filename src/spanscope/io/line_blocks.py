"""JSON Lines of two files in blocks of as many documents: what is in memory at once does not grow with the files.

Where the documents of the two files are in the same order, block stands beside block. Where they are not, the
lines are first dealt into temporary files by their ids, so that both lines of a document are in the same pair.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from spanscope.arithmetic import Ints
from spanscope.errors import InputError
from spanscope.io.packed import MAGIC, Gunzip
from spanscope.io.pipes import opened
from spanscope.io.source import BOM, STDIN, Source, refuse_swollen, standard_input
from spanscope.io.surrogates import legible
from spanscope.io.target import no_room

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

READ = 1 << 20  # bytes read at once, and as many ahead
LINES = 20_000  # of a block, at most
BYTES = 1 << 25  # of a block, unless a single line has more
ROOM = 64_000_000  # bytes of the lines that stand together in one temporary file, both sides
MOST_LINE = 100_000_000  # bytes of a line where files are read in blocks: longer ones would fill the memory
PACKED = 8  # how much larger than its gzip file JSON may be
SPACE = 32  # the blank; what comes before it in ASCII is no beginning of JSON either
NEWLINE = 10
NOTHING = np.zeros(0, dtype=np.int64)
NUMBERED = re.compile(r"(#[0-9]+)+\Z")
A = TypeVar("A")
B = TypeVar("B")


class Pair(NamedTuple):
    """Lines of both files with as many documents, and how many documents come before."""

    gold: Source
    pred: Source
    first: int = 0


class Lines(NamedTuple):
    """Lines of a file: bytes, where in these the first starts, and where each ends."""

    source: Source
    start: int
    ends: Ints


class Unordered(Exception):
    """The two files cannot be read beside each other; the message says why."""


class Stream:
    """The lines of a file, some at a time, and the hash of what was read."""

    def __init__(self, path: str | Path, size: int = READ) -> None:
        self._size = size
        self.name = "<stdin>" if str(path) == STDIN else legible(path)
        self._hash = hashlib.sha256()
        self._standard = str(path) == STDIN
        self._raw: IO[bytes] = standard_input() if self._standard else opened(path)
        from concurrent.futures import ThreadPoolExecutor  # small runs need not wait for it

        self._reader, self._hasher = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self._coming = self._started()  # waits for what is read next
        self._line, self.done, self._over = 1, 0, False
        self._unpacked = 0  # bytes
        head = self._take()
        self._gunzip = Gunzip(self.name) if head[:2] == MAGIC else None
        self._rest = self._opened(head).removeprefix(BOM)
        self._ends = NOTHING  # of the lines of `_rest`
        self._number = NOTHING  # how many up to each are not blank

    def close(self) -> None:
        """Let go of the file."""
        self._reader.shutdown()
        self._hasher.shutdown()
        if not self._standard:
            self._raw.close()

    @property
    def sha256(self) -> str:
        """Return the hash of the bytes of the file, once all of them are read."""
        self._hasher.shutdown()
        return self._hash.hexdigest()

    @property
    def packed(self) -> bool:
        """Tell a gzip file."""
        return self._gunzip is not None

    def ahead(self, lines: int, size: int) -> int:
        """Return how many lines that are not blank come next: at most so many, in about so many bytes.

        It is 0 at the end only.
        """
        while True:
            found = int(self._number[-1]) if len(self._number) else 0
            if self._over or found >= lines or (found and len(self._rest) >= size):
                break
            if not found and len(self._rest) > MOST_LINE:
                self._refuse_long()
            self._look(b"".join((self._rest, *self._more(len(self._rest)))))
        fitting = self._number[np.searchsorted(self._ends, size, "right") - 1] if size < len(self._rest) else found
        return min(lines, found, max(int(fitting), 1))

    def _refuse_long(self) -> None:
        raise InputError(
            f"the line has more than {MOST_LINE:,} bytes",
            where=f"{self.name}:{self._line}",
            expected="JSON Lines, a document a line",
            hint="--memory spans   which reads the file whole",
        )

    def block(self, lines: int) -> Source:
        """Return so many of the lines that `ahead` has seen, with the blank ones before them."""
        last = int(np.searchsorted(self._number, lines)) + 1
        end, before = int(self._ends[last - 1]), int(self._number[last - 1])
        data, self._rest = self._rest[:end], self._rest[end:]
        self._ends, self._number = self._ends[last:] - end, self._number[last:] - before
        first, self._line = self._line, self._line + last
        return Source(self.name, data, "", first, lined=True)

    def _look(self, data: bytes) -> None:
        """Find the lines in what was read besides those already known."""
        start = int(self._ends[-1]) if len(self._ends) else 0
        ends = line_ends(data, start, None if self._over else data.rfind(b"\n") + 1)
        full = np.ones(len(ends), dtype=bool)
        starts = np.concatenate(([start], ends[:-1])).astype(np.int64)[: len(ends)]
        for row in np.flatnonzero(np.frombuffer(data, dtype=np.uint8)[starts] <= SPACE).tolist():
            full[row] = bool(data[starts[row] : ends[row]].strip())
        before = int(self._number[-1]) if len(self._number) else 0
        self._rest, self._ends = data, np.concatenate((self._ends, ends))
        self._number = np.concatenate((self._number, before + np.cumsum(full)))

    def pieces(self) -> Iterator[Lines]:
        """Return all lines, some at a time, with the blank ones.

        A line that is in two readings is put together and comes alone; nothing else is copied.
        """
        data, parts = self._rest or self._next(), list[bytes]()
        while data:
            first, last = data.find(b"\n") + 1, data.rfind(b"\n") + 1
            if not parts:
                first = 0
            elif first:
                yield self._piece(b"".join((*parts, data[:first])))
                parts = []
            if first < last:
                yield self._piece(data, first, last)
            parts.append(data[last:])
            data = self._next()
            if self._gunzip is not None:
                refuse_swollen(self.name, self.done, self._unpacked)
        if last_line := b"".join(parts):
            yield self._piece(last_line)

    def _piece(self, data: bytes, start: int = 0, stop: int | None = None) -> Lines:
        ends = line_ends(data, start, stop)
        first, self._line = self._line, self._line + len(ends)
        return Lines(Source(self.name, data, "", first, lined=True), start, ends)

    def _more(self, size: int) -> Iterator[bytes]:
        """Return at least so many bytes: what is looked through again and again would else grow by a little."""
        while not self._over and size >= 0:
            data = self._next()
            size -= len(data)
            yield data

    def _next(self) -> bytes:
        while (waiting := self._gunzip is not None and self._gunzip.waiting) or (raw := self._take()):
            if data := self._opened(b"" if waiting else raw):
                return data
        if self._gunzip is not None:
            self._gunzip.finish()
        self._over = True
        return b""

    def _take(self) -> bytes:
        raw = self._coming()
        self._coming = self._started() if raw else lambda: b""
        _beside(self._hasher, self._hash.update, raw)
        self.done += len(raw)
        return raw

    def _started(self) -> Callable[[], bytes]:
        """Read what comes next, beside other work, and return what waits for it.

        Standard input is not read by a thread: whoever stops the program would have to wait for more of it.
        """
        if self._standard:
            return lambda: self._raw.read(self._size)
        return _beside(self._reader, self._raw.read, self._size)

    def _opened(self, raw: bytes) -> bytes:
        """Return what some bytes of the file hold: of a gzip file a part of it, the rest of which waits."""
        if self._gunzip is None:
            return raw
        self._gunzip.feed(raw)
        data = self._gunzip.part()
        self._unpacked += len(data)
        return data


def _beside(pool: ThreadPoolExecutor, work: Callable[[A], B], value: A) -> Callable[[], B]:
    """Do something in the thread of the pool, and return what waits for it; here where no thread can be had.

    A pool that could not start its thread has kept the work, and would do it a second time with the next: bytes
    that are read twice are lost. So it is given up, and all that follows is done here.
    """
    try:
        return pool.submit(work, value).result
    except RuntimeError:
        pool.shutdown(cancel_futures=True)
        made = work(value)
        return lambda: made


def line_ends(data: bytes, start: int = 0, stop: int | None = None) -> Ints:
    """Return where each line ends; the last of all need not have a line break."""
    stop = len(data) if stop is None else stop
    ends = start + 1 + np.flatnonzero(np.frombuffer(data, dtype=np.uint8)[start:stop] == NEWLINE)
    return ends if stop == start or data[stop - 1] == NEWLINE else np.append(ends, stop)


def in_order(gold: Stream, pred: Stream, lines: int | None = None) -> Iterator[Pair]:
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


def dealt(
    gold: Stream, pred: Stream, names: tuple[str, ...], files: int, room: Path, tick: Callable[[], None]
) -> Iterator[Pair]:
    """Deal the lines of both files by the ids of their documents, then return the pairs of dealt files.

    `names` are those under which an id may stand. Where a line has no id, or is no JSON, all lines stay together:
    whoever reads them says what is wrong. `tick` is called as the files are dealt.
    """
    known = [_deal(stream, side, names, files, room, tick) for side, stream in (("gold", gold), ("pred", pred))]
    if all(known):
        for n in range(files):
            pair = (_read(room, "gold", [n], gold.name), _read(room, "pred", [n], pred.name))
            if any(side.data for side in pair):
                yield Pair(*pair)
        return
    every = range(files)
    yield Pair(_read(room, "gold", every, gold.name), _read(room, "pred", every, pred.name))


def _deal(
    stream: Stream, side: str, names: tuple[str, ...], files: int, room: Path, tick: Callable[[], None]
) -> bool:
    """Deal the lines of a file, and tell whether all of them have an id.

    Files are opened for every block of lines, because there may be more of them than may be open.
    """
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
                    at.write(array("q", [row + block.first_line for row in own]).tobytes())
            except OSError as error:
                raise no_room(error) from None
        tick()
    return known


def _file_of(name: str, files: int) -> int:
    """Return the number of the file for an id: one and the same for all documents that share it.

    A repeated q may be called q#2, unless that is the id of another document: so these two stay together.
    """
    own = NUMBERED.sub("", name) if "#" in name else name
    return zlib.crc32(own.encode("utf-8", "surrogatepass")) % files


def _decoder(names: tuple[str, ...]) -> msgspec.json.Decoder[Any]:
    fields = [(f"id_{i}", str | int | None, None) for i in range(len(names))]
    kind = msgspec.defstruct("Id", fields, rename=dict(zip((name for name, *_ in fields), names, strict=True)))
    return msgspec.json.Decoder(kind)


def _id(line: bytes, decoder: msgspec.json.Decoder[Any]) -> str | None:
    try:
        own = msgspec.structs.astuple(decoder.decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return next((str(value) for value in own if value is not None), None)


def _read(room: Path, side: str, files: Any, name: str) -> Source:
    """Return dealt files as lines of the file that they were dealt from, in its order."""
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
    return Source(name, b"".join(lines), "", lined=True, numbers=numbers)
