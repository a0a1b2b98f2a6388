"""Candidate pairs: joins whose cost grows with the pairs that really overlap, never with all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints
from spanscope.data.corpus import Pieces, Spans, expand
from spanscope.errors import MeasureError, document_name
from spanscope.match.similarity import iou
from spanscope.sides.comparison import Comparison

MOST_PAIRS = 12_000_000  # overlapping pairs that are held at once: about 2.5 GB with all that is made of them
STEPS = 3
NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Pairs:
    """A gold and a predicted row each, with the characters they share and cover together."""

    gold: Ints
    pred: Ints
    shared: Ints
    union: Ints
    same_label: Bools

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def iou(self) -> Floats:
        """Return the intersection over union of each pair."""
        return iou(self.shared, self.union)

    @property
    def identical(self) -> Bools:
        """Tell which pairs cover the very same characters."""
        return np.asarray(self.shared == self.union)

    def where(self, own: Bools | Ints) -> Pairs:
        """Return the chosen pairs."""
        return Pairs(self.gold[own], self.pred[own], self.shared[own], self.union[own], self.same_label[own])


class TooMany(Exception):
    """There are more overlapping pairs than can be held: how many, and which document has how many of them."""

    def __init__(self, total: int, doc: int, own: int) -> None:
        super().__init__(total, doc, own)
        self.total, self.doc, self.own = total, doc, own


def overlapping_pairs(c: Comparison) -> Pairs:
    """Return every pair of a gold and a predicted span of one document that share a character.

    Two identical zero-length spans count as overlapping. More than MOST_PAIRS pairs are refused.
    """
    return c.cached("overlapping", lambda: _find_overlapping(c))


def _find_overlapping(c: Comparison) -> Pairs:
    try:
        return _overlapping_fragments(c.gold, c.pred)
    except TooMany as found:
        gold, pred = (int((side.doc == found.doc).sum()) for side in (c.gold, c.pred))
        name = document_name(c.names[found.doc], is_text=c.named_by_text)
        raise MeasureError(
            f"{found.own:,} pairs of spans overlap in document {name}, "
            f"which has {gold:,} gold and {pred:,} predicted spans",
            expected=f"at most {MOST_PAIRS:,} overlapping pairs in a document, or in documents counted together",
            hint="[[measures=spans.exact]] [[errors=False]]   which needs no pairs; or cut the "
            "document, or score one label at a time: [[labels=A]]",
        ) from None


def pairs_of_rows(c: Comparison, gold: Ints, pred: Ints) -> Pairs:
    """Return the pairs that gold and predicted rows make one by one, also those that share nothing.

    Two zero-length spans in different places share nothing of one character, so that they are not alike.
    """
    alone = np.arange(len(gold))  # every pair is a document of its own: nothing else can meet
    ours, theirs = replace(c.gold.take(gold), doc=alone), replace(c.pred.take(pred), doc=alone)
    found = _overlapping_fragments(ours, theirs)
    shared, union = np.zeros(len(gold), dtype=np.int64), np.maximum(_lengths(ours) + _lengths(theirs), 1)
    shared[found.gold], union[found.gold] = found.shared, found.union
    return Pairs(gold, pred, shared, union, np.asarray(ours.label == theirs.label))


def same_label_pairs(c: Comparison) -> Pairs:
    """Return the overlapping pairs whose labels agree."""
    return c.cached("same_label", lambda: (pairs := overlapping_pairs(c)).where(pairs.same_label))


def identical_pairs(c: Comparison, *, labelled: bool, once: bool) -> tuple[Ints, Ints, Bools, Bools]:
    """Pair spans with the same offsets (and label), the first with the first, the second with the second.

    Returns the gold and predicted rows of the pairs, and which rows of either side count at all: with `once`
    only the first of several identical spans does.
    """
    if c.gold.pieces is not None or c.pred.pieces is not None:
        gold, pred = _shapes(c.gold, c.pred, labelled)
    else:
        gold, pred = _codes(c.gold, c.pred, labelled)
    return pair_in_step(gold, pred, once=once)


def repeats_earlier(spans: Spans) -> Bools:
    """Tell which spans repeat an earlier one of the same document, label and offsets."""
    nothing = spans.take(np.zeros(0, dtype=np.int64))
    codes = (_codes if spans.pieces is None else _shapes)(spans, nothing, True)[0]
    order = _order(codes)
    out = np.zeros(len(spans), dtype=bool)
    out[order[1:]] = codes[order[1:]] == codes[order[:-1]]
    return out


def pair_in_step(gold: Ints, pred: Ints, *, once: bool = False) -> tuple[Ints, Ints, Bools, Bools]:
    """Pair rows whose codes are equal: the first with the first, the second with the second, as multisets.

    Returns the rows of the pairs, and which rows count: with `once` only the first of several equal ones.
    """
    by_g, by_p = _order(gold), _order(pred)
    g, p = gold[by_g], pred[by_p]
    nth = np.arange(len(g)) - _run_starts(g)
    place = np.searchsorted(p, g, "left") + nth
    inside = np.flatnonzero(place < len(p))
    found = inside[p[place[inside]] == g[inside]]
    counts_g, counts_p = np.ones(len(g), dtype=bool), np.ones(len(p), dtype=bool)
    if once:
        found = found[nth[found] == 0]
        counts_g[by_g] = nth == 0
        counts_p[by_p[1:]] = p[1:] != p[:-1]
    return by_g[found], by_p[place[found]], counts_g, counts_p


def _run_starts(ordered: Ints) -> Ints:
    """Return for each value of a sorted array where the run of its equals starts."""
    rows = np.arange(len(ordered))
    rows[1:][ordered[1:] == ordered[:-1]] = 0
    return np.asarray(np.maximum.accumulate(rows)) if len(rows) else rows


def _codes(gold: Spans, pred: Spans, labelled: bool) -> tuple[Ints, Ints]:
    """Return one number per span, equal where document, start, end (and label) are, in content order."""
    sides = (gold, pred)
    code = [np.asarray(side.doc) for side in sides]
    names = ("start", "end", "label") if labelled else ("start", "end")
    for name in names:
        columns = [getattr(side, name) for side in sides]
        if name == "end":  # a length is smaller than an end, and in the same order for one start
            columns = [column - side.start for column, side in zip(columns, sides, strict=True)]
        low = min((int(column.min()) for column in columns if len(column)), default=0)
        width = max((int(column.max()) for column in columns if len(column)), default=0) - low + 1
        top = max((int(part.max()) for part in code if len(part)), default=0) + 1
        if top * width >= 2**62:
            code = list(_dense(*code))
        code = [part * width + (column - low) for part, column in zip(code, columns, strict=True)]
    return code[0], code[1]


def _dense(gold: Ints, pred: Ints) -> tuple[Ints, Ints]:
    """Renumber values 0, 1, 2, ... in their order, so that the next product fits into 64 bits."""
    _, inverse = np.unique(np.concatenate((gold, pred)), return_inverse=True)
    return inverse[: len(gold)], inverse[len(gold) :]


def _shapes(gold: Spans, pred: Spans, labelled: bool) -> tuple[Ints, Ints]:
    """Return one number per span where some spans have fragments: equal where all fragments are."""
    numbers: dict[tuple[object, ...], int] = {}
    out = []
    for side in (gold, pred):
        pieces = side.fragments()
        edges = np.searchsorted(pieces.span, np.arange(len(side) + 1))
        places = list(zip(pieces.start.tolist(), pieces.end.tolist(), strict=True))
        labels = side.label.tolist() if labelled else [0] * len(side)
        keys = [
            (doc, label, *places[a:b])
            for doc, label, a, b in zip(
                side.doc.tolist(), labels, edges[:-1].tolist(), edges[1:].tolist(), strict=True
            )
        ]
        out.append(np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64))
    return out[0], out[1]


@dataclass(frozen=True, eq=False)
class _Runs:
    """Rows of one side, and for each the run of the other side's rows that it meets: `count` from `first` on."""

    row: Ints
    doc: Ints
    first: Ints
    count: Ints
    other: Ints

    def pairs(self) -> tuple[Ints, Ints]:
        """Return each row as often as it meets one, and what it meets."""
        return np.repeat(self.row, self.count), self.other[expand(self.first, self.count)]


def _overlapping_fragments(gold: Spans, pred: Spans) -> Pairs:
    left, right = _with_characters(gold), _with_characters(pred)
    first, second = _runs_of_overlap(gold.doc[left.span], left, pred.doc[right.span], right)
    empty = _empty_twins(gold, pred)
    _refuse_too_many((first, second, empty))
    (g, p), (q, h) = first.pairs(), second.pairs()
    g, p = np.concatenate((g, h)), np.concatenate((p, q))
    shared = np.minimum(left.end[g], right.end[p]) - np.maximum(left.start[g], right.start[p])
    g, p = left.span[g], right.span[p]
    if gold.pieces is not None or pred.pieces is not None:
        g, p, shared = _sum_fragments(g, p, shared, len(pred))
    union = _lengths(gold)[g] + _lengths(pred)[p] - shared
    empty_g, empty_p = empty.pairs()
    if len(empty_g):
        zeros = np.zeros(len(empty_g), dtype=np.int64)
        g, p = np.concatenate((g, empty_g)), np.concatenate((p, empty_p))
        shared, union = np.concatenate((shared, zeros)), np.concatenate((union, zeros))
    return Pairs(g, p, shared, union, np.asarray(gold.label[g] == pred.label[p]))


def _with_characters(spans: Spans) -> Pieces:
    """Return the fragments that have a character: the others share none, however many of them lie in a span."""
    pieces = spans.fragments()
    keep = pieces.end > pieces.start
    return pieces if keep.all() else Pieces(pieces.span[keep], pieces.start[keep], pieces.end[keep])


def _runs_of_overlap(doc_left: Ints, left: Pieces, doc_right: Ints, right: Pieces) -> tuple[_Runs, _Runs]:
    """Return pairs of fragments of one document where one starts inside the other.

    Either the right one starts in [left.start, left.end), or the left one starts in (right.start, right.end);
    with both sides on one axis (document * width + offset) each case is two binary searches.
    """
    if not len(doc_left) or not len(doc_right):
        return _Runs(*[NOTHING] * 5), _Runs(*[NOTHING] * 5)
    (start_a, end_a), (start_b, end_b), width = _axis(left, right, int(max(doc_left.max(), doc_right.max())) + 1)
    a, b = doc_left * width + start_a, doc_right * width + start_b
    by_a, by_b = _order(a), _order(b)
    sorted_a, sorted_b = a[by_a], b[by_b]
    last_a, last_b = (sorted_a + (end_a - start_a)[by_a]), (sorted_b + (end_b - start_b)[by_b])
    first_a = np.searchsorted(sorted_b, sorted_a, "left")
    first_b = np.cumsum(np.bincount(first_a, minlength=len(b) + 1))[: len(b)]  # how many a start at b or before
    count_a = _search_onwards(first_a, last_a, sorted_b) - first_a
    count_b = _search_onwards(first_b, last_b, sorted_a) - first_b
    return (
        _Runs(by_a, doc_left[by_a], first_a, count_a, by_b),
        _Runs(by_b, doc_right[by_b], first_b, count_b, by_a),
    )


def _search_onwards(places: Ints, limits: Ints, ordered: Ints) -> Ints:
    """Return where in an ordered array each limit would stand, looking on from a place that is not after it.

    Mostly that is a step or two away, and to look there costs less than to search the whole array.
    """
    padded = np.append(ordered, np.iinfo(np.int64).max)
    out = places.copy()
    for _ in range(STEPS):
        before = padded[out] < limits
        if not before.any():
            return out
        out += before
    far = np.flatnonzero(padded[out] < limits)
    out[far] = np.searchsorted(ordered, limits[far], "left")
    return out


def _refuse_too_many(found: Sequence[_Runs]) -> None:
    """Refuse more overlapping pairs than memory should be spent on, naming the document with most of them."""
    total = sum(int(runs.count.sum()) for runs in found)
    if total <= MOST_PAIRS:
        return
    size = max(int(runs.doc.max(initial=0)) for runs in found) + 1
    by_doc = sum(np.bincount(runs.doc, weights=runs.count, minlength=size) for runs in found)
    raise TooMany(total, int(np.argmax(by_doc)), int(np.max(by_doc)))


def _axis(left: Pieces, right: Pieces, documents: int) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints], int]:
    """Return starts and ends counted from 0, and a width that keeps documents apart within 64 bits."""
    columns = [left.start, left.end, right.start, right.end]
    low = min(int(column.min()) for column in columns)
    width = max(int(column.max()) for column in columns) - low + 2
    if documents * width < 2**62:
        columns = [column - low for column in columns]
    else:  # only the order of offsets matters for who touches whom: number the distinct ones
        distinct, inverse = np.unique(np.concatenate(columns), return_inverse=True)
        width = len(distinct) + 1
        columns = np.split(inverse, np.cumsum([len(column) for column in columns])[:-1])
    return (columns[0], columns[1]), (columns[2], columns[3]), width


def _order(values: Ints) -> Ints:
    if len(values) < 2 or bool((values[1:] >= values[:-1]).all()):
        return np.arange(len(values))
    return np.argsort(values, kind="stable")


def _sum_fragments(g: Ints, p: Ints, shared: Ints, width: int) -> tuple[Ints, Ints, Ints]:
    """Add up the shared characters of the fragments of one pair of spans."""
    keys, inverse = np.unique(g * max(width, 1) + p, return_inverse=True)
    total = np.bincount(inverse, weights=shared, minlength=len(keys)).astype(np.int64)
    return keys // max(width, 1), keys % max(width, 1), total


def _lengths(spans: Spans) -> Ints:
    if spans.pieces is None:
        return np.asarray(spans.end - spans.start)
    lengths = np.bincount(spans.pieces.span, spans.pieces.end - spans.pieces.start, minlength=len(spans))
    return lengths.astype(np.int64)


def _empty_twins(gold: Spans, pred: Spans) -> _Runs:
    """Return the pairs of zero-length spans at the same place."""
    g = np.flatnonzero((gold.end == gold.start) & gold.located)
    p = np.flatnonzero((pred.end == pred.start) & pred.located)
    if not len(g) or not len(p):
        return _Runs(*[NOTHING] * 5)
    ours, theirs = _codes(gold.take(g), pred.take(p), labelled=False)
    order = _order(theirs)
    first = np.searchsorted(theirs[order], ours, "left")
    count = np.searchsorted(theirs[order], ours, "right") - first
    return _Runs(g, gold.doc[g], first, count, p[order])
