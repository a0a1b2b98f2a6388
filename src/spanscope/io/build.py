"""From batches of decoded documents to the columns of a corpus, every offset checked on the way."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data import FARTHEST, NOWHERE, Corpus, Pieces, Problem, Spans, Texts
from spanscope.errors import InputError, shown

Fragments = list[tuple[int, int]]


class Unfit(Exception):
    """A batch is not plain enough for the fast way; the careful reader shall look at it and explain."""


@dataclass
class Batch:
    """Columns of some documents: one entry a document, or one entry a span."""

    ids: Sequence[str | int | None]
    texts: Sequence[str | None]
    sizes: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]
    labels: Sequence[str]
    given: Sequence[str | None]  # the text each span came with
    fragments: dict[int, Fragments] = field(default_factory=dict)  # of the spans that have several
    all_text: bool = False  # every span is known to have a text
    rows: list[int] = field(default_factory=list)  # the documents' rows in the input, where some were refused
    numbers: list[int] = field(default_factory=list)  # the spans' numbers in their documents, likewise


@dataclass
class Builder:
    """Collects batches into a corpus."""

    name: str
    where: Callable[[int], str]
    keep_given: bool = False  # score the text a span came with, not the document's at its offsets
    ids: list[str | None] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    text: list[str | None] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    numbers: list[tuple[list[int], Ints]] = field(default_factory=list)
    origin: list[int] = field(default_factory=list)  # the row of each document in the input
    codes: dict[str, int] = field(default_factory=dict)
    parts: list[tuple[Ints, Ints, Ints, Ints]] = field(default_factory=list)
    pieces: list[tuple[int, int, int]] = field(default_factory=list)
    rows: int = 0
    has_text: bool = False  # some span has a text
    all_text: bool = True  # every span has one
    has_texts: bool = False  # some document has a text

    def add(self, batch: Batch) -> None:
        """Take a batch in; raises Unfit, before anything is changed, when an offset is not in order."""
        start, end = _whole_numbers(batch.starts), _whole_numbers(batch.ends)
        if ((start < 0) & (start != NOWHERE)).any() or (end < start).any() or (end > FARTHEST).any():
            raise Unfit
        sizes = np.array(batch.sizes, dtype=np.int64)
        _inside(end, batch.texts, sizes)
        self.take(batch, sizes, start, end)

    def take(self, batch: Batch, sizes: Ints, start: Ints, end: Ints) -> None:
        """Take a batch in whose offsets somebody else has looked at."""
        labels = self._numbers(batch.labels)
        text = self._texts(batch, sizes, end - start)
        doc = np.repeat(np.arange(len(self.ids), len(self.ids) + len(sizes)), sizes)
        self.numbers.append((batch.numbers, sizes))
        self.origin.extend(batch.rows or range(len(self.origin), len(self.origin) + len(sizes)))
        for row, fragments in batch.fragments.items():
            self.pieces.extend((self.rows + row, a, b) for a, b in fragments)
        self.ids.extend([None if name is None else str(name) for name in batch.ids])
        self.texts.extend(batch.texts)
        self.text.extend(text)
        self.has_texts = self.has_texts or _some(batch.texts)
        self.has_text = self.has_text or _some(text)
        self.all_text = self.all_text and (batch.all_text or type(None) not in set(map(type, text)))
        self.parts.append((doc, start, end, labels))
        self.rows += len(start)

    def _numbers(self, labels: Sequence[str]) -> Ints:
        """Return the code of each label, giving new ones a number."""
        for label in set(labels) - self.codes.keys():
            if label == "*" or not isinstance(label, str):
                raise Unfit
            self.codes[label] = len(self.codes)
        return np.fromiter(list(map(self.codes.__getitem__, labels)), np.int64, len(labels))

    def _texts(self, batch: Batch, sizes: Ints, length: Ints) -> Sequence[str | None]:
        """Return the text of each span, and note where it is not the document's text at its offsets."""
        given = batch.given
        if not _some(batch.texts):
            return given
        whole = np.repeat(np.array(batch.texts, dtype=object), sizes).tolist()
        if _agree(whole, batch, length):
            batch.all_text = True
            return given
        cut: list[str | None] = [
            None if text is None or a == NOWHERE else text[a:b]
            for text, a, b in zip(whole, batch.starts, batch.ends, strict=True)
        ]
        for row, fragments in batch.fragments.items():
            if whole[row] is not None:
                cut[row] = " ".join(whole[row][a:b] for a, b in fragments)
        number = _in_document(batch.numbers, sizes).tolist()
        doc = np.repeat(np.arange(len(sizes)), sizes).tolist()
        for row, (own, there) in enumerate(zip(given, cut, strict=True)):
            if own is not None and there is not None and own != there:
                what = (
                    f"spans[{number[row]}].text is {shown(own)}, "
                    f"the document has {shown(there)} at {batch.starts[row]}..{batch.ends[row]}"
                )
                at = batch.rows[doc[row]] if batch.rows else len(self.ids) + doc[row]
                self.problems.append(Problem("text mismatch", self.where(at), what))
        if self.keep_given:
            return given
        return [own if there is None else there for own, there in zip(given, cut, strict=True)]

    def corpus(self, *, schema: Sequence[str] | None = None, sha256: str | None = None) -> Corpus:
        """Return the finished corpus; label codes follow the order of the names."""
        ids = self._ids()
        labels = tuple(sorted(self.codes))
        place = np.zeros(len(labels), dtype=np.int64)
        place[[self.codes[name] for name in labels]] = np.arange(len(labels))
        doc, start, end, label = (
            (np.concatenate([part[i] for part in self.parts]) for i in range(4))
            if self.parts
            else (np.zeros(0, dtype=np.int64) for _ in range(4))
        )
        spans = Spans(
            doc,
            start,
            end,
            place[label] if labels else label,
            np.arange(self.rows),
            self._text(),
            self._pieces(start, end),
            self._number(),
            self.all_text,
        )
        texts = None
        if self.has_texts:
            texts = np.empty(len(self.texts), dtype=object)
            texts[:] = self.texts
        return Corpus(
            self.name,
            ids,
            labels,
            spans,
            texts,
            self.locate,
            None if schema is None else tuple(schema),
            sha256,
            self.problems,
            own_text=self.keep_given,
            n_documents=len(self.ids),
        )

    def locate(self, row: int) -> str:
        """Return where a document of the corpus stands in the input."""
        return self.where(self.origin[row])

    def _number(self) -> dict[str, Ints]:
        """Return the spans' numbers in their documents as a column, where some were refused and left out."""
        if not any(numbers for numbers, _ in self.numbers):
            return {}
        return {"number": np.concatenate([_in_document(numbers, sizes) for numbers, sizes in self.numbers])}

    def _ids(self) -> list[str] | None:
        ids: list[str] = self.ids if None not in self.ids else [name for name in self.ids if name is not None]  # type: ignore[assignment]
        if not ids:
            return None
        if len(ids) < len(self.ids):
            row = self.ids.index(None)
            raise InputError(
                "has no id, other documents have", where=self.locate(row), expected="an id in every document"
            )
        return ids

    def _text(self) -> Texts | None:
        if not self.has_text:
            return None
        out = np.empty(len(self.text), dtype=object)
        out[:] = self.text
        return out

    def _pieces(self, start: Ints, end: Ints) -> Pieces | None:
        """Return the fragments of all spans, where at least one span has several."""
        if not self.pieces:
            return None
        several = {row for row, _, _ in self.pieces}
        single = [row for row in range(self.rows) if row not in several]
        rows = self.pieces + list(zip(single, start[single].tolist(), end[single].tolist(), strict=True))
        span, first, last = np.array(sorted(rows), dtype=np.int64).T
        return Pieces(span, first, last)


def _in_document(numbers: list[int], sizes: Ints) -> Ints:
    """Return the number of each span in its document, as the input counts them."""
    if numbers:
        return np.array(numbers, dtype=np.int64)
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _some(values: Sequence[object]) -> bool:
    """Tell whether something is there; stops at the first that is."""
    return bool(values) and (values[0] is not None or values.count(None) < len(values))


def _agree(whole: Sequence[str | None], batch: Batch, length: Ints) -> bool:
    """Tell whether every span came with the very text that the document has at its offsets."""
    if batch.fragments:
        return False
    try:
        own = np.fromiter(map(len, batch.given), np.int64, len(batch.given))  # type: ignore[arg-type]
        # A span without offsets has length 0 and starts nowhere, so it never agrees with a text of its own.
        return bool((own == length).all()) and all(
            map(str.startswith, whole, batch.given, batch.starts)  # type: ignore[arg-type]
        )
    except TypeError:  # a document or a span without text
        return False


def _whole_numbers(values: Sequence[int]) -> Ints:
    """Return whole numbers as a column; anything else, truth values among it, is for the careful reader."""
    try:
        out = np.frombuffer(array("q", values), dtype=np.int64) if values else np.zeros(0, dtype=np.int64)
    except (TypeError, OverflowError):  # no whole number, or past 64 bits
        raise Unfit from None
    if any(type(values[row]) is bool for row in np.flatnonzero((out == 0) | (out == 1)).tolist()):
        raise Unfit
    return out


def _inside(end: Ints, texts: Sequence[str | None], sizes: Ints) -> None:
    if not _some(texts):
        return
    limits = np.fromiter((FARTHEST if text is None else len(text) for text in texts), np.int64, len(texts))
    if (end > np.repeat(limits, sizes)).any():
        raise Unfit


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
