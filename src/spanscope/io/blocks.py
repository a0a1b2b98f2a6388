"""JSON Lines of two files in blocks of as many lines: what is in memory at once does not grow with the files.

Where the documents of the two files are in the same order, block stands beside block. Where they are not, the
lines are first dealt into temporary files by their ids, so that both lines of a document are in the same pair.
"""

from __future__ import annotations

import hashlib
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np

from spanscope.arithmetic import keys_of
from spanscope.errors import InputError
from spanscope.io.source import STDIN, Source

READ = 1 << 22  # bytes read at once
LINES = 20_000  # of a block
ROOM = 64_000_000  # bytes of the lines that stand together in one temporary file, both sides
BOM = b"\xef\xbb\xbf"
Pair = tuple[Source, Source]


class Unordered(Exception):
    """The documents of the two files are not in the same order."""


class Stream:
    """The lines of a file, some at a time, and the hash of what was read."""

    def __init__(self, path: str | Path) -> None:
        self.name = "<stdin>" if str(path) == STDIN else str(path)
        self._hash = hashlib.sha256()
        self._raw: IO[bytes] = sys.stdin.buffer if str(path) == STDIN else Path(path).open("rb")  # noqa: SIM115
        self._rest, self._line, self.done = b"", 1, 0
        head = self._take()
        self._unpack = zlib.decompressobj(31) if head[:2] == b"\x1f\x8b" else None
        self._rest = (self._unpacked(head) or b"").removeprefix(BOM)

    def close(self) -> None:
        """Let go of the file."""
        if self._raw is not sys.stdin.buffer:
            self._raw.close()

    @property
    def sha256(self) -> str:
        """Return the hash of the bytes of the file, once all of them are read."""
        return self._hash.hexdigest()

    def block(self, lines: int) -> Source | None:
        """Return the next lines, fewer at the end; None when there are no more."""
        parts, left = [], lines
        while True:
            end, found = _after(self._rest, left)
            parts.append(self._rest[:end])
            left -= found
            self._rest = self._rest[end:]
            if not left:
                break
            parts.append(self._rest)
            self._rest = self._next()
            if not self._rest:
                break
        data = b"".join(parts)
        if not data:
            return None
        first, self._line = self._line, self._line + data.count(b"\n")
        return Source(self.name, data, "", first, lined=True)

    def _next(self) -> bytes:
        while raw := self._take():
            if data := self._unpacked(raw):
                return data
        return b""

    def _take(self) -> bytes:
        raw = self._raw.read(READ)
        self._hash.update(raw)
        self.done += len(raw)
        return raw

    def _unpacked(self, raw: bytes) -> bytes:
        if self._unpack is None:
            return raw
        try:
            out = self._unpack.decompress(raw)
            while self._unpack.eof and (more := self._unpack.unused_data.lstrip(b"\0")):  # several members
                self._unpack = zlib.decompressobj(31)
                out += self._unpack.decompress(more)
        except zlib.error as error:
            raise InputError(f"is not a whole gzip file ({error})", where=self.name) from None
        return out


def _after(data: bytes, lines: int) -> tuple[int, int]:
    """Return where so many lines end, and how many there are."""
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))[:lines]
    return (int(ends[-1]) + 1 if len(ends) else 0), len(ends)


def in_order(gold: Stream, pred: Stream, lines: int = LINES) -> Iterator[Pair]:
    """Return blocks of both files beside each other; Unordered where one ends before the other."""
    while True:
        ours, theirs = gold.block(lines), pred.block(lines)
        if ours is None and theirs is None:
            return
        if ours is None or theirs is None:
            if not (ours or theirs).data.strip():  # type: ignore[union-attr]  # blank lines at the end
                continue
            raise Unordered
        yield ours, theirs


def dealt(gold: Stream, pred: Stream, names: tuple[str, ...], files: int, room: Path) -> Iterator[Pair]:
    """Deal the lines of both files by the ids of their documents, then return the pairs of dealt files.

    `names` are those under which an id may stand. Lines without an id, or that are no JSON, stand together:
    whoever reads them says what is wrong.
    """
    for side, stream in (("gold", gold), ("pred", pred)):
        with ExitStack() as stack:
            out = [stack.enter_context((room / f"{side}.{n}").open("wb")) for n in range(files)]
            at = [stack.enter_context((room / f"{side}.{n}.lines").open("wb")) for n in range(files)]
            while (block := stream.block(LINES)) is not None:
                lines = block.data.split(b"\n")
                places = np.array(_places(lines, names, files))
                for n in np.unique(places[places >= 0]).tolist():
                    own = np.flatnonzero(places == n)
                    out[n].writelines(lines[i] + b"\n" for i in own.tolist())
                    at[n].write((own + block.first_line).astype(np.int64).tobytes())
    for n in range(files):
        yield _read(room, "gold", n, gold.name), _read(room, "pred", n, pred.name)


def _places(lines: list[bytes], names: tuple[str, ...], files: int) -> list[int]:
    """Return the file of every line that is not blank, by the id of its document; -1 for blank lines."""
    fields = [(f"id_{i}", str | int | None, None) for i in range(len(names))]
    kind = msgspec.defstruct("Id", fields, rename=dict(zip((name for name, *_ in fields), names, strict=True)))
    decode = msgspec.json.Decoder(kind).decode
    found: list[str | None] = []
    for line in lines:
        try:
            own: Any = decode(line)
            given = next((value for value in msgspec.structs.astuple(own) if value is not None), None)
            found.append(None if given is None else str(given))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found.append(None)
    keys = keys_of([name or "" for name in found]) % np.uint64(files)
    rows = zip(lines, found, keys.tolist(), strict=True)
    return [-1 if not line.strip() else 0 if name is None else key for line, name, key in rows]


def _read(room: Path, side: str, n: int, name: str) -> Source:
    """Return a dealt file as lines of the file that it was dealt from."""
    path, at = room / f"{side}.{n}", room / f"{side}.{n}.lines"
    numbers = np.frombuffer(at.read_bytes(), dtype=np.int64)
    out = Source(name, path.read_bytes(), "", lined=True, numbers=numbers.tolist())
    path.unlink()
    at.unlink()
    return out
