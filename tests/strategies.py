"""Hypothesis strategies: small documents in which spans collide, nest, touch, repeat and are empty."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.twins.spans import Span

T = TypeVar("T")
Document = tuple[list[Span], list[Span]]
Json = dict[str, Any]

LABELS = ("A", "A", "A", "B", "C")  # mostly one label, so that spans compete
ALPHABET = "aAaAbß é😀\n\u00a0\u0301"
LIMIT = 40
MOST = 6

repeats = st.builds(
    lambda unit, n: (unit * n)[:LIMIT], st.text("aAb é😀", min_size=1, max_size=4), st.integers(3, LIMIT)
)
TEXTS: SearchStrategy[str] = st.one_of(
    st.text(ALPHABET, max_size=LIMIT), st.text(ALPHABET, min_size=12, max_size=LIMIT), repeats
)
# Long enough (200 characters) for the autojunk rule of difflib, which the short texts never reach.
LONG_TEXTS: SearchStrategy[str] = st.builds(
    lambda unit, n, tail: unit * n + tail,
    st.text("abcdé", min_size=5, max_size=8),
    st.integers(50, 60),
    st.text(ALPHABET, max_size=LIMIT),
)


def cut(text: str, label: str, start: int, end: int) -> Span:
    """Make a span of a text, its offsets brought inside the text and into order."""
    start, end = sorted(max(0, min(len(text), offset)) for offset in (start, end))
    return Span(label, start, end, text[start:end])


@st.composite
def spans(draw: DrawFn, text: str | None = None) -> Span:
    """Draw a span of the text (of a text drawn too, if none is given)."""
    text = draw(TEXTS) if text is None else text
    label, start = draw(st.sampled_from(LABELS)), draw(st.integers(0, len(text)))
    match draw(st.sampled_from(("any", "any", "short", "short", "empty", "whole"))):
        case "any":
            return cut(text, label, start, draw(st.integers(0, len(text))))
        case "short":
            return cut(text, label, start, start + draw(st.integers(1, 4)))
        case "empty":
            return cut(text, label, start, start)
    return cut(text, label, 0, len(text))


@st.composite
def variants(draw: DrawFn, text: str, span: Span) -> list[Span]:
    """Draw what a system makes of a span: keep, move, relabel, drop, repeat, split or misplace it."""
    label, start, end, _ = span
    changes = ("keep", "keep", "move", "relabel", "both", "drop", "repeat", "split", "misplace")
    change = draw(st.sampled_from(changes))
    if change in ("relabel", "both"):
        label = draw(st.sampled_from(LABELS))
    if change in ("move", "both"):
        start, end = start + draw(st.integers(-3, 3)), end + draw(st.integers(-3, 3))
    if change == "misplace":
        length, start = end - start, draw(st.integers(0, len(text) - (end - start)))
        end = start + length
    if change == "split":
        middle = draw(st.integers(start, end))
        return [cut(text, label, start, middle), cut(text, label, middle, end)]
    return [cut(text, label, start, end)] * {"drop": 0, "repeat": 2}.get(change, 1)


@st.composite
def documents(draw: DrawFn, text: str | None = None) -> Document:
    """Draw gold spans, and predicted spans made from them; at most six a side, in any order."""
    text = draw(TEXTS) if text is None else text
    gold = draw(st.lists(spans(text), max_size=4))
    gold += [s for g in gold[: draw(st.integers(0, 2))] for s in draw(variants(text, g))]
    merged = gold[:2] if len(gold) > 1 and draw(st.booleans()) else []
    pred = [s for g in gold[len(merged) :] for s in draw(variants(text, g))]
    if merged:
        pred.append(cut(text, gold[0].label, min(g.start for g in merged), max(g.end for g in merged)))
    pred += draw(st.lists(spans(text), max_size=2))
    return draw(st.permutations(gold))[:MOST], draw(st.permutations(pred))[:MOST]


def flat(side: list[Span]) -> list[Span]:
    """Leave out empty spans and those that overlap one kept before; sort the rest."""
    kept: list[Span] = []
    for s in side:
        if s.start < s.end and all(s.end <= k.start or k.end <= s.start for k in kept):
            kept.append(s)
    return sorted(kept, key=lambda s: s.start)


@st.composite
def flat_documents(draw: DrawFn, text: str | None = None) -> Document:
    """Draw a document without empty spans, and without overlaps within a side; spans in text order."""
    text = draw(TEXTS) if text is None else text
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=MOST + 3)))
    pieces = [cut(text, draw(st.sampled_from(LABELS)), a, b) for a, b in pairwise(cuts)]
    gold = [piece for piece in pieces if draw(st.integers(0, 3))][:MOST]
    pred = [s for g in gold for s in draw(variants(text, g))] + draw(st.lists(spans(text), max_size=2))
    return gold, flat(draw(st.permutations(pred)))[:MOST]


@st.composite
def corpora(
    draw: DrawFn,
    texts: SearchStrategy[str] = TEXTS,
    make: Callable[[str], SearchStrategy[Document]] = documents,
) -> tuple[list[Json], list[Json]]:
    """Draw gold and predicted documents as dicts, in the same order, with the same ids and texts."""
    golds, preds = [], []
    for key in draw(st.lists(st.text("ab1é", min_size=1, max_size=3), max_size=5, unique=True)):
        text = draw(texts)
        gold, pred = draw(make(text))
        golds.append({"id": key, "text": text, "spans": [s._asdict() for s in gold]})
        preds.append({"id": key, "text": text, "spans": [s._asdict() for s in pred]})
    return golds, preds


def flat_corpora(texts: SearchStrategy[str] = TEXTS) -> SearchStrategy[tuple[list[Json], list[Json]]]:
    """Draw corpora without empty spans, and without overlaps within a side."""
    return corpora(texts, make=flat_documents)


@st.composite
def partitions(draw: DrawFn, items: list[T]) -> list[list[T]]:
    """Draw a way to split a list into one to four parts, some perhaps empty; order is kept within a part."""
    parts: list[list[T]] = [[] for _ in range(draw(st.integers(1, 4)))]
    for item in items:
        parts[draw(st.integers(0, len(parts) - 1))].append(item)
    return parts
