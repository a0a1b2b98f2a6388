"""What annotators say of every position of the texts."""

from __future__ import annotations

from dataclasses import dataclass

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Spans
from spanscope.measures.agreement.coding import CodedCells, Marks


@dataclass(frozen=True)
class Positions:
    """The annotators in the unit asked for: spans, marks without overlaps, and elementary cells."""

    spans: tuple[Spans, ...]
    marks: tuple[Marks, ...]  # with overlaps
    flat: tuple[Marks, ...]
    cells: CodedCells
    lengths: Ints
    labels: tuple[str, ...]
    several: int  # positions to which one annotator gave several labels
