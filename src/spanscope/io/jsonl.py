"""JSON and JSON Lines files."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import Any, Literal

import msgspec
import numpy as np

from spanscope.data import Corpus
from spanscope.errors import InputError
from spanscope.io.build import Batch, Builder, Unfit, first_of, nth
from spanscope.io.careful import Report, read_documents
from spanscope.io.fields import OF_SPANS, Fields, Names, before, chosen
from spanscope.io.objects import CONTAINERS, accepted, add_objects, unwrap
from spanscope.io.source import Source, explain

CHUNK = 1 << 18  # a quarter of a megabyte stays in the processor's cache
NEWLINE = 10
SOMETHING = re.compile(rb"\S")
FEW = 500  # labels up to which they are decoded to the same objects
Progress = Callable[[int], None]


def read_json(
    source: Source,
    names: Fields,
    offsets: str,
    report: Report,
    progress: Progress,
) -> Corpus:
    """Return the corpus of a JSON or JSON Lines file; which of the two it is shows in the first line."""
    if is_lines(source):
        return _read_lines(source, names, offsets, report, progress)
    value = decode(source.data, source.name)
    documents, schema = unwrap(value, names, f"{source.name}:1")
    where = item_lines(source, value, CONTAINERS, whole=len(documents) == 1 and documents[0] == value)
    builder = Builder(source.name, where)
    add_objects(builder, documents, where, names, offsets, report)
    progress(len(source.data))
    return builder.corpus(schema=schema, sha256=source.sha256)


def is_lines(source: Source) -> bool:
    """Tell JSON Lines from JSON: several lines, the first of them a whole JSON value.

    A first line that is broken counts as a line when the name says so, so that the error names the line.
    """
    if source.lined:
        return True
    data = source.data if not source.data[:1].isspace() else source.data.lstrip()
    end = data.find(b"\n")
    first, more = (data, False) if end < 0 else (data[:end], SOMETHING.search(data, end) is not None)
    try:
        value = msgspec.json.decode(first)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        stem = source.name.removesuffix(".gz")
        return stem.endswith((".jsonl", ".ndjson")) and first[:1] == b"{" and len(first.strip()) > 1
    if not more:  # one line: a list of documents, an object of them, or one document
        return False
    return isinstance(value, (dict, list))


def decode(data: bytes, name: str, first_line: int = 1) -> Any:
    """Decode JSON to Python objects, or say on which line it stops being JSON."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise explain(data, name, first_line) from None


def lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Return the lines that are not blank, with their numbers."""
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        if line.strip():
            yield source.line(number), line


def item_lines(source: Source, value: object, containers: tuple[str, ...], *, whole: bool) -> Callable[[int], str]:
    """Return a function from an item's number to file:line, worked out when somebody first asks."""
    found: list[int] = []

    def where(row: int) -> str:
        if not found:
            found.extend([1] if whole else _starts(source.data, value, containers))
        return f"{source.name}:{found[row] if row < len(found) else 1}"

    return where


def _starts(data: bytes, value: object, containers: tuple[str, ...]) -> Iterator[int]:
    """Return the line each item of a decoded JSON file starts on."""
    if isinstance(value, dict):
        raw = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        inner = next((raw[key] for key in containers if isinstance(value.get(key), list)), None)
        parts = list(raw.values()) if inner is None else msgspec.json.decode(inner, type=list[msgspec.Raw])
        place = 0 if inner is None else data.index(bytes(inner))
    else:
        parts = msgspec.json.decode(data, type=list[msgspec.Raw])
        place = 0
    line = 1 + data.count(b"\n", 0, place)
    for part in parts:
        at = data.index(bytes(part), place)
        line += data.count(b"\n", place, at)
        place = at
        yield line
        line += data.count(b"\n", place, place + len(bytes(part)))
        place += len(bytes(part))


def _read_lines(source: Source, names: Fields, offsets: str, report: Report, progress: Progress) -> Corpus:
    """Decode line by line in small chunks: typed and fast, or carefully where that does not fit."""
    numbers: list[Sequence[int]] = []
    builder = Builder(source.name, lambda row: f"{source.name}:{source.line(nth(numbers, row))}")
    decoders = _Decoders(
        names, chosen(names, [_try(line) for line in islice(source.data[:CHUNK].split(b"\n"), 20) if line.strip()])
    )
    with undisturbed():
        _add_chunks(source, decoders, builder, numbers, (names, offsets, report), progress)
    return builder.corpus(sha256=source.sha256)


def _add_chunks(
    source: Source,
    decoders: _Decoders,
    builder: Builder,
    numbers: list[Sequence[int]],
    rules: tuple[Fields, str, Report],
    progress: Progress,
) -> None:
    """Put the documents of all lines into the builder, and the numbers of their lines into `numbers`."""
    names, offsets, report = rules
    view, codes = memoryview(source.data), np.frombuffer(source.data, dtype=np.uint8)
    first = 1
    for start, end in _chunks(source.data):
        breaks = int(np.count_nonzero(codes[start:end] == NEWLINE))  # several times as fast as bytes.count
        size = breaks + (source.data[end - 1] != NEWLINE)
        known = len(numbers)
        try:
            batch = _fast(decoders.decode(view[start:end]), size, offsets, decoders.scores, builder)
            numbers.append(range(first, first + size))
            builder.add(batch)
        except (Unfit, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            del numbers[known:]
            chunk = replace(source, data=source.data[start:end])
            builder.add(_careful(chunk, first, names, offsets, report, numbers))
        first += breaks
        progress(end)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep the garbage collector off: it would look through what was read again and again, and find nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _try(line: bytes) -> object:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _chunks(data: bytes) -> Iterator[tuple[int, int]]:
    """Cut at line ends, about a quarter of a megabyte each: where each chunk starts and ends."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + CHUNK) + 1 or len(data)
        yield start, end
        start = end


class _Decoders:
    """Typed decoding that learns the labels, and whether spans have a confidence.

    A label that is one of a few known ones is decoded to the same object each time, instead of a new string
    that must be made, hashed and thrown away for every span. A new label is learnt when it is met. A confidence
    must be null until the first one is met: a file without any does not pay for them.
    """

    def __init__(self, names: Fields, used: Names) -> None:
        self.names, self.used = names, used
        self.labels: set[str] = set()
        self.score: Any = None  # the type of a confidence
        self.any_label: msgspec.json.Decoder[Any] | None = None
        self.known: msgspec.json.Decoder[Any] | None = None

    @property
    def scores(self) -> int:
        """Return how many fields of a span may hold a confidence."""
        return 0 if self.score is None else len(self.names["span_score"])

    def decode(self, chunk: memoryview) -> list[Any]:
        """Decode lines to documents."""
        if self.known is not None:
            try:
                return self.known.decode_lines(chunk)
            except msgspec.ValidationError:  # a new label, or something worse, which is met again below
                pass
        documents = self._with_any_label(chunk)
        self.labels.update(span.label for document in documents for span in document.spans)
        few = 0 < len(self.labels) <= FEW
        self.known = self._decoder(Literal[*sorted(self.labels)], self.score) if few else None
        return documents

    def _with_any_label(self, chunk: memoryview) -> list[Any]:
        self.any_label = self.any_label or self._decoder(str, self.score)
        try:
            return self.any_label.decode_lines(chunk)
        except msgspec.ValidationError:
            if self.scores:
                raise
        scored = self._decoder(str, float | None)
        documents: list[Any] = scored.decode_lines(chunk)  # raises where it was not a confidence that did not fit
        self.any_label, self.score = scored, float | None
        return documents

    def _decoder(self, label: Any, score: Any) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(_document_type(self.names, self.used, label, score))


def _span_type(names: Fields, used: Names, label: Any, score: Any) -> type[Any]:
    """Return the type of a plain span; two fields under one name are for the careful reader."""
    called = {"start": used["start"], "end": used["end"], "label": used["label"], "text": used["span_text"]}
    scores = {f"score_{i}": name for i, name in enumerate(names["span_score"])}
    others = {f"other_{i}": name for i, name in enumerate(before(names, used, *OF_SPANS))}
    called |= scores | others
    if len(set(called.values())) < len(called):
        raise Unfit
    return msgspec.defstruct(
        "Span",
        [
            ("start", int),
            ("end", int),
            ("label", label),
            ("text", str | None, None),
            *((name, score, None) for name in scores),
            *((name, None, None) for name in others),
        ],
        rename=called,
        gc=False,
    )


def _document_type(names: Fields, used: Names, label: Any, score: Any) -> type[Any]:
    """Return the type of a plain line, whose objects the garbage collector does not track.

    A field under another name than the one used must be null here: anything else is for the careful reader.
    """
    span = _span_type(names, used, label, score)
    strangers = [name for key in ("id", "spans") for name in names[key] if name != used[key]]
    strangers += before(names, used, "text")
    return msgspec.defstruct(
        "Document",
        [
            ("spans", list[span]),  # type: ignore[valid-type]
            ("id", str | int | None, None),
            ("text", str | None, None),
            ("answer", Literal["accept"] | None, None),
            *((f"other_{i}", None, None) for i in range(len(strangers))),
        ],
        rename={
            **{key: used[key] for key in ("spans", "id", "text")},
            **{f"other_{i}": name for i, name in enumerate(strangers)},
        },
        gc=False,
    )


def _fast(documents: list[Any], size: int, offsets: str, scores: int, builder: Builder) -> Batch:
    """Return the columns of plain lines; anything unusual raises, and the careful reader takes over."""
    if len(documents) != size:
        raise Unfit  # blank lines, or several documents on a line
    texts = [document.text for document in documents]
    if offsets != "codepoints" and not all(text is not None and text.isascii() for text in texts):
        raise Unfit
    spans = [span for document in documents for span in document.spans]
    agrees = _agrees(documents)
    return Batch(
        [document.id for document in documents],
        texts,
        [len(document.spans) for document in documents],
        [span.start for span in spans],
        [span.end for span in spans],
        builder.coded(spans),
        [] if agrees else [span.text for span in spans],
        typed=True,
        coded=True,
        agrees=agrees,
        scores=first_of([list(map(attrgetter(f"score_{i}"), spans)) for i in range(scores)]),
    )


def _agrees(documents: list[Any]) -> bool:
    """Tell whether every span came with the very text that its document has at its offsets."""
    try:
        for document in documents:  # a plain loop is faster here than anything made of columns
            text = document.text
            for span in document.spans:
                if text[span.start : span.end] != span.text:
                    return False
    except TypeError:  # a document without text
        return False
    return True


def _careful(
    chunk: Source, first: int, names: Fields, offsets: str, report: Report, numbers: list[Sequence[int]]
) -> Batch:
    """Read a chunk whose first line is the one with that number, line by line, and say what is wrong with it."""
    documents, at = [], []
    for number, line in enumerate(chunk.data.split(b"\n"), start=first):
        if not line.strip():
            continue
        try:
            documents.append(decode(line, chunk.name, chunk.line(number)))
        except InputError as error:
            report.bad(error, "bad line")
            continue
        at.append(number)

    def where(row: int) -> str:
        return f"{chunk.name}:{chunk.line(at[row])}"

    before = len(report.problems)
    accepted(documents, where, 0, report)
    batch = read_documents(documents, where, names, offsets, report)
    batch.rows = []  # `numbers` says where these documents stand
    if len(batch.ids) < len(documents):  # some documents were refused and written down
        refused = {problem.where for problem in report.problems[before:] if problem.kind == "bad document"}
        at = [line for line in at if f"{chunk.name}:{chunk.line(line)}" not in refused]
    numbers.append(at)
    return batch
