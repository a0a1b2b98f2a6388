"""Data problems summed up: of all documents, or of portions as if all had been looked at together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from spanscope.data.problems import Problem
from spanscope.errors import plural
from spanscope.match.overlaps import repeats
from spanscope.sides.join import Comparison

SHOWN = 20  # problems of each kind that a result carries
SUMMED = ("duplicate", "other label")  # problems that are said once a side, with their number
COUNTED = re.compile(
    r"(.*): ([\d,]+) (span)s? (repeating .*|left out .*|of other labels left out: )(.*)", re.DOTALL
)


@dataclass(frozen=True)
class Problems:
    """How many data problems there are of each kind, and the first cases."""

    number: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.number)


def data_problems(problems: Sequence[Problem], c: Comparison, *, told: bool = True) -> Problems:
    """Sum up problems by kind, with duplicates among them: they are scored, but people should know.

    `told` lets the first cases be shown, which may quote the text.
    """
    found = list(problems)
    for side, spans in c.sides.items():
        if side == "gold" and "alternative" in spans.extra:  # wordings of one answer share its place
            continue
        extra = 0 if spans.increasing else int((repeats(spans) & spans.located).sum())
        if extra:
            what = f"{plural(extra, 'span')} repeating another one of the same document, label and offsets"
            found.append(Problem("duplicate", side, what, extra))
    number: Counter[str] = Counter()
    for problem in found:
        number[problem.kind] += problem.number
    first: dict[str, list[str]] = {}
    for problem in found:
        if len(cases := first.setdefault(problem.kind, [])) < SHOWN:
            cases.append(str(problem) if told else problem.where)
    return Problems(dict(number), first)


def add_problems(parts: Sequence[Problems], of_all: Sequence[Problem] = ()) -> Problems:
    """Add up data problems, and keep the first cases of each kind."""
    number: dict[str, int] = {}
    first: dict[str, list[str]] = {}
    more = [Problems({problem.kind: problem.number}, {problem.kind: [str(problem)]}) for problem in of_all]
    for part in (*parts, *more):
        for kind, n in part.number.items():
            number[kind] = number.get(kind, 0) + n
            cases = [*first.get(kind, []), *part.first.get(kind, [])]
            first[kind] = (_summed(cases) if kind in SUMMED else cases)[:SHOWN]
    return Problems(number, first)


def _summed(cases: Sequence[str]) -> list[str]:
    """Return sentences of portions that say how many, as one sentence each of all."""
    out: dict[tuple[str, ...], tuple[int, list[str]]] = {}
    for case in cases:
        found = COUNTED.fullmatch(case)
        if found is None:  # only where it is: what it is may not be told
            out.setdefault((case,), (0, []))
            continue
        where, n, noun, what, names = found.groups()
        number, known = out.setdefault((where, noun, what), (0, []))
        known += [name for name in (names or "").split(", ") if name and name not in known]
        out[where, noun, what] = number + int(n.replace(",", "")), known
    return [
        key[0] if len(key) == 1 else f"{key[0]}: {plural(n, key[1])} {key[2]}{', '.join(sorted(names))}"
        for key, (n, names) in out.items()
    ]
