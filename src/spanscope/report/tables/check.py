"""The tables of a check: every problem with its place, and how many there are of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from spanscope.data.problems import Problem
from spanscope.errors import plural
from spanscope.report.table import MAIN, Column, Report, Table, row_name


def report(problems: Sequence[Problem], _digits: int = 0) -> Report:
    """Return the report of a check, which has no figures to be rounded."""
    return Report("Check", tables(problems), summary(problems))


def tables(problems: Sequence[Problem]) -> list[Table]:
    """Return the kinds of problem with their numbers, and all problems."""
    kinds = Table("Kinds of problem", (row_name("Kind"), Column("Number")), [*_numbers(problems).items()])
    return [table for table in (kinds, every_row(problems)) if table.rows]


def every_row(problems: Sequence[Problem]) -> Table:
    """Return one row per problem: where it is, and what it is."""
    sentence = Column("Problem", left=True, style="sentence", priority=MAIN)
    return Table("Problems", (row_name("Place"), sentence), [(one.where, one.what) for one in problems])


def summary(problems: Sequence[Problem]) -> str:
    """Return in one line how many problems there are, and of which kinds."""
    if not problems:
        return "no problems"
    words = ", ".join(f"{n:,} x {kind}" for kind, n in _numbers(problems).items())
    return f"{plural(len(problems), 'problem')}: {words}"


def _numbers(problems: Sequence[Problem]) -> Counter[str]:
    out: Counter[str] = Counter()
    for problem in problems:
        out[problem.kind] += problem.number
    return out
