"""Labelled spans compared by what they quote, with or without offsets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Literal

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.match.one_to_one import Match
from spanscope.match.overlaps import Pairs, identical_pairs, overlapping_pairs, pair_in_step
from spanscope.measures import tally
from spanscope.measures.registry import Outcome, measure
from spanscope.measures.spans.matching import Duplicates, texts
from spanscope.rates import COUNTED
from spanscope.sides.comparison import Comparison

Normalise = Literal["lower", "space", "none"]


@measure("spans.text", COUNTED, needs=frozenset({"text"}))
def text(c: Comparison, *, normalise: Normalise = "lower", duplicates: Duplicates = "list") -> Outcome:
    """Match spans with the same label and the same text, wherever they are.

        tp = | gold ∩ pred |   as multisets of (label, normalised text), document by document

    The text is the one given with the span, also if the document has another text at its offsets; for a span
    without text it is that of the document at its offsets. normalise=space replaces runs of white space by one
    space and strips the ends; lower (the default) also folds case; none compares texts as they are. Offsets are
    not needed: this is the measure for LLM output. If there are offsets, equal texts at the same place are
    paired first, which changes no figure.

    Kinds of error are determined by offsets if all spans have them. A span without offsets is compared with the
    others by its text: an equal text with another label is a `type` error, a text inside the other a `boundary`
    error.

    Counts     tp, pred, gold, by document and label.
    Undefined  precision without predictions, recall without gold, F if there are neither.
    Source     ReqFlow's current main branch, evaluate_text_only.
    Differs    ReqFlow uses sets (duplicates=set), and lower() instead of case folding; eval4ner also compares
               strings, but averages over documents.
    Checked    tests/twins/spans.py; cases worked by hand in tests/measures/test_quotes.py.
    """
    read = {side: _read(c, side, normalise) for side in ("gold", "pred")}
    codes: dict[tuple[int, int, str], int] = {}
    gold, pred = (_text_codes(c, side, read[side], codes) for side in ("gold", "pred"))
    g, p, counted_gold, counted_pred = pair_in_step(gold, pred, once=duplicates == "set")
    if duplicates == "list":
        g, p = _nearest(c, gold, pred)
    counts = tally.by_label(c, g, counted_gold, counted_pred)
    return Outcome(counts, Match(g, p, np.ones(len(g))), counted=(counted_gold, counted_pred), near=_near(c, read))


def _read(c: Comparison, side: str, normalise: Normalise) -> list[str]:
    """Return the texts that spans came with, else those of their documents, normalised."""
    quote = c.sides[side].quote
    read: list[str] = texts(c, side).tolist()
    if quote is not None:
        read = [cut if own is None else own for own, cut in zip(quote.tolist(), read, strict=True)]
    if normalise != "none":
        read = [" ".join(one.split()) for one in read]
    return [one.casefold() for one in read] if normalise == "lower" else read


def _text_codes(c: Comparison, side: str, read: list[str], codes: dict[tuple[int, int, str], int]) -> Ints:
    """Return one number per span, equal where document, label and normalised text are."""
    spans = c.sides[side]
    keys = zip(spans.doc.tolist(), spans.label.tolist(), read, strict=True)
    return np.array([codes.setdefault(key, len(codes)) for key in keys], dtype=np.int64)


def _nearest(c: Comparison, gold: Ints, pred: Ints) -> tuple[Ints, Ints]:
    """Pair equal texts as `pair_in_step` does, those at the same offsets first: as many pairs, the right ones."""
    same_g, same_p, _, _ = identical_pairs(c, labelled=True, once=False)
    alike = gold[same_g] == pred[same_p]
    g, p = same_g[alike], same_p[alike]
    free_g, free_p = np.setdiff1d(np.arange(len(gold)), g), np.setdiff1d(np.arange(len(pred)), p)
    more_g, more_p, _, _ = pair_in_step(gold[free_g], pred[free_p])
    return np.concatenate((g, free_g[more_g])), np.concatenate((p, free_p[more_p]))


def _near(c: Comparison, read: dict[str, list[str]]) -> Pairs | None:
    """Return the pairs by which errors are named where some spans have no offsets; None where all have.

    Two spans with offsets are a pair where they overlap, others where one text is in the other: then the shorter
    text is what they share, the longer one what they cover together.
    """
    if c.located:
        return None
    placed = {side: spans.located for side, spans in c.sides.items()}
    by_place = overlapping_pairs(c)
    by_place = by_place.where(placed["gold"][by_place.gold] & placed["pred"][by_place.pred])
    rows = np.array(list(_inside(c, read)), dtype=np.int64).reshape(-1, 2)
    rows = rows[~(placed["gold"][rows[:, 0]] & placed["pred"][rows[:, 1]])]
    gold, pred = rows[:, 0], rows[:, 1]
    sizes = [np.array(list(map(len, read[side])), dtype=np.int64) for side in ("gold", "pred")]
    both = sizes[0][gold], sizes[1][pred]
    same = c.gold.label[gold] == c.pred.label[pred]
    by_text = (gold, pred, np.minimum(*both), np.maximum(*both), same)
    own = (by_place.gold, by_place.pred, by_place.shared, by_place.union, by_place.same_label)
    return Pairs(*(np.concatenate(columns) for columns in zip(own, by_text, strict=True)))


def _inside(c: Comparison, read: dict[str, list[str]]) -> Iterator[tuple[int, int]]:
    """Yield the gold and predicted rows of a document of which one text is in the other, or both are equal."""
    where: dict[str, dict[int, dict[str, list[int]]]] = {}
    for side, spans in c.sides.items():
        known: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for row, (doc, own) in enumerate(zip(spans.doc.tolist(), read[side], strict=True)):
            known[doc][own].append(row)
        where[side] = known
    for doc, golds in where["gold"].items():
        preds = where["pred"].get(doc, {})
        for own, rows in golds.items():
            for other, others in preds.items():
                if own == other or (own and other and (own in other or other in own)):
                    yield from ((row, one) for row in rows for one in others)
