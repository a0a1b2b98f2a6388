"""Data problems summed up: how many there are of each kind, and the first cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from spanscope.data.problem_kinds import kind_of
from spanscope.data.problems import Problem, merge, sentence
from spanscope.match.overlaps import repeats_earlier
from spanscope.sides.comparison import Comparison

SHOWN = 20  # problems of each kind that a result carries


@dataclass(frozen=True)
class Problems:
    """How many data problems there are of each kind, and the first cases in words."""

    number: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.number)


@dataclass(frozen=True)
class Tally:
    """The same before it is put into words: tallies of portions can be added up."""

    number: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, Sequence[Problem]] = field(default_factory=dict)


def tally(problems: Iterable[Problem]) -> Tally:
    """Count problems by kind, and keep the first of each."""
    number: dict[str, int] = {}
    first: dict[str, list[Problem]] = {}
    for problem in problems:
        number[problem.kind] = number.get(problem.kind, 0) + problem.number
        cases = first.setdefault(problem.kind, [])
        if len(cases) < SHOWN:
            cases.append(problem)
    return Tally(number, first)


def add_tallies(parts: Iterable[Tally]) -> Tally:
    """Add up the problems of portions."""
    number: dict[str, int] = {}
    first: dict[str, Sequence[Problem]] = {}
    for part in parts:
        for kind, n in part.number.items():
            number[kind] = number.get(kind, 0) + n
            cases = [*first.get(kind, ()), *part.first[kind]]
            first[kind] = (merge(cases) if kind_of(kind).summed else cases)[:SHOWN]
    return Tally(number, first)


def show_tally(found: Tally, *, quotes: bool) -> Problems:
    """Put the first cases into words, or only say where they are unless texts may be quoted."""
    first = {
        kind: [sentence(problem) if quotes or kind_of(kind).plain else problem.where for problem in cases]
        for kind, cases in found.first.items()
    }
    return Problems(dict(found.number), first)


def duplicates(c: Comparison) -> list[Problem]:
    """Note spans that repeat another one: they are scored, but people should know."""
    out = []
    for side, spans in c.sides.items():
        if side == "gold" and "alternative" in spans.extra:  # wordings of one answer share its place
            continue
        extra = 0 if spans.increasing else int((repeats_earlier(spans) & spans.located).sum())
        if extra:
            out.append(Problem("duplicate", side=side, values={"noun": "span"}, number=extra))
    return out
