"""What changed between two runs: a row for each gold span and each spurious prediction, and their documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.data.corpus import Spans
from spanscope.jsonable import JsonObject, as_shown, finite
from spanscope.match.verdicts import CORRECT, KINDS, NONE
from spanscope.results.compared import Compared
from spanscope.results.result import Result
from spanscope.viewer.context import hide_far
from spanscope.viewer.spans import PER_CHARACTER, PER_DOCUMENT, PER_SPAN, in_utf16

CHANGES = ("fixed", "broken", "both wrong", "both right", "spurious gone", "spurious new", "spurious in both")
FIXED, BROKEN, BOTH_WRONG, BOTH_RIGHT, GONE, NEW, IN_BOTH = range(len(CHANGES))
TOLD = (FIXED, BROKEN, GONE, NEW)  # what tells the runs apart


class Changes(NamedTuple):
    """One row per change: its kind, and for both runs the verdict, the gold and the predicted row (-1: none)."""

    change: Ints
    doc: Ints
    start: Ints
    label: Ints  # of the gold span, or of the prediction where it stands alone; among the labels of both runs
    kind: tuple[Ints, Ints]
    gold: tuple[Ints, Ints]
    pred: tuple[Ints, Ints]


def two_runs(compared: Compared) -> tuple[Result, Result] | None:
    """Return the two runs, where there are two that were read, of the same documents, with verdicts on spans."""
    if compared.left_out:
        return None
    found = [own[0].result for own in compared.runs.values() if len(own) == 1]
    read = [one for one in found if one is not None and one.drawable and one.comparison.located]
    return (read[0], read[1]) if len(compared.runs) == len(read) == 2 else None


def find_changes(runs: tuple[Result, Result], labels: Sequence[str]) -> Changes:
    """Return every gold span and every prediction without one, as both runs have it, in the order of the text.

    Of equal spans (same document, place and label) those that are right are put beside each other first, so that
    as many are fixed or broken as `Compared.changes` counts.
    """
    one, two = (_verdicts(run, labels) for run in runs)
    key = np.concatenate((one.key, two.key))
    run = np.repeat((0, 1), (len(one.key), len(two.key)))
    first, at = _align_rows(key, run, np.concatenate((one.kind, two.kind)) != CORRECT)
    at[1] = np.where(at[1] >= 0, at[1] - len(one.key), NONE)
    kind, gold, pred = (
        (_take_rows(at[0], ours), _take_rows(at[1], theirs))
        for ours, theirs in ((one.kind, two.kind), (one.gold, two.gold), (one.pred, two.pred))
    )
    doc, start, _, alone, label = key[first].T
    return Changes(_change(at, kind, alone == 1), doc, start, label, kind, gold, pred)


def _align_rows(key: Ints, run: Ints, wrong: Bools) -> tuple[Ints, Ints]:
    """Put equal rows of two runs beside each other, those that are right first.

    Returns a row that shows what each pair is about, and the rows of both runs (-1 where one has none), in the
    order of the keys.
    """
    order = np.lexsort((wrong, run, *key.T[::-1]))
    ordered, own = key[order], run[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    group = np.cumsum(fresh) - 1
    begins = fresh.copy()  # of a run in its group
    begins[1:] |= own[1:] != own[:-1]
    starts = np.flatnonzero(begins)
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    pairs, first, pair = np.unique(np.stack((group, rank), axis=1), axis=0, return_index=True, return_inverse=True)
    at = np.full((2, len(pairs)), NONE)
    at[own, pair.reshape(-1)] = order
    return order[first], at


class _Side(NamedTuple):
    """The verdicts of a run; a key is document, start, end, whether without gold, label."""

    key: Ints
    kind: Ints
    gold: Ints
    pred: Ints


def _verdicts(run: Result, labels: Sequence[str]) -> _Side:
    """Return the verdicts of a run, and what each is about: document, start, end, whether without gold, label."""
    v, c = run.found.verdicts, run.comparison
    if v is None:
        raise ValueError("a run without verdicts has no changes to name")
    code = {name: at for at, name in enumerate(labels)}
    codes = np.array([code[name] for name in c.labels], dtype=np.int64)
    alone = v.gold == NONE
    key = np.zeros((len(v.kind), 5), dtype=np.int64)
    key[:, 3] = alone
    for spans, rows, own in ((c.gold, v.gold, ~alone), (c.pred, v.pred, alone)):
        at = rows[own]
        for column, values in ((0, spans.doc), (1, spans.start), (2, spans.end)):
            key[own, column] = values[at]
        key[own, 4] = codes[spans.label[at]]
    return _Side(key, v.kind, v.gold, v.pred)


def _change(at: Ints, kind: Sequence[Ints], alone: Bools) -> Ints:
    """Return what became of each row."""
    was, now = ((one == CORRECT) for one in kind)
    of_gold = np.where(now, np.where(was, BOTH_RIGHT, FIXED), np.where(was, BROKEN, BOTH_WRONG))
    there, still = at >= 0
    of_pred = np.where(there & still, IN_BOTH, np.where(there, GONE, NEW))
    return np.asarray(np.where(alone, of_pred, of_gold), dtype=np.int64)


def page_data(runs: tuple[Result, Result], text: str, budget: float) -> JsonObject:
    """Return the changes, and the documents that are shown: all that fit into the budget, most changed first."""
    labels = sorted({name for run in runs for name in run.comparison.labels})
    found = find_changes(runs, labels)
    table = np.zeros((len(labels), len(CHANGES)), dtype=np.int64)
    np.add.at(table, (found.label, found.change), 1)
    return {
        "kinds": list(KINDS),
        "changes": list(CHANGES),
        "labels": labels,
        "measure": runs[0].measures[runs[0].settings.explained].short,
        "whole": table.sum(axis=0).tolist(),
        "by_label": table.tolist(),
        "corpus": _corpus(runs, found, labels, text, _choose_documents(runs, found, text, budget)),
    }


def _corpus(
    runs: tuple[Result, Result], found: Changes, labels: Sequence[str], text: str, shown: Bools
) -> JsonObject:
    """Return the documents that are shown, the spans of gold and of both runs, and their changes."""
    docs, rows, place = np.flatnonzero(shown), np.flatnonzero(shown[found.doc]), np.cumsum(shown) - 1
    texts, sides, kept = _texts(runs, found, docs, text), {}, {}
    for side, run, name in (("gold", runs[0], "gold"), ("a", runs[0], "pred"), ("b", runs[1], "pred")):
        spans = run.comparison.sides[name]
        kept[side] = np.cumsum(shown[spans.doc]) - 1
        sides[side] = _columns(spans.take(np.flatnonzero(shown[spans.doc])), place, texts, run, labels)
    gold = np.where(found.gold[0] >= 0, found.gold[0], found.gold[1])  # both runs have the same gold
    return {
        "embedded": len(docs),
        "total": len(shown),
        "names": [runs[0].comparison.names[doc] for doc in docs.tolist()],
        "texts": texts,
        **sides,
        "rows": {
            "change": found.change[rows],
            "doc": place[found.doc[rows]],
            "label": found.label[rows],
            "gold": _take_rows(gold[rows], kept["gold"]),
            "a": _take_rows(found.pred[0][rows], kept["a"]),
            "b": _take_rows(found.pred[1][rows], kept["b"]),
            "kind_a": found.kind[0][rows],
            "kind_b": found.kind[1][rows],
        },
    }


def _take_rows(rows: Ints, column: Ints) -> Ints:
    """Return a column at the rows, and -1 where there is none."""
    return np.asarray(np.where(rows >= 0, column[rows], NONE)) if len(column) else rows


def _choose_documents(runs: tuple[Result, Result], found: Changes, text: str, budget: float) -> Bools:
    """Tell which documents are shown, by a guess at what they take; those that changed most first."""
    c = runs[0].comparison
    size = np.full(c.documents, float(PER_DOCUMENT))
    for spans in (c.gold, c.pred, runs[1].comparison.pred):
        size += PER_SPAN * np.bincount(spans.doc, minlength=c.documents)
    if c.texts is not None and text != "none":
        size += PER_CHARACTER * np.array([len(one or "") for one in c.texts.tolist()])
    if size.sum() <= budget:
        return np.ones(c.documents, dtype=bool)
    number = np.bincount(found.doc[np.isin(found.change, TOLD)], minlength=c.documents)
    order = np.argsort(-number, kind="stable")
    out = np.zeros(c.documents, dtype=bool)
    out[order[np.cumsum(size[order]) <= budget]] = True
    return out


def _columns(
    spans: Spans, place: Ints, texts: Sequence[str | None], run: Result, labels: Sequence[str]
) -> JsonObject:
    """Return the columns of one side, labels by their number among those of both runs."""
    code = {name: at for at, name in enumerate(labels)}
    codes = np.array([code[name] for name in run.comparison.labels], dtype=np.int64)
    doc, scored = place[spans.doc], spans.extra.get("score")
    return {
        "doc": doc,
        "start": spans.start,
        "end": spans.end,
        "label": codes[spans.label],
        "start16": in_utf16(spans.start, doc, texts),
        "end16": in_utf16(spans.end, doc, texts),
        "score": None if scored is None else [finite(n) for n in scored.tolist()],
    }


def _texts(runs: tuple[Result, Result], found: Changes, docs: Ints, text: str) -> list[str | None]:
    """Return the texts as they may be shown; with "context" what is near anything that is wrong in a run."""
    held = next((run.comparison.texts for run in runs if run.comparison.texts is not None), None)
    if held is None or text == "none":
        return [None] * len(docs)
    if text != "context":
        return [as_shown(one, text) for one in held[docs].tolist()]
    around: dict[int, list[tuple[int, int]]] = {}
    wrong = found.change != BOTH_RIGHT
    for at, run in enumerate(runs):
        for spans, rows in ((run.comparison.gold, found.gold[at]), (run.comparison.pred, found.pred[at])):
            own = rows[wrong & (rows >= 0)]
            for doc, start, end in zip(
                *(one[own].tolist() for one in (spans.doc, spans.start, spans.end)), strict=True
            ):
                around.setdefault(doc, []).append((start, end))
    own = zip(docs.tolist(), held[docs].tolist(), strict=True)
    return [None if one is None else hide_far(one, around.get(doc, [])) for doc, one in own]
