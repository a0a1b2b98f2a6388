"""What was matched, one by one, as plain records: spans, boundaries, passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import NOWHERE
from spanscope.data.dicts import PLAIN
from spanscope.errors import MeasureError
from spanscope.findings import taxonomy
from spanscope.findings.records import Record
from spanscope.jsonable import as_shown, finite
from spanscope.match import verdicts
from spanscope.match.boundaries import Cuts
from spanscope.match.boundary_pairs import EXTRA, KINDS, MISSED, BoundaryMatch
from spanscope.match.gold_ranking import PassageMatch
from spanscope.measures.passages.queries import Item, drop_repeats, queries_at
from spanscope.sides.comparison import Comparison
from spanscope.sides.texts import quoted_at, text_at

FOUND = ("found", "again", "nothing", "missed")  # what becomes of passages and gold answers


def spans(
    v: verdicts.Verdicts, c: Comparison, text: str, kinds: Sequence[str] | str | None = None
) -> Iterator[Record]:
    """Return every verdict in the order of the text; `text` says how texts may be shown."""
    doc = np.where(v.gold >= 0, take_rows(c.gold.doc, v.gold), take_rows(c.pred.doc, v.pred))
    place = np.where(v.gold >= 0, take_rows(c.gold.start, v.gold), take_rows(c.pred.start, v.pred))
    wanted = kinds_wanted(kinds, verdicts.KINDS)
    for row in np.lexsort((place, doc)).tolist():
        if (kind := verdicts.KINDS[v.kind[row]]) in wanted:
            sides = {
                side: None if at < 0 else span_record(c, side, int(at), text)
                for side, at in (("gold", v.gold[row]), ("pred", v.pred[row]))
            }
            record = {
                "document": c.names[int(doc[row])],
                "kind": kind,
                **sides,
                "score": finite(float(v.score[row])),
            }
            if kind in ("boundary", "boundary+type"):
                record["detail"] = taxonomy.boundary_detail(*_places(c, int(v.gold[row]), int(v.pred[row])))
            yield record


def _places(c: Comparison, gold: int, pred: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return start and end of two spans; without offsets, of one text inside the other."""
    if c.gold.start[gold] != NOWHERE and c.pred.start[pred] != NOWHERE:
        sides = ((c.gold, gold), (c.pred, pred))
        (a, b), (x, y) = ((int(side.start[row]), int(side.end[row])) for side, row in sides)
        return (a, b), (x, y)
    own, other = (
        " ".join((quoted_at(side, c.texts, row) or "").casefold().split())
        for side, row in ((c.gold, gold), (c.pred, pred))
    )
    within, around = max(own.find(other), 0), max(other.find(own), 0)
    return (around, around + len(own)), (within, within + len(other))


def kinds_wanted(kinds: Sequence[str] | str | None, known: Sequence[str]) -> set[str]:
    """Return the kinds that are wanted, all where none is named; refuse those that there are not."""
    wanted = {kinds} if isinstance(kinds, str) else set(known if kinds is None else kinds)
    if unknown := wanted - set(known):
        raise MeasureError(f"no kind of error is called {min(unknown)!r}", expected=", ".join(known))
    return wanted


def take_rows(column: Ints, rows: Ints) -> Ints:
    """Return the column at the rows, and anything where there is none."""
    return column[np.maximum(rows, 0)] if len(column) else np.zeros(len(rows), dtype=np.int64)


def span_record(c: Comparison, side: str, row: int, text: str) -> Record:
    """Return a span as a record; `text` says how its text may be shown."""
    spans = c.sides[side]
    own, quoted = text_at(spans, c.texts, row), quoted_at(spans, c.texts, row)
    placed = spans.start[row] != NOWHERE
    record: Record = {
        "start": int(spans.start[row]) if placed else None,
        "end": int(spans.end[row]) if placed else None,
        "label": c.labels[spans.label[row]],
        "text": None if own is None else as_shown(own, text),
    }
    return record if quoted == own else {**record, "quote": as_shown(quoted, text)}


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
