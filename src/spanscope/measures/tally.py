"""From accepted pairs to counts by document and label: what every span measure ends with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.counts import STAR, Counts, make
from spanscope.sides.comparison import Comparison


def by_label(c: Comparison, found: Ints, gold: Bools | None = None, pred: Bools | None = None) -> Counts:
    """Count tp, pred, gold by document and label; `found` are gold rows, the masks say which spans count."""
    cells = c.cells()
    size = len(cells.doc)
    return make(
        c.documents,
        c.labels,
        cells.doc,
        cells.label,
        {
            "tp": count_each(cells.gold[found], size),
            "pred": per_cell(c, "pred") if pred is None else count_each(cells.pred[pred], size),
            "gold": per_cell(c, "gold") if gold is None else count_each(cells.gold[gold], size),
        },
    )


def overall(c: Comparison, found: Ints, gold: Bools | None = None, pred: Bools | None = None) -> Counts:
    """Count tp, pred, gold by document under the reserved label `*`."""
    return count_under_star(
        c,
        {
            "tp": c.gold.doc[found],
            "pred": c.pred.doc if pred is None else c.pred.doc[pred],
            "gold": c.gold.doc if gold is None else c.gold.doc[gold],
        },
    )


def count_under_star(c: Comparison, documents: Mapping[str, Ints]) -> Counts:
    """Count how often each document occurs in each column, under `*`; documents without spans get no row."""
    present = np.zeros(c.documents, dtype=bool)
    present[c.gold.doc] = True
    present[c.pred.doc] = True
    rows = np.flatnonzero(present)
    columns = {name: count_each(docs, c.documents)[rows] for name, docs in documents.items()}
    return make(c.documents, c.labels, rows, np.full(len(rows), STAR), columns)


@dataclass(frozen=True, eq=False)
class LabelAndStarRows:
    """The rows by label and, below them, those under `*`; how many spans of each side belong to each."""

    doc: Ints
    label: Ints
    star: Ints  # of each document: its row under `*`
    gold: Ints
    pred: Ints


def labels_and_star(c: Comparison) -> LabelAndStarRows:
    """Return the rows of a measure whose overall figure is not the sum over its labels; measures share them."""
    return c.cached("labels and star", lambda: _labels_and_star(c))


def _labels_and_star(c: Comparison) -> LabelAndStarRows:
    cells, sides = c.cells(), [np.bincount(side.doc, minlength=c.documents) for side in (c.gold, c.pred)]
    own = np.flatnonzero(sides[0] + sides[1])  # documents without spans get no row
    star = np.full(c.documents, -1)
    star[own] = len(cells.doc) + np.arange(len(own))
    return LabelAndStarRows(
        np.concatenate((cells.doc, own)),
        np.concatenate((cells.label, np.full(len(own), STAR))),
        star,
        np.concatenate((per_cell(c, "gold"), sides[0][own])),
        np.concatenate((per_cell(c, "pred"), sides[1][own])),
    )


def count_each(rows: Ints, size: int) -> Ints:
    """Return how often each of 0 .. size-1 occurs."""
    return np.bincount(rows, minlength=size).astype(np.int64, copy=False)


def per_cell(c: Comparison, side: str) -> Ints:
    """Return how many spans of a side each (document, label) row has."""
    cells = c.cells()
    return c.cached(("per cell", side), lambda: count_each(getattr(cells, side), len(cells.doc)))
