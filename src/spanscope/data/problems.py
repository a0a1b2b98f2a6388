"""What is odd about the data and does not stop the run: of which kind it is, where, and the values to tell it by.

A problem is noted where it is found, and put into words by `sentence` when somebody looks at it. What is done
about a kind of problem, and in which words it is told, stands in the table of `problem_kinds` and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from sys import intern
from typing import Any

from spanscope.data.problem_kinds import kind_of
from spanscope.data.wording import Quote, fill, values_in

EXPLAINED = "what"  # the value of a problem that was put into words where it was found, by the error of a reader
PLACE = re.compile(r"(.+):(0|[1-9][0-9]{0,17})(?:\[([0-9]{1,18})\])?", re.DOTALL)  # file, line, item on the line


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the data that does not stop the run."""

    kind: str
    file: str = ""  # as it was given, else what the input is called, or what else the problem is about
    line: int | None = None
    side: str = ""  # gold or pred, where that is known
    document: str | Quote = ""  # the name of the document, or of the first of several, where that is known
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)  # what the words need
    number: int = 1  # how many spans or documents it is about
    row: int = field(default=0, compare=False)  # of the document on its side
    item: int | None = None  # which document of a line that holds several

    @property
    def where(self) -> str:
        """Return `file:line`, or what is known of that; `file:line[item]` for one of several on a line."""
        if self.line is None:
            return self.file or self.side
        return f"{self.file}:{self.line}" + ("" if self.item is None else f"[{self.item}]")

    @property
    def what(self) -> str:
        """Return the problem in words, without its place."""
        return words_of(self)

    def __str__(self) -> str:
        return sentence(self)


def problem_at(
    kind: str,
    where: str,
    values: Mapping[str, Any] | None = None,
    *,
    number: int = 1,
    side: str = "",
    document: str | Quote = "",
    row: int = 0,
) -> Problem:
    """Return a problem at a place as readers write it, `file:line` or the name of an input.

    >>> problem = problem_at("no annotation", "tasks.json:3")
    >>> problem.file, problem.line, problem.what
    ('tasks.json', 3, 'the task has no annotation: left out')
    """
    found = PLACE.fullmatch(where)
    if found is None:
        return Problem(kind, where, None, side, document, values or {}, number, row)
    item = None if found[3] is None else int(found[3])
    return Problem(kind, intern(found[1]), int(found[2]), side, document, values or {}, number, row, item)


def sentence(problem: Problem, quotes: bool = True) -> str:
    """Return where a problem is, and what it is; without `quotes`, texts of documents are masked."""
    return f"{problem.where}: {words_of(problem, quotes)}"


def words_of(problem: Problem, quotes: bool = True) -> str:
    """Return what a problem is, in the words of its kind."""
    if EXPLAINED in problem.values:
        return str(problem.values[EXPLAINED])
    words = next(one for one in kind_of(problem.kind).words if values_in(one) == problem.values.keys())
    known = {**problem.values, "number": problem.number, "document": problem.document}
    return fill(words, known, quotes)


def withhold(problem: Problem) -> Problem:
    """Return a problem that only tells its place."""
    return replace(problem, document="", values={EXPLAINED: "withheld"})


def merge(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems of portions as if all documents had been looked at together.

    Those of a kind that is said once a side become one each: the numbers are added, lists of names are joined, and
    the first document is the first of all.
    """
    out: dict[Any, Problem] = {}
    for problem in problems:
        key: Any = len(out)
        if kind_of(problem.kind).summed:
            key = problem.kind, problem.side, problem.file, problem.line, frozenset(problem.values)
        out[key] = _merge_two(out[key], problem) if key in out else problem
    return list(out.values())


def _merge_two(one: Problem, other: Problem) -> Problem:
    values = {
        name: tuple(sorted({*value, *other.values[name]})) if isinstance(value, tuple) else value
        for name, value in one.values.items()
    }
    first = min(one, other, key=lambda problem: problem.row)
    return replace(first, values=values, number=one.number + other.number)
