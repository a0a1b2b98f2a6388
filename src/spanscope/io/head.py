"""What a source shows before it is read: first bytes and the first documents in them, or the names in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from spanscope.errors import InputError
from spanscope.io.arrow import TableRows, as_rows
from spanscope.io.folder import is_folder, names_in
from spanscope.io.json_lines import HEAD, is_lines, peek_lines
from spanscope.io.opening import holds_table
from spanscope.io.pipes import Held
from spanscope.io.source import FILES, Source
from spanscope.io.spans.objects import is_pair

if TYPE_CHECKING:
    from spanscope.io.delimited import Beginning

TEXT = 1 << 16  # of them, in which the first lines of a text are looked for
FEW = 20  # documents that are looked at until one shows what a source holds
CUT = object()  # a value that the first bytes do not hold to its end
CONTAINERS = ("items", "data", "documents", "examples", "tests", "queries", "traces")  # what lists stand under
BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Record(NamedTuple):
    """A document that may show what a source holds, on which line it is, and under what its list stands."""

    value: Any
    line: int = 1
    container: str | None = None
    whole: bool = True  # and not cut off, or broken: then whoever reads it says what is wrong


class Head:
    """The beginning of a file, the names in a folder, or an object in memory."""

    def __init__(self, source: Any) -> None:
        try:
            self.source = as_rows(source, "table")
        except InputError:  # a damaged table: whoever reads it says what is wrong, and on which side
            self.source = []
        self.is_cut = False  # whether the value is there as far as the first bytes go

    @property
    def is_file(self) -> bool:
        """Tell files, pipes and blocks of lines from objects in memory."""
        return isinstance(self.source, FILES)

    @property
    def is_path(self) -> bool:
        """Tell files, folders and pipes from blocks of lines and from objects in memory."""
        return isinstance(self.source, (str, Path))

    @cached_property
    def is_folder(self) -> bool:
        """Tell folders, archives of several files, and patterns that several files match."""
        return is_folder(self.source)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names in a folder, those of folders in it with a slash at their ends; of a file none."""
        return names_in(self.source) if self.is_folder else ()

    @cached_property
    def lines(self) -> list[str]:
        """Return the first lines of a text that is no JSON, each to its end unless it is the only one."""
        if self.is_json or not self.data or b"\0" in self.data:
            return []
        found = self.data[:TEXT].decode("utf-8", "replace").split("\n")
        is_cut = len(self.data) > TEXT and len(found) > 1
        return [line.removesuffix("\r") for line in (found[:-1] if is_cut else found)]

    @cached_property
    def delimited(self) -> Beginning | None:
        """Return the beginning of CSV or TSV with a header row; None of everything else."""
        if not self.data or self.is_json or b"\0" in self.data:
            return None
        from spanscope.io.delimited import beginning_of  # which only tables need

        return beginning_of(self.data, cut=len(self.data) == HEAD)

    @cached_property
    def data(self) -> bytes:
        """Return the first bytes of a file: all that anybody looks at. Of an object there are none."""
        return peek_lines(self.source, FEW) if self.is_file else b""

    @cached_property
    def is_table(self) -> bool:
        """Tell a file of a table, and rows of one."""
        own = self.source
        return holds_table(own) if self.is_path else isinstance(own, Source) and isinstance(own.held, TableRows)

    @property
    def is_json(self) -> bool:
        """Tell the beginning of a JSON object or list; the lines of a block and the rows of a table are some."""
        return self.is_lined or self.data.lstrip()[:1] in (b"{", b"[")

    @property
    def is_lined(self) -> bool:
        """Tell sources that are known to be JSON Lines."""
        return isinstance(self.source, Source) and self.source.lined

    @cached_property
    def holds_lines(self) -> bool:
        """Tell JSON Lines."""
        return self.is_lined or (self.is_json and is_lines(Source(str(self.source), self.data, "")))

    @cached_property
    def value(self) -> Any:
        """Return the object in memory, or the JSON value of a file as far as its first bytes hold it."""
        if not self.is_file:
            return self.source
        if self.holds_lines or not self.is_json:
            return None
        try:
            return msgspec.json.decode(self.data)
        except BROKEN:
            self.is_cut = True
            return _begun(self.data.lstrip().decode("utf-8", "ignore"))

    def records(self) -> Iterator[Record]:
        """Return the first documents, whatever they are wrapped in."""
        if not self.holds_lines:
            for one in islice(_documents(self.value), FEW):
                yield one._replace(whole=not self.is_cut)
            return
        lines = enumerate(self.data.split(b"\n", 10 * FEW), start=1)
        for number, line in islice(((n, line) for n, line in lines if line.strip()), FEW):
            try:
                yield Record(msgspec.json.decode(line), number)
            except BROKEN:
                yield Record(_begun(line.decode("utf-8", "ignore")), number, whole=False)


def head_of(source: Any) -> Head:
    """Return the beginning of a source; of a file that is held open, the one that was looked at before."""
    if not isinstance(source, Held):
        return Head(source)
    if source.seen is None:
        source.seen = Head(source)
    head: Head = source.seen
    return head


def _documents(value: Any) -> Iterator[Record]:
    """Return the documents of a value: of a list, of a container, the value itself, or documents keyed by id."""
    if isinstance(value, (list, tuple)):
        yield from (Record(one) for one in ([value] if is_pair(value) else value))
        return
    if not isinstance(value, Mapping):
        return
    for key in CONTAINERS:
        if isinstance(value.get(key), (list, tuple)):
            yield from (Record(one, container=key) for one in islice(value[key], FEW))
    yield Record(value)
    keyed = [one for one in islice(value.values(), FEW) if one is not CUT]
    if all(isinstance(one, (Mapping, list)) for one in keyed):
        yield from map(Record, keyed)


def _begun(text: str) -> Any:
    """Return what there is of a JSON value that is cut off: the first item of a list, the fields of an object."""
    if text[:1] == "[":
        item = _item(text, _skip(text, 1))
        return None if item is CUT else [item]
    return dict(_fields(text, 0)) if text[:1] == "{" else None


def _item(text: str, at: int) -> Any:
    """Return a value of a list, or as much of an object as there is."""
    from json import JSONDecoder  # which few files need

    try:
        return JSONDecoder().raw_decode(text, at)[0]
    except (ValueError, RecursionError):
        return dict(_fields(text, at)) if text[at : at + 1] == "{" else CUT


def _fields(text: str, at: int) -> Iterator[tuple[str, Any]]:
    """Return the fields of an object as far as the text goes: the last value may be cut off.

    Of a list of documents that is cut off the first document is returned as far as it goes.
    """
    from json import JSONDecoder

    decoder = JSONDecoder()
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        try:
            key, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            return
        at = _skip(text, at + 1)
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield key, _open_cut_off(text, at, key)
            return
        yield key, value
        at = _skip(text, end)
        if text[at : at + 1] != ",":
            return
        at = _skip(text, at + 1)


def _open_cut_off(text: str, at: int, key: str) -> Any:
    """Return what there is of a value that is cut off, where it can be a list of documents or one of them."""
    if text[at : at + 1] == "{":
        return dict(_fields(text, at)) or CUT
    if key in CONTAINERS and text[at : at + 1] == "[":
        item = _item(text, _skip(text, at + 1))
        return CUT if item is CUT else [item]
    return CUT


def _skip(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at
