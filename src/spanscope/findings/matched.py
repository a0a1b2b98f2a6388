"""What was matched in segmentations and in ranked passages, one by one, as plain records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spanscope.data.corpus import NOWHERE
from spanscope.findings.records import Record, kinds_wanted, take_rows
from spanscope.io.passages.reading import PLAIN
from spanscope.jsonable import as_shown, finite
from spanscope.match.boundaries import Cuts
from spanscope.match.boundary_pairs import EXTRA, KINDS, MISSED, BoundaryMatch
from spanscope.match.gold_ranking import PassageMatch
from spanscope.measures.passages.queries import Item, drop_repeats, queries_at
from spanscope.sides.join import Comparison

FOUND = ("found", "again", "nothing", "missed")  # what becomes of passages and gold answers


def boundaries(
    match: BoundaryMatch, names: Sequence[str], labels: Sequence[str] | None, kinds: Sequence[str] | str | None
) -> Iterator[Record]:
    """Return every pair of boundaries, and every boundary without one, in the order of the text.

    `distance` is how far the predicted boundary is behind the gold one. `labels` are given where they count.
    """
    wanted = kinds_wanted(kinds, KINDS)
    gold, pred = match.gold, match.pred
    missed, extra = (
        np.flatnonzero(kind == alone) for kind, alone in zip(match.kinds, (MISSED, EXTRA), strict=True)
    )
    ours = np.concatenate((match.pairs[0], missed, np.full(len(extra), -1)))
    theirs = np.concatenate((match.pairs[1], np.full(len(missed), -1), extra))
    doc = np.where(ours >= 0, take_rows(gold.doc, ours), take_rows(pred.doc, theirs))
    place = np.where(ours >= 0, take_rows(gold.at, ours), take_rows(pred.at, theirs))
    kind = np.where(ours >= 0, take_rows(match.kinds[0], ours), EXTRA)
    for row in np.lexsort((place, doc)).tolist():
        if KINDS[kind[row]] in wanted:
            own, other = (_boundary(side, int(at[row]), labels) for side, at in ((gold, ours), (pred, theirs)))
            away = None if own is None or other is None else other["at"] - own["at"]
            yield {
                "document": names[int(doc[row])],
                "kind": KINDS[kind[row]],
                "gold": own,
                "pred": other,
                "distance": away,
            }


def _boundary(side: Cuts, row: int, labels: Sequence[str] | None) -> Record | None:
    if row < 0:
        return None
    place = {"at": int(side.at[row])}
    return place if labels is None else {**place, "label": labels[side.label[row]]}


def passages(
    match: PassageMatch,
    c: Comparison,
    shown: tuple[Sequence[str], str],
    level: int,
    kinds: Sequence[str] | str | None,
) -> Iterator[Record]:
    """Return every passage with every gold answer that it holds, then the answers that none holds, query by query.

    `again` is an answer that an earlier passage holds too, `nothing` a passage that holds none. `shown` are the
    names of the queries and how texts may be shown. Answers of a grade below `level` are not missed.
    """
    wanted, (names, text) = kinds_wanted(kinds, FOUND), shown
    for doc, query in enumerate(queries_at(c, range(c.documents))):
        own = drop_repeats(query) if match.rule == "judged" else query
        golds = [_answer(at, group[0], text) for at, group in enumerate(own.gold)]
        before: set[int] = set()
        rows: list[tuple[str, Record | None, Record | None]] = []
        for rank, (one, held) in enumerate(zip(own.passages, match.held(doc), strict=True), start=1):
            found = _passage(rank, one, text)
            rows += [("again" if at in before else "found", golds[at], found) for at in held]
            rows += [] if held else [("nothing", None, found)]
            before.update(held)
        rows += [
            ("missed", gold, None) for at, gold in enumerate(golds) if at not in before and gold["grade"] >= level
        ]
        for kind, gold, pred in rows:
            if kind in wanted:
                yield {"document": names[doc], "kind": kind, "gold": gold, "pred": pred}


def _answer(number: int, one: Item, text: str) -> Record:
    return {"number": number, **_item(one, text), "grade": one.grade}


def _passage(rank: int, one: Item, text: str) -> Record:
    how = "none" if text == "context" else text  # most of a passage is not what is wrong
    return {"rank": rank, **_item(one, how), "score": finite(one.score)}


def _item(one: Item, text: str) -> Record:
    placed = one.start != NOWHERE
    return {
        "text": as_shown(one.text, text),
        "id": one.name,
        "file": None if one.file == PLAIN else one.file,
        "start": one.start if placed else None,
        "end": one.end if placed else None,
    }
