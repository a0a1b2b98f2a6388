"""Findings as plain records: what leaked, the figures of every document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from spanscope import counts as tables
from spanscope.counts import Counts
from spanscope.jsonable import JsonObject, finite, plain
from spanscope.rates import Rate, RateSet
from spanscope.stats.averages import Policy, document_sums, document_values

MISSED = ("missing", "merge", "boundary", "boundary+type")  # gold spans that nothing covers well enough
Record = JsonObject


def leaks(missed: Iterable[Mapping[str, Any]]) -> list[Record]:
    """Return what was missed, by label, kind and text, most often first."""
    found: Counter[tuple[str, str, str | None]] = Counter()
    for record in missed:
        found[record["gold"]["label"], record["kind"], record["gold"]["text"]] += 1
    rows = sorted(found.items(), key=lambda item: (-item[1], item[0][0], item[0][1], item[0][2] or ""))
    return [{"label": label, "kind": kind, "text": text, "number": n} for (label, kind, text), n in rows]


def documents(
    names: Sequence[str], table: Counts, rates: Sequence[Rate], rate_set: RateSet, policy: Policy
) -> list[Record]:
    """Return a record each document: its name, the counts and the rates."""
    sums, each = tables.sums_by_document(table), document_sums(table)
    values = {rate.name: document_values(each, rate, rate_set, policy) for rate in rates}
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
