"""What stays readable, span by span, and what was redacted beyond it: the pieces that `tokens.leaks` counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.findings.matches import span_record
from spanscope.findings.records import Record
from spanscope.jsonable import as_shown
from spanscope.match.cover import Stretches
from spanscope.measures.tokens.leaks import find
from spanscope.sides.comparison import Comparison

UNCOVERED, PARTLY, WIDE = "uncovered", "partly covered", "over-wide"
Read = tuple[str, str, str | None, str | None]


def rows_of(c: Comparison) -> tuple[Ints, Ints]:
    """Return the gold spans that leak and the predictions that are over-wide, in the order of their records."""
    found = find(c)
    beyond = np.unique(found.beyond.row)
    return np.unique(found.exposed.row), beyond[found.touching[beyond]]


def leaks(c: Comparison, text: str) -> Iterator[Record]:
    """Return every gold span of which something stays readable, in the order of the text, with these pieces.

    `text` says how texts may be shown.
    """
    found = find(c)
    for row, pieces in _by_row(found.exposed):
        kind = PARTLY if found.covered[row] else UNCOVERED
        yield _record(c, "gold", row, pieces, (kind, "exposed"), text)


def over_wide(c: Comparison, text: str) -> Iterator[Record]:
    """Return every prediction that covers PII and more than that, with the pieces that are none."""
    found = find(c)
    for row, pieces in _by_row(found.beyond):
        if found.touching[row]:
            yield _record(c, "pred", row, pieces, (WIDE, "beyond"), text)


def _by_row(part: Stretches) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Return the pieces of each row, in order."""
    order = np.lexsort((part.start, part.row))
    rows, first = np.unique(part.row[order], return_index=True)
    places = list(zip(part.start[order].tolist(), part.end[order].tolist(), strict=True))
    edges = [*first.tolist(), len(places)]
    for at, row in enumerate(rows.tolist()):
        yield row, places[edges[at] : edges[at + 1]]


def _record(
    c: Comparison, side: str, row: int, pieces: list[tuple[int, int]], words: tuple[str, str], text: str
) -> Record:
    kind, name = words
    doc = int(c.sides[side].doc[row])
    whole = None if c.texts is None else c.texts[doc]
    shown = [
        {"start": start, "end": end, "text": None if whole is None else as_shown(whole[start:end], text)}
        for start, end in pieces
    ]
    number = sum(end - start for start, end in pieces)
    return {
        "document": c.names[doc],
        "kind": kind,
        **span_record(c, side, row, text),
        name: shown,
        "characters": number,
    }


def added_up(records: Sequence[Mapping[str, Any]], pieces: str) -> list[Record]:
    """Return records by label, kind, text and pieces, most often first, then the longest pieces.

    `document` is the first that has them.
    """
    number, first = numbers(records, pieces), {reads(one, pieces): one for one in reversed(records)}
    size = {key: first[key]["characters"] for key in number}
    order = sorted(number, key=lambda key: (-number[key], -size[key], *(part or "" for part in key)))
    names = ("label", "kind", "text", pieces)
    return [
        {**dict(zip(names, key, strict=True)), "number": number[key], "document": first[key]["document"]}
        for key in order
    ]


def numbers(records: Sequence[Mapping[str, Any]], pieces: str) -> Counter[Read]:
    """Return how often each leak, or each surplus, reads the same."""
    return Counter(reads(one, pieces) for one in records)


def reads(record: Mapping[str, Any], pieces: str) -> Read:
    """Return what a record reads: label, kind, text, and its pieces in one."""
    texts = [piece["text"] for piece in record[pieces]]
    return record["label"], record["kind"], record["text"], None if None in texts else " … ".join(texts)
