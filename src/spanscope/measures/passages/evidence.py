"""What retrieved passages show of how they are to be joined and ordered, gathered portion by portion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Keys, keys_of
from spanscope.data.corpus import Spans
from spanscope.errors import InputError, MeasureError, shown
from spanscope.measures.registry import Measure, parse
from spanscope.sides.comparison import Comparison

BY = {"ids": "id", "texts": "substring", "places": "overlap"}
OURS = (
    "ranking",
    "exact_match",
    "span_f1",
    "characters",
    "documents",
    "f1",
    "rbp",
    "judged",
)  # the other measures copy a tool's
NOBODY = np.zeros(0, dtype=np.uint64)


class Evidence(NamedTuple):
    """What some queries show; `gold` and `pred` hold the hashed ids of passages while the sides share none."""

    shared: bool = True
    gold: Keys = NOBODY
    pred: Keys = NOBODY
    texts: bool = True  # all answers and passages have a text
    places: bool = True
    rises: int = 0  # lists in which scores rise and never fall
    sloped: int = 0  # lists in which scores rise or fall
    scored: bool = False  # some list has scores


def copies_no_tool(measures: Iterable[Measure | str]) -> bool:
    """Tell whether none of the measures copies a tool."""
    return all(parse(one).name in {f"passages.{name}" for name in OURS} for one in measures)


def set_join(measures: Sequence[Measure], join: str) -> tuple[Measure, ...]:
    """Return the measures with the one parameter set that says how passages are held against answers."""
    having = [measure for measure in measures if "by" in dict(measure.params)]
    if not having:
        raise MeasureError("no measure joins passages and answers", expected="passages.ranking beside join")
    for measure in having:
        if dict(measure.params)["by"] not in ("auto", BY[join]):
            raise MeasureError(
                f"join is {shown(join)}, and {measure.short} says otherwise", expected="one of the two"
            )
    return tuple(measure.replace(by=BY[join]) if measure in having else measure for measure in measures)


def gather(c: Comparison, *, ids: bool) -> Evidence:
    """Return what a comparison shows; of identifiers only where these decide without having been asked to."""
    if not c.documents:
        return Evidence(shared=False)  # nothing: it must not speak for portions that have documents
    if c.lists or any("rank" not in side.extra for side in c.sides.values()):
        return Evidence()  # judgements and runs say what they are
    rises, sloped, scored = _slopes(c.pred)
    if not ids:
        return Evidence(rises=rises, sloped=sloped, scored=scored)
    names = [set(side.extra["name"].tolist()) for side in c.sides.values()]
    shared = not names[0].isdisjoint(names[1])
    gold, pred = (NOBODY if shared else np.sort(keys_of(sorted(own))) for own in names)
    texts = all(side.text is not None and None not in side.text.tolist() for side in c.sides.values())
    places = all(bool(side.located.all()) for side in c.sides.values())
    return Evidence(shared, gold, pred, texts, places, rises, sloped, scored)


def _slopes(spans: Spans) -> tuple[int, int, bool]:
    """Return down how many lists scores only rise, down how many they change, and whether a list has scores.

    A list counts where all its passages have a score.
    """
    with np.errstate(over="ignore"):
        score = spans.extra["score"].astype(np.float32)  # as scores are ordered
    lacking = np.isin(spans.doc, spans.doc[np.isnan(score)])
    inside = (spans.doc[1:] == spans.doc[:-1]) & ~lacking[1:]
    before, after, doc = score[:-1][inside], score[1:][inside], spans.doc[1:][inside]
    up, down = np.unique(doc[after > before]), np.unique(doc[after < before])
    return len(np.setdiff1d(up, down)), len(np.union1d(up, down)), bool((~lacking).any())


def add_evidence(parts: Iterable[Evidence]) -> Evidence:
    """Return what all portions show together."""
    return reduce(_add_two, parts, Evidence(shared=False))


def _add_two(one: Evidence, other: Evidence) -> Evidence:
    gold, pred = np.union1d(one.gold, other.gold), np.union1d(one.pred, other.pred)
    shared = one.shared or other.shared or bool(np.isin(gold, pred).any())
    return Evidence(
        shared,
        NOBODY if shared else gold,
        NOBODY if shared else pred,
        one.texts and other.texts,
        one.places and other.places,
        one.rises + other.rises,
        one.sloped + other.sloped,
        one.scored or other.scored,
    )


def refuse_ambiguous(found: Evidence, scores: str | None, where: str, *, ordered: bool) -> None:
    """Refuse what could be read in two ways, of which one would give figures that mean nothing.

    `ordered` says that a measure of ours looks at the order; one that copies a tool has the tool's.
    """
    others = [name for name, there in (("texts", found.texts), ("places", found.places)) if there]
    if not found.shared and len(found.gold) and len(found.pred) and others:
        raise InputError(
            f"gold and retrieved passages have ids, and share none of them; their {' and '.join(others)} "
            "can be compared too",
            where=where,
            expected="ids of one kind on both sides, or the word by what passages and answers are joined",
            hint=f"[[join={others[0]}]]   or [[join=ids]], which finds nothing here",
        )
    if ordered and scores is None and 2 * found.rises > found.sloped:  # one list out of order is no evidence
        many = "the" if found.rises == found.sloped else f"{found.rises:,} of {found.sloped:,}"
        raise InputError(
            f"scores rise down {many} lists of passages, as distances do, and the highest would come first",
            where=where,
            expected="scores that fall down the lists, or the word what they are",
            hint="[[scores=distances]]   if the lowest is best, [[scores=similarities]] if the highest is",
        )
    if scores is not None and not found.scored:
        raise MeasureError(
            f"scores is {shown(scores)}, and no list of passages has any", expected="no scores with them"
        )
