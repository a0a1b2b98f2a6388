"""Gold and predictions in one source of labelled spans: annotators and models, or the two that somebody named."""

from __future__ import annotations

from collections.abc import Mapping

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, plural
from spanscope.io.reading import counted_sides, the_only

BOTH = "[[gold_annotator=NAME]] [[pred_annotator=NAME]]   to name them, or spanscope agree FILE   to compare all"


def both_of(sides: Mapping[str, Corpus], gold: str | None, pred: str | None) -> tuple[str, str]:
    """Return the names of gold and of the predictions among the sides of one source.

    What was named counts, then what the source says of its sides, then what is left: one annotator and one model
    are gold and predictions, of two annotators neither is.
    """
    for name in (gold, pred):
        if name is not None:
            the_only(sides, "the source", annotator=name)
    ours = _candidates(sides, gold, "gold", pred)
    theirs = _candidates(sides, pred, "pred", gold)
    if len(ours) == len(theirs) == 1 and ours != theirs:
        return ours[0], theirs[0]
    if len(sides) < 2:
        raise InputError("there are no predictions", expected="gold and predictions, in one file or in two")
    held = f"{plural(len(sides), 'annotator')} ({counted_sides(sides)})"
    raise InputError(
        f"the source holds {held}, and nothing says which is gold",
        expected="one annotator as gold and one as predictions",
        hint=BOTH,
    )


def _candidates(sides: Mapping[str, Corpus], asked: str | None, role: str, other: str | None) -> list[str]:
    """Return the sides that can be gold, or predictions: the one asked for, those in this role, or the rest."""
    if asked is not None:
        return [asked]
    left = [name for name in sides if name != other]
    return [name for name in left if sides[name].role == role] or (left if other is not None else [])
