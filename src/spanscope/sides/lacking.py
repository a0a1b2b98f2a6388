"""Documents that one side lacks: the words for them, and how many there are where they are counted in portions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spanscope.data.problems import Problem
from spanscope.errors import DocumentError, plural

KINDS = ("missing document", "extra document")


class Lack(NamedTuple):
    """Documents that one of the sides lacks: how many, the place of the first there, and its name as told."""

    number: int = 0
    place: int = 0
    name: str = ""


Lacks = tuple[Lack, Lack]  # of gold in the predictions, and of the predictions in gold


def lacks_of(problems: Sequence[Problem]) -> Lacks:
    """Return what the join of a portion said of documents that a side lacks."""
    found = {problem.kind: Lack(problem.number, problem.row, problem.name) for problem in problems}
    return found.get(KINDS[0], Lack()), found.get(KINDS[1], Lack())


def placed_lacks(lacks: Lacks, gold: Sequence[int] | None, pred: Sequence[int] | None) -> Lacks:
    """Return lacks with the first documents at their lines in the files, where rows are not in this order."""
    missing, extra = lacks
    return _at_line(missing, gold), _at_line(extra, pred)


def _at_line(lack: Lack, lines: Sequence[int] | None) -> Lack:
    if lines is None or lack.place >= len(lines):
        return lack
    return lack._replace(place=int(lines[lack.place]))


def add_lacks(parts: Sequence[Lacks]) -> Lacks:
    """Return the documents that the sides lack in all portions, with the first of them."""
    return _added([missing for missing, _ in parts]), _added([extra for _, extra in parts])


def _added(lacks: Sequence[Lack]) -> Lack:
    first = min((one for one in lacks if one.number), key=lambda one: one.place, default=Lack())
    return first._replace(number=sum(one.number for one in lacks))


def refuse_lacks(lacks: Lacks, allowed: tuple[str, str], names: Sequence[str], documents: Sequence[int]) -> None:
    """Refuse documents that a side lacks, where what is `allowed` of missing and extra ones says so.

    `names` and `documents` are what the two sides are called, and how many documents they have.
    """
    missing, extra = lacks
    if missing.number and allowed[0] == "error":
        raise missing_error(names[0], names[1], missing.name, missing.number, documents[0])
    if extra.number and allowed[1] == "error":
        raise extra_error(names[0], names[1], extra.name, extra.number, documents[1])


def lack_problems(lacks: Lacks, allowed: str, names: Sequence[str]) -> list[Problem]:
    """Return what is said of documents that a side lacks, where that is allowed."""
    missing, extra = lacks
    out = []
    if missing.number:
        out.append(missing_problem(names[0], names[1], missing.name, missing.number, allowed))
    if extra.number:
        out.append(extra_problem(names[0], names[1], extra.name, extra.number))
    return out


def missing_error(gold: str, pred: str, first: str, number: int, among: int) -> DocumentError:
    """Return the refusal of predictions that lack documents of gold: the first, how many, of how many."""
    return DocumentError(
        f"{pred} has no document {first}{_more(number, among)}",
        expected=f"every document of {gold}, with an empty list where nothing was found",
        hint="--missing empty   to count them as nothing found, --missing skip to leave them out",
    )


def extra_error(gold: str, pred: str, first: str, number: int, among: int) -> DocumentError:
    """Return the refusal of predictions for documents that gold lacks."""
    return DocumentError(
        f"{gold} has no document {first}, {pred} has{_more(number, among)}",
        expected=f"only documents of {gold}",
        hint="--extra skip   to leave them out",
    )


def missing_problem(gold: str, pred: str, first: str, number: int, missing: str) -> Problem:
    """Return what is said of documents that predictions lack, where that is allowed."""
    word = "counted as nothing found" if missing == "empty" else "left out"
    some = f"{plural(number, 'document')} of {gold} {_are(number)}"
    return Problem("missing document", pred, f"{some} not here, {word}; first {first}", number, first)


def extra_problem(gold: str, pred: str, first: str, number: int) -> Problem:
    """Return what is said of predicted documents that gold lacks, where that is allowed."""
    some = f"{plural(number, 'document')} {_are(number)}"
    what = f"{some} unknown to {gold}, left out; first {first}"
    return Problem("extra document", pred, what, number, first)


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _more(number: int, among: int) -> str:
    return f" (and {number - 1:,} more of {among:,})" if number > 1 else ""
