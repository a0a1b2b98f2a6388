"""What is known of a form in which documents are written; the writers of a family stand in its `writers.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from spanscope.io.losses import Document, Feature

Written = bytes | dict[str, bytes]  # a file, or the files of a folder by name


def _as_it_is(name: str) -> str:
    return name


class Writer(NamedTuple):
    """A form in which documents of a family are written.

    `lacks` is what it cannot hold, in the order in which it is taken out. Where it `needs_ids`, documents without
    one are numbered, and `own_id` says how an id must be written.
    """

    name: str
    family: str
    write: Callable[[Sequence[Document]], Written]
    lacks: Sequence[Feature] = ()
    suffixes: tuple[str, ...] = ()  # by which it is chosen, unless it is named
    reads_as: tuple[str, ...] = ()  # the formats, as which it is read back
    needs_ids: bool = False
    own_id: Callable[[str], str] = _as_it_is
    folder: bool = False
    extra: str = ""  # what must be installed besides
    holds_schema: bool = False
    origin: str = ""  # the package that adds it, with its version; none for our own

    @property
    def cannot_hold(self) -> tuple[str, ...]:
        """Return what it cannot hold, in words."""
        return (*(one.what for one in self.lacks), *(["documents without an id"] if self.needs_ids else []))


def json_lines(documents: Sequence[Any]) -> bytes:
    """Return a line of JSON for each document."""
    import json

    return b"".join(json.dumps(one, ensure_ascii=False, allow_nan=False).encode() + b"\n" for one in documents)


def json_value(value: Any) -> bytes:
    """Return a value as JSON that people can read."""
    import json

    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False).encode() + b"\n"
