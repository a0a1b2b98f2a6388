"""Signs that the sides are not what somebody takes them for: offsets of another convention, other names of labels.

A sign comes with evidence: what exact F1 is, and what it would be if one side were read in another way. Nothing
is changed. Looking for signs costs several exact matchings, so it is done only where figures are suspiciously low.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Ints, ratio
from spanscope.data.corpus import Spans, Texts
from spanscope.data.problems import Problem
from spanscope.io.offsets import OFFSETS, places
from spanscope.sides.comparison import Comparison

LOW = 0.5  # figures below are looked into
GAIN = 0.3  # what another reading must add to exact F1 to be a sign
GAIN_OF_LABELS = 0.05  # what other names of labels must add: they may concern one label of many
MOST_SPANS = 100_000  # spans of a side that are looked at: those of the first documents
MOST_IN_PART = 20_000  # the same where every part of the documents is looked at, because a part knows no headline
HALF = 2  # of the spans of a label, one in so many lie where another label does: the two may be one
PREFIX = re.compile("^[BIESLUM]-")
CUT_AT = re.compile(r"[,=\[\]]")

INCLUSIVE = (0, 1)  # what is added to start and end where ends are inclusive
SHIFTS = {  # the same by what the side seems to count
    "has inclusive ends": INCLUSIVE,
    "counts offsets from 1": (-1, -1),
    "counts starts from 1 and has inclusive ends": (-1, 0),
    "counts offsets from -1": (1, 1),
}


class Looked(NamedTuple):
    """What looking for signs in some documents showed: their size, the labels of both sides, what was noticed."""

    spans: int
    looked: int  # documents
    documents: int  # all there are
    labels: tuple[frozenset[str], frozenset[str]]
    noticed: tuple[Problem, ...] = ()
    renamed: frozenset[tuple[str, str]] = frozenset()  # predicted labels, and what they are called in gold


def find_signs(c: Comparison) -> list[Problem]:
    """Return what seems to be wrong with two sides that hardly match."""
    empty = [side for side, spans in c.sides.items() if not len(spans)]
    if empty:
        return [_empty_side(c, empty[0])] if len(empty) == 1 else []
    first = _first_documents(c, MOST_SPANS)
    return _with_number_looked_at(_signs_in(first), first.documents, c.documents)


def look_at_part(c: Comparison) -> Looked:
    """Look for signs in a part of all documents, where its spans hardly match: the headline is not known yet."""
    ours, theirs = (frozenset(c.labels[code] for code in np.unique(side.label)) for side in c.sides.values())
    if not all(map(len, c.sides.values())):
        return Looked(0, 0, c.documents, (ours, theirs))
    documents, c = c.documents, _first_documents(c, MOST_IN_PART)
    size = sum(map(len, c.sides.values()))
    if exact_f1(c.gold, c.pred) >= LOW and not labels_differ(c):
        return Looked(size, c.documents, documents, (ours, theirs))
    noticed = tuple(_signs_in(c))
    named = _same_labels(c) if any(one.kind == "other label names" for one in noticed) else {}
    renamed = frozenset((c.labels[pred], c.labels[gold]) for pred, gold in named.items())
    return Looked(size, c.documents, documents, (ours, theirs), noticed, renamed)


def add_looks(parts: Iterable[Looked | None]) -> Looked | None:
    """Return what several parts show together: what was noticed in the one with the most spans."""
    looks = [one for one in parts if one is not None]
    if not looks:
        return None
    ours, theirs = (frozenset().union(*sides) for sides in zip(*(one.labels for one in looks), strict=True))
    most = max(looks, key=lambda one: (one.spans, one.looked, repr(one)))
    return most._replace(labels=(ours, theirs), documents=sum(one.documents for one in looks))


def signs_of_parts(looked: Looked) -> list[Problem]:
    """Return the signs of documents that were looked at part by part; a label that both sides have is no sign."""
    ours, theirs = looked.labels
    contradicted = any(pred in ours or gold in theirs for pred, gold in looked.renamed)
    kept = [one for one in looked.noticed if not (contradicted and one.kind == "other label names")]
    return _with_number_looked_at(kept, looked.looked, looked.documents)


def _with_number_looked_at(noticed: Sequence[Problem], looked: int, documents: int) -> list[Problem]:
    """Return problems that say how many documents their figures are based on, unless these are all documents."""
    if looked >= documents:
        return list(noticed)
    return [replace(one, values={**one.values, "looked": looked}) for one in noticed]


def _signs_in(c: Comparison) -> list[Problem]:
    if any(spans.pieces is not None or not spans.located.all() for spans in c.sides.values()):
        return []
    now = exact_f1(c.gold, c.pred)
    readings = [*_other_offsets(c, now), *_other_units(c, now)]
    best = max(readings, key=lambda one: float(one.values["then"]), default=None)
    return [*([] if best is None else [best]), *_other_labels(c, now)]


def labels_differ(c: Comparison) -> bool:
    """Tell whether each side has labels that the other one never has."""
    ours, theirs = (np.bincount(spans.label, minlength=len(c.labels)) > 0 for spans in c.sides.values())
    return bool((ours > theirs).any() and (theirs > ours).any())


def exact_f1(gold: Spans, pred: Spans) -> float:
    """Return F1 of spans with the same document, label and offsets; repeated ones match one to one."""
    keys, numbers = zip(*(np.unique(_keys(side), return_counts=True) for side in (gold, pred)), strict=True)
    _, here, there = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    both = np.minimum(numbers[0][here], numbers[1][there]).sum()
    return float(ratio(2 * both, len(gold) + len(pred)))


def _keys(spans: Spans) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    columns = np.stack((spans.doc, spans.start, spans.end, spans.label), axis=1).astype(np.int64)
    return np.ascontiguousarray(columns).view([("", np.int64)] * 4).reshape(-1)


def _empty_side(c: Comparison, side: str) -> Problem:
    return Problem("no spans", side=side, values={"documents": c.documents})


def _first_documents(c: Comparison, most: int) -> Comparison:
    """Return the first documents, so few that looking at them again and again costs nothing."""
    if max(map(len, c.sides.values())) <= most:
        return c
    last = min(int(spans.doc[most]) for spans in c.sides.values() if len(spans) > most)
    return next(c.batches(max(last, 1)))


def _other_offsets(c: Comparison, now: float) -> Iterator[Problem]:
    """Note ends that seem to be inclusive, and offsets that seem to be shifted by one."""
    for side in ("pred", "gold"):
        for how, (by_start, by_end) in SHIFTS.items():
            own = c.sides[side]
            moved = replace(own, start=own.start + by_start, end=own.end + by_end)
            option = {"option": f"[[{side}_ends=inclusive]]"} if (by_start, by_end) == INCLUSIVE else {}
            yield from _sign(c, side, moved, now, "other offsets", {"how": how, **option})


def _other_units(c: Comparison, now: float) -> Iterator[Problem]:
    """Note offsets that seem to count UTF-16 units or bytes."""
    if c.texts is None:
        return
    for side in ("pred", "gold"):
        for unit in ("utf16", "utf8"):
            moved = _in_code_points(c.sides[side], c.texts, unit)
            values = {"unit": OFFSETS[unit], "option": f"[[{side}_offsets={unit}]]"}
            yield from _sign(c, side, moved, now, "other unit", values)


def _in_code_points(spans: Spans, texts: Texts, unit: str) -> Spans:
    """Return spans whose offsets are turned from a unit into code points; those inside a character go nowhere."""
    start, end = spans.start.copy(), spans.end.copy()
    edges = np.searchsorted(spans.doc, np.arange(len(texts) + 1))
    for doc, text in enumerate(texts.tolist()):
        own = slice(int(edges[doc]), int(edges[doc + 1]))
        if text is None or text.isascii() or own.start == own.stop:
            continue
        place = places(text, unit)
        for column in (start, end):
            column[own] = [_place_or_nowhere(place, at) for at in column[own].tolist()]
    return replace(spans, start=start, end=end)


def _place_or_nowhere(place: Callable[[int], int | None], at: int) -> int:
    found = place(at)
    return -1 if found is None else found


def _sign(
    c: Comparison, side: str, moved: Spans, now: float, kind: str, values: dict[str, str]
) -> Iterator[Problem]:
    """Note what a side seems to be, if reading it so would make it match far better."""
    gold, pred = (moved if name == side else c.sides[name] for name in ("gold", "pred"))
    then = exact_f1(gold, pred)
    if then >= now + GAIN:
        yield Problem(kind, side=side, values={**values, "now": now, "then": then})


def _other_labels(c: Comparison, now: float) -> list[Problem]:
    """Note labels that seem to be called otherwise on the other side, with the mapping to use."""
    renamed = _same_labels(c)
    if not renamed:
        return []
    table = np.arange(len(c.labels))
    for pred, gold in renamed.items():
        table[pred] = gold
    then = exact_f1(c.gold, replace(c.pred, label=table[c.pred.label]))
    if then < now + GAIN_OF_LABELS:
        return []
    names = _say_mapping({c.labels[pred]: c.labels[gold] for pred, gold in renamed.items()})
    return [Problem("other label names", side="pred", values={"names": names, "now": now, "then": then})]


def _say_mapping(names: Mapping[str, str]) -> str:
    """Return the option that renames labels, or words for it where a name cannot stand in one."""
    if CUT_AT.search("".join((*names, *names.values()))):
        return ", ".join(f"{old!r} called {new!r}" for old, new in names.items())
    return f"[[mapping={','.join(f'{old}={new}' for old, new in names.items())}]]"


def _same_labels(c: Comparison) -> dict[int, int]:
    """Return for labels that only predictions have the label that only gold has and that seems to be the same.

    Names that differ in case, in a prefix of tags or in being cut short are one; so are labels of which at least
    half of the predicted spans lie exactly where gold has spans of the other.
    """
    gold, pred = (np.bincount(spans.label, minlength=len(c.labels)) for spans in (c.gold, c.pred))
    ours, theirs = np.flatnonzero((gold > 0) & (pred == 0)), np.flatnonzero((pred > 0) & (gold == 0))
    out: dict[int, int] = {}
    for label in theirs.tolist():
        near = [one for one in ours.tolist() if _read_alike(c.labels[label], c.labels[one])]
        shared = _shared_places(c, label)
        often = [one for one in ours.tolist() if HALF * shared[one] >= pred[label]]
        if near or often:
            out[label] = max(near or often, key=lambda one: (shared[one], c.labels[one]))
    return out


def _read_alike(one: str, other: str) -> bool:
    """Tell names that are the same but for case, a prefix of tags or the end of the word (PER, PERSON)."""
    plain = [PREFIX.sub("", name).casefold() for name in (one, other)]
    short, long = sorted(plain, key=len)
    return short == long or (len(short) >= 3 and long.startswith(short))


def _shared_places(c: Comparison, label: int) -> Ints:
    """Return how many spans of every gold label lie exactly where predictions of a label do."""
    own = c.pred.take(np.flatnonzero(c.pred.label == label))
    theirs = _keys(replace(own, label=np.zeros(len(own), dtype=np.int64)))
    ours = _keys(replace(c.gold, label=np.zeros(len(c.gold), dtype=np.int64)))
    return np.bincount(c.gold.label[np.isin(ours, theirs)], minlength=len(c.labels))
