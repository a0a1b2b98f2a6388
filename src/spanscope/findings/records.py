"""Findings as plain records: the figures of every document."""

from __future__ import annotations

import math
from collections.abc import Sequence

from spanscope import counts as tables
from spanscope.counts import Counts
from spanscope.jsonable import JsonObject, finite, plain
from spanscope.rates import Rate, RateSet
from spanscope.stats.averages import Policy, document_sums, document_values

Record = JsonObject


def documents(
    names: Sequence[str], table: Counts, rates: Sequence[Rate], rate_set: RateSet, policy: Policy
) -> list[Record]:
    """Return one record per document: its name, the counts and the rates."""
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
