"""Documents that one side lacks: noted where that is allowed, else refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from spanscope.data.problems import Problem
from spanscope.data.wording import Quote
from spanscope.errors import DocumentError, named, plural

MISSING, EXTRA = KINDS = ("missing document", "extra document")


def missing_documents(gold: str, pred: str, first: str | Quote, row: int, number: int, missing: str) -> Problem:
    """Note documents of gold that the predictions lack: the name and the row of the first, and how many."""
    treatment = "counted as nothing found" if missing == "empty" else "left out"
    values = {"gold": gold, "treatment": treatment}
    return Problem(MISSING, pred, side="pred", document=first, values=values, number=number, row=row)


def extra_documents(gold: str, pred: str, first: str | Quote, row: int, number: int) -> Problem:
    """Note predicted documents that gold lacks."""
    return Problem(EXTRA, pred, side="pred", document=first, values={"gold": gold}, number=number, row=row)


def place_lacks(lacks: Sequence[Problem], gold: Sequence[int] | None, pred: Sequence[int] | None) -> list[Problem]:
    """Return problems whose first document stands at its line in the file, where rows are not in this order."""
    lines = {MISSING: gold, EXTRA: pred}
    return [_at_line(problem, lines[problem.kind]) for problem in lacks]


def _at_line(problem: Problem, lines: Sequence[int] | None) -> Problem:
    if lines is None or problem.row >= len(lines):
        return problem
    return replace(problem, row=int(lines[problem.row]))


def shared_documents(gold: int, problems: Iterable[Problem]) -> int:
    """Return how many of the documents of gold the predictions have too."""
    return gold - sum(problem.number for problem in problems if problem.kind == MISSING)


def refuse_lacks(lacks: Sequence[Problem], missing: str, extra: str, documents: Sequence[int]) -> None:
    """Refuse documents that a side lacks, unless that is allowed; `documents` is how many both sides have."""
    for problem in lacks:
        if problem.kind == MISSING and missing == "error":
            extras = [one for one in lacks if one.kind == EXTRA]
            if problem.number == documents[0] > 1 and extras:
                raise _nothing_shared(problem, extras[0], documents[0])
            raise _missing_error(problem, documents[0])
        if problem.kind == EXTRA and extra == "error":
            raise _extra_error(problem, documents[1])


def _nothing_shared(missing: Problem, extra: Problem, among: int) -> DocumentError:
    gold = missing.values["gold"]
    return DocumentError(
        f"{missing.file} has none of the {plural(among, 'document')} of {gold}",
        expected=f"the same ids on both sides; the first here is {_first(extra)}, in {gold} {_first(missing)}",
        hint=""
        if isinstance(missing.document, Quote)  # what queries ask
        else "[[fields=id=NAME]]   if the ids of a side stand under another name",
    )


def _missing_error(problem: Problem, among: int) -> DocumentError:
    return DocumentError(
        f"{problem.file} has no document {_first(problem)}{_more(problem.number, among)}",
        expected=f"every document of {problem.values['gold']}, with an empty list where nothing was found",
        hint="[[missing=empty]]   to count them as nothing found, [[missing=skip]] to leave them out",
    )


def _extra_error(problem: Problem, among: int) -> DocumentError:
    gold, pred = problem.values["gold"], problem.file
    return DocumentError(
        f"{gold} has no document {_first(problem)}, {pred} has{_more(problem.number, among)}",
        expected=f"only documents of {gold}",
        hint="[[extra=skip]]   to leave them out",
    )


def _first(problem: Problem) -> str:
    return problem.document.words if isinstance(problem.document, Quote) else named(problem.document)


def _more(number: int, among: int) -> str:
    return f" (and {number - 1:,} more of {among:,})" if number > 1 else ""
