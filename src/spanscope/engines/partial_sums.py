"""Portions of a corpus: each is counted by itself, wherever that is, and the counts are put together.

A portion holds documents of both sides. What is left of it are the counts, the documents' names and keys, and what
was noticed: enough for every figure and every interval, nothing of the texts and spans. The figures are those of
the whole corpus, to the digit: counts are whole numbers, and sums of other values are rounded once. Where only
totals are kept, not even the counts of documents are left, and portions are added up as they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from spanscope.arguments import keep_silent
from spanscope.arithmetic import CELLS, Ints, Keys
from spanscope.counts import Counts
from spanscope.data.corpus import Corpus
from spanscope.data.names import Numbered, Packed
from spanscope.data.problem_kinds import kind_of
from spanscope.data.problems import Problem, merge
from spanscope.engines import totals as sums
from spanscope.engines.left_out import Unlike, leave_out_of_all
from spanscope.engines.load import Progress
from spanscope.engines.pipeline import (
    count_all,
    join_sides,
    merge_findings,
    note_missing_curve,
    note_sentences,
    note_unseen_labels,
    refuse_problems,
    refuse_unclear,
    refuse_wrong_texts,
    settle_on_data,
    signs_where_spans_are_gone,
)
from spanscope.engines.rating import note_missing_intervals, rate
from spanscope.engines.slice_portions import add_slices, put_together, sum_slicings, with_keys
from spanscope.engines.slicing import settle_slices, slice_all, slice_counts
from spanscope.engines.whole_corpus import NOBODY, names_and_keys, order_of_gold, sort_documents
from spanscope.findings.findings import Findings
from spanscope.findings.signs import Looked, add_looks, look_at_part
from spanscope.findings.slices import Forms
from spanscope.match.verdicts import Confusion
from spanscope.results.problems import Tally, add_tallies, duplicates, show_tally, tally
from spanscope.results.result import Result
from spanscope.settings.run_settings import Input, Settings
from spanscope.sides.comparison import Comparison, content_keys, numbered_keys, placed_keys
from spanscope.sides.emptied import empty_comparison
from spanscope.sides.fingerprint import add as add_fingerprints
from spanscope.sides.fingerprint import fingerprint
from spanscope.sides.lacking import KINDS, refuse_lacks, shared_documents
from spanscope.stats.averages import Ladder, Rungs
from spanscope.stats.cells import change_keys
from spanscope.stats.counted import Counted, Documents, Total, Totals, with_labels
from spanscope.stats.counted import add as add_totals
from spanscope.stats.slicings import Sliced

if TYPE_CHECKING:
    from spanscope.measures.passages.evidence import Evidence  # loaded where there are passages


@dataclass(frozen=True)
class Portion:
    """What counting some documents leaves of them."""

    settings: Settings  # with what depends on the data decided
    names: Sequence[str]  # of the documents; none where only totals are kept
    content: bool  # the documents have no ids: keys are of what they hold
    keys: Keys
    labels: tuple[str, ...]
    seen: frozenset[str]  # the labels that spans have
    renamed: frozenset[str]  # those that they had before they were called otherwise
    apart: bool  # the two sides have no document in common
    tagged: bool  # the documents came as tagged tokens
    found: Findings
    problems: Tally
    sizes: tuple[tuple[int, int], tuple[int, int]]  # documents and spans, of gold and of predictions
    first: int = 0  # how many documents come before, where these have no ids
    order: Ints | None = None  # the place of every document among all of gold, where portions are in no order
    totals: tuple[Total, ...] | None = None  # of every measure, where only these are kept
    named_by_text: bool = False  # the names are what queries ask
    lacks: Sequence[Problem] = ()  # documents that a side lacks
    gold: int = 0  # the fingerprint of gold
    groups: Keys | None = None  # of the groups that documents are in, where these are drawn
    grouped: bool = False  # groups are drawn, not documents
    shown: Evidence | None = None  # what passages show of how they are read, where that is open
    looked: Looked | None = None  # signs that the data are read wrongly, where spans have labels
    slices: Sequence[Sliced] = ()  # what slices count, where they were asked for and there are documents

    @property
    def documents(self) -> int:
        """Return how many documents were counted."""
        return self.found.counts[0].documents


def count_portion(
    gold: Corpus,
    pred: Corpus,
    settings: Settings,
    *,
    strict: bool = False,
    errors: bool = True,
    first: int = 0,
    lacking: bool = False,
    whole: bool = True,
    forms: Forms | None = None,
) -> Portion:
    """Join and count two sides of some documents, and keep nothing else of them.

    `lacking` lets documents be missing from a side, whether or not that is allowed: how many there are in all
    portions must be known to refuse them in a sentence that is true. `whole` says that there are no others.
    """
    allowed = lacking and not (gold.open_ended or pred.open_ended)  # these lack nothing: no row is no span
    c, noticed = join_sides(gold, pred, _allow_lacks(settings) if allowed else settings, strict=False, whole=whole)
    problems = [problem for problem in noticed if not kind_of(problem.kind).of_all]
    refuse_problems(problems if strict else (), quotes=settings.quotes)
    settings, shown, left_out = settle_on_data(c, settings)
    found, nameless = merge_findings([*count_all(c, settings, errors, keep_silent)]), isinstance(c.names, Numbered)
    return Portion(
        settings,
        c.names if nameless else Packed.of(c.names),
        nameless and c.documents > 0,
        content_keys(c) if nameless else c.keys(),
        c.labels,
        *_names_of_labels(gold, pred),
        any(problem.kind == "nothing in common" for problem in noticed),
        bool(c.tokens),
        sums.drop_documents(found),
        tally([*problems, *left_out, *duplicates(c)]),
        ((gold.n_documents, gold.size), (pred.n_documents, pred.size)),
        first,
        named_by_text=c.named_by_text,
        lacks=[problem for problem in noticed if problem.kind in KINDS],
        gold=fingerprint(c, first),
        shown=shown,
        groups=c.group_keys(),
        grouped=c.groups is not None,
        looked=look_at_part(c) if settings.family.labelled else None,
        slices=[own._replace(members=None) for own in slice_counts(c, settings, found, forms)],
    )


def _names_of_labels(gold: Corpus, pred: Corpus) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset((*gold.labels, *pred.labels)), gold.renamed | pred.renamed


def _allow_lacks(settings: Settings) -> Settings:
    """Return settings that let documents be missing from a side."""
    missing = settings.missing if settings.missing == "skip" else "empty"
    return replace(settings, missing=missing, extra="skip")


def total_portion(part: Portion) -> Portion:
    """Return a portion of which only totals are kept.

    The keys of ids stay, for whoever looks for one that is repeated, and those of documents without ids while
    there are so few that every document is a cell: how often a content came before shows when all are there.
    """
    if part.totals is not None:
        return part
    keys = placed_keys(part.keys, part.first) if part.content else part.keys
    drawn = keys if part.groups is None else part.groups
    totals = sums.totals_of(part.found, part.settings, drawn)
    slices = sum_slicings(part.slices, part.settings, drawn)
    found = sums.sum_documents(part.found, part.settings, totals)
    many = part.content and len(part.keys) > CELLS
    keys = NOBODY if many else part.keys
    return replace(part, names=(), keys=keys, groups=None, found=found, order=None, totals=totals, slices=slices)


def add_portions(one: Portion, other: Portion) -> Portion:
    """Return the totals of two portions as one portion; the other one comes behind."""
    one, other = leave_out_of_all([one, other])
    settings = common_settings([one, other])
    labels = _labels([one, other], settings)
    ours, theirs = (_recode(part, labels) for part in (one, other))
    found = sums.add_findings(ours.found, theirs.found)
    resamples = sums.resamples_of(settings)
    both = zip(ours.totals or (), theirs.totals or (), strict=True)
    totals = tuple(add_totals(*each, resamples) for each in both)
    slices = add_slices(one.slices, other.slices)
    keys = NOBODY
    if one.content and other.content and one.documents + other.documents <= CELLS:
        keys = np.concatenate([one.keys, other.keys])
    (gold, pred), (more_gold, more_pred) = one.sizes, other.sizes
    sizes = (gold[0] + more_gold[0], gold[1] + more_gold[1]), (pred[0] + more_pred[0], pred[1] + more_pred[1])
    return Portion(
        settings,
        (),
        one.content or other.content,
        keys,
        labels,
        one.seen | other.seen,
        one.renamed | other.renamed,
        one.apart and other.apart,
        one.tagged or other.tagged,
        replace(found, counts=tuple(total.summary.sums for total in totals)),
        add_tallies([one.problems, other.problems]),
        sizes,
        min(one.first, other.first),
        totals=totals,
        lacks=merge([*one.lacks, *other.lacks]),
        gold=add_fingerprints(one.gold, other.gold),
        shown=_add_shown([one, other]),
        grouped=one.grouped or other.grouped,
        looked=add_looks([one.looked, other.looked]),
        slices=slices,
    )


class Keeper:
    """Takes portions as they come and keeps their counts, or from so many documents on only the totals."""

    def __init__(self, most: int | None = None, seen: Callable[[Keys], None] | None = None) -> None:
        self.most = most  # documents of which counts are kept; None: of all
        self.seen = seen  # takes the keys of ids
        self.totals = most == 0
        self.documents = 0
        self.parts: list[Portion] = []

    def add(self, part: Portion) -> None:
        """Take a portion."""
        self.documents += part.documents
        self.totals = self.totals or part.totals is not None
        self.totals = self.totals or (self.most is not None and self.documents > self.most)
        if self.seen is not None and not part.content:
            self.seen(part.keys)
        self.parts.append(part)
        if self.totals:
            whole = reduce(add_portions, map(total_portion, self.parts))
            self.parts = [whole if whole.content else replace(whole, keys=NOBODY)]


def keep_portions(parts: Iterable[Portion], most: int | None = None) -> list[Portion]:
    """Return the portions, or a single one of totals where there are more documents than `most`."""
    keeper = Keeper(most)
    for part in parts:
        keeper.add(part)
    return keeper.parts


def make_result(
    parts: Sequence[Portion],
    sources: Sequence[tuple[str | None, str | None]],
    meta: Mapping[str, str],
    progress: Progress,
    notes: Sequence[Problem] = (),
) -> Result:
    """Put portions together.

    `sources` are the paths of both sides and the hashes of what was read; `notes` is what else there is to say.
    """
    one_kept = len(parts) > 1 and any(part.totals is not None for part in parts)
    parts = leave_out_of_all(keep_portions(parts, 0) if one_kept else parts)
    settings = common_settings(parts)
    called = [path or side for (path, _), side in zip(sources, ("gold", "pred"), strict=True)]
    inputs = (_input_of(parts, 0, sources[0]), _input_of(parts, 1, sources[1]))
    noticed = _problems_of_all(parts, settings, called, [one.documents for one in inputs])
    of_parts = add_tallies(part.problems for part in parts)
    spans = inputs[0].spans + inputs[1].spans
    refuse_wrong_texts(of_parts, settings, shared_documents(inputs[0].documents, noticed), spans)
    refuse_unclear(_add_shown(parts), settings, called[1])
    labels = _labels(parts, settings)
    comparison, found, counted, slices = _whole(parts, labels)
    rows = rate(settings, counted, progress)
    slicings = settle_slices(slices, called[0])
    noticed += note_missing_intervals(settings, found.counts)
    noticed += signs_where_spans_are_gone(settings, rows, inputs, add_looks(part.looked for part in parts))
    noticed += note_missing_curve(settings, found)
    left = counted if isinstance(counted, Totals) else None
    return Result(
        settings=settings,
        rows=rows,
        found=found,
        inputs=inputs,
        comparison=comparison,
        problems=show_tally(add_tallies([of_parts, tally([*noticed, *notes])]), quotes=settings.quotes),
        meta=dict(meta),
        timings={},
        kept="counts" if left is None else "totals",
        gold=reduce(add_fingerprints, (part.gold for part in parts)),
        left=left,
        slicings=slicings,
        sliced=slice_all(slicings, counted, settings),
    )


def _whole(
    parts: Sequence[Portion], labels: tuple[str, ...]
) -> tuple[Comparison, Findings, Counted, Sequence[Sliced]]:
    """Return the documents of all portions, what was found in them, what figures are read from, and the slices."""
    recoded = [_recode(part, labels) for part in parts]
    found = merge_findings([part.found for part in recoded])
    names, keys, groups = names_and_keys(parts)
    left = None if recoded[0].totals is None else Totals(_drawn_by_content(recoded[0].totals, parts[0]))
    order = None if left is not None else order_of_gold(parts, len(keys))
    slices = with_keys(put_together([part.slices for part in parts], order), _keys_by_content(parts[0]))
    if order is not None:
        names, keys, groups, found = sort_documents(order, names, keys, groups, found)
    counted = left or Documents(found.counts, lambda: keys if groups is None else groups)
    return empty_comparison(names, keys, groups, labels, **_kind(parts[0])), found, counted, slices


def _drawn_by_content(totals: tuple[Total, ...], part: Portion) -> tuple[Total, ...]:
    """Return totals of few documents without ids by the keys that these have where nothing is let go of."""
    keys = _keys_by_content(part)
    return totals if keys is None else tuple(replace(one, cells=change_keys(one.cells, keys)) for one in totals)


def _keys_by_content(part: Portion) -> dict[int, int] | None:
    """Return the keys that few documents without ids have where nothing is let go of, by those of their totals."""
    alone = part.content and len(part.keys) == part.documents
    if part.totals is None or not alone or part.grouped:
        return None
    old, new = placed_keys(part.keys, part.first), numbered_keys(part.keys)
    return dict(zip(old.tolist(), new.tolist(), strict=True))


def _kind(part: Portion) -> dict[str, bool]:
    """Return what there is to know of documents whose spans are gone."""
    return {"tagged": part.tagged, "named_by_text": part.named_by_text}


def _input_of(parts: Sequence[Portion], side: int, source: tuple[str | None, str | None]) -> Input:
    """Describe what was read on one side."""
    return Input(*source, *(sum(part.sizes[side][what] for part in parts) for what in (0, 1)))


def _labels(parts: Sequence[Portion], settings: Settings) -> tuple[str, ...]:
    """Return the labels of all portions: those asked for, else those seen."""
    asked = settings.policy.labels
    return tuple(sorted({label for part in parts for label in part.labels})) if asked is None else asked


def common_settings(parts: Sequence[Portion]) -> Settings:
    """Return the settings of all portions, which must have found the same in their documents."""
    known = [part for part in parts if part.documents] or parts
    first = known[0]
    for part in known[1:]:
        if part.settings.measures != first.settings.measures:
            pairs = zip(first.settings.measures, part.settings.measures, strict=True)
            one, other = next((a, b) for a, b in pairs if a != b)
            raise Unlike(
                f"one part of the documents asks for {one}, another for {other}",
                expected="the same kind of documents throughout",
                hint=f'-m "{one}"   or the other one, to say which',
            )
        if part.settings.tags != first.settings.tags:
            raise Unlike(
                f"some tags are of {first.settings.tags.scheme}, others of {part.settings.tags.scheme}",
                expected="one scheme throughout",
                hint="[[scheme=NAME]]   to say which",
            )
        if part.content != first.content:
            raise Unlike("some documents have ids, others have none", expected="an id in every document")
    return first.settings


def _add_shown(parts: Sequence[Portion]) -> Evidence | None:
    """Return what the passages of all portions show together."""
    known = [part.shown for part in parts if part.shown is not None]
    if not known:
        return None
    from spanscope.measures.passages import evidence

    return evidence.add_evidence(known)


def _recode(part: Portion, labels: tuple[str, ...]) -> Portion:
    """Return a portion with the codes that its labels have among all labels."""
    code = {name: at for at, name in enumerate(labels)}
    table = np.array([*(code[name] for name in part.labels), -1])  # from the old codes to the new ones
    found = part.found
    ladder = found.ladder
    if isinstance(ladder, Ladder):
        ladder = Ladder(table[ladder.label], ladder.score)
    elif isinstance(ladder, Rungs):
        wide = np.zeros((len(ladder.grid), len(labels)), dtype=np.int64)
        wide[:, table[:-1]] = ladder.found
        ladder = Rungs(ladder.grid, wide)
    confused: Confusion | None = None
    if found.confused is not None:
        gold, pred, number = found.confused
        ends = np.append(table[:-1], len(labels))  # the code after the last label stands for nothing
        confused = ends[gold], ends[pred], number
    totals = None if part.totals is None else tuple(with_labels(one, labels) for one in part.totals)
    found = replace(
        found,
        counts=tuple(_relabel(one, labels, table) for one in found.counts),
        ladder=ladder,
        kinds=found.kinds and _relabel(found.kinds, labels, table),
        confused=confused,
    )
    return replace(part, found=found, totals=totals)


def _relabel(counts: Counts, labels: tuple[str, ...], table: Ints) -> Counts:
    return replace(counts, labels=labels, label=table[counts.label]) if counts.labels != labels else counts


def _problems_of_all(
    parts: Sequence[Portion], settings: Settings, called: Sequence[str], documents: Sequence[int]
) -> list[Problem]:
    """Return the problems that only all portions together can have, or refuse what may not be."""
    gold, pred = called
    lacks = merge(problem for part in parts for problem in part.lacks)
    out = [replace(one, file=pred, values={**one.values, "gold": gold}) for one in lacks]
    refuse_lacks(out, settings.missing, settings.extra, documents)
    seen, renamed = (frozenset().union(*sets) for sets in zip(*((p.seen, p.renamed) for p in parts), strict=True))
    out += [*note_unseen_labels(settings, seen, renamed, gold), *note_sentences(settings)]
    if all(part.apart for part in parts):
        values = {"gold": gold} if any(part.documents for part in parts) else {}
        out.append(Problem("nothing in common", pred, side="pred", values=values))
    return out
