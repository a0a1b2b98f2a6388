"""From batches of decoded documents to the columns of a corpus, every offset checked on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Ints
from spanscope.data.corpus import FARTHEST, NOWHERE, Corpus, Pieces, Spans, Texts
from spanscope.data.problems import Problem, problem_at, quote
from spanscope.errors import InputError
from spanscope.io.spans.batch import (
    Batch,
    Unfit,
    agree,
    confidences,
    in_document,
    inside,
    some,
    whole_numbers,
    whole_texts,
)
from spanscope.io.surrogates import has_half

FEW = 256  # labels up to which their codes fit into a byte
NOTHING = np.zeros(0, dtype=np.int64)


@dataclass
class Builder:
    """Collects batches into a corpus."""

    name: str
    where: Callable[[int], str]
    keep_given: bool = False  # score the text a span came with, not the document's at its offsets
    like: Corpus | None = None  # ids and texts that are the same as there are not kept twice
    ids: list[str | None] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    text: list[Texts | None] = field(default_factory=list)  # None: the documents' at the offsets
    problems: list[Problem] = field(default_factory=list)
    numbers: list[tuple[list[int], Ints]] = field(default_factory=list)
    origin: list[Sequence[int]] = field(default_factory=list)  # by batch: the row of each document in the input
    codes: dict[str, int] = field(default_factory=dict)
    parts: list[tuple[Ints, Ints, NDArray[Any]]] = field(default_factory=list)  # starts, ends, labels
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    scores: list[Floats | None] = field(default_factory=list)  # of every batch; None where it has none
    rows: int = 0
    all_text: bool = True  # every span has a text
    has_texts: bool = False  # some document has a text
    all_texts: bool = True  # every document has one
    plain_ids: bool = True  # every id is a string

    def add(self, *batches: Batch) -> None:
        """Take batches in; raises Unfit, before anything is changed, when an offset of one is not in order."""
        checked = [(batch, *_checked(batch)) for batch in batches]
        for batch, sizes, start, end in checked:
            self.take(batch, sizes, start, end)

    def take(self, batch: Batch, sizes: Ints, start: Ints, end: Ints) -> None:
        """Take a batch in whose offsets somebody has looked at."""
        scores = batch.scores if batch.typed else confidences(batch.scores)
        labels = batch.labels if batch.typed else self.coded(batch.labels)
        self.problems += [replace(note, row=len(self.ids) + note.row) for note in batch.notes]
        text = self._texts(batch, sizes, start, end)
        self.numbers.append((batch.numbers, sizes))
        self.origin.append(batch.rows or range(len(self.ids), len(self.ids) + len(sizes)))
        for row, fragments in batch.fragments.items():
            self.pieces.extend((self.rows + row, a, b) for a, b in fragments)
        if not set(map(type, batch.ids)) <= {str}:
            batch.ids = [None if name is None else str(name) for name in batch.ids]
            self.plain_ids = self.plain_ids and None not in batch.ids
        first, last = len(self.ids), len(self.ids) + len(sizes)
        known_ids, known_texts = _known(self.like, first, last)
        self.ids.extend(known_ids if known_ids == batch.ids else batch.ids)  # type: ignore[arg-type]
        self.texts.extend(known_texts if known_texts == batch.texts else batch.texts)
        self.text.append(None if text is None else np.fromiter(text, object, len(text)))
        self.has_texts = self.has_texts or some(batch.texts)
        self.all_texts = self.all_texts and type(None) not in set(map(type, batch.texts))
        self.all_text = self.all_text and (
            text is None or batch.all_text or type(None) not in set(map(type, text))
        )
        self.parts.append((start, end, labels))
        self.scores.append(scores)
        self.rows += len(start)

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
            if label == "*" or not isinstance(label, str) or has_half(label):
                raise Unfit
            self.codes[label] = len(self.codes)

    def _texts(self, batch: Batch, sizes: Ints, start: Ints, end: Ints) -> Sequence[str | None] | None:
        """Return the text of each span, and note where it is not the document's text at its offsets.

        None stands for the texts that all documents have at all offsets: nobody has to cut them before they are
        asked for, and mostly they are not.
        """
        given = batch.given
        if agree(batch, sizes, start, end):
            return given if self.keep_given else None
        whole = whole_texts(batch, sizes)
        if not whole:
            return given
        known = type(None) not in set(map(type, whole)) and not (start == NOWHERE).any()
        if known and not self.keep_given and not some(given):
            return None
        cut: list[str | None] = [
            None if text is None or a == NOWHERE or (known and own is None) else text[a:b]
            for text, a, b, own in zip(whole, start.tolist(), end.tolist(), given, strict=True)
        ]
        for row, fragments in batch.fragments.items():
            if whole[row] is not None:
                cut[row] = " ".join(whole[row][a:b] for a, b in fragments)  # type: ignore[index]
        self._note(batch, sizes, cut)
        if self.keep_given:
            return given
        return None if known else [own if there is None else there for own, there in zip(given, cut, strict=True)]

    def _note(self, batch: Batch, sizes: Ints, cut: Sequence[str | None]) -> None:
        """Note where the text that a span came with is not the document's."""
        number = in_document(batch.numbers, sizes).tolist()
        doc = np.repeat(np.arange(len(sizes)), sizes).tolist()
        for row, (own, there) in enumerate(zip(batch.given, cut, strict=True)):
            if own is not None and there is not None and own != there:
                values = {"at": f"spans[{number[row]}]", "own": quote(own), "there": quote(there)}
                values |= {"start": batch.starts[row], "end": batch.ends[row]}
                place = len(self.ids) + doc[row]
                at = batch.rows[doc[row]] if batch.rows else place
                self.problems.append(problem_at("text mismatch", self.where(at), values, row=place))

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
        out, and how sure a system is of each span, where it says so of one.
        """
        out: dict[str, NDArray[Any]] = {}
        if any(numbers for numbers, _ in self.numbers):
            out["number"] = np.concatenate([in_document(numbers, sizes) for numbers, sizes in self.numbers])
        if any(part is not None for part in self.scores):
            parts = zip(self.scores, self.parts, strict=True)
            out["score"] = np.concatenate(
                [np.full(len(columns[0]), np.nan) if part is None else part for part, columns in parts]
            )
        return out

    def _ids(self) -> list[str] | None:
        ids: list[str] = self.ids if self.plain_ids else [name for name in self.ids if name is not None]  # type: ignore[assignment]
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
        if not any(part is not None and some(part.tolist()) for part in self.text):
            return None
        sizes = [len(start) for start, _, _ in self.parts]
        parts = zip(self.text, sizes, strict=True)
        return np.concatenate([np.full(size, None, object) if part is None else part for part, size in parts])

    def _pieces(self, start: Ints, end: Ints) -> Pieces | None:
        """Return the fragments of all spans, where at least one span has several."""
        if not self.pieces:
            return None
        several = {row for row, _, _ in self.pieces}
        single = [row for row in range(self.rows) if row not in several]
        rows = self.pieces + list(zip(single, start[single].tolist(), end[single].tolist(), strict=True))
        span, first, last = np.array(sorted(rows), dtype=np.int64).T
        return Pieces(span, first, last)


def _checked(batch: Batch) -> tuple[Ints, Ints, Ints]:
    """Return the numbers of spans, their starts and their ends, if they are in order."""
    offsets = (batch.starts, batch.ends)
    start, end = offsets if batch.typed else map(whole_numbers, offsets)
    below = start < 0
    if below.any() and (batch.typed or (below & (start != NOWHERE)).any()):  # typed: somebody wrote it
        raise Unfit
    if (end < start).any() or (end > FARTHEST).any():
        raise Unfit
    sizes = whole_numbers(batch.sizes, typed=True)
    inside(end, batch.texts, sizes)
    return sizes, start, end


def _known(corpus: Corpus | None, first: int, last: int) -> tuple[Sequence[Any] | None, Sequence[Any] | None]:
    """Return the ids and the texts of some documents, as far as there are any."""
    if corpus is None:
        return None, None
    ids, texts = corpus.ids, corpus.texts
    return None if ids is None else ids[first:last], None if texts is None else texts[first:last].tolist()


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


def places(text: str, unit: str) -> Callable[[int], int | None]:
    """Return a function from an offset in UTF-16 units or UTF-8 bytes to one in code points.

    It gives None for an offset inside a character or past the end of the text.
    """
    if unit == "utf16":
        widths = (2 if character > "\uffff" else 1 for character in text)
    else:
        widths = (len(character.encode("utf-8", "surrogatepass")) for character in text)
    table = {0: 0}
    total = 0
    for count, width in enumerate(widths, start=1):
        total += width
        table[total] = count
    return table.get
