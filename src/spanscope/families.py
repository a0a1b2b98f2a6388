"""The four families of what is scored, each a value that says what is true of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Family(NamedTuple):
    """What sets a family apart. Names of protocols, averages and pages are strings: their owners stand below."""

    name: str
    protocol: str  # where neither measures nor a protocol are asked for
    sources: tuple[str, ...]  # families of sources that can be read for it; the first where nothing shows which
    document: str = "document"  # the noun for its documents, and for what is on each side
    gold_item: str = "span"
    pred_item: str = "span"
    batch: int = 10_000  # documents that are counted at once: columns that the processor's cache can hold
    average: str = "micro"  # of its headline
    labelled: bool = True  # its spans have labels, by which there are figures, and can be listed
    partitions: bool = False  # its spans are segments, which cover the text
    retrieves: bool = False  # its documents are queries, with passages in an order
    repeated: str = "error"  # what becomes of ids that occur several times
    unread: tuple[str, ...] = ()  # options that nothing would read
    page: str = "spans"


SEGMENTS = Family(
    "segments",
    "segments",
    ("segments",),
    gold_item="segment",
    pred_item="segment",
    batch=2_000,  # every measure goes over them many times
    average="document",
    labelled=False,
    partitions=True,
    unread=("labels", "thresholds", "mapping"),
    page="segments",
)
TOKENS = Family("tokens", "spans", ("spans", "tokens"))
PASSAGES = Family(
    "passages",
    "passages",
    ("passages",),
    document="query",
    gold_item="answer",
    pred_item="passage",
    average="document",
    labelled=False,
    retrieves=True,
    repeated="number",
    unread=("labels", "thresholds", "mapping", "offsets", "ends", "layer", "label_names"),
    page="passages",
)
SPANS = Family("spans", "spans", ("spans", "tokens"))
# In the order in which one decides for measures of several: segments as soon as one measure is of them.
FAMILIES = {one.name: one for one in (SEGMENTS, TOKENS, PASSAGES, SPANS)}


def family_of(name: str) -> Family:
    """Return a family by its name; that of somebody's own measures is like that of spans."""
    return FAMILIES.get(name) or SPANS._replace(name=name)


def deciding_family(names: Sequence[str]) -> Family:
    """Return the family of measures of several: it says how files are read."""
    first = (one for one in FAMILIES.values() if one.name in names and one.name != SPANS.name)
    return next(first, family_of(names[0]))
