"""Boundaries on a line: whole corpora of them at once, at a cost that follows their number, not the text's length.

A cut is the place of a boundary in the text of its document. Documents are laid out on one long line, far enough
from each other that the nearest cut of another document is always farther than any of the own one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints
from spanscope.data.corpus import Spans
from spanscope.errors import MeasureError
from spanscope.sides.comparison import Comparison

Auto = Literal["half", "segeval", "nltk"]
Edges = Literal["inside", "nltk", "lamprier", "segeval"]
LONGEST = 1 << 60  # keys beyond would not fit


@dataclass(frozen=True)
class Cuts:
    """The boundaries of one side: sorted by document and place, each once (once a label where labels count)."""

    doc: Ints
    at: Ints
    label: Ints
    key: Ints  # the place on the long line
    number: Ints  # how many each document has

    def per_document(self, values: Floats | Ints) -> Floats:
        """Return the sum of a value of each cut, by document."""
        return np.asarray(np.bincount(self.doc, weights=values, minlength=len(self.number)), dtype=np.float64)

    @property
    def first(self) -> Ints:
        """Return where the cuts of each document start, and where all end."""
        return np.concatenate(([0], np.cumsum(self.number)))


def lengths(c: Comparison) -> Ints:
    """Return the length of every document's text."""
    if c.lengths is None:
        raise MeasureError(
            "segment measures need segmentations of texts",
            expected="segments, boundaries, masses or segmentations in every document, and a text or length",
        )
    return c.lengths


def stride(c: Comparison, lines: int | None = None) -> int:
    """Return how far apart documents (or so many lines) lie on the long line."""
    longest = int(lengths(c).max(initial=0))
    wide = 2 * longest + 4
    if wide * ((c.documents if lines is None else lines) + 1) > LONGEST:
        raise MeasureError(f"a text of {longest:,} units is too long to be scored with {c.documents:,} documents")
    return wide


def cuts(c: Comparison, side: str, *, labelled: bool = False) -> Cuts:
    """Return the boundaries of a side: the ends of its segments inside the text."""
    return c.cached(("cuts", side, labelled), lambda: _cuts(c, c.sides[side], labelled))


def _cuts(c: Comparison, spans: Spans, labelled: bool) -> Cuts:
    inner = spans.end < lengths(c)[spans.doc]
    doc, at, label = spans.doc[inner], spans.end[inner], spans.label[inner]
    key = doc * stride(c) + at
    if not (key[1:] > key[:-1]).all():  # several levels: sort, and keep each once
        order = np.lexsort((label, key))
        key, label = key[order], label[order]
        new = (key[1:] > key[:-1]) | ((label[1:] > label[:-1]) & labelled)
        kept = np.concatenate(([True], new))
        doc, at, label, key = doc[order][kept], at[order][kept], label[kept], key[kept]
    return Cuts(doc, at, label, key, np.bincount(doc, minlength=c.documents))


def distances(c: Comparison, side: str, other: str) -> Ints:
    """Return how far each cut is from the nearest of the other side; beyond `no_distance(c)` if there is none."""
    return c.cached(("distances", side, other), lambda: _distances(cuts(c, side), cuts(c, other), stride(c)))


def no_distance(c: Comparison) -> int:
    """Return a distance that no two cuts of one document have."""
    return int(lengths(c).max(initial=0))


def _distances(own: Cuts, other: Cuts, far: int) -> Ints:
    if not len(other.key):
        return np.full(len(own.key), far)
    last = max(int(other.key[-1]), int(own.key.max(initial=0)))
    line = np.concatenate(([-far], other.key, [last + far]))
    after = np.searchsorted(line, own.key)
    return np.asarray(np.minimum(line[after] - own.key, own.key - line[after - 1]))


def window(c: Comparison, given: int, auto: Auto) -> Ints:
    """Return the window of each document: the one given, or half the mean gold segment by some convention."""
    if given:
        return np.full(c.documents, given)
    units, boundaries = lengths(c), cuts(c, "gold").number
    if auto == "nltk":  # counts boundaries where it should count segments, on a string of gaps
        return _half_even(np.maximum(units - 1, 0), np.maximum(boundaries, 1))
    return np.maximum(_half_even(units, boundaries + 1), 2 if auto == "segeval" else 1)


def _half_even(whole: Ints, parts: Ints) -> Ints:
    """Return whole / (2 parts) rounded half to even, in whole numbers."""
    quotient, rest = np.divmod(whole, 2 * parts)
    return np.asarray(quotient + ((rest > parts) | ((rest == parts) & (quotient % 2 == 1))))


# What an event does to the numbers of gold (upper half) and predicted (lower half) boundaries in the window.
STEPS = np.array([1 << 32, 1, -(1 << 32), -1], dtype=np.int64)


@dataclass(frozen=True)
class Windows:
    """Windows that slide over all documents, as runs in which nothing changes."""

    number: Ints  # of each document: what a share of windows is taken of
    gold: Ints  # boundaries in the window, one row per run
    pred: Ints
    run: Ints  # the number of windows in the run
    ends: Ints  # where the runs of each document start, and where all end

    def summed(self, values: Ints | Bools) -> Ints:
        """Return the sum over all windows of each document."""
        total = np.concatenate(([0], np.cumsum(self.run * values)))
        return np.asarray(total[self.ends[1:]] - total[self.ends[:-1]])


def windows(c: Comparison, given: int, auto: Auto, edges: Edges | Literal["touching"]) -> Windows:
    """Slide a window over every document."""
    return c.cached(("windows", given, auto, edges), lambda: _windows(c, _size(c, given, auto, edges), edges))


def _size(c: Comparison, given: int, auto: Auto, edges: str) -> Ints:
    return np.maximum(window(c, given, auto), 1 if edges == "touching" else 0)


def _windows(c: Comparison, k: Ints, edges: str) -> Windows:
    """Sweep over the places where a boundary enters or leaves the window.

    Window i holds the boundaries b with i < b <= i + k, so b enters at b - k and leaves at b: between those
    places nothing changes, and the cost is that of sorting four places a pair of boundaries.
    """
    units = lengths(c)
    low, high, number = {
        "inside": (0 * k, units - k, units - k),
        "nltk": (0 * k, units - k + 1, units - k + 1),
        "lamprier": (-k, units, units + k),
        "segeval": (-k, units, units + k + 1),
        "touching": (1 - k, units - 1, units + k - 2),
    }[edges]
    high = np.maximum(high, low)
    base = np.concatenate(([0], np.cumsum(high - low + 1)))
    sides = [cuts(c, side) for side in ("gold", "pred")]
    events = []
    for which, side in enumerate(sides):
        lo, hi, width, start = (column[side.doc] for column in (low, high, k, base[:-1] - low))
        for leaves, place in enumerate((side.at - width, side.at)):
            events.append((np.clip(place, lo, hi) + start) * 4 + (2 * leaves + which))
    line = np.sort(np.concatenate(events))
    now = np.cumsum(STEPS[line & 3])
    gold, pred = now >> 32, now & 0xFFFFFFFF
    place = line >> 2
    run = np.append(np.diff(place), 0)[: len(place)]  # past a document's last event nothing is in the window
    ends = np.concatenate(([0], np.cumsum(2 * (sides[0].number + sides[1].number))))
    return Windows(np.maximum(number, 0), gold, pred, run, ends)


@dataclass(frozen=True)
class Stretches:
    """The stretches between neighbouring boundaries of either side, each in one gold and one predicted segment."""

    length: Ints
    gold: Ints  # number of the gold segment
    pred: Ints
    first_gold: Ints  # the first cell of each gold segment
    first_pred: Ints
    doc_gold: Ints  # the document of each gold segment
    doc_pred: Ints
    doc: Ints

    def gold_length(self) -> Ints:
        """Return the length of each gold segment."""
        return self._length(self.first_gold)

    def pred_length(self) -> Ints:
        """Return the length of each predicted segment."""
        return self._length(self.first_pred)

    def _length(self, first: Ints) -> Ints:
        total = np.concatenate(([0], np.cumsum(self.length)))
        return np.diff(np.append(total[first], total[-1])) if len(first) else first


def stretches(c: Comparison) -> Stretches:
    """Cut every document at the boundaries of both sides."""
    return c.cached("cells of segments", lambda: _stretches(c))


def _stretches(c: Comparison) -> Stretches:
    units, wide = lengths(c), stride(c)
    present = np.flatnonzero(units > 0)
    start = present * wide
    line = np.sort(
        np.concatenate(
            (start * 4 + 3, cuts(c, "gold").key * 4 + 1, cuts(c, "pred").key * 4 + 2, (start + units[present]) * 4)
        )
    )
    place = line >> 2
    last = np.append(np.diff(place) > 0, True)[: len(place)]  # of the boundaries at one place
    gold, pred = np.cumsum(line & 1)[last], np.cumsum(line >> 1 & 1)[last]
    place = place[last]
    inside = np.ones(len(place), dtype=bool)
    ends = np.searchsorted(place, start + units[present])
    inside[ends] = False
    run = np.append(np.diff(place), 0)[: len(place)][inside]
    gold, pred, place = gold[inside] - 1, pred[inside] - 1, place[inside]
    first_gold, first_pred = (np.flatnonzero(np.diff(side, prepend=-1)) for side in (gold, pred))
    doc = place // wide
    return Stretches(run, gold, pred, first_gold, first_pred, doc[first_gold], doc[first_pred], doc)


@dataclass(frozen=True)
class Lines:
    """Cuts of both sides, every label of every document on a line of its own."""

    doc: Ints  # of each line
    label: Ints
    gold: Cuts
    pred: Cuts
    of_gold: Ints  # the line of each cut
    of_pred: Ints


def lines_by_label(c: Comparison, gold: Cuts, pred: Cuts) -> Lines:
    """Lay the labels of every document out on lines of their own, so that cuts of two labels are never near."""
    both = np.concatenate([side.doc * len(c.labels) + side.label for side in (gold, pred)])
    lines, number = np.unique(both, return_inverse=True)
    wide = stride(c, len(lines))
    doc, label = np.divmod(lines, max(len(c.labels), 1))
    ours, theirs = np.split(number, [len(gold.key)])
    return Lines(
        doc, label, _lay_out(gold, ours, wide), _lay_out(pred, theirs, wide), np.sort(ours), np.sort(theirs)
    )


def _lay_out(side: Cuts, line: Ints, wide: int) -> Cuts:
    key = line * wide + side.at
    order = np.argsort(key)
    return Cuts(side.doc[order], side.at[order], side.label[order], key[order], side.number)


def with_ends(c: Comparison, cuts: Cuts) -> Cuts:
    """Return the cuts with the start and the end of every text among them."""
    docs = np.flatnonzero(lengths(c) > 0)
    doc = np.concatenate((cuts.doc, docs, docs))
    at = np.concatenate((cuts.at, 0 * docs, lengths(c)[docs]))
    label = np.concatenate((cuts.label, 0 * docs, 0 * docs))
    order = np.lexsort((at, doc))
    doc, at = doc[order], at[order]
    return Cuts(doc, at, label[order], doc * stride(c) + at, np.bincount(doc, minlength=c.documents))


def is_near(distance: Ints, tolerance: int, c: Comparison) -> Bools:
    """Tell which cuts have one of the other side within the tolerance."""
    return np.asarray(distance <= min(tolerance, no_distance(c)))
