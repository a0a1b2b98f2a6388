"""Tokens that are not scored: Hugging Face gives special tokens and further parts of words the number -100."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, compress, pairwise
from typing import TypeVar

from spanscope.errors import InputError
from spanscope.io.tokens.sentences import Sentences
from spanscope.io.tokens.tag_numbers import IGNORED

T = TypeVar("T")


def drop_ignored(gold: Sentences, pred: Sentences) -> tuple[Sentences, Sentences]:
    """Return both sides without the tokens that gold says are not scored, whatever is predicted for them."""
    ours = theirs = _without_ignored(gold, gold)
    if pred is not gold:
        alike = gold.sizes == pred.sizes  # else they are cut otherwise, and say themselves what is not scored
        theirs = _without_ignored(pred, gold if alike else pred)
    own = "pred" if pred is gold else "gold"
    if IGNORED in theirs.distinct[own]:
        doc, token = _place(theirs.sizes, theirs.tags[own].index(IGNORED))
        raise InputError(
            "a prediction is -100 where gold has a tag",
            where=theirs.where(doc, token),
            expected="a tag, or -100 in gold too: such a token is not scored",
        )
    return ours, theirs


def drop_own_ignored(found: Sentences) -> Sentences:
    """Return a side without the tokens that it says are not scored."""
    return _without_ignored(found, found)


def _place(sizes: Sequence[int], row: int) -> tuple[int, int]:
    ends = list(accumulate(sizes))
    doc = next(at for at, end in enumerate(ends) if row < end)
    return doc, row - ends[doc] + sizes[doc]


def _without_ignored(found: Sentences, judge: Sentences) -> Sentences:
    """Return a side without the tokens that `judge`, a side with as many tokens, says are not scored."""
    if IGNORED not in judge.distinct["gold"]:
        return found
    keep = [tag != IGNORED for tag in judge.tags["gold"]]

    def left(values: list[T] | None) -> list[T] | None:
        return None if values is None else list(compress(values, keep))

    ends = [0, *accumulate(found.sizes)]
    rows = [[at - first for at in range(first, last) if keep[at]] for first, last in pairwise(ends)]
    return replace(
        found,
        sizes=[len(own) for own in rows],
        tags={side: list(compress(tags, keep)) for side, tags in found.tags.items()},
        tokens=left(found.tokens) if found.starts or found.texts else None,  # parts of words make no text
        starts=left(found.starts),
        ends=left(found.ends),
        where=lambda doc, token: found.where(doc, rows[doc][token] if token < len(rows[doc]) else token),
    )
