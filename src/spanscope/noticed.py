"""Data problems that portions of the documents noticed, said as if all had been looked at together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanscope.data import Problem
from spanscope.errors import plural
from spanscope.settings import SHOWN, Problems

SUMMED = ("duplicate", "other label")  # problems that are said once a side, with their number
COUNTED = re.compile(
    r"(.*): ([\d,]+) (span)s? (repeating .*|left out .*|of other labels left out: )(.*)", re.DOTALL
)


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
