"""Labelled spans in JSON and JSON Lines files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io.builder import Builder, nth
from spanscope.io.fields import Fields, Names, chosen, span_strangers, strangers
from spanscope.io.json_lines import HEAD, decode, is_lines, item_lines
from spanscope.io.line_blocks import Lines, Stream, line_ends
from spanscope.io.source import Source
from spanscope.io.spans.batch import Batch, Unfit, by_parts, confidences, first_of, joined, whole_numbers
from spanscope.io.spans.objects import CONTAINERS, add_objects, unwrap
from spanscope.io.strict import Report, read_documents
from spanscope.system.gc_pause import uncollected

FIRST = 20  # lines by which names are chosen
CHUNK = 1 << 16  # what is made of so many bytes stays in the processor's cache
READ = 1 << 22  # bytes read at once: the fewer, the more lines are torn and read alone
TOGETHER = 32  # chunks whose columns are looked at together
FEW = 500  # labels up to which they are decoded to the same objects
Progress = Callable[[int], None]


def read_json(
    source: Source,
    names: Fields,
    offsets: str,
    report: Report,
    progress: Progress,
    like: Corpus | None = None,
) -> Corpus:
    """Return the corpus of a JSON or JSON Lines file; which of the two it is shows in the first line."""
    if is_lines(source):
        rules = names, offsets, report
        whole = Lines(source, 0, line_ends(source.data))
        return _read_lines(source.name, [whole], rules, progress, like).corpus(sha256=source.sha256)
    value = decode(source.data, source.name)
    documents, schema = unwrap(value, names, f"{source.name}:1")
    where = item_lines(source, value, CONTAINERS, whole=len(documents) == 1 and documents[0] == value)
    builder = Builder(source.name, where)
    add_objects(builder, documents, where, names, offsets, report)
    progress(len(source.data))
    return builder.corpus(schema=schema, sha256=source.sha256)


def read_stream(
    path: str | Path,
    names: Fields,
    offsets: str,
    report: Report,
    progress: Progress,
    like: Corpus | None = None,
) -> Corpus:
    """Return the corpus of a file of JSON Lines without holding the file in memory."""
    with closing(Stream(path, READ)) as stream:
        rules = names, offsets, report
        builder = _read_lines(stream.name, stream.pieces(), rules, lambda _: progress(stream.done), like)
        return builder.corpus(sha256=stream.sha256)


Rules = tuple[Fields, str, Report]


def _read_lines(
    name: str, pieces: Iterable[Lines], rules: Rules, progress: Progress, like: Corpus | None
) -> Builder:
    """Decode line by line in small chunks: typed and fast, or carefully where that does not fit."""
    numbers: list[Sequence[int]] = []
    builder = Builder(name, lambda row: f"{name}:{nth(numbers, row)}", like=like)
    decoders = None
    with uncollected():
        for piece in pieces:
            decoders = decoders or _Decoders(rules[0], _names(rules[0], piece.source.data[:HEAD]))
            _add_chunks(piece, decoders, builder, numbers, rules, progress)
    return builder


def _names(names: Fields, head: bytes) -> Names:
    """Return the names that the fields of the first lines have."""
    return chosen(names, [_try(line) for line in head.split(b"\n", FIRST)[:FIRST] if line.strip()])


def _add_chunks(
    lines: Lines,
    decoders: _Decoders,
    builder: Builder,
    numbers: list[Sequence[int]],
    rules: Rules,
    progress: Progress,
) -> None:
    """Put the documents of all lines into the builder, and the numbers of their lines into `numbers`."""
    source, view = lines.source, memoryview(lines.source.data)

    def fast(part: Sequence[_Chunk]) -> None:
        first, size, known = part[0].first, part[-1].last - part[0].first, len(numbers)
        batches = joined([_fast(view[own.start : own.end], decoders, rules[1], builder) for own in part])
        if sum(len(batch.ids) for batch in batches) != size:
            raise Unfit  # blank lines, or several documents on a line
        numbers.append(source.lines(first + 1, size))
        try:
            builder.add(*batches)
        except Unfit:
            del numbers[known:]
            raise

    def careful(own: _Chunk) -> None:
        chunk = replace(source, data=source.data[own.start : own.end])
        builder.add(_careful(chunk, own.first + 1, rules, numbers))

    chunks = list(_chunks(lines))
    for at in range(0, len(chunks), TOGETHER):
        part = chunks[at : at + TOGETHER]
        by_parts(part, fast, careful, (Unfit, msgspec.DecodeError, UnicodeDecodeError, RecursionError))
        progress(part[-1].end)


def _try(line: bytes) -> object:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class _Chunk(NamedTuple):
    """Where some lines start and end, and how many lines come before the first and up to the last."""

    start: int
    end: int
    first: int
    last: int


def _chunks(lines: Lines) -> Iterator[_Chunk]:
    """Cut at line ends, about so many bytes each."""
    start, ends, first = lines.start, lines.ends, 0
    while first < len(ends):
        last = min(int(np.searchsorted(ends, start + CHUNK, "right")) + 1, len(ends))
        end = int(ends[last - 1])
        yield _Chunk(start, end, first, last)
        start, first = end, last


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
    others = {f"other_{i}": name for i, name in enumerate(span_strangers(names, used))}
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
    others = {f"other_{i}": name for i, name in enumerate(strangers(names, used))}
    called = [used["spans"], used["id"], used["text"], "answer", *others.values()]
    if len(set(called)) < len(called):  # two fields under one name are for the careful reader
        raise Unfit
    return msgspec.defstruct(
        "Document",
        [
            ("spans", list[span]),  # type: ignore[valid-type]
            ("id", str | int | None, None),
            ("text", str | None, None),
            ("answer", Literal["accept"] | None, None),
            *((name, None, None) for name in others),
        ],
        rename={key: used[key] for key in ("spans", "id", "text")} | others,
        gc=False,
    )


def _fast(chunk: memoryview, decoders: _Decoders, offsets: str, builder: Builder) -> Batch:
    """Return the columns of plain lines; anything unusual raises, and the careful reader takes over."""
    documents = decoders.decode(chunk)
    texts = [document.text for document in documents]
    if offsets != "codepoints" and not all(text is not None and text.isascii() for text in texts):
        raise Unfit
    lists = [document.spans for document in documents]
    spans = list(chain.from_iterable(lists))
    agrees = _agrees(documents)
    scores = [list(map(attrgetter(f"score_{i}"), spans)) for i in range(decoders.scores)]
    return Batch(
        [document.id for document in documents],
        texts,
        list(map(len, lists)),
        whole_numbers([span.start for span in spans], typed=True),
        whole_numbers([span.end for span in spans], typed=True),
        builder.coded([span.label for span in spans]),
        [] if agrees else [span.text for span in spans],
        typed=True,
        agrees=agrees,
        scores=confidences(first_of(scores), typed=True),
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


def _careful(chunk: Source, first: int, rules: Rules, numbers: list[Sequence[int]]) -> Batch:
    """Read a chunk whose first line is the one with that number, line by line, and say what is wrong with it."""
    names, offsets, report = rules
    documents, at, broken = [], [], None
    for line, text in enumerate(chunk.data.split(b"\n"), start=first):
        if not text.strip():
            continue
        number = chunk.line(line)
        try:
            documents.append(decode(text, chunk.name, number))
        except InputError as error:
            if not report.collect:  # what is wrong with a line before it comes first, whatever the chunks
                broken = error
                break
            report.bad(error, "bad line")
            continue
        at.append(number)

    def where(row: int) -> str:
        return f"{chunk.name}:{at[row]}"

    before = len(report.problems)
    batch = read_documents(documents, where, names, offsets, report)
    if broken is not None:
        raise broken
    batch.rows = []  # `numbers` says where these documents stand
    if len(batch.ids) < len(documents):  # some documents were refused and written down
        refused = {problem.where for problem in report.problems[before:] if problem.kind == "bad document"}
        at = [number for number in at if f"{chunk.name}:{number}" not in refused]
    numbers.append(at)
    return batch
