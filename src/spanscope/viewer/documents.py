"""The table of documents that a page shows: figures and counts of each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints
from spanscope.counts import Counts, sums_by_document
from spanscope.jsonable import JsonObject, finite
from spanscope.match.verdicts import CORRECT, KINDS
from spanscope.measures.registry import Measure
from spanscope.results.result import Result
from spanscope.stats.averages import document_sums, document_values
from spanscope.viewer.passages import code_values

MOST_RATES = 8
SIDES = {"gold": "Gold", "pred": "Predicted"}


class Column(NamedTuple):
    """A column of the table, with a value for every document; NaN where it is undefined."""

    name: str
    of: str  # what it is of, in words
    what: str  # "rate", "count", or "kind": the number of findings of a kind
    values: Floats | Ints
    best: float | None = None


def columns_of(result: Result) -> list[Column]:
    """Return the rates of the measure that leads, what leads each other one, and how many spans there are."""
    leading = result.settings.headline.measure
    rates = result.settings.rates(leading)
    first = result.settings.headline.rate.name
    out = [_rate(result, leading, one.name) for one in sorted(rates, key=lambda one: one.name != first)]
    out += [_rate(result, one, result.settings.lead(one).rate.name) for one in result.measures if one != leading]
    return [*out[:MOST_RATES], *_sizes(result.tables[result.index(leading)])]


def _rate(result: Result, measure: Measure, name: str) -> Column:
    at = result.index(measure)
    rate = next(one for one in result.settings.rates(measure) if one.name == name)
    sums = document_sums(result.tables[at])
    values = document_values(sums, rate, measure.definition.rate_set, result.settings.policy)
    return Column(name, measure.short, "rate", values, finite(rate.best))


def _sizes(table: Counts) -> list[Column]:
    """Return how many spans or boundaries of each side the measure has counted."""
    sums = sums_by_document(table)
    return [
        Column(name, "in the document, as counted", "count", sums[:, table.columns.index(side)])
        for side, name in SIDES.items()
        if side in table.columns
    ]


def columns_of_findings(result: Result) -> list[Column]:
    """Return how many errors each document has at the threshold asked for, in all and of each kind."""
    v, c = result.found.verdicts, result.comparison
    if v is None:
        return []
    doc = np.where(v.gold >= 0, np.append(c.gold.doc, 0)[v.gold], np.append(c.pred.doc, 0)[v.pred])
    counts = np.zeros((c.documents, len(KINDS)), dtype=np.int64)
    np.add.at(counts, (doc, v.kind), 1)
    wrong = [kind for kind in range(len(KINDS)) if kind != CORRECT and counts[:, kind].any()]
    errors = Column("Errors", "all kinds together", "count", counts[:, wrong].sum(axis=1))
    return [errors, *(Column(KINDS[kind], "errors of this kind", "kind", counts[:, kind]) for kind in wrong)]


def cut(columns: Sequence[Column], docs: Ints) -> JsonObject:
    """Return the columns of the documents that are in the page; numbers stand apart from their heads."""
    cells = [
        code_values(one.values[docs].astype(np.float64), one.best or 0.0)
        if one.what == "rate"
        else one.values[docs]
        for one in columns
    ]
    heads = [{"name": one.name, "of": one.of, "what": one.what, "best": one.best} for one in columns]
    return {"columns": heads, "cells": {str(at): own for at, own in enumerate(cells)}}
