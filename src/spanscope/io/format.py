"""What is known of a format: its name, what it claims and who reads it; its row is in `io/<family>/formats.py`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from spanscope.io.fields import fields
from spanscope.io.head import Head, Record
from spanscope.io.read_options import ReadOptions
from spanscope.io.samples import About

ALL = ("spans", "segments", "tokens", "passages")  # the families of what sources hold
NAMED = ("fields", "offsets", "ends", "keep_fields")  # options that documents with offsets read
DOCUMENTS = ("items", "data", "documents", "examples")  # what lists of documents stand under
Reader = Callable[[Any, ReadOptions], Any]
Keys = Collection[str] | Callable[[Sequence[str]], bool] | None


def _nothing(*_: Any) -> bool:
    return False


def _always(*_: Any) -> bool:
    return True


def _no_protocol(_: Head) -> str | None:
    return None


def when_called(module: str, function: str) -> Callable[..., Any]:
    """Return a function of a module that is loaded only when it is called: for what few runs need."""

    def call(*given: Any) -> Any:
        return getattr(import_module(f"spanscope.io.{module}"), function)(*given)

    return call


class Format(NamedTuple):
    """A format: its name, the family of what it holds, what it is known by, its reader and what it claims.

    `whole` looks at the head of a source, `record` at one document. A format that is `general` claims only what no
    other format of its family does: the fields of its documents are those that others add to. `keys` are fields,
    or tell whether fields will do: other JSON objects are no evidence, and `record` is not asked about them.
    """

    name: str
    family: str
    cue: str
    reader: Reader
    whole: Callable[[Head, ReadOptions], bool] = _nothing
    record: Callable[[Any, Head, ReadOptions], bool] | None = None  # None: no document alone is evidence
    keys: Keys = None  # None: any object may be evidence; (): only lists and the like are
    containers: Sequence[str] = DOCUMENTS
    reads: tuple[str, ...] = ()  # options of one source that its reader heeds, `input` aside
    in_files: bool = True  # not only in memory, so that --input can name it
    of_objects: bool = False  # objects in memory can be said to be in it, because nothing of theirs shows it
    in_blocks: bool = False  # a line of JSON is a document: files can be cut for processes and Spark
    ids: tuple[str, ...] = ()  # names under which a line has its id, where `fields` does not say it
    general: bool = False
    several: bool = False  # a source may hold several annotators, and so both gold and predictions
    also: tuple[str, ...] = ()  # other names that `input` takes
    fits: Callable[[Head], bool] = _always  # a further look, where another format claims the same documents
    protocol: Callable[[Head], str | None] = _no_protocol  # its own, where it has one: else the family's
    splits: Callable[[Any], Sequence[str]] | None = None  # the names of those of a source, one of which is read
    library: Callable[[Any], Any] | None = None  # passages: the files beside it, which the other side is from too
    origin: str = ""  # the package that adds it, with its version; none for our own
    about: About | None = None  # a sample and what it cannot hold, of those that packages add
    both: Callable[[Any, Mapping[str, str]], bool] = _nothing  # whether a record has gold and what was retrieved

    def may_claim(self, value: Any) -> bool:
        """Tell whether a document can be evidence, as far as the names of its fields tell."""
        if self.keys is None or not isinstance(value, Mapping):
            return True
        return self.keys([*value]) if callable(self.keys) else any(key in value for key in self.keys)

    def claims(self, one: Record, head: Head, options: ReadOptions) -> bool:
        """Tell whether a document is evidence of this format."""
        known = one.container is None or one.container in self.containers
        return known and self.record is not None and self.record(one.value, head, options)

    def holds_both(self, head: Head, own: Mapping[str, str]) -> bool:
        """Tell whether a source holds gold and what was retrieved; `own` are the user's names of fields."""
        if self.both is _nothing:
            return False
        return self.both(head.value, own) or any(self.both(one.value, own) for one in head.records())

    def id_names(self, own: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names under which a line may have its id; `own` are names of fields by somebody's word."""
        return self.ids or fields(own, segments=self.family == "segments")["id"]
