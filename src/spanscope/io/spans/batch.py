"""Some documents and their spans as columns: what every reader of labelled spans makes, and a builder collects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Ints
from spanscope.data.problems import Problem
from spanscope.io.metadata import Meta
from spanscope.io.spans.values import Fragments, Unfit, check_offset_columns


@dataclass(eq=False)
class Batch:
    """Columns of some documents: one entry per document, or one entry per span."""

    ids: Sequence[str | None]
    texts: Sequence[str | None]
    sizes: Ints  # how many spans each document has
    starts: Ints
    ends: Ints
    labels: Sequence[str] | NDArray[Any]  # names, or an array of the builder's numbers for them
    given: Sequence[str | None]  # the text each span came with; nothing where it is known to be the document's
    scores: Floats | None = None  # how sure a system is of each span; nothing where no span has a confidence
    fragments: dict[int, Fragments] = field(default_factory=dict)  # of the spans that have several
    rows: Sequence[int] = ()  # the documents' rows in the input, where some were refused
    numbers: Sequence[int] = ()  # the spans' numbers in their documents, likewise
    agrees: bool | None = None  # every text is the document's at the offsets; None: nobody has looked yet
    notes: list[Problem] = field(default_factory=list)  # what is odd about documents, and stops nothing
    meta: Sequence[Meta | None] = ()  # of documents; nothing where none has any
    span_meta: Sequence[Meta | None] = ()  # of spans, likewise


def check_offsets(batch: Batch, unit: str, inclusive: bool = False) -> Batch:
    """Return a batch whose offsets are in order and half-open; else Unfit is raised."""
    if inclusive:
        raise Unfit  # the strict reader moves the ends
    check_offset_columns(batch.starts, batch.ends, batch.texts, batch.sizes, unit)
    return batch


def join_batches(batches: Sequence[Batch]) -> list[Batch]:
    """Put plain batches together, as long as the texts of all spans agree, or of none are known to."""
    return [_one(list(part)) for _, part in groupby(batches, lambda batch: batch.agrees)]


def _one(batches: Sequence[Batch]) -> Batch:
    if len(batches) == 1:
        return batches[0]
    scores = [np.full(len(batch.starts), np.nan) if batch.scores is None else batch.scores for batch in batches]
    return replace(
        batches[0],
        ids=list(chain.from_iterable(batch.ids for batch in batches)),
        texts=list(chain.from_iterable(batch.texts for batch in batches)),
        sizes=np.concatenate([batch.sizes for batch in batches]),
        starts=np.concatenate([batch.starts for batch in batches]),
        ends=np.concatenate([batch.ends for batch in batches]),
        labels=np.concatenate([batch.labels for batch in batches]),
        given=list(chain.from_iterable(batch.given for batch in batches)),
        scores=np.concatenate(scores) if any(batch.scores is not None for batch in batches) else None,
        meta=_all([(batch.meta, len(batch.ids)) for batch in batches]),
        span_meta=_all([(batch.span_meta, len(batch.starts)) for batch in batches]),
    )


def _all(parts: Sequence[tuple[Sequence[Meta | None], int]]) -> Sequence[Meta | None]:
    """Return metadata of all batches, as many entries as there are documents or spans; nothing without any."""
    if not any(len(part) for part, _ in parts):
        return ()
    return [one for part, size in parts for one in (part or [None] * size)]


def numbers_in_documents(numbers: Sequence[int], sizes: Ints) -> Ints:
    """Return the number of each span in its document, as the input counts them."""
    if len(numbers):
        return np.array(numbers, dtype=np.int64)
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
