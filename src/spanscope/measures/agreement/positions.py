"""What annotators say of every position of the texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.data.corpus import Spans
from spanscope.errors import MeasureError, shown
from spanscope.measures.agreement.coding import (
    CodedCells,
    Marks,
    coded_cells,
    marks,
    to_token_offsets,
    without_overlaps,
)
from spanscope.sides.comparison import Comparison

Unit = Literal["auto", "character", "token"]
Position = Literal["auto", "character", "token", "gap"]
BOUNDARY = "boundary"


@dataclass(frozen=True)
class Positions:
    """The annotators in the unit asked for: spans, marks without overlaps, and elementary cells."""

    spans: tuple[Spans, ...]
    marks: tuple[Marks, ...]  # with overlaps
    flat: tuple[Marks, ...]
    cells: CodedCells
    lengths: Ints
    labels: tuple[str, ...]
    several: int  # positions to which one annotator gave several labels
    present: Bools  # annotators x documents: who has which


def settled_unit(c: Comparison, unit: str = "auto") -> str:
    """Return what units are counted in: tokens where all annotators came as tagged tokens, unless it was said."""
    if unit == "token" and not c.tokens:
        raise MeasureError("there are no tokens", expected="tagged tokens, or unit='character'")
    if unit == "auto":
        return "token" if len(c.tokens) == len(c.sides) else "character"
    return unit


def positions(c: Comparison, unit: str) -> Positions:
    """Return what annotators say of characters or tokens, or of the gaps between the units of segmentations."""
    return c.cached(("positions", unit), lambda: (_of_gaps if unit == "gap" else _of_units)(c, unit))


def _of_gaps(c: Comparison, _unit: str) -> Positions:
    spans, (lengths, _) = tuple(c.sides.values()), text_lengths(c)
    cut = tuple(_boundaries(own, lengths) for own in spans)
    gaps = np.maximum(lengths - 1, 0)
    return Positions(spans, cut, cut, coded_cells(cut, gaps), gaps, (BOUNDARY,), 0, c.present())


def _boundaries(spans: Spans, lengths: Ints) -> Marks:
    """Return the ends of segments as marks upon the gaps between units; the end of the text is none."""
    inner = (spans.end < lengths[spans.doc]) & (spans.end > 0)
    key = np.unique(np.stack((spans.doc[inner], spans.end[inner])), axis=1)
    return Marks(key[0], key[1] - 1, key[1], np.zeros(key.shape[1], dtype=np.int64))


def _of_units(c: Comparison, unit: str) -> Positions:
    spans, lengths = tuple(c.sides.values()), text_lengths(c)[0]
    if unit == "token":
        tokens = next(iter(c.tokens.values()))
        lengths = np.diff(tokens.first)
        _refuse_without_tokens(c, lengths)
        spans = tuple(to_token_offsets(own, tokens) for own in spans)
    found = tuple(marks(own) for own in spans)
    resolved = [without_overlaps(own) for own in found]
    alone = tuple(own for own, _ in resolved)
    several = sum(int(many.sum()) for _, many in resolved)
    return Positions(spans, found, alone, coded_cells(alone, lengths), lengths, c.labels, several, c.present())


def _refuse_without_tokens(c: Comparison, sizes: Ints) -> None:
    """Refuse spans of documents without tokens, which columns of spans can have: they would count for nothing."""
    for own in c.sides.values():
        lacking = own.doc[sizes[own.doc] == 0]
        if len(lacking):
            what = f"the document {shown(c.names[int(lacking[0])])} has spans, but no tokens"
            raise MeasureError(what, expected="tokens of every document, or unit='character'")


def text_lengths(c: Comparison) -> tuple[Ints, bool]:
    """Return how long documents are, and whether all lengths are known.

    They are those of the texts, or the number of tokens where there are tags alone; else a document ends where the
    last span ends that anybody marked.
    """
    out = np.zeros(c.documents, dtype=np.int64)
    known = np.zeros(c.documents, dtype=bool)
    if c.lengths is not None:
        out, known = c.lengths.copy(), np.ones(c.documents, dtype=bool)
    if c.texts is not None:
        there = np.array([text is not None for text in c.texts.tolist()], dtype=bool)
        out[there] = [len(text) for text in c.texts[there].tolist()]
        known |= there
    first, *others = c.sides
    if not known.all() and (first in c.tokens or all(name in c.tokens for name in others)):
        out, known = np.maximum(out, np.diff(next(iter(c.tokens.values())).first)), np.ones_like(known)
    for own in c.sides.values():
        np.maximum.at(out, own.doc, own.end)
    return out, bool(known.all())
