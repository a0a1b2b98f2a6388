"""Labelled spans in JSON and JSON Lines files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io.builder import Builder, nth
from spanscope.io.fields import Fields, Names, chosen_names, first_values
from spanscope.io.json_lines import HEAD, decode, first_lines, is_lines, item_lines
from spanscope.io.line_stream import Lines, Stream, line_ends
from spanscope.io.source import Source
from spanscope.io.spans.batch import Batch, check_offsets, join_batches
from spanscope.io.spans.objects import CONTAINERS, add_objects, unwrap
from spanscope.io.spans.plain_lines import Decoder
from spanscope.io.spans.values import Unfit, confidence_column, id_column, number_column
from spanscope.io.strict import Rules, read_documents
from spanscope.system.gc_pause import uncollected

FIRST = 20  # lines by which names are chosen
CHUNK = 1 << 17  # what is made of so many bytes stays in the processor's cache
READ = 1 << 22  # bytes read at once: the fewer, the more lines are torn and read alone
TOGETHER = 16  # chunks whose columns are looked at together
UNFIT = (Unfit, msgspec.DecodeError, UnicodeDecodeError, RecursionError)
Progress = Callable[[int], None]


def read_json(source: Source, rules: Rules, progress: Progress, like: Corpus | None = None) -> Corpus:
    """Return the corpus of a JSON or JSON Lines file; which of the two it is shows in the first line."""
    if is_lines(source):
        whole = Lines(source, 0, line_ends(source.data))
        return _read_lines(source.name, [whole], rules, progress, like).corpus(sha256=source.sha256)
    value = decode(source.data, source.name)
    documents, schema = unwrap(value, rules.names, f"{source.name}:1")
    where = item_lines(source, value, CONTAINERS, whole=len(documents) == 1 and documents[0] == value)
    builder = Builder(source.name, where)
    add_objects(builder, documents, where, rules)
    progress(len(source.data))
    return builder.corpus(schema=schema, sha256=source.sha256)


def read_stream(path: str | Path, rules: Rules, progress: Progress, like: Corpus | None = None) -> Corpus:
    """Return the corpus of a file of JSON Lines without holding the file in memory."""
    with closing(Stream(path, READ)) as stream:
        builder = _read_lines(stream.name, stream.pieces(), rules, lambda _: progress(stream.done), like)
        return builder.corpus(sha256=stream.sha256)


def _read_lines(
    name: str, pieces: Iterable[Lines], rules: Rules, progress: Progress, like: Corpus | None
) -> Builder:
    """Decode line by line in small chunks: typed and fast, or strictly where that does not fit."""
    numbers: list[Sequence[int]] = []
    builder = Builder(name, lambda row: f"{name}:{nth(numbers, row)}", like=like)
    decoder = None
    with uncollected():
        for piece in pieces:
            decoder = decoder or Decoder(_names(rules.names, piece.source.data[:HEAD]), rules.keep)
            _add_chunks(piece, decoder, builder, numbers, rules, progress)
    return builder


def _names(names: Fields, head: bytes) -> Names:
    """Return the names that the fields of the first lines have."""
    return chosen_names(names, [_try(line) for line in first_lines(head, FIRST) if line.strip()])


def _add_chunks(
    lines: Lines,
    decoder: Decoder,
    builder: Builder,
    numbers: list[Sequence[int]],
    rules: Rules,
    progress: Progress,
) -> None:
    """Put the documents of all lines into the builder, and the numbers of their lines into `numbers`."""
    source, view = lines.source, memoryview(lines.source.data)

    def fast(part: Sequence[_Chunk]) -> None:
        first, size = part[0].first, part[-1].last - part[0].first
        batches = join_batches([_fast(view[own.start : own.end], decoder, builder) for own in part])
        if sum(len(batch.ids) for batch in batches) != size:
            raise Unfit  # blank lines, or several documents on a line
        for batch in batches:
            check_offsets(batch, rules.offsets, rules.inclusive)
        numbers.append(source.lines(first + 1, size))
        for batch in batches:
            builder.add(batch)

    def strict(own: _Chunk) -> None:
        chunk = replace(source, held=source.data[own.start : own.end])
        builder.add(_strict(chunk, own.first + 1, rules, numbers))

    chunks = list(_chunks(lines))
    for at in range(0, len(chunks), TOGETHER):
        part = chunks[at : at + TOGETHER]
        _by_parts(part, fast, strict)
        progress(part[-1].end)


def _by_parts(
    parts: Sequence[_Chunk], fast: Callable[[Sequence[_Chunk]], None], strict: Callable[[_Chunk], None]
) -> None:
    """Read all chunks at once; where that does not work, one by one, and those strictly with which it does not.

    A look at columns costs as much for a few spans as for many, and what is taken from objects is best taken from
    so few that they stay in the processor's cache.
    """
    try:
        fast(parts)
    except UNFIT:
        if len(parts) == 1:
            strict(parts[0])
            return
        for part in parts:
            _by_parts([part], fast, strict)


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


def _fast(chunk: memoryview, decoder: Decoder, builder: Builder) -> Batch:
    """Return the columns of plain lines; anything unusual raises, and the strict reader takes over."""
    documents = decoder.decode(chunk)
    lists = [document.spans for document in documents]
    spans = list(chain.from_iterable(lists))
    agrees = _agrees(documents)
    scores = [list(map(attrgetter(name), spans)) for name in decoder.scores]
    return Batch(
        id_column([document.id for document in documents]),
        [document.text for document in documents],
        number_column(list(map(len, lists)), typed=True),
        number_column([span.start for span in spans], typed=True),
        number_column([span.end for span in spans], typed=True),
        builder.coded([span.label for span in spans]),
        [] if agrees else [span.text for span in spans],
        confidence_column(first_values(scores), typed=True),
        agrees=agrees,
        meta=decoder.meta_of_documents(documents),
        span_meta=decoder.meta_of_spans(spans),
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


def _strict(chunk: Source, first: int, rules: Rules, numbers: list[Sequence[int]]) -> Batch:
    """Read a chunk whose first line is the one with that number, line by line, and say what is wrong with it."""
    documents, at, broken = [], [], None
    for line, text in enumerate(chunk.data.split(b"\n"), start=first):
        if not text.strip():
            continue
        number = chunk.line(line)
        try:
            documents.append(decode(text, chunk.name, number))
        except InputError as error:
            if not rules.report.collect:  # what is wrong with a line before it comes first, whatever the chunks
                broken = error
                break
            rules.report.bad(error, "bad line")
            continue
        at.append(number)

    def where(row: int) -> str:
        return f"{chunk.name}:{at[row]}"

    before = len(rules.report.problems)
    batch = read_documents(documents, where, rules)
    if broken is not None:
        raise broken
    batch.rows = []  # `numbers` says where these documents stand
    if len(batch.ids) < len(documents):  # some documents were refused and written down
        refused = {problem.where for problem in rules.report.problems[before:] if problem.kind == "bad document"}
        at = [number for number in at if f"{chunk.name}:{number}" not in refused]
    numbers.append(at)
    return batch
