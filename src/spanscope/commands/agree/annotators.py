"""Several annotators of the same documents: their sources read, and put beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.commands.agree.documents import Had, Missing, shared_documents
from spanscope.data.corpus import Corpus, with_documents
from spanscope.data.problems import Problem
from spanscope.engines.load import words_for
from spanscope.engines.pipeline import refuse_wrong_texts
from spanscope.engines.sources import Source
from spanscope.errors import DocumentError, InputError, MeasureError, named, plural
from spanscope.families import PASSAGES, SEGMENTS, SPANS, TOKENS, Family
from spanscope.io.reading import the_only
from spanscope.io.strict import Report
from spanscope.io.surrogates import legible, path_of
from spanscope.io.tokens.reading import read_both, read_one
from spanscope.io.tokens.tag_rules import TagRules
from spanscope.measures.agreement.positions import text_lengths
from spanscope.results.problems import tally
from spanscope.settings.run_settings import Settings
from spanscope.sides.comparison import Comparison
from spanscope.sides.join import join


@dataclass(frozen=True)
class Annotators:
    """Several annotators: the corpora they came from, and one comparison of all of them on the same documents."""

    family: Family
    corpora: tuple[Corpus, ...]  # with the documents that are compared
    comparison: Comparison
    problems: list[Problem]
    first: Corpus  # the first annotator, with all documents: with nothing in those that it does not have

    @property
    def names(self) -> tuple[str, ...]:
        """Return what the annotators are called."""
        return tuple(self.comparison.sides)

    def beside(self, one: int, two: int, docs: Ints) -> tuple[Corpus, Corpus]:
        """Return two annotators with the documents that both have."""
        sides = self.corpora[one], self.corpora[two]
        if not self.comparison.absent:
            return sides
        keep = {self.comparison.names[doc] for doc in docs.tolist()}
        return with_documents(sides[0], keep), with_documents(sides[1], keep)


def family_of(sources: Sequence[Source], rules: TagRules) -> Family:
    """Return what sources hold together: tokens where all of them are tagged, spans where only some are."""
    kinds = {one.family for one in sources}
    if rules.said and TOKENS not in kinds:
        raise MeasureError("input and columns are for tagged tokens, and there are none", expected="CoNLL files")
    if PASSAGES in kinds:
        raise InputError("agreement is about spans, segments and tokens", expected="no queries with passages")
    if SEGMENTS in kinds:
        return SEGMENTS
    return TOKENS if kinds == {TOKENS} else SPANS


def gather(
    sources: Sequence[Source],
    names: Sequence[str] | None,
    settings: Settings,
    family: Family,
    missing: Missing,
) -> Annotators:
    """Read all sources and put the annotators beside each other on the documents that they share."""
    sides, family = _read(sources, family)
    if len(sides) < 2:
        only = next(iter(sides), "") or "one without a name"
        raise InputError(
            f"there is only 1 annotator: {only}", expected="two files or more, or one with several annotations"
        )
    called = _names_of(list(sides), names, of_files=len(sources) > 1)
    problems = [problem for corpus in sides.values() for problem in corpus.problems]
    had = shared_documents(list(sides.values()), called, missing)
    return _join_to_first(family, called, had, settings, [*problems, *had.problems])


def _read(sources: Sequence[Source], family: Family) -> tuple[dict[str, Corpus], Family]:
    if family == TOKENS:
        return _read_tags(sources), family
    if len(sources) == 1:
        return _one_file(sources[0], family)
    return _by_name(sources, [_load(one, at) for at, one in enumerate(sources)]), family


def _load(one: Source, at: int) -> Corpus:
    """Read the spans or segments of one annotator; tagged tokens among files of spans are read as spans."""
    if one.family == TOKENS:
        corpus = read_one(one.source, replace(one.options, side="gold"), one.format)
        return corpus if isinstance(one.source, (str, Path)) else replace(corpus, name=stem_of(one.source, at))
    whose = f"the {stem_of(one.source, at)} side"
    return the_only(one.read(), whose, *words_for(one.family), annotator=one.options.annotator)


def _one_file(one: Source, family: Family) -> tuple[dict[str, Corpus], Family]:
    """Read several annotations of one file: segmentations, or labelled spans that do not cover the text."""
    if not family.partitions:
        found = one.read()
        return found if len(found) > 1 else _by_name([one], list(found.values())), family
    try:
        return one.read(side="documents"), SEGMENTS
    except InputError:
        if one.options.normalise:
            raise
    loose = one.read(side="documents", as_given=True, report=Report())
    if {label for corpus in loose.values() for label in corpus.labels} <= {"segment"}:
        return one.read(side="documents", report=Report()), SEGMENTS  # which says what is wrong
    return loose, SPANS


def _read_tags(sources: Sequence[Source]) -> dict[str, Corpus]:
    """Read tagged tokens: two columns of one file, or files whose tokens are put at the places of the first."""
    one, *others = sources
    if not others:
        first, second, _ = read_both(one.source, None, one.options, formats=(one.format, None))
        return {"first": first, "second": second}
    pairs = [
        read_both(one.source, other.source, one.options, other.options, (one.format, other.format))
        for other in others
    ]
    return _by_name(sources, [pairs[0][0], *(second for _, second, _ in pairs)])


def stem_of(source: Any, at: int) -> str:
    """Return the name of a file, or the number of an annotator whose source has no name."""
    return legible(Path(source).name) if isinstance(source, (str, Path)) else f"annotator {at + 1}"


def _by_name(sources: Sequence[Source], corpora: Sequence[Corpus]) -> dict[str, Corpus]:
    """Return corpora by the name of their file, by more of the path where names are alike."""
    names = [stem_of(one.source, at) for at, one in enumerate(sources)]
    whole = [path_of(one.source) or names[at] for at, one in enumerate(sources)]
    if len(set(names)) < len(names):
        names = whole if len(set(whole)) == len(whole) else [f"{name} ({at + 1})" for at, name in enumerate(names)]
    return dict(zip(names, corpora, strict=True))


def _names_of(found: list[str], names: Sequence[str] | None, *, of_files: bool) -> tuple[str, ...]:
    """Return what annotators are called: as asked for, else the names of files without their endings."""
    if names is None and not of_files:
        return tuple(found)
    if names is None:
        short = [name.removesuffix(".gz").rpartition(".")[0] or name for name in found]
        return tuple(short if len(set(short)) == len(short) else found)
    if len(names) != len(found) or len({*names}) < len(found):
        raise InputError(f"names are {named(names)}", expected=f"{len(found)} different names of annotators")
    return tuple(names)


def _join_to_first(
    family: Family,
    called: tuple[str, ...],
    had: Had,
    settings: Settings,
    problems: list[Problem],
) -> Annotators:
    """Join every annotator to the first, so that all count documents and labels alike."""
    corpora = had.level
    asked = settings.policy.labels
    labels = tuple(sorted({name for corpus in corpora for name in corpus.labels})) if asked is None else asked
    pairs: list[Comparison] = []
    noted = list(problems)
    for other in corpora[1:]:
        pair, own = join(corpora[0], other, labels=labels, by_content=family.labelled)
        if pairs and pair.documents != pairs[0].documents:
            raise DocumentError(
                f"{called[0]} and {called[1]} share {pairs[0].documents:,} documents, others {pair.documents:,}",
                expected="the same documents in every source",
            )
        pairs.append(pair)
        noted += own
        both = [*corpora[0].problems, *other.problems, *own]
        refuse_wrong_texts(
            tally(both), settings, pair.documents, corpora[0].size + other.size, "another annotator"
        )
    if not pairs[0].documents:
        raise InputError("there are no documents", expected="the same documents in every source")
    whole = _join(called, labels, pairs)
    whole.absent = dict(zip(called, had.absent, strict=True)) if had.absent else {}
    _check_offsets(whole)
    if not text_lengths(whole)[1]:
        noted.append(Problem("no text", called[0]))
    return Annotators(family, had.corpora, whole, _without_repeats(noted), corpora[0])


def _join(called: tuple[str, ...], labels: tuple[str, ...], pairs: Sequence[Comparison]) -> Comparison:
    """Return one comparison of all annotators, from those of the first with each other one."""
    first = pairs[0]
    sides = dict(zip(called, (first.gold, *(pair.pred for pair in pairs)), strict=True))
    own = (first.tokens.get("gold"), *(pair.tokens.get("pred") for pair in pairs))
    tokens = {name: one for name, one in zip(called, own, strict=True) if one is not None}
    texts = None
    for pair in pairs:
        if pair.texts is not None:
            there = np.array([text is not None for text in pair.texts.tolist()], dtype=bool)
            texts = pair.texts if texts is None else np.where(there, pair.texts, texts)
    known = [pair.lengths for pair in pairs if pair.lengths is not None]
    lengths = np.maximum.reduce(known) if known else None
    return Comparison(first.names, labels, sides, texts, lengths=lengths, tokens=tokens)


def _without_repeats(problems: Sequence[Problem]) -> list[Problem]:
    """Return each problem once: those of the first annotator are met in every join."""
    return list(dict.fromkeys(problems))


def _check_offsets(whole: Comparison) -> None:
    for name, own in whole.sides.items():
        nowhere = int((~own.located).sum())
        if nowhere:
            raise MeasureError(
                f"{plural(nowhere, 'span')} of {name} without offsets", expected="start and end in every span"
            )
