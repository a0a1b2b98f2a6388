"""The lines of one file, some at a time: also of standard input, and of a packed file unpacked as it is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.errors import InputError
from spanscope.io.archive import only_member, sha256_of
from spanscope.io.opening import refuse_nested
from spanscope.io.packed import Unpacker, packing_of
from spanscope.io.pipes import open_path
from spanscope.io.source import BOM, STDIN, Source, refuse_swollen, standard_input
from spanscope.io.surrogates import legible
from spanscope.io.utf16 import Recoder, is_utf16

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

READ = 1 << 20  # bytes read at once, and as many ahead
MOST_LINE = 100_000_000  # bytes of a line where files are read in blocks: longer ones would fill the memory
SPACE = 32  # the blank; what comes before it in ASCII is no beginning of JSON either
NEWLINE = 10
CACHED = 1 << 17  # bytes compared at once: the result stays in the processor's cache
ENOUGH = 8  # bytes that show whether a text is in UTF-16, or packed twice
NOTHING = np.zeros(0, dtype=np.int64)
A = TypeVar("A")
B = TypeVar("B")


class Lines(NamedTuple):
    """Lines of a file: bytes, where in these the first starts, and where each ends."""

    source: Source
    start: int
    ends: Ints


class Stream:
    """The lines of a file, some at a time, and the hash of what was read."""

    before = 0  # lines of other files that come before
    is_table = False
    document: str | None = None  # no column names documents: a line is one

    def __init__(self, path: str | Path, size: int = READ) -> None:
        self._size = size
        self._archive, path = path, only_member(path) or path
        self.name = "<stdin>" if str(path) == STDIN else legible(path)
        self._hash = hashlib.sha256()
        self._standard = str(path) == STDIN
        self._raw: IO[bytes] = standard_input() if self._standard else open_path(path)
        from concurrent.futures import ThreadPoolExecutor  # small runs need not wait for it

        self._reader, self._hasher = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self._coming = self._started()  # waits for what is read next
        self._line, self.done, self._over = 1, 0, False
        self._unpacked = 0  # bytes
        head = self._take()
        packing = packing_of(head)
        self._unpacker = None if packing is None else Unpacker(self.name, packing)
        self._recoder: Recoder | None = None
        self._rest = self._begun(head)
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
        return self._hash.hexdigest() if only_member(self._archive) is None else sha256_of(self._archive)

    @property
    def lines(self) -> int:
        """Return how many lines were given out."""
        return self._line - 1

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
            expected="JSON Lines, one document per line",
            hint="[[memory=spans]]   which reads the file whole",
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
            if self._unpacker is not None:
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
        while (data := self._unpacked_next()) is not None:
            if data := self._recoded(data):
                return data
        last = b"" if self._over else self._recoded(b"", last=True)
        self._over = True
        return last

    def _begun(self, raw: bytes) -> bytes:
        """Return what the file begins with, in UTF-8 and without a byte order mark."""
        data = self._opened(raw)
        while len(data) < ENOUGH and (more := self._unpacked_next()) is not None:
            data += more
        if self._unpacker is not None:
            refuse_nested(data, self.name)
        self._recoder = Recoder(data, self.name) if is_utf16(data) else None
        return self._recoded(data).removeprefix(BOM)

    def _recoded(self, data: bytes, *, last: bool = False) -> bytes:
        return data if self._recoder is None else self._recoder.recode(data, last=last)

    def _unpacked_next(self) -> bytes | None:
        """Return what comes next of what the file holds; None at its end."""
        while (waiting := self._unpacker is not None and self._unpacker.waiting) or (raw := self._take()):
            if data := self._opened(b"" if waiting else raw):
                return data
        if self._unpacker is not None:
            self._unpacker.finish()
        return None

    def _take(self) -> bytes:
        raw = self._coming()
        self._coming = self._started() if raw else lambda: b""
        _start_beside(self._hasher, self._hash.update, raw)
        self.done += len(raw)
        return raw

    def _started(self) -> Callable[[], bytes]:
        """Read what comes next, beside other work, and return what waits for it.

        Standard input is not read by a thread: whoever stops the program would have to wait for more of it.
        """
        if self._standard:
            return lambda: self._raw.read(self._size)
        return _start_beside(self._reader, self._raw.read, self._size)

    def _opened(self, raw: bytes) -> bytes:
        """Return what some bytes of the file hold: of a packed file a part of it, the rest of which waits."""
        if self._unpacker is None:
            return raw
        self._unpacker.feed(raw)
        data = self._unpacker.part()
        self._unpacked += len(data)
        return data


def _start_beside(pool: ThreadPoolExecutor, work: Callable[[A], B], value: A) -> Callable[[], B]:
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
    codes = np.frombuffer(data, dtype=np.uint8)
    found = [
        np.flatnonzero(codes[at : min(at + CACHED, stop)] == NEWLINE) + (at + 1)
        for at in range(start, stop, CACHED)
    ]
    ends = np.concatenate(found) if found else NOTHING
    return ends if stop == start or data[stop - 1] == NEWLINE else np.append(ends, stop)
