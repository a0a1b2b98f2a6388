"""NLTK's strings: a line of 0 and 1 for each document, a character for each gap or each unit."""

from __future__ import annotations

from collections.abc import Sequence

from spanscope.io.losses import Document, Feature


def _size(document: Document) -> int:
    """Return how many units a document has."""
    return document["segments"][-1][1] if document["segments"] else 0


NO_GAPS = Feature(
    "documents of fewer than two units",
    "left out",
    lambda one: int(_size(one) < 2),
    lambda one: one if _size(one) > 1 else None,
)
NO_UNITS = Feature(
    "documents without a unit",
    "left out",
    lambda one: int(not _size(one)),
    lambda one: one if _size(one) else None,
)


def write_gaps(documents: Sequence[Document]) -> bytes:
    """Return a character per gap: 1 where a segment ends and another begins."""
    return "".join(f"{_string(one)[:-1]}\n" for one in documents).encode()


def write_units(documents: Sequence[Document]) -> bytes:
    """Return a character per unit: 1 for the last of every segment."""
    return "".join(f"{_string(one)}\n" for one in documents).encode()


def _string(document: Document) -> str:
    """Return a character per unit.

    >>> _string({"segments": [[0, 2], [2, 3]]})
    '011'
    """
    return "".join("1".rjust(end - start, "0") for start, end, *_ in document["segments"])
