"""Slices of spans and of documents: which one each belongs to, and what a slice of spans counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.counts import Counts, make
from spanscope.data.corpus import Spans
from spanscope.errors import MeasureError
from spanscope.match.verdicts import BOUNDARY, CORRECT, TEXT, Verdicts
from spanscope.sides.comparison import Comparison
from spanscope.stats.slicings import Slicing, put_together

LENGTHS = (1, 2, 5, 10, 20, 50, 100)  # characters: the longest span of every bin; longer ones are in the last
RARE, FREQUENT = 0.5, 2.0  # of an even share of the gold spans: labels with less are rare, with as much frequent
MEANT = (CORRECT, TEXT, BOUNDARY)  # kinds of findings in which a prediction was meant for its gold span
NO_VALUE = "(none)"  # of documents that lack the field
VALUE = "="  # stands before a value, so that none is taken for a document without one
Forms = Mapping[str, set[str]]  # the labels that every text has in a training file


class Sorted(NamedTuple):
    """The names of slices in their natural order, and the slice of every gold and predicted span, or document."""

    names: tuple[str, ...]
    gold: Ints
    pred: Ints


def recount(c: Comparison, verdicts: Verdicts, own: Sorted) -> Counts:
    """Count tp, pred and gold by document and slice of spans, from what was matched.

        gold   the gold spans of the slice
        tp     those of them that are matched
        pred   predictions whose partner is a gold span of the slice, and predictions without a partner that have
               the property of the slice themselves

    The partner of a prediction is the gold span that it is matched with, else the one of the same label that it
    was meant for: the one that it is paired with as an error of kind text or boundary (`findings.taxonomy`). Such
    a pair is right or wrong as one: were a prediction with a wrong end judged by its own length, its error would
    stand among spans that nobody annotated. A prediction of another label is judged by its own property, so that
    slices of labels have the counts of these labels. Every gold span and every prediction is in one slice, and the
    counts of all slices add up to those of the corpus. Spans that the measure does not count (repeated ones, under
    duplicates=set) are in no slice.

    By hand, with one label, exact matching, and spans of up to 5 characters in slice a, longer ones in slice b:
    gold [0, 3), [10, 20) and [40, 42), predicted [0, 3), [10, 12) and [30, 34). [0, 3) is matched, in a. [10, 12)
    is 2 characters long, but overlaps [10, 20) and is its partner: an error in b, where gold is missed too.
    [40, 42) is a miss in a, [30, 34) a false alarm in a. So a has tp 1, pred 2, gold 2: precision 1/2, recall 1/2;
    and b has tp 0, pred 1, gold 1: both are 0.
    """
    gold, pred, right = verdicts.gold, verdicts.pred, verdicts.kind == CORRECT
    has_gold, has_pred = gold >= 0, pred >= 0
    width = max(len(own.names), 1)
    meant = np.isin(verdicts.kind, MEANT)[has_pred]
    of_pred = np.where(meant, _values_at(own.gold, gold[has_pred]), own.pred[pred[has_pred]])
    places = {
        "tp": c.gold.doc[gold[right]] * width + own.gold[gold[right]],
        "pred": c.pred.doc[pred[has_pred]] * width + of_pred,
        "gold": c.gold.doc[gold[has_gold]] * width + own.gold[gold[has_gold]],
    }
    used = np.unique(np.concatenate(list(places.values())))
    columns = {
        name: np.bincount(np.searchsorted(used, at), minlength=len(used)).astype(np.int64)
        for name, at in places.items()
    }
    return make(c.documents, own.names, used // width, used % width, columns)


def _values_at(column: Ints, rows: Ints) -> Ints:
    """Return the column at the rows, and anything where there is none."""
    return column[np.maximum(rows, 0)] if len(column) else np.zeros(len(rows), dtype=np.int64)


def by_length(c: Comparison, _: Forms | None) -> Sorted:
    """Return spans by how many characters there are from their start to their end, in bins."""
    bins = (f"{below + 1} to {most} characters" for below, most in pairwise(LENGTHS[1:]))
    last = f"over {LENGTHS[-1]} characters"
    names = ("0 or 1 character", "2 characters", *bins, last, "without a place")

    def codes(spans: Spans) -> Ints:
        found = np.searchsorted(LENGTHS, spans.end - spans.start)
        return np.where(spans.located, found, len(names) - 1)

    return Sorted(names, codes(c.gold), codes(c.pred))


def by_label(c: Comparison, _: Forms | None) -> Sorted:
    """Return spans by their label: what labels are rare shows once all documents are counted (`settle`)."""
    return Sorted(c.labels, c.gold.label, c.pred.label)


def _by_label_frequency(own: Slicing) -> Slicing:
    """Return slices of labels as those of rare ones, frequent ones, and the others.

    An even share is the number of gold spans by the number of labels that they have. Labels with less than half of
    it are rare, also those that gold does not have; those with twice as much or more are frequent. Spans that the
    measure does not count are not counted here either.
    """
    codes, sums = own.counts.label_sums
    number = np.zeros(len(own.counts.labels), dtype=np.int64)
    number[codes] = sums[:, own.counts.columns.index("gold")]
    seen, every = int((number > 0).sum()), int(number.sum())
    code = np.where(number * seen < RARE * every, 0, np.where(number * seen < FREQUENT * every, 1, 2))
    return put_together(own, ("rare labels", "middle labels", "frequent labels"), code.tolist())


def by_nesting(c: Comparison, _: Forms | None) -> Sorted:
    """Return spans by whether they lie in another span of their side, or hold one; repeated spans are one span.

    Spans with the same offsets and different labels lie in each other. Spans of several fragments go from the
    first to the last.
    """
    return Sorted(("nested", "not nested"), *((~_are_nested(side)).astype(np.int64) for side in (c.gold, c.pred)))


def _are_nested(spans: Spans) -> Bools:
    if not len(spans):
        return np.zeros(0, dtype=bool)
    own = np.stack([spans.doc, spans.start, -spans.end, spans.label], axis=1)
    each, back = np.unique(own, axis=0, return_inverse=True)  # in order, repeated spans once
    low = int(each[:, 1].min())
    width = int(-each[:, 2].min()) - low + 1
    key = each[:, 0] * width - each[:, 2] - low  # ends, on one line
    inner, outer = np.zeros(len(each), dtype=bool), np.zeros(len(each), dtype=bool)
    inner[1:] = np.maximum.accumulate(key)[:-1] >= key[1:]
    outer[:-1] = np.minimum.accumulate(key[::-1])[::-1][1:] <= key[:-1]
    return (inner | outer)[back.ravel()] & spans.located


def by_training(c: Comparison, forms: Forms | None) -> Sorted:
    """Return spans by whether their text is that of a span in the training file, and with which label.

    Texts are compared as they are, character by character.
    """
    known = forms or {}
    names = ("seen with its label", "seen with another label", "unseen", "without a text")

    def code(text: str | None, label: str) -> int:
        if text is None:
            return 3
        return 2 if text not in known else 0 if label in known[text] else 1

    def codes(side: str) -> Ints:
        texts, spans = c.text(side), c.sides[side]
        own = [None] * len(spans) if texts is None else texts.tolist()
        labels = (c.labels[one] for one in spans.label.tolist())
        return np.fromiter(map(code, own, labels), np.int64, len(spans))

    return Sorted(names, codes("gold"), codes("pred"))


def forms_of(spans: Spans, labels: Sequence[str], texts: Sequence[str | None]) -> Forms:
    """Return the labels of every text that spans have."""
    out: dict[str, set[str]] = {}
    for text, label in zip(texts, spans.label.tolist(), strict=True):
        if text is not None:
            out.setdefault(text, set()).add(labels[label])
    return out


def by_document_length(c: Comparison) -> tuple[tuple[str, ...], Ints]:
    """Return documents by the length of their texts: what is long shows once all documents are counted."""
    length, unit = _lengths(c)
    each, code = np.unique(length, return_inverse=True)
    return tuple(f"{one} {unit}" for one in each.tolist()), code


def _by_thirds(own: Slicing) -> Slicing:
    """Return slices of lengths as those of the shortest third of documents, the middle and the longest.

    Where lengths are equal, documents are in the same third, so that these may differ in size.
    """
    read = [name.split(" ") for name in own.counts.labels]
    each, unit = np.array([int(number) for number, _ in read], dtype=np.int64), read[0][1]
    ordered = np.sort(each[own.counts.label])
    low, high = (int(ordered[-(-third * len(ordered) // 3) - 1]) for third in (1, 2))
    names = (f"up to {low:,} {unit}", f"{low + 1:,} to {high:,} {unit}", f"over {high:,} {unit}")
    return put_together(own, names, ((each > low).astype(np.int64) + (each > high)).tolist())


def _lengths(c: Comparison) -> tuple[Ints, str]:
    if c.lengths is not None:
        return c.lengths, "units"
    texts = None if c.texts is None else c.texts.tolist()
    if texts is not None and all(text is not None for text in texts):
        return np.fromiter(map(len, texts), np.int64, len(texts)), "characters"
    if "gold" in c.tokens:
        return np.diff(c.tokens["gold"].first), "tokens"
    raise MeasureError(
        "@document-length needs the texts of the documents, and some have none",
        expected="a text in every document",
    )


def by_values(values: Sequence[str | None]) -> tuple[tuple[str, ...], Ints]:
    """Return documents by the value of a field, which begins with a mark; of documents without one it is empty."""
    own = ["" if value is None else VALUE + value for value in values]
    names = tuple(sorted(set(own)))
    code = {name: at for at, name in enumerate(names)}
    return names, np.array([code[name] for name in own], dtype=np.int64)


def names_of_values(marked: Sequence[str]) -> dict[str, str]:
    """Return the names of slices by the marked values of a field: that of documents without one is no value."""
    none = NO_VALUE
    while VALUE + none in marked:
        none = f"({none})"
    return {own: own.removeprefix(VALUE) if own else none for own in marked}


def settle(own: Slicing) -> Slicing:
    """Return built-in slices of all documents with what only all of them tell."""
    return SETTLED[own.by](own) if own.by in SETTLED else own


OF_SPANS: Mapping[str, Callable[[Comparison, Forms | None], Sorted]] = {
    "@length": by_length,
    "@label-frequency": by_label,
    "@nested": by_nesting,
    "@seen": by_training,
}
BUILT_IN = (*OF_SPANS, "@document-length")
SETTLED: Mapping[str, Callable[[Slicing], Slicing]] = {  # slices that depend on which documents there are
    "@label-frequency": _by_label_frequency,
    "@document-length": _by_thirds,
}
