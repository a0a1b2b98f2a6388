"""What spans are measured in: tokens, all of them or without skip words, or characters."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.data.corpus import Tokens
from spanscope.errors import MeasureError
from spanscope.measures.tools.presidio_rules import default_skip_words
from spanscope.sides.comparison import Comparison

Unit = Literal["token", "character"]
SkipWords = Literal["none", "presidio"]
ANY_PII = "ignores types overall, where its figures are of any PII; by label a span counts where its type is right"


def skip_list(skip_words: SkipWords, extra: str) -> frozenset[str]:
    """Return the words that are skipped: Presidio's or none, and some more, with blanks between them."""
    return (default_skip_words() if skip_words == "presidio" else frozenset()) | frozenset(extra.split())


def split_names(names: str) -> list[str]:
    """Return names that stand with commas between them."""
    return [name.strip() for name in names.split(",") if name.strip()]


def tokens_of(c: Comparison) -> Tokens | None:
    """Return the tokens that are counted: gold's, or the predictions' where gold came as spans."""
    return c.tokens.get("gold", c.tokens.get("pred"))


def tokens_that_count(tokens: Tokens, skipped: frozenset[str]) -> Bools:
    """Tell which tokens count: those that are no skip words, whatever their case."""
    if not skipped:
        return np.ones(len(tokens.start), dtype=bool)
    if tokens.text is None:
        raise _without_words()
    low = frozenset(word.lower() for word in skipped)
    return np.array([word.lower().strip() not in low for word in tokens.text.tolist()], dtype=bool)


def in_units(c: Comparison, unit: Unit, skipped: frozenset[str]) -> Comparison:
    """Return the comparison with offsets in tokens, skip words left out, where there are tokens."""
    tokens = tokens_of(c)
    if skipped and tokens is None:
        raise _without_words()
    if tokens is None or (unit == "character" and not skipped):
        return c
    if unit == "character":
        raise MeasureError("skip words go with unit=token: they are tokens that are left out")
    return c.cached(("in tokens", skipped), lambda: _in_tokens(c, tokens, skipped))


def _without_words() -> MeasureError:
    return MeasureError("skip words need tokens, and there are none", hint="skip_words=none")


def _in_tokens(c: Comparison, tokens: Tokens, skipped: frozenset[str]) -> Comparison:
    before = np.append(0, np.cumsum(tokens_that_count(tokens, skipped)))
    doc = np.repeat(np.arange(c.documents), np.diff(tokens.first))
    ends = [int(column.max(initial=0)) for column in (tokens.end, c.gold.end, c.pred.end)]
    wide = max(ends) + 2
    starts, stops = doc * wide + tokens.start, doc * wide + tokens.end

    def moved(start: Ints, end: Ints, of: Ints) -> tuple[Ints, Ints]:
        first = np.searchsorted(stops, of * wide + start, "right")
        last = np.maximum(np.searchsorted(starts, of * wide + end, "left"), first)
        base = before[tokens.first[of]]
        return before[first] - base, before[last] - base

    sides = {}
    for name, spans in c.sides.items():
        start, end = moved(spans.start, spans.end, spans.doc)
        pieces = spans.pieces
        if pieces is not None:
            own = moved(pieces.start, pieces.end, spans.doc[pieces.span])
            pieces = replace(pieces, start=own[0], end=own[1])
        sides[name] = replace(spans, start=start, end=end, pieces=pieces)
    return Comparison(c.names, c.labels, sides)
