"""What GitHub Actions shows of a run: a summary of the step in Markdown, and annotations as workflow commands.

An annotation is a line such as `::error file=gold.jsonl,line=17,title=duplicate::words`, which the runner takes
from standard output or standard error. GitHub shows ten of each level for a step, so no more are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from spanscope.data.problem_kinds import kind_of
from spanscope.report import markdown
from spanscope.report.names import visible
from spanscope.report.problems import CASES, phrases, phrases_by_run
from spanscope.report.table import Report, Section
from spanscope.results.result import Result

if TYPE_CHECKING:
    from spanscope.errors import SpanscopeError
    from spanscope.report.problems import Found
    from spanscope.results.gate_form import CheckedGate

Level = Literal["error", "warning", "notice"]
MOST_ANNOTATIONS = 10  # annotations of a level that GitHub shows for a step
PLACE = re.compile(r"(?P<file>.+?):(?P<line>[1-9]\d*)(?:\[\d+\])?(?:: (?P<words>.*))?", re.DOTALL)


def summary(report: Report, gates: Sequence[CheckedGate] = ()) -> str:
    """Return a report as Markdown, the gates before everything else."""
    items = [f"{'✅ passed' if gate.passed else '❌ missed'}: {gate}" for gate in gates]
    return markdown.text(report._replace(opening=[Section("Gates", items), *report.opening]))


def annotations_of(found: Found, gates: Sequence[CheckedGate] = ()) -> list[str]:
    """Return annotations: missed gates and what puts figures in doubt are errors, other problems are less."""
    made = [_command("error", f"missed: {gate}", title="Missed gate") for gate in gates if not gate.passed]
    made += _of_cases(found) if isinstance(found, Result) else _of_numbers(found)
    return [line for level in ("error", "warning", "notice") for line in _first(made, level)]


def annotation_of(error: SpanscopeError) -> str:
    """Return a refusal as an annotation, at its place in a file where it names one."""
    return _at_place(str(error), "error", "Refused", None)


def _first(lines: Iterable[str], level: str) -> list[str]:
    return [line for line in lines if line.startswith(f"::{level} ")][:MOST_ANNOTATIONS]


def _level(kind: str) -> Level:
    """Return how bad a kind of problem is: what was asked for is only said."""
    about = kind_of(kind)
    return "error" if about.doubtful else "notice" if about.asked else "warning"


def _of_cases(result: Result) -> list[str]:
    """Return the first cases of every kind of problem at their places."""
    files = [one.path for one in result.inputs if one.path]
    return [
        _at_place(case, _level(kind), words, files)
        for kind, words in phrases(result).items()
        for case in result.problems.first[kind][:CASES]
    ]


def _of_numbers(found: Found) -> list[str]:
    """Return how many problems of each kind there are, by run: what has several runs keeps no cases."""
    return [
        _command(_level(kind), f"{name}: {words}" if name else words, title="Data problems")
        for name, own in phrases_by_run(found).items()
        for kind, words in own.items()
    ]


def _at_place(text: str, level: Level, title: str, files: Sequence[str] | None) -> str:
    """Return an annotation of a text that may begin with file and line, if it is one of these files or in one."""
    at = PLACE.fullmatch(text)
    if at is None or not (files is None or any(_is_within(at["file"], one) for one in files)):
        return _command(level, text, title=title)
    return _command(level, at["words"] or text, file=at["file"], line=at["line"], title=title)


def _is_within(file: str, path: str) -> bool:
    return file == path or file.startswith(f"{path.rstrip('/')}/")


def _command(level: Level, text: str, **properties: str) -> str:
    """Return a workflow command; what would end it, or begin another, is written as GitHub asks for it."""
    own = ",".join(f"{name}={_escape(visible(value), ':,')}" for name, value in properties.items())
    return f"::{level} {own}::{_escape(text)}"


def _escape(text: str, more: str = "") -> str:
    for character in f"%\r\n{more}":  # the sign of percent first: the others are written with it
        text = text.replace(character, f"%{ord(character):02X}")
    return text
