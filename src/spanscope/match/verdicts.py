"""The kinds of finding, and what was found of each span."""

from __future__ import annotations

from dataclasses import dataclass

from spanscope.arithmetic import Floats, Ints

KINDS = (
    *("correct", "boundary", "type", "boundary+type", "split", "merge", "duplicate", "spurious", "missing"),
    "text",
)
CORRECT, BOUNDARY, TYPE, BOTH, SPLIT, MERGE, DUPLICATE, SPURIOUS, MISSING, TEXT = range(len(KINDS))
NONE = -1
Confusion = tuple[Ints, Ints, Ints]  # gold code, predicted code, number; the code after the last label is none


@dataclass(frozen=True, eq=False)
class Verdicts:
    """One row per finding: its kind, the gold and the predicted row it is about (-1 where there is none)."""

    kind: Ints
    gold: Ints
    pred: Ints
    score: Floats
