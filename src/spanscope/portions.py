"""Portions of a corpus: each is counted by itself, wherever that is, and the counts are put together.

A portion holds documents of both sides. What is left of it are the counts, the documents' names and keys, and what
was noticed: enough for every figure and every interval, nothing of the texts and spans. The figures are those of
the whole corpus, to the digit: counts are whole numbers, and sums of other values are rounded once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spanscope.aggregate import Ladder
from spanscope.arithmetic import Ints, Keys, keys_of
from spanscope.counting import beside, count_all, rated, refuse, together, unseen
from spanscope.counts import Counts
from spanscope.data import Corpus, Problem, Spans, Tokens
from spanscope.errors import EngineError
from spanscope.join import Comparison, Numbered, content_keys, numbered_keys
from spanscope.load import Progress
from spanscope.result import Findings, Result
from spanscope.settings import SHOWN, Input, Problems, Settings, data_problems
from spanscope.verdicts import Confusion

OF_ALL = ("unseen label", "nothing in common")  # problems that only all portions together can have


@dataclass(frozen=True)
class Portion:
    """What counting some documents leaves of them."""

    settings: Settings  # with what depends on the data decided
    names: Sequence[str]
    content: Keys | None  # of documents without ids: keys of what they hold
    labels: tuple[str, ...]
    seen: frozenset[str]  # the labels that spans have
    apart: bool  # the two sides have no document in common
    tagged: bool  # the documents came as tagged tokens
    found: Findings
    problems: Problems
    sizes: tuple[tuple[int, int], tuple[int, int]]  # documents and spans, of gold and of predictions


def portion(
    gold: Corpus, pred: Corpus, settings: Settings, *, strict: bool = False, errors: bool = True
) -> Portion:
    """Join and count two sides of some documents, and keep nothing else of them."""
    c, noticed = beside(gold, pred, settings, strict=False)
    problems = [problem for problem in noticed if problem.kind not in OF_ALL]
    if strict:
        refuse(problems, told=settings.quotes)
    settings = replace(settings, measures=tuple(one.settled(c) for one in settings.measures))
    found = together(list(count_all(c, settings, errors, _silent)))
    return Portion(
        settings,
        c.names if isinstance(c.names, Numbered) else tuple(c.names),
        content_keys(c) if isinstance(c.names, Numbered) else None,
        c.labels,
        frozenset((*gold.labels, *pred.labels)),
        any(problem.kind == "nothing in common" for problem in noticed),
        bool(c.tokens),
        replace(found, verdicts=None),
        data_problems(problems, c, told=settings.quotes),
        tuple((side.n_documents, side.size) for side in (gold, pred)),  # type: ignore[arg-type]
    )


def result(
    parts: Sequence[Portion],
    sources: Sequence[tuple[str | None, str | None]],
    meta: Mapping[str, str],
    told: Progress,
    notes: Sequence[Problem] = (),
) -> Result:
    """Put portions together.

    `sources` are the paths of both sides and the hashes of what was read; `notes` is what else there is to say.
    """
    settings = _agreed(parts)
    labels = tuple(sorted({label for part in parts for label in part.labels}))
    if settings.policy.labels is not None:
        labels = settings.policy.labels
    found = _found(parts, labels)
    names, keys = _documents(parts)
    inputs = [
        Input(*source, sum(part.sizes[i][0] for part in parts), sum(part.sizes[i][1] for part in parts))
        for i, source in enumerate(sources)
    ]
    return Result(
        settings=settings,
        rows=rated(settings, found.counts, lambda: keys, told),
        found=found,
        inputs=(inputs[0], inputs[1]),
        comparison=_emptied(names, keys, labels, parts[0].tagged),
        problems=_problems([part.problems for part in parts], [*_of_all(parts, settings), *notes]),
        meta=dict(meta),
        timings={},
        kept="counts",
    )


def _agreed(parts: Sequence[Portion]) -> Settings:
    """Return the settings of all portions, which must have found the same in their documents."""
    first = parts[0].settings
    for part in parts[1:]:
        if part.settings.measures != first.measures:
            pairs = zip(first.measures, part.settings.measures, strict=True)
            one, other = next((a, b) for a, b in pairs if a != b)
            raise EngineError(
                f"one part of the documents asks for {one}, another for {other}",
                expected="the same kind of documents throughout",
                hint=f'-m "{one}"   or the other one, to say which',
            )
        if part.settings.tags != first.tags:
            raise EngineError(
                f"some documents are tagged by {first.tags.scheme}, others by {part.settings.tags.scheme}",
                expected="one scheme throughout",
                hint="--scheme NAME   to say which",
            )
    return first


def _found(parts: Sequence[Portion], labels: tuple[str, ...]) -> Findings:
    """Merge what was counted, every label by its code among all labels."""
    code = {name: at for at, name in enumerate(labels)}
    recoded = [_recoded(part, labels, np.array([*(code[name] for name in part.labels), -1])) for part in parts]
    return together(recoded)


def _recoded(part: Portion, labels: tuple[str, ...], table: Ints) -> Findings:
    """Return the findings of a portion with other codes of labels; `table` leads from the old to the new ones."""
    found = part.found
    ladder = found.ladder and Ladder(table[found.ladder.label], found.ladder.score)
    confused: Confusion | None = None
    if found.confused is not None:
        gold, pred, number = found.confused
        ends = np.append(table[:-1], len(labels))  # the code after the last label stands for nothing
        confused = ends[gold], ends[pred], number
    return replace(
        found,
        counts=tuple(_relabelled(one, labels, table) for one in found.counts),
        ladder=ladder,
        kinds=found.kinds and _relabelled(found.kinds, labels, table),
        confused=confused,
    )


def _relabelled(counts: Counts, labels: tuple[str, ...], table: Ints) -> Counts:
    return replace(counts, labels=labels, label=table[counts.label]) if counts.labels != labels else counts


def _documents(parts: Sequence[Portion]) -> tuple[Sequence[str], Keys]:
    """Return the names and the keys of all documents."""
    if parts[0].content is None:
        names = [name for part in parts for name in part.names]
        return names, keys_of(names)
    content = np.concatenate([part.content for part in parts if part.content is not None])
    return Numbered(range(1, len(content) + 1)), numbered_keys(content)


def _emptied(names: Sequence[str], keys: Keys, labels: tuple[str, ...], tagged: bool) -> Comparison:
    """Return the comparison without its spans: names, labels and keys of the documents."""
    nothing = np.zeros(0, dtype=np.int64)
    spans = Spans(nothing, nothing, nothing, nothing, nothing)
    none = np.zeros(0, dtype=object)
    tokens = {side: Tokens(nothing, nothing, nothing, none) for side in ("gold", "pred")} if tagged else {}
    return Comparison(names, labels, {"gold": spans, "pred": spans}, tokens=tokens, cache={"keys": keys})


def _of_all(parts: Sequence[Portion], settings: Settings) -> list[Problem]:
    """Return the problems that only all portions together can have."""
    out = unseen(settings, frozenset().union(*(part.seen for part in parts)), "gold")
    if all(part.apart for part in parts):
        what = "no document is on both sides: every figure is 0 or undefined"
        out.append(Problem("nothing in common", "pred", what))
    return out


def _problems(parts: Sequence[Problems], of_all: Sequence[Problem]) -> Problems:
    """Add up data problems, and keep the first cases of each kind."""
    number: dict[str, int] = {}
    first: dict[str, list[str]] = {}
    more = [Problems({problem.kind: problem.number}, {problem.kind: [str(problem)]}) for problem in of_all]
    for part in (*parts, *more):
        for kind, n in part.number.items():
            number[kind] = number.get(kind, 0) + n
            first[kind] = [*first.get(kind, []), *part.first.get(kind, [])][:SHOWN]
    return Problems(number, first)


def _silent(_stage: str, _done: int, _total: int) -> None:
    """Say nothing."""
