"""Findings one by one, as plain records: matches and errors, what leaked, the figures of every document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Ints
from spanscope.counts import Counts
from spanscope.data.corpus import NOWHERE
from spanscope.errors import MeasureError
from spanscope.findings import taxonomy
from spanscope.jsonable import as_shown, finite, plain
from spanscope.match.verdicts import KINDS, Verdicts
from spanscope.rates import Rate, Reading
from spanscope.sides.join import Comparison
from spanscope.sides.texts import quoted_at, text_at
from spanscope.stats.averages import Policy, document_sums, document_values

MISSED = ("missing", "merge", "boundary", "boundary+type")  # gold spans that nothing covers well enough
Record = dict[str, Any]


def matches(v: Verdicts, c: Comparison, text: str, kinds: Sequence[str] | str | None = None) -> Iterator[Record]:
    """Return every verdict in the order of the text; `text` says how texts may be shown."""
    doc = np.where(v.gold >= 0, at_rows(c.gold.doc, v.gold), at_rows(c.pred.doc, v.pred))
    place = np.where(v.gold >= 0, at_rows(c.gold.start, v.gold), at_rows(c.pred.start, v.pred))
    wanted = wanted_of(kinds, KINDS)
    for row in np.lexsort((place, doc)).tolist():
        if (kind := KINDS[v.kind[row]]) in wanted:
            sides = {
                side: None if at < 0 else _span(c, side, int(at), text)
                for side, at in (("gold", v.gold[row]), ("pred", v.pred[row]))
            }
            record = {
                "document": c.names[int(doc[row])],
                "kind": kind,
                **sides,
                "score": finite(float(v.score[row])),
            }
            if kind in ("boundary", "boundary+type"):
                record["detail"] = taxonomy.boundary_detail(*_places(c, int(v.gold[row]), int(v.pred[row])))
            yield record


def _places(c: Comparison, gold: int, pred: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return start and end of two spans; without offsets, of one text inside the other."""
    if c.gold.start[gold] != NOWHERE and c.pred.start[pred] != NOWHERE:
        sides = ((c.gold, gold), (c.pred, pred))
        (a, b), (x, y) = ((int(side.start[row]), int(side.end[row])) for side, row in sides)
        return (a, b), (x, y)
    own, other = (
        " ".join((quoted_at(side, c.texts, row) or "").casefold().split())
        for side, row in ((c.gold, gold), (c.pred, pred))
    )
    within, around = max(own.find(other), 0), max(other.find(own), 0)
    return (around, around + len(own)), (within, within + len(other))


def wanted_of(kinds: Sequence[str] | str | None, known: Sequence[str]) -> set[str]:
    """Return the kinds that are wanted, all where none is named; refuse those that there are not."""
    wanted = {kinds} if isinstance(kinds, str) else set(known if kinds is None else kinds)
    if unknown := wanted - set(known):
        raise MeasureError(f"no kind of error is called {min(unknown)!r}", expected=", ".join(known))
    return wanted


def at_rows(column: Ints, rows: Ints) -> Ints:
    """Return the column at the rows, and anything where there is none."""
    return column[np.maximum(rows, 0)] if len(column) else np.zeros(len(rows), dtype=np.int64)


def _span(c: Comparison, side: str, row: int, text: str) -> Record:
    spans = c.sides[side]
    own, quoted = text_at(spans, c.texts, row), quoted_at(spans, c.texts, row)
    placed = spans.start[row] != NOWHERE
    record = {
        "start": int(spans.start[row]) if placed else None,
        "end": int(spans.end[row]) if placed else None,
        "label": c.labels[spans.label[row]],
        "text": None if own is None else as_shown(own, text),
    }
    return record if quoted == own else {**record, "quote": as_shown(quoted, text)}


def leaks(missed: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Return what was missed, by label, kind and text, most often first."""
    found: Counter[tuple[str, str, str | None]] = Counter()
    for record in missed:
        found[record["gold"]["label"], record["kind"], record["gold"]["text"]] += 1
    rows = sorted(found.items(), key=lambda item: (-item[1], item[0][0], item[0][1], item[0][2] or ""))
    return [{"label": label, "kind": kind, "text": text, "number": n} for (label, kind, text), n in rows]


def documents(
    names: Sequence[str], table: Counts, rates: Sequence[Rate], reading: Reading, policy: Policy
) -> list[Record]:
    """Return a record each document: its name, the counts and the rates."""
    sums, each = tables.by_document(table), document_sums(table)
    values = {rate.name: document_values(each, rate, reading, policy) for rate in rates}
    return [
        {
            "document": name,
            **{column: plain(n) for column, n in zip(table.columns, sums[row], strict=True)},
            **{rate: finite(float(own[row])) for rate, own in values.items()},
        }
        for row, name in enumerate(names)
    ]


def worst_first(records: Sequence[Record], rates: Sequence[Rate]) -> list[Record]:
    """Return the records by how far the first rate is from its best value, then the next; undefined ones last."""

    def away(record: Record) -> list[tuple[bool, float]]:
        values = [(record[rate.name], 0.0 if math.isnan(rate.best) else rate.best) for rate in rates]
        return [(value is None, 0.0 if value is None else -abs(value - best)) for value, best in values]

    return sorted(records, key=away)
