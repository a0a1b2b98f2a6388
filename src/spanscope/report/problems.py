"""Data problems in words: those that put the figures in doubt are said before the figures, the others after.

In doubt: gold and predictions, or spans and their own documents, are not about the same text, so that offsets mean
other words; nothing was compared; a label that was asked for does not exist. All else was asked for (documents
left out), is mended (tags) or is counted as it stands (duplicates).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from spanscope.errors import plural
from spanscope.report.names import visible
from spanscope.report.tables import noun
from spanscope.results.result import Result

if TYPE_CHECKING:
    from spanscope.results.agreement import Agreement
    from spanscope.results.compared import Compared
    from spanscope.results.panel import Panel

    Found: TypeAlias = Result | Panel | Compared | Agreement

DOUBTFUL = ("nothing in common", "different texts", "text mismatch", "other length", "unseen label")
OF_TEXTS = {"different texts", "text mismatch"}  # where offsets and words contradict each other
HEAD = "The figures are in doubt"
# Said of the run, or of annotators: `check`, which looks at files, has none of these.
UNLISTED = {"other order", "no intervals", "several labels", "no text"}
BLANK = ("", "")
CASES = 3  # problems of each kind that are shown


def said(
    number: Mapping[str, int], documents: int, word: str = "document", *, once: bool = True
) -> dict[str, str]:
    """Return a phrase for every kind of problem; first those that put the figures in doubt, with documents.

    `once` tells that texts were held against each other once for every document.
    """
    ordered = [*(kind for kind in DOUBTFUL if kind in number), *(kind for kind in number if kind not in DOUBTFUL)]
    out = {kind: f"{number[kind]:,} x {kind}" for kind in ordered}
    for kind in ordered:
        if kind == "different texts" and once:
            out[kind] += f" (in {number[kind]:,} of {plural(documents, word)})"
        elif kind in DOUBTFUL:
            out[kind] += f" ({plural(documents, word)} scored)"
    return out


def phrases(result: Result) -> dict[str, str]:
    """Return the phrases of a result's problems."""
    return said(result.problems.number, result.documents, noun(result))


def of_runs(found: Found) -> dict[str, dict[str, str]]:
    """Return the phrases of all problems: by run where several are compared, else under no name."""
    if isinstance(found, Result):
        return {"": phrases(found)}
    from spanscope.results.compared import Compared
    from spanscope.results.panel import Panel

    if isinstance(found, Compared):
        documents = len(found.first.documents)
        return {name: said(own, documents * len(found.runs[name])) for name, own in found.problems.items()}
    if isinstance(found, Panel):
        return {"": said(found.problems, found.source.documents)}
    return {"": said(found.problems, found.documents, once=len(found.names) == 2)}


def doubts(found: Found) -> list[str]:
    """Return what puts the figures in doubt, a sentence for every run that has something of that kind."""
    own = {
        name: [words for kind, words in said.items() if kind in DOUBTFUL] for name, said in of_runs(found).items()
    }
    of = {name: f", those of {visible(name)}" if name else "" for name in own}
    return [f"{HEAD}{of[name]}: {'; '.join(words)}" for name, words in own.items() if words]


def others(phrases: Mapping[str, str]) -> list[str]:
    """Return the other problems among some."""
    return [words for kind, words in phrases.items() if kind not in DOUBTFUL]


def warned(result: Result) -> list[tuple[str, str]]:
    """Return what stands before the figures, if they are in doubt: lines, and the style of each."""
    found = {kind: words for kind, words in phrases(result).items() if kind in DOUBTFUL}
    return [(HEAD, "bold red"), *_listed(result, found, "red"), _advice(found), BLANK] if found else []


def noted(result: Result) -> list[tuple[str, str]]:
    """Return what else is wrong with the data, below the tables, likewise."""
    found = {kind: words for kind, words in phrases(result).items() if kind not in DOUBTFUL}
    lines = [BLANK, ("Data problems", "bold yellow"), *_listed(result, found, "yellow"), _advice(found)]
    return lines if found else []


def _listed(result: Result, found: Mapping[str, str], style: str) -> list[tuple[str, str]]:
    lines = []
    for kind, words in found.items():
        lines.append((f"  {words}", style))
        lines += [(f"      {visible(case)}", "") for case in result.problems.first[kind][:CASES]]
    return lines


def _advice(found: Mapping[str, str]) -> tuple[str, str]:
    words = "Figures use the offsets; --strict refuses such data." if OF_TEXTS & found.keys() else ""
    where = "spanscope check GOLD PRED lists them all." if found.keys() - UNLISTED else ""
    return "  " + " ".join(filter(None, (words, where))), "dim"
