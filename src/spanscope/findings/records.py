"""Findings one by one, as plain records: matches and errors, the figures of every document."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Ints
from spanscope.counts import Counts
from spanscope.errors import MeasureError
from spanscope.findings import taxonomy
from spanscope.jsonable import as_shown, finite, plain
from spanscope.match.verdicts import KINDS, Verdicts
from spanscope.rates import Rate, Reading
from spanscope.sides.join import Comparison
from spanscope.sides.texts import text_at
from spanscope.stats.averages import Policy, document_sums, document_values

Record = dict[str, Any]


def matches(v: Verdicts, c: Comparison, text: str, kinds: Sequence[str] | str | None = None) -> Iterator[Record]:
    """Return every verdict in the order of the text; `text` says how texts may be shown."""
    doc = np.where(v.gold >= 0, at_rows(c.gold.doc, v.gold), at_rows(c.pred.doc, v.pred))
    place = np.where(v.gold >= 0, at_rows(c.gold.start, v.gold), at_rows(c.pred.start, v.pred))
    wanted = wanted_of(kinds, KINDS)
    for row in np.lexsort((place, doc)).tolist():
        if (kind := KINDS[v.kind[row]]) in wanted:
            sides = {
                side: None if at < 0 else span_record(c, side, int(at), text)
                for side, at in (("gold", v.gold[row]), ("pred", v.pred[row]))
            }
            record = {
                "document": c.names[int(doc[row])],
                "kind": kind,
                **sides,
                "score": finite(float(v.score[row])),
            }
            if kind in ("boundary", "boundary+type"):
                both = (sides["gold"], sides["pred"])
                record["detail"] = taxonomy.boundary_detail(*((s["start"], s["end"]) for s in both if s))
            yield record


def wanted_of(kinds: Sequence[str] | str | None, known: Sequence[str]) -> set[str]:
    """Return the kinds that are wanted, all where none is named; refuse those that there are not."""
    wanted = {kinds} if isinstance(kinds, str) else set(known if kinds is None else kinds)
    if unknown := wanted - set(known):
        raise MeasureError(f"no kind of error is called {min(unknown)!r}", expected=", ".join(known))
    return wanted


def at_rows(column: Ints, rows: Ints) -> Ints:
    """Return the column at the rows, and anything where there is none."""
    return column[np.maximum(rows, 0)] if len(column) else np.zeros(len(rows), dtype=np.int64)


def span_record(c: Comparison, side: str, row: int, text: str) -> Record:
    """Return a span as a record; `text` says how its text may be shown."""
    spans = c.sides[side]
    own = text_at(spans, c.texts, row)
    return {
        "start": int(spans.start[row]),
        "end": int(spans.end[row]),
        "label": c.labels[spans.label[row]],
        "text": None if own is None else as_shown(own, text),
    }


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
