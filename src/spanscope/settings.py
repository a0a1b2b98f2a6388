"""What a run was asked to do, what it read, and what is wrong with that."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from spanscope.aggregate import Policy
from spanscope.data import Corpus, Problem, increasing
from spanscope.errors import MeasureError, plural, shown
from spanscope.io import Offsets
from spanscope.join import Comparison, Extra, Missing, Repeated
from spanscope.measure import Measure
from spanscope.pairs import repeats
from spanscope.protocols import Protocol
from spanscope.rates import COUNTED, Rate

SHOWN = 20  # problems of each kind that a result carries


@dataclass(frozen=True)
class Settings:
    """Everything that can move a figure."""

    measures: tuple[Measure, ...]
    protocol: Protocol
    policy: Policy
    beta: float
    missing: Missing
    extra: Extra
    repeated: Repeated
    offsets: Offsets
    field: dict[str, str]
    thresholds: tuple[float, ...] | Literal["exact"] | None = None  # of the curve; None: 21 steps

    @property
    def headline(self) -> int:
        """Return which measure the curve and the errors are about: the first that matches and counts spans."""
        kinds = [measure.definition for measure in self.measures]
        found = [i for i, kind in enumerate(kinds) if kind.reading is COUNTED and kind.matches]
        counted = [i for i, kind in enumerate(kinds) if kind.reading is COUNTED]
        return (found or counted or [0])[0]

    def rates(self, measure: Measure) -> tuple[Rate, ...]:
        """Return the rates read from a measure's counts under these settings."""
        return measure.definition.rates(self.beta, harmonic=self.protocol.harmonic)

    def plain(self) -> dict[str, Any]:
        """Return the settings as they go into JSON."""
        return {
            "measures": [str(measure) for measure in self.measures],
            "protocol": self.protocol.name or None,
            "labels": None if self.policy.labels is None else list(self.policy.labels),
            "beta": self.beta,
            "undefined": None if math.isnan(self.policy.undefined) else self.policy.undefined,
            "missing": self.missing,
            "extra": self.extra,
            "repeated": self.repeated,
            "offsets": self.offsets,
            "field": self.field,
            "thresholds": list(self.thresholds) if isinstance(self.thresholds, tuple) else self.thresholds,
        }


@dataclass(frozen=True)
class Input:
    """What was read on one side."""

    path: str | None
    sha256: str | None
    documents: int
    spans: int

    @classmethod
    def of(cls, source: Any, corpus: Corpus) -> Input:
        """Describe a corpus and where it came from."""
        path = str(source) if isinstance(source, (str, Path)) else None
        return cls(path, corpus.sha256, corpus.n_documents, len(corpus.spans))


@dataclass(frozen=True)
class Problems:
    """How many data problems there are of each kind, and the first cases."""

    number: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.number)


def data_problems(problems: Sequence[Problem], c: Comparison) -> Problems:
    """Sum up problems by kind, with duplicates among them: they are scored, but people should know."""
    found = list(problems)
    for side, spans in c.sides.items():
        extra = 0 if increasing(spans) else int((repeats(spans) & spans.located).sum())
        if extra:
            what = f"{plural(extra, 'span')} repeating another one of the same document, label and offsets"
            found.append(Problem("duplicate", side, what, extra))
    number: Counter[str] = Counter()
    for problem in found:
        number[problem.kind] += problem.number
    first: dict[str, list[str]] = {}
    for problem in found:
        if len(cases := first.setdefault(problem.kind, [])) < SHOWN:
            cases.append(str(problem))
    return Problems(dict(number), first)


def steps(given: Any) -> Any:
    """Return the thresholds of a curve, sorted and checked: a tuple, "exact", or None where none are given."""
    if given is None or (isinstance(given, str) and given == "exact"):
        return given
    try:
        out = tuple(sorted({float(step) for step in given}))
    except (TypeError, ValueError):
        out = ()
    if not out or not all(0 <= step <= 1 for step in out):
        raise MeasureError(f"thresholds are {shown(given)}", expected="numbers from 0 to 1, or exact")
    return out
