"""The lines of the files in a folder, some at a time: one file after the other, each line at its own place."""

from __future__ import annotations

from pathlib import Path

from spanscope.io.folder import is_folder, open_folder
from spanscope.io.line_stream import Stream
from spanscope.io.source import Source


class PartStream:
    """The lines of several files, some at a time, and the hash of what was read; one file is open at once."""

    def __init__(self, path: str | Path) -> None:
        self._folder = open_folder(path)
        self._names = list(self._folder.data)
        self._at, self._bytes = 0, 0
        self.before = 0  # lines of the files that are done
        self._stream: Stream | None = None

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

    def ahead(self, lines: int, size: int) -> int:
        """Return how many lines come next in the file that is being read; 0 at the end of the last file only."""
        while self._at < len(self._names):
            if self._stream is None:
                self._stream = Stream(self._folder.source(self._names[self._at]))
            if found := self._stream.ahead(lines, size):
                return found
            self._folder.read(self._names[self._at], self._stream.sha256)
            self._bytes += self._stream.done
            self.before += self._stream.lines
            self.close()
            self._at += 1
        return 0

    def block(self, lines: int) -> Source:
        """Return so many of the lines that `ahead` has seen, with the name of their file."""
        if self._stream is None:
            raise ValueError("nothing was seen ahead")
        return self._stream.block(lines)

    def close(self) -> None:
        """Let go of the file that is open."""
        if self._stream is not None:
            self._stream.close()
        self._stream = None


def open_stream(path: str | Path) -> Stream | PartStream:
    """Return the lines of a file, or of the files of a folder."""
    return PartStream(path) if is_folder(path) else Stream(path)
