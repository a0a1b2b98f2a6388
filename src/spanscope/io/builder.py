"""Batches of labelled spans put together to a corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Ints
from spanscope.data.corpus import Corpus, Pieces, Spans, Texts
from spanscope.data.problems import Problem
from spanscope.errors import InputError
from spanscope.io.fields import any_there
from spanscope.io.metadata import META, Meta, meta_column
from spanscope.io.spans.batch import Batch, numbers_in_documents
from spanscope.io.spans.texts import mismatches, quotes, texts_of
from spanscope.io.spans.values import Unfit, is_label

FEW = 256  # labels up to which their codes fit into a byte
NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(eq=False)
class Builder:
    """Collects batches into a corpus; whoever makes a batch has seen to it that its values are in order."""

    name: str
    where: Callable[[int], str]
    keep_given: bool = False  # score the text a span came with, not the document's at its offsets
    like: Corpus | None = None  # ids and texts that are the same as there are not kept twice
    ids: list[str | None] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    text: list[Texts | None] = field(default_factory=list)  # None: the documents' at the offsets
    quotes: list[Sequence[str | None] | None] = field(default_factory=list)  # by batch: other texts than these
    problems: list[Problem] = field(default_factory=list)
    numbers: list[tuple[Sequence[int], Ints]] = field(default_factory=list)
    origin: list[Sequence[int]] = field(default_factory=list)  # by batch: the row of each document in the input
    codes: dict[str, int] = field(default_factory=dict)
    parts: list[tuple[Ints, Ints, NDArray[Any]]] = field(default_factory=list)  # starts, ends, labels
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    scores: list[Floats | None] = field(default_factory=list)  # of every batch; None where it has none
    meta: list[tuple[Sequence[Meta | None], int]] = field(default_factory=list)  # of documents, and how many
    span_meta: list[tuple[Sequence[Meta | None], int]] = field(default_factory=list)  # of spans
    rows: int = 0
    all_text: bool = True  # every span has a text
    has_texts: bool = False  # some document has a text
    all_texts: bool = True  # every document has one

    def add(self, batch: Batch) -> None:
        """Take a batch in."""
        labels = batch.labels if isinstance(batch.labels, np.ndarray) else self.coded(batch.labels)
        first, last = len(self.ids), len(self.ids) + len(batch.sizes)
        self.problems += [replace(note, row=first + note.row) for note in batch.notes]
        text, cut = texts_of(batch, keep_given=self.keep_given)
        self.problems += mismatches(batch, cut, first, self.where)
        self.quotes.append(None if self.keep_given else quotes(batch, cut))
        self.numbers.append((batch.numbers, batch.sizes))
        self.origin.append(batch.rows or range(first, last))
        for row, fragments in batch.fragments.items():
            self.pieces.extend((self.rows + row, a, b) for a, b in fragments)
        known_ids, known_texts = _ids_and_texts(self.like, first, last)
        self.ids.extend(known_ids if known_ids == batch.ids else batch.ids)
        self.texts.extend(known_texts if known_texts == batch.texts else batch.texts)
        self.text.append(None if text is None else np.fromiter(text, object, len(text)))
        self.has_texts = self.has_texts or any_there(batch.texts)
        self.all_texts = self.all_texts and None not in batch.texts
        self.all_text = self.all_text and (text is None or None not in text)
        self.parts.append((batch.starts, batch.ends, labels))
        self.scores.append(batch.scores)
        self.meta.append((batch.meta, len(batch.sizes)))
        self.span_meta.append((batch.span_meta, len(batch.starts)))
        self.rows += len(batch.starts)

    def coded(self, labels: Sequence[Any]) -> NDArray[Any]:
        """Return the number of each label, giving new labels one."""
        try:
            codes = list(map(self.codes.__getitem__, labels))
        except (KeyError, TypeError):
            self._learn(set(labels))
            codes = list(map(self.codes.__getitem__, labels))
        if len(self.codes) <= FEW:
            return np.frombuffer(bytes(codes), dtype=np.uint8)  # by far the fastest way to an array
        return np.array(codes, dtype=np.int64)

    def _learn(self, labels: set[Any]) -> None:
        """Give labels that are new a number."""
        for label in labels:
            if label in self.codes:
                continue
            if not is_label(label):
                raise Unfit
            self.codes[label] = len(self.codes)

    def corpus(self, *, schema: Sequence[str] | None = None, sha256: str | None = None) -> Corpus:
        """Return the finished corpus; label codes follow the order of the names."""
        ids = self._ids()
        start, end, codes = (
            (np.concatenate([part[i] for part in self.parts]) for i in range(3))
            if self.parts
            else (np.zeros(0, dtype=np.int64) for _ in range(3))
        )
        labels, label = self._labels(codes)
        text = self._text()
        sizes = np.concatenate([NOTHING, *(sizes for _, sizes in self.numbers)])
        spans = Spans(
            np.repeat(np.arange(len(sizes)), sizes),
            start,
            end,
            label,
            np.arange(self.rows),
            text,
            self._pieces(start, end),
            self._extra(),
            # Where some texts came with their spans, the others are still to be cut from their documents.
            self.all_text and (text is None or all(part is not None for part in self.text)),
        )
        texts = np.fromiter(self.texts, object, len(self.texts)) if self.has_texts else None
        return Corpus(
            self.name,
            ids,
            labels,
            spans,
            texts,
            self.locate,
            None if schema is None else tuple(schema),
            sha256,
            sorted(self.problems, key=lambda problem: problem.row),  # as documents come, whatever the batches
            own_text=self.keep_given,
            n_documents=len(self.ids),
            all_texts=self.all_texts and self.has_texts,
            meta=meta_column(self.meta),
        )

    def _labels(self, label: NDArray[Any]) -> tuple[tuple[str, ...], Ints]:
        """Return the labels that spans have, in order, and their places for the numbers given as they came."""
        seen = np.bincount(label, minlength=len(self.codes)) > 0  # chunks that were read again may have had others
        labels = tuple(sorted(name for name, code in self.codes.items() if seen[code]))
        place = np.zeros(len(self.codes), dtype=np.int64)
        place[[self.codes[name] for name in labels]] = np.arange(len(labels))
        return labels, place[label] if labels else NOTHING

    def locate(self, row: int) -> str:
        """Return where a document of the corpus stands in the input."""
        return self.where(nth(self.origin, row))

    def _extra(self) -> dict[str, NDArray[Any]]:
        """Return the optional columns: the spans' numbers in their documents, where some were refused and left
        out; what they quote, where their documents have other words; how sure a system is, and metadata.
        """
        out: dict[str, NDArray[Any]] = {}
        if any(part is not None for part in self.quotes):
            out["quote"] = self._concat(self.quotes)
        if any(len(numbers) for numbers, _ in self.numbers):
            out["number"] = np.concatenate([numbers_in_documents(*part) for part in self.numbers])
        if any(part is not None for part in self.scores):
            parts = zip(self.scores, self.parts, strict=True)
            out["score"] = np.concatenate(
                [np.full(len(columns[0]), np.nan) if part is None else part for part, columns in parts]
            )
        if (meta := meta_column(self.span_meta)) is not None:
            out[META] = meta
        return out

    def _ids(self) -> list[str] | None:
        ids = [name for name in self.ids if name is not None]
        if not ids:
            return None
        if len(ids) < len(self.ids):
            row = self.ids.index(None)
            raise InputError(
                "has no id, other documents have", where=self.locate(row), expected="an id in every document"
            )
        return ids

    def _text(self) -> Texts | None:
        """Return the texts of spans that are not their documents' at their offsets, if there are any."""
        if not any(part is not None and any_there(part.tolist()) for part in self.text):
            return None
        return self._concat(self.text)

    def _concat(self, parts: Sequence[Sequence[str | None] | Texts | None]) -> Texts:
        """Return texts by batch as one column, None for batches without."""
        sizes = [len(start) for start, _, _ in self.parts]
        return np.concatenate([_as_column(part, size) for part, size in zip(parts, sizes, strict=True)])

    def _pieces(self, start: Ints, end: Ints) -> Pieces | None:
        """Return the fragments of all spans, where at least one span has several."""
        if not self.pieces:
            return None
        several = {row for row, _, _ in self.pieces}
        single = [row for row in range(self.rows) if row not in several]
        rows = self.pieces + list(zip(single, start[single].tolist(), end[single].tolist(), strict=True))
        span, first, last = np.array(sorted(rows), dtype=np.int64).T
        return Pieces(span, first, last)


def _ids_and_texts(
    corpus: Corpus | None, first: int, last: int
) -> tuple[Sequence[Any] | None, Sequence[Any] | None]:
    """Return the ids and the texts of some documents, as far as there are any."""
    if corpus is None:
        return None, None
    ids, texts = corpus.ids, corpus.texts
    return None if ids is None else ids[first:last], None if texts is None else texts[first:last].tolist()


def _as_column(part: Sequence[str | None] | Texts | None, size: int) -> Texts:
    """Return the texts of a batch as a column, which they mostly are already; None stands for a batch without."""
    if part is None:
        return np.full(size, None, object)
    return part if isinstance(part, np.ndarray) else np.fromiter(part, object, size)


def nth(parts: Sequence[Sequence[int]], row: int) -> int:
    """Return the number in this place, in parts that are read one after the other.

    >>> nth([range(5, 7), [9]], 2)
    9
    """
    for part in parts:
        if row < len(part):
            return part[row]
        row -= len(part)
    raise IndexError(row)
