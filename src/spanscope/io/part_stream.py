"""The documents of the files in a folder, some at a time: one file after the other, each at its own place."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from spanscope.io.folder import is_folder, open_folder
from spanscope.io.line_stream import Stream
from spanscope.io.opening import holds_table
from spanscope.io.row_stream import RowStream
from spanscope.io.source import Source


class PartStream:
    """The lines or rows of several files, some at a time, and the hash of what was read; one is open at once."""

    def __init__(self, path: str | Path, own: Mapping[str, str]) -> None:
        """Look at a folder; `own` are names of fields by somebody's word."""
        self._folder, self._own = open_folder(path), own
        self._names = list(self._folder.data)
        self._at, self._bytes = 0, 0
        self.before = 0  # lines or rows of the files that are done
        self.starts: list[int] = []  # how many came before each file that was opened
        self.document: str | None = None  # the column that names documents, where a row is a span
        self._stream: Stream | RowStream | None = None

    @property
    def is_table(self) -> bool:
        """Tell files of tables, whose documents are rows, from files of lines."""
        return bool(self._names) and holds_table(self._folder.source(self._names[0]))

    @property
    def done(self) -> int:
        """Return how many bytes were read."""
        return self._bytes + (0 if self._stream is None else self._stream.done)

    @property
    def sha256(self) -> str:
        """Return the hash of the names and the bytes of all files, once all of them are read."""
        return self._folder.sha256

    @property
    def name(self) -> str:
        """Return what the folder is called."""
        return self._folder.name

    @property
    def unpacked(self) -> int:
        """Return about how many bytes the rows of all tables take while they are read."""
        total = 0
        for name in self._names:
            with closing(RowStream(self._folder.source(name), self._own)) as one:
                total += one.unpacked
        return total

    def ahead(self, lines: int, size: int) -> int:
        """Return how many documents come next in the file that is read; 0 at the end of the last one only."""
        while self._at < len(self._names):
            if self._stream is None:
                self._open()
            if self._stream is not None and (found := self._stream.ahead(lines, size)):
                return found
            self._finish()
        return 0

    def _open(self) -> None:
        """Open the file that comes next."""
        own = open_stream(self._folder.source(self._names[self._at]), self._own)
        if isinstance(own, PartStream):
            raise TypeError("a part of a folder is a file")
        self.starts.append(self.before)
        self.document, self._stream = own.document, own

    def _finish(self) -> None:
        """Let go of the file that was read to its end."""
        if self._stream is not None:
            self._folder.read(self._names[self._at], self._stream.sha256)
            self._bytes += self._stream.done
            self.before += self._stream.lines
        self.close()
        self._at += 1

    def block(self, lines: int) -> Source:
        """Return so many of the documents that `ahead` has seen, with the name of their file."""
        if self._stream is None:
            raise ValueError("nothing was seen ahead")
        return self._stream.block(lines)

    def empty(self) -> Source:
        """Return no documents at all, of the first table."""
        with closing(RowStream(self._folder.source(self._names[0]), self._own)) as one:
            return one.empty()

    def close(self) -> None:
        """Let go of the file that is open."""
        if self._stream is not None:
            self._stream.close()
        self._stream = None


def open_stream(path: str | Path, own: Mapping[str, str]) -> Stream | RowStream | PartStream:
    """Return the documents of a file or of those in a folder; `own` are names of fields by somebody's word."""
    if is_folder(path):
        return PartStream(path, own)
    return RowStream(path, own) if holds_table(path) else Stream(path)
