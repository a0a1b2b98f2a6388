"""Data problems in words: those that put the figures in doubt are said before the figures, the others after.

In doubt: gold and predictions, or spans and their own documents, are not about the same text, so that offsets mean
other words; nothing was compared; a label that was asked for does not exist, or one was never declared; a model
failed. All else was asked for (documents left out), is mended (tags) or is counted as it stands (duplicates).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from spanscope.data.problem_kinds import KINDS, kind_of
from spanscope.errors import plural, say_options
from spanscope.report.names import visible
from spanscope.report.tables import noun
from spanscope.results.result import Result

if TYPE_CHECKING:
    from spanscope.results.agreement import Agreement
    from spanscope.results.compared import Compared
    from spanscope.results.leaderboard import Leaderboard
    from spanscope.results.panel import Panel
    from spanscope.results.problems import Problems
    from spanscope.results.written import WrittenResult

    Found: TypeAlias = Result | WrittenResult | Panel | Compared | Leaderboard | Agreement

HEAD = "The figures are in doubt"
WITHHELD = "withheld"  # stands for a case that may not be shown
BLANK = ("", "")
CASES = 3  # problems of each kind that are shown


def phrases_by_kind(
    number: Mapping[str, int], documents: int, word: str = "document", *, once: bool = True
) -> dict[str, str]:
    """Return a phrase for every kind of problem; first those that put the figures in doubt, with documents.

    `once` tells that texts were held against each other once for every document.
    """
    first = [kind for kind in KINDS if kind in number and kind_of(kind).doubtful]
    ordered = [*first, *(kind for kind in number if kind not in first)]
    out = {kind: f"{number[kind]:,} x {kind}" for kind in ordered}
    for kind in ordered:
        if kind == "different texts" and once:
            out[kind] += f" (in {number[kind]:,} of {plural(documents, word)})"
        elif kind_of(kind).doubtful:
            out[kind] += f" ({plural(documents, word)} scored)"
    return out


def phrases(result: Result | WrittenResult) -> dict[str, str]:
    """Return the phrases of a result's problems."""
    return phrases_by_kind(result.problems.number, result.documents, noun(result))


def phrases_by_run(found: Found) -> dict[str, dict[str, str]]:
    """Return the phrases of all problems: by run where several are compared, else under no name."""
    if isinstance(found, Result):
        return {"": phrases(found)}
    from spanscope.results.compared import Compared
    from spanscope.results.leaderboard import Leaderboard
    from spanscope.results.panel import Panel
    from spanscope.results.written import WrittenResult

    if isinstance(found, WrittenResult):
        return {"": phrases(found)}
    if isinstance(found, (Compared, Leaderboard)):
        documents = len(found.first.documents)
        return {
            name: phrases_by_kind(own, documents * len(found.runs[name])) for name, own in found.problems.items()
        }
    if isinstance(found, Panel):
        return {"": phrases_by_kind(found.problems, found.source.documents)}
    return {"": phrases_by_kind(found.problems, found.documents, once=len(found.names) == 2)}


def doubts(found: Found, *, told: bool = False) -> list[str]:
    """Return what puts the figures in doubt, a sentence for every run that has something of that kind.

    `told` says in full what there is once, and without a text: that both files are the same, not `1 x same file`.
    """
    cases = found.problems.first if told and isinstance(found, Result) else {}
    own = {
        name: [_in_full(kind, words, cases) for kind, words in pick_phrases(phrases, doubtful=True).items()]
        for name, phrases in phrases_by_run(found).items()
    }
    head = {name: f"The figures of {visible(name)} are in doubt" if name else HEAD for name in own}
    return [f"{head[name]}: {'; '.join(words)}" for name, words in own.items() if words]


def phrases_with_first(found: Problems) -> list[str]:
    """Return the problems of data that were read and not scored, a phrase for each kind with its first case."""
    return [f"{number:,} x {kind}: {visible(found.first[kind][0])}" for kind, number in found.number.items()]


def _in_full(kind: str, words: str, cases: Mapping[str, Sequence[str]]) -> str:
    """Return the phrase of a kind; where there is one case, without a text in it, the case instead of the name."""
    case = next(iter(cases.get(kind, ())), WITHHELD)
    if case == WITHHELD or not kind_of(kind).plain:
        return words
    return words.replace(f"1 x {kind}", visible(case), 1)


def other_phrases(phrases: Mapping[str, str]) -> list[str]:
    """Return the other problems among some."""
    return [*pick_phrases(phrases, doubtful=False).values()]


def pick_phrases(phrases: Mapping[str, str], *, doubtful: bool) -> dict[str, str]:
    """Return the phrases of problems that put the figures in doubt, or those of the others."""
    return {kind: words for kind, words in phrases.items() if kind_of(kind).doubtful == doubtful}


def any_listed(kinds: Iterable[str]) -> bool:
    """Tell whether `check` lists problems of some of these kinds."""
    return any(kind_of(kind).listed for kind in kinds)


def warning_lines(result: Result | WrittenResult) -> list[tuple[str, str]]:
    """Return what stands before the figures, if they are in doubt: lines, and the style of each."""
    found = pick_phrases(phrases(result), doubtful=True)
    return [(HEAD, "bold red"), *_phrase_lines(result, found, "red"), *_advice(found), BLANK] if found else []


def note_lines(result: Result | WrittenResult) -> list[tuple[str, str]]:
    """Return what else is wrong with the data, below the tables, likewise."""
    found = pick_phrases(phrases(result), doubtful=False)
    lines = [BLANK, ("Data problems", "bold yellow"), *_phrase_lines(result, found, "yellow"), *_advice(found)]
    return lines if found else []


def _phrase_lines(result: Result | WrittenResult, found: Mapping[str, str], style: str) -> list[tuple[str, str]]:
    lines = []
    for kind, words in found.items():
        lines.append((f"  {words}", style))
        lines += [(f"      {visible(case)}", "") for case in result.problems.first[kind][:CASES]]
    return lines


def _advice(found: Mapping[str, str]) -> list[tuple[str, str]]:
    of_texts = any(kind_of(kind).of_texts for kind in found)
    words = say_options("Figures are computed from the offsets; [[strict]] refuses such data.") if of_texts else ""
    where = "spanscope check GOLD PRED lists them all." if any_listed(found) else ""
    said = " ".join(filter(None, (words, where)))
    return [(f"  {said}", "dim")] if said else []
