"""Grades of relevance: mostly whole numbers, and sometimes not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.data.problems import Problem


def plain_grade(value: float) -> float:
    """Return a grade as a whole number where it is one.

    >>> plain_grade(2.0), plain_grade(0.5)
    (2, 0.5)
    """
    return int(value) if float(value).is_integer() else float(value)


def grade_column(grades: Sequence[float]) -> NDArray[Any]:
    """Return grades as a column: of whole numbers, or of whatever they are."""
    fractions = float in set(map(type, grades))
    return np.fromiter(grades, object if fractions else np.int64, len(grades))


def note_fractions(name: str, grades: Iterable[float]) -> list[Problem]:
    """Note grades with fractions, of which trec_eval reads only what stands before the point."""
    number = Counter(map(type, grades))[float]
    return [Problem("fractional grade", name, side="gold", number=number)] if number else []
