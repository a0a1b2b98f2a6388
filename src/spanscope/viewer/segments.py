"""What the page of segmentations shows: documents, boundaries, and what each boundary is at every window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from spanscope.arithmetic import Bools, Ints, ratio
from spanscope.commands.slider import runs
from spanscope.commands.window_slider import WindowWalk, tolerance_of, walk_windows, windows
from spanscope.jsonable import JsonObject, as_shown, finite
from spanscope.match.boundaries import cuts, lengths
from spanscope.match.boundary_pairs import EXTRA, KINDS, MISSED
from spanscope.results.result import Result
from spanscope.settings.headline import Headline
from spanscope.settings.run_settings import Settings
from spanscope.sides.comparison import Comparison
from spanscope.viewer import documents
from spanscope.viewer.context import hide_far
from spanscope.viewer.documents import Column
from spanscope.viewer.spans import PER_CHARACTER, PER_DOCUMENT, in_utf16

PER_BOUNDARY = 6  # bytes, as compressed
MEAN = "mean"


@dataclass(frozen=True)
class Side:
    """One segmentation of the documents of the page: boundaries by document and place."""

    name: str
    here: Bools  # which documents it has
    doc: Ints
    at: Ints
    label: Ints | None  # of every segment, in the order of the text; None where segments came without names
    marks: WindowWalk | None = None  # against gold
    missed: Ints | None = None  # the rows of gold boundaries that the lines of `marks.gold` are about


@dataclass(frozen=True)
class Shown:
    """All that the page draws, before the budget is looked at."""

    names: Sequence[str]
    lengths: Ints
    texts: Sequence[str | None]
    labels: tuple[str, ...]
    sides: Sequence[Side]  # gold first, where there is gold
    settings: Settings
    offered: Sequence[int]
    figures: Mapping[str, Any]  # by the number of a side: figures at every window
    values: Mapping[str, Sequence[float | None]]  # of each document, by the number of a side, or their mean
    rate: Mapping[str, Any]  # whose values these are
    columns: Sequence[Column]  # of the table of documents


def page_data(result: Result, budget: float) -> JsonObject:
    """Return what only this page shows; `budget` limits the bytes of the documents that are in it."""
    c, offered = result.comparison, windows(tolerance_of(result.measures))
    number, everywhere = np.arange(c.documents), np.ones(c.documents, dtype=bool)
    found = walk_windows(c, offered, result.settings)
    sides = [
        side(c, name, of, number, everywhere, c.documents)
        for name, of in (("Gold", "gold"), ("Predicted", "pred"))
    ]
    sides[1] = replace(sides[1], marks=found, missed=np.arange(len(sides[0].at)))
    values, rate = by_document(result)
    texts = [None] * c.documents if c.texts is None else c.texts.tolist()
    shown = Shown(
        c.names,
        lengths(c),
        texts,
        c.labels,
        sides,
        result.settings,
        offered,
        {"1": figures(found)},
        {"1": values},
        rate,
        [*documents.columns_of(result), length_column(lengths(c))],
    )
    return {"tables": None, "corpus": corpus(shown, budget)}


def length_column(units: Ints) -> Column:
    """Return how long the documents are, as a column of their table."""
    return Column("Length", "characters or units of the text", "count", units)


def side(c: Comparison, name: str, of: str, number: Ints, keep: Bools, total: int) -> Side:
    """Return one side of a comparison: those of its documents to keep, under their numbers among the page's."""
    found, spans = cuts(c, of), c.sides[of]
    here = np.zeros(total, dtype=bool)
    here[number[keep]] = True
    rows = np.flatnonzero(keep[found.doc])
    rows = rows[np.argsort(number[found.doc[rows]], kind="stable")]
    named = {c.labels[code] for code in np.unique(spans.label).tolist()} - {
        "segment"
    }  # what segments without are called
    label = _labels(c, of, number, keep) if named else None
    return Side(name, here, number[found.doc[rows]], found.at[rows], label)


def _labels(c: Comparison, of: str, number: Ints, keep: Bools) -> Ints:
    """Return the label of each stretch between boundaries, -1 where no segment has just that extent."""
    found, spans, units = cuts(c, of), c.sides[of], lengths(c)
    named = dict(
        zip(
            zip(*(column.tolist() for column in (spans.doc, spans.start, spans.end)), strict=True),
            spans.label.tolist(),
            strict=True,
        )
    )
    out: list[int] = []
    for doc in sorted(np.flatnonzero(keep).tolist(), key=lambda doc: int(number[doc])):
        first, last = found.first[doc], found.first[doc + 1]
        edges = [0, *found.at[first:last].tolist(), int(units[doc])]
        out += [named.get((doc, start, end), -1) for start, end in pairwise(edges)]
    return np.array(out, dtype=np.int64)


def by_document(result: Result) -> tuple[list[float | None], JsonObject]:
    """Return the headline's rate of every document, and which that is."""
    lead = result.settings.headline
    values = [record[lead.rate.name] for record in result.by_document(lead.measure)]
    return values, figure_of(lead)


def figure_of(lead: Headline) -> dict[str, Any]:
    """Return which figure of documents is shown."""
    return {"measure": lead.measure.short, "name": lead.rate.name, "best": finite(lead.rate.best)}


def worst(values: Sequence[float | None], best: float | None) -> Ints:
    """Return the documents, worst first; those without a value last."""
    away = [-1.0 if value is None else abs(value - (best or 0.0)) for value in values]
    return np.argsort(-np.array(away, dtype=np.float64), kind="stable")


def figures(found: WindowWalk) -> JsonObject:
    """Return the counts of all boundaries and the figures at every window."""
    return {"whole": found.whole(), "figures": found.figures}


def mean(values: Sequence[Sequence[float | None]]) -> list[float | None]:
    """Return the mean of what is known of every document."""
    out = []
    for one in zip(*values, strict=True):
        known = [value for value in one if value is not None]
        out.append(finite(float(ratio(sum(known), len(known)))))
    return out


def corpus(shown: Shown, budget: float) -> JsonObject:
    """Return the documents that are shown, the boundaries of every side, and their marks."""
    orders = {key: worst(values, shown.rate["best"]) for key, values in shown.values.items()}
    keep = _choose_documents(shown, next(iter(orders.values())), budget)
    docs, place = np.flatnonzero(keep), np.cumsum(keep) - 1
    at = list(shown.offered).index(tolerance_of(shown.settings.measures))
    texts = _texts(shown, docs, at)
    sides = {str(n): _columns(one, keep, place, texts) for n, one in enumerate(shown.sides)}
    marked = {
        str(n): {**_runs(one, keep, shown.sides[0]), **shown.figures[str(n)]}
        for n, one in enumerate(shown.sides)
        if one.marks is not None
    }
    return {
        "embedded": len(docs),
        "total": len(keep),
        "names": [shown.names[doc] for doc in docs.tolist()],
        "texts": texts,
        "lengths": shown.lengths[docs],
        "unit": "character" if any(text is not None for text in shown.texts) else "unit",
        "labels": list(shown.labels),
        "kinds": list(KINDS),
        "windows": list(shown.offered),
        "at": at,
        "methods": [one.name for one in shown.sides],
        "sides": sides,
        "marks": marked,
        "rate": shown.rate,
        "values": {key: [values[doc] for doc in docs.tolist()] for key, values in shown.values.items()},
        "by_document": documents.cut(shown.columns, docs),
        "orders": {key: place[order[keep[order]]] for key, order in orders.items()},
    }


def _choose_documents(shown: Shown, order: Ints, budget: float) -> Bools:
    """Tell which documents are in the file: all that fit into the budget, the worst first."""
    size = np.full(len(shown.names), float(PER_DOCUMENT))
    for one in shown.sides:
        size += PER_BOUNDARY * np.bincount(one.doc, minlength=len(size))
    if shown.settings.text != "none":
        size += PER_CHARACTER * np.array([len(text or "") for text in shown.texts], dtype=np.float64)
    out = np.ones(len(size), dtype=bool)
    if size.sum() > budget:
        out[:] = False
        out[order[np.cumsum(size[order]) <= budget]] = True
    return out


def _columns(one: Side, keep: Bools, place: Ints, texts: Sequence[str | None]) -> JsonObject:
    """Return the boundaries of a side: in code points, and in the units in which a browser counts."""
    rows = np.flatnonzero(keep[one.doc])
    doc, at = place[one.doc[rows]], one.at[rows]
    number = np.bincount(doc, minlength=len(texts))
    label = None
    if one.label is not None:  # one more than boundaries in every document, also in those the side lacks
        sizes = np.bincount(one.doc, minlength=len(keep)) + 1
        label = np.full(int(sizes.sum()), -1, dtype=np.int64)
        label[np.repeat(one.here, sizes)] = one.label
        label = label[np.repeat(keep, sizes)]
    return {
        "has": one.here[keep].astype(np.int64),
        "first": np.append(0, np.cumsum(number)),
        "at": at,
        "at16": in_utf16(at, doc, texts),
        "label": label,
    }


def _runs(one: Side, keep: Bools, gold: Side) -> JsonObject:
    """Return the marks of a side as runs over the windows; gold boundaries by their number in the file."""
    found, about = one.marks, one.missed
    if found is None or about is None:
        return {}
    whole = np.full((len(found.gold), len(gold.at)), -1, dtype=np.int64)
    whole[:, about] = found.gold
    number = np.append(np.cumsum(keep[gold.doc]) - 1, -1)
    partner = np.where(found.partner < 0, -1, np.append(about, -1)[found.partner])
    rows = keep[one.doc]
    first, start, (kind,) = runs(whole[:, keep[gold.doc]])
    first_pred, start_pred, (kind_pred, pair) = runs(found.pred[:, rows], number[partner[:, rows]])
    return {
        "gold": {"first": first, "from": start, "kind": kind},
        "pred": {"first": first_pred, "from": start_pred, "kind": kind_pred, "pair": pair},
    }


def _texts(shown: Shown, docs: Ints, step: int) -> list[str | None]:
    """Return the texts as they may be shown: in full, masked, around errors only, or not at all."""
    how = shown.settings.text
    texts = [shown.texts[doc] for doc in docs.tolist()]
    if how != "context":
        return [as_shown(text, how) for text in texts]
    places: dict[int, list[tuple[int, int]]] = {}
    for doc, at in _wrong(shown, step):
        places.setdefault(doc, []).append((at, at))
    own = zip(docs.tolist(), texts, strict=True)
    return [None if text is None else hide_far(text, places.get(doc, [])) for doc, text in own]


def _wrong(shown: Shown, step: int) -> list[tuple[int, int]]:
    """Return the extra and missed boundaries at the window asked for; without gold all boundaries there are."""
    gold = shown.sides[0]
    out: list[tuple[int, int]] = []
    chosen: list[tuple[Side, Ints | Bools | slice]] = []
    for one in shown.sides:
        if one.marks is not None and one.missed is not None:
            chosen += [(one, one.marks.pred[step] == EXTRA), (gold, one.missed[one.marks.gold[step] == MISSED])]
    for one, rows in chosen or [(one, slice(None)) for one in shown.sides]:
        out += zip(one.doc[rows].tolist(), one.at[rows].tolist(), strict=True)
    return out
