"""Queries and their answers or passages as they are read: lists, from which columns are made when all is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.errors import InputError
from spanscope.io.metadata import Meta
from spanscope.io.passages.library import Library

Where = Callable[[int], str]
NAN = float("nan")


def wrong(where: str, what: str, expected: str = "", hint: str = "") -> NoReturn:
    """Refuse an input."""
    raise InputError(what, where=where, expected=expected, hint=hint)


@dataclass(eq=False)
class PassageRows:
    """Queries, and one row per passage or answer."""

    name: str
    where: Where
    ids: list[str | None] = field(default_factory=list)
    queries: list[str | None] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # the queries' rows in the input
    no_answer: list[float] = field(default_factory=list)  # how sure a system is that a query has no answer
    doc: list[int] = field(default_factory=list)
    text: list[str | None] = field(default_factory=list)
    file: list[str | None] = field(default_factory=list)
    span: list[tuple[int, int] | None] = field(default_factory=list)
    called: list[str | None] = field(default_factory=list)  # identifiers of documents or passages
    score: list[float] = field(default_factory=list)
    grade: list[float] = field(default_factory=list)
    group: list[int] = field(default_factory=list)  # answers of one group are alternatives
    problems: list[Problem] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)  # gold, retrieved: what the fields say that this is
    library: Library | None = None
    sha256: str | None = None
    meta: list[Meta | None] = field(default_factory=list)  # what else is known of each query
    more: dict[int, dict[str, Any]] = field(default_factory=dict)  # what else is known of a row

    def add(
        self,
        text: str | None,
        file: str | None,
        span: tuple[int, int] | None,
        called: str | None,
        score: float,
        grade: float,
        group: int,
    ) -> None:
        """Take a row of the last query in."""
        self.doc.append(len(self.ids) - 1)
        self.text.append(text)
        self.file.append(file)
        self.span.append(span)
        self.called.append(called)
        self.score.append(score)
        self.grade.append(grade)
        self.group.append(group)

    def extend(self, texts: Sequence[str]) -> None:
        """Take texts of the last query in that have nothing else."""
        size = len(texts)
        self.doc += [len(self.ids) - 1] * size
        self.text += texts
        nothing = [None] * size
        self.file += nothing
        self.span += nothing
        self.called += nothing
        self.score += [NAN] * size
        self.grade += [1] * size
        self.group += range(size)

    def at(self, doc: int) -> str:
        """Return where a query is."""
        return self.where(self.places[doc])


Sides = dict[str, PassageRows | Corpus]  # what a source holds: gold, pred or both, or '' where it may be either
