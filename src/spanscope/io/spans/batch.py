"""Batches of decoded documents as columns: put together, and looked at before they go into a corpus."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Any, TypeVar

import numpy as np

from spanscope.arithmetic import Floats, Ints
from spanscope.data.corpus import FARTHEST, NOWHERE
from spanscope.data.problems import Problem

NUMBERS = (int, float, np.integer, np.floating, type(None))  # the types of confidences that need no explaining
Fragments = list[tuple[int, int]]
T = TypeVar("T")


class Unfit(Exception):
    """A batch is not plain enough for the fast way; the careful reader shall look at it and explain."""


@dataclass
class Batch:
    """Columns of some documents: one entry a document, or one entry a span."""

    ids: Sequence[str | int | None]
    texts: Sequence[str | None]
    sizes: Sequence[int]
    starts: Any  # whole numbers in a list, or in an array where they are typed
    ends: Any
    labels: Any  # names in a list, or the builder's numbers for them
    given: Sequence[str | None]  # the text each span came with; nothing where it is known to be the document's
    fragments: dict[int, Fragments] = field(default_factory=dict)  # of the spans that have several
    all_text: bool = False  # every span is known to have a text
    typed: bool = False  # offsets, labels and confidences are arrays, and somebody has seen to it that they may be
    rows: Sequence[int] = ()  # the documents' rows in the input, where some were refused
    numbers: list[int] = field(default_factory=list)  # the spans' numbers in their documents, likewise
    agrees: bool | None = None  # every text is the document's at the offsets; None: nobody has looked yet
    scores: Any = None  # how sure a system is of each span; nothing where no span has a confidence
    notes: list[Problem] = field(default_factory=list)  # what is odd about documents, and stops nothing


def joined(batches: Sequence[Batch]) -> list[Batch]:
    """Put typed batches together, as long as the texts of all spans agree, or of none are known to."""
    return [_one(list(part)) for _, part in groupby(batches, lambda batch: batch.agrees)]


def _one(batches: Sequence[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    scores = [np.full(len(batch.starts), np.nan) if batch.scores is None else batch.scores for batch in batches]
    return replace(
        batches[0],
        ids=list(chain.from_iterable(batch.ids for batch in batches)),
        texts=list(chain.from_iterable(batch.texts for batch in batches)),
        sizes=list(chain.from_iterable(batch.sizes for batch in batches)),
        starts=np.concatenate([batch.starts for batch in batches]),
        ends=np.concatenate([batch.ends for batch in batches]),
        labels=np.concatenate([batch.labels for batch in batches]),
        given=list(chain.from_iterable(batch.given for batch in batches)),
        all_text=all(batch.all_text for batch in batches),
        scores=np.concatenate(scores) if any(batch.scores is not None for batch in batches) else None,
    )


def by_parts(
    parts: Sequence[T],
    fast: Callable[[Sequence[T]], None],
    careful: Callable[[T], None],
    unfit: tuple[type[Exception], ...],
) -> None:
    """Do all parts at once; where that does not work, one by one, and those carefully with which it does not.

    A look at columns costs as much for a few spans as for many, and what is taken from objects is best taken from
    so few that they stay in the processor's cache.
    """
    try:
        fast(parts)
    except unfit:
        if len(parts) == 1:
            careful(parts[0])
            return
        for part in parts:
            by_parts([part], fast, careful, unfit)


def in_document(numbers: list[int], sizes: Ints) -> Ints:
    """Return the number of each span in its document, as the input counts them."""
    if numbers:
        return np.array(numbers, dtype=np.int64)
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def some(values: Sequence[object]) -> bool:
    """Tell whether something is there; stops at the first that is."""
    return bool(values) and (values[0] is not None or values.count(None) < len(values))


def first_of(columns: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Return the first value of every row that is not null; nothing where all of them are.

    >>> first_of([[None, 1], [2, 3]])
    [2, 1]
    """
    there = [column for column in columns if some(column)]
    if len(there) < 2:
        return there[0] if there else ()
    return [next((value for value in row if value is not None), None) for row in zip(*there, strict=True)]


def confidences(values: Sequence[Any] | None, *, typed: bool = False) -> Floats | None:
    """Return confidences as a column, NaN for null; None where all are null."""
    if values is None or not some(values):
        return None
    if not typed and not all(issubclass(kind, NUMBERS) and kind is not bool for kind in set(map(type, values))):
        raise Unfit
    try:
        out = np.array(values, dtype=np.float64)
    except OverflowError:  # a whole number that no fraction can hold
        raise Unfit from None
    if not typed and np.count_nonzero(np.isfinite(out)) < sum(value is not None for value in values):
        raise Unfit
    return out


def whole_texts(batch: Batch, sizes: Ints) -> list[str | None]:
    """Return the text of the document of each span; nothing where no document has one."""
    if not some(batch.texts):
        return []
    out: list[str | None] = np.repeat(np.array(batch.texts, dtype=object), sizes).tolist()
    return out


def agree(batch: Batch, sizes: Ints, start: Ints, end: Ints) -> bool:
    """Tell whether every span came with the very text that the document has at its offsets."""
    if batch.agrees is not None:
        return batch.agrees
    whole = whole_texts(batch, sizes)
    if batch.fragments or not whole or (start == NOWHERE).any():
        return False
    try:
        own = whole_numbers(list(map(len, batch.given)), typed=True)  # type: ignore[arg-type]
        return bool((own == end - start).all()) and all(
            map(str.startswith, whole, batch.given, start.tolist())  # type: ignore[arg-type]
        )
    except TypeError:  # a document or a span without text
        return False


def whole_numbers(values: Sequence[int], *, typed: bool = False) -> Ints:
    """Return whole numbers as a column; anything else, truth values among it, is for the careful reader."""
    try:
        packed = struct.pack(f"{len(values)}q", *values)  # twice as fast as an array made from the list
    except (struct.error, TypeError, OverflowError):  # no whole number, or past 64 bits
        raise Unfit from None
    out = np.frombuffer(packed, dtype=np.int64)
    if not typed and any(type(values[row]) is bool for row in np.flatnonzero((out == 0) | (out == 1)).tolist()):
        raise Unfit
    return out


def inside(end: Ints, texts: Sequence[str | None], sizes: Ints) -> None:
    """Refuse spans that end after the text of their document."""
    if not some(texts):
        return
    try:
        lengths = list(map(len, texts))  # type: ignore[arg-type]
    except TypeError:  # some document has no text
        lengths = [FARTHEST if text is None else len(text) for text in texts]
    limits = whole_numbers(lengths, typed=True)
    if (end > np.repeat(limits, sizes)).any():
        raise Unfit
