"""Several annotators of the same documents: their sources read, and put beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.engines.load import families, kinds_of, load, the_one
from spanscope.errors import DocumentError, InputError, MeasureError, named, plural
from spanscope.families import PASSAGES, SEGMENTS, SPANS, TOKENS, Family
from spanscope.io.segments.reading import read_segmentations
from spanscope.io.surrogates import legible, path_of
from spanscope.io.tokens.reading import read_both, read_one
from spanscope.io.tokens.tag_rules import TagRules, check_said
from spanscope.measures.agreement.positions import text_lengths
from spanscope.settings.settle import Settings
from spanscope.sides.join import Comparison, join


@dataclass(frozen=True)
class Annotators:
    """Several annotators: the corpora they came from, and one comparison of all of them on the same documents."""

    family: Family
    corpora: tuple[Corpus, ...]  # with the documents that all have
    comparison: Comparison
    problems: list[Problem]

    @property
    def names(self) -> tuple[str, ...]:
        """Return what the annotators are called."""
        return tuple(self.comparison.sides)


def family_of(sources: Sequence[Any], field: Mapping[str, str] | None, rules: TagRules) -> Family:
    """Return what sources hold together: tokens where all of them are tagged, spans where only some are."""
    check_said(rules, sources)
    kinds = kinds_of(sources, field, rules)
    if rules.said and TOKENS not in kinds:
        raise MeasureError("input and columns are for tagged tokens, and there are none", expected="CoNLL files")
    if PASSAGES in kinds:
        raise InputError("agreement is about spans, segments and tokens", expected="no queries with passages")
    if SEGMENTS in kinds:
        return SEGMENTS
    return TOKENS if {*kinds} == {TOKENS} else SPANS


def gather(
    sources: Sequence[Any],
    names: Sequence[str] | None,
    settings: Settings,
    family: Family,
    missing: Literal["skip", "error"],
) -> Annotators:
    """Read all sources and put the annotators beside each other on the documents that all of them have."""
    sides, family = _read(sources, settings, family)
    if len(sides) < 2:
        only = next(iter(sides), "") or "one without a name"
        raise InputError(
            f"there is only 1 annotator: {only}", expected="two files or more, or one with several annotations"
        )
    called = _called(list(sides), names)
    problems = [problem for corpus in sides.values() for problem in corpus.problems]
    corpora, lost = _shared(list(sides.values()), called, missing)
    return _beside(family, called, corpora, settings, [*problems, *lost])


def _read(sources: Sequence[Any], settings: Settings, family: Family) -> tuple[dict[str, Corpus], Family]:
    if family == TOKENS:
        return _tagged(sources, settings.tags), family
    if family.partitions and len(sources) == 1:
        return _one_file(sources[0], settings)
    if family.partitions:
        whole = [
            the_one(read_segmentations(one, **_reading(settings)), _stem(one, at))
            for at, one in enumerate(sources)
        ]
    else:
        whole = [_spans(one, at, settings) for at, one in enumerate(sources)]
    return _keyed(sources, whole), family


def _reading(settings: Settings) -> dict[str, Any]:
    own = {"field": settings.field, "offsets": settings.offsets, "normalise": settings.normalise}
    return {**own, "input": settings.tags.input}


def _spans(source: Any, at: int, settings: Settings) -> Corpus:
    """Read the spans of one annotator; tagged tokens among files of spans are read as spans."""
    if families((source,), settings) == (TOKENS,):
        corpus = read_one(source, "gold", settings.tags)
        return corpus if isinstance(source, (str, Path)) else replace(corpus, name=_stem(source, at))
    return load(source, _stem(source, at), settings, lambda _stage, _done, _total: None)


def _one_file(source: Any, settings: Settings) -> tuple[dict[str, Corpus], Family]:
    """Read several annotations of one file: segmentations, or labelled spans that do not cover the text."""
    try:
        return read_segmentations(source, name="documents", **_reading(settings)), SEGMENTS
    except InputError:
        if settings.normalise:
            raise
    loose = read_segmentations(source, name="documents", **_reading(settings), as_given=True)
    if {label for corpus in loose.values() for label in corpus.labels} <= {"segment"}:
        return read_segmentations(source, name="documents", **_reading(settings)), SEGMENTS  # says what is wrong
    return loose, SPANS


def _tagged(sources: Sequence[Any], rules: TagRules) -> dict[str, Corpus]:
    """Read tagged tokens: two columns of one file, or files whose tokens are put at the places of the first."""
    if len(sources) == 1:
        first, second, _ = read_both(sources[0], None, rules)
        return {"first": first, "second": second}
    others = [read_both(sources[0], other, rules) for other in sources[1:]]
    return _keyed(sources, [others[0][0], *(second for _, second, _ in others)])


def _stem(source: Any, at: int) -> str:
    return legible(Path(source).name) if isinstance(source, (str, Path)) else f"annotator {at + 1}"


def _keyed(sources: Sequence[Any], corpora: Sequence[Corpus]) -> dict[str, Corpus]:
    """Return corpora by the name of their file, by more of the path where names are alike."""
    names = [_stem(source, at) for at, source in enumerate(sources)]
    whole = [path_of(one) or names[at] for at, one in enumerate(sources)]
    if len(set(names)) < len(names):
        names = whole if len(set(whole)) == len(whole) else [f"{name} ({at + 1})" for at, name in enumerate(names)]
    return dict(zip(names, corpora, strict=True))


def _called(found: list[str], names: Sequence[str] | None) -> tuple[str, ...]:
    """Return what annotators are called: as asked for, else the names of files without their endings."""
    if names is None:
        short = [name.removesuffix(".gz").rpartition(".")[0] or name for name in found]
        return tuple(short if len(set(short)) == len(short) else found)
    if len(names) != len(found) or len({*names}) < len(found):
        raise InputError(f"names are {named(names)}", expected=f"{len(found)} different names of annotators")
    return tuple(names)


def _shared(
    corpora: list[Corpus], called: Sequence[str], missing: str
) -> tuple[tuple[Corpus, ...], list[Problem]]:
    """Return the corpora with the documents that all of them have, and what was left out."""
    if any(corpus.ids is None for corpus in corpora):
        return tuple(corpora), []  # by position: join sees to it
    for corpus in corpora:
        _refuse_repeated(corpus)
    if any(corpus.open_ended for corpus in corpora):
        return _filled(corpora), []
    keep = set.intersection(*(set(corpus.ids or []) for corpus in corpora))
    if not keep and any(corpus.n_documents for corpus in corpora):
        raise DocumentError("no document was annotated by all", expected="the same document ids in every source")
    problems = []
    for corpus, name in zip(corpora, called, strict=True):
        gone = [one for one in corpus.ids or [] if one not in keep]
        if gone and missing == "error":
            raise DocumentError(
                f"{plural(len(gone), 'document')} of {name} not annotated by all; first {named(gone[0])}",
                expected="the same documents in every source",
                hint="[[missing=skip]]   to leave them out",
            )
        if gone:
            problems.append(Problem("missing document", name, document=gone[0], number=len(gone)))
    return tuple(only(corpus, keep) for corpus in corpora), problems


def _refuse_repeated(corpus: Corpus) -> None:
    seen: set[str] = set()
    for row, name in enumerate(corpus.ids or []):
        if name in seen:
            expected = "one document for each id"
            raise DocumentError(f"the id {named(name)} is repeated", where=corpus.where(row), expected=expected)
        seen.add(name)


def _filled(corpora: Sequence[Corpus]) -> tuple[Corpus, ...]:
    """Return the corpora with all documents: columns cannot show empty ones, so a missing one is empty."""
    union = list(dict.fromkeys(name for corpus in corpora for name in corpus.ids or []))
    out = []
    for corpus in corpora:
        more = [name for name in union if name not in set(corpus.ids or [])]
        texts = corpus.texts
        if texts is not None:
            texts = np.concatenate((texts, np.full(len(more), None, dtype=object)))
        ids, tokens = [*(corpus.ids or []), *more], corpus.tokens
        if tokens is not None:
            tokens = tokens.take(np.append(np.arange(len(tokens.first) - 1), np.full(len(more), -1)))
        filled = replace(corpus, ids=ids, texts=texts, tokens=tokens, n_documents=len(ids), all_texts=False)
        out.append(filled)
    return tuple(out)


def only(corpus: Corpus, keep: set[str]) -> Corpus:
    """Return a corpus with some of its documents."""
    ids = corpus.ids or []
    rows = np.array([row for row, name in enumerate(ids) if name in keep], dtype=np.int64)
    if len(rows) == len(ids):
        return corpus
    place = np.full(len(ids), -1)
    place[rows] = np.arange(len(rows))
    doc = place[corpus.spans.doc]
    return replace(
        corpus,
        ids=[ids[row] for row in rows.tolist()],
        spans=replace(corpus.spans, doc=doc).take(np.flatnonzero(doc >= 0)),
        texts=None if corpus.texts is None else corpus.texts[rows],
        n_documents=len(rows),
        lengths=None if corpus.lengths is None else corpus.lengths[rows],
        tokens=None if corpus.tokens is None else corpus.tokens.take(rows),
        locate=lambda row: corpus.where(int(rows[row])),
    )


def _beside(
    family: Family,
    called: tuple[str, ...],
    corpora: tuple[Corpus, ...],
    settings: Settings,
    problems: list[Problem],
) -> Annotators:
    """Join every annotator to the first, so that all count documents and labels alike."""
    asked = settings.policy.labels
    labels = tuple(sorted({name for corpus in corpora for name in corpus.labels})) if asked is None else asked
    pairs: list[Comparison] = []
    noted = list(problems)
    for other in corpora[1:]:
        pair, own = join(corpora[0], other, labels=labels)
        if pairs and pair.documents != pairs[0].documents:
            raise DocumentError(
                f"{called[0]} and {called[1]} share {pairs[0].documents:,} documents, others {pair.documents:,}",
                expected="the same documents in every source",
            )
        pairs.append(pair)
        noted += own
    if not pairs[0].documents:
        raise InputError("there are no documents", expected="the same documents in every source")
    whole = _together(called, labels, pairs)
    _check_offsets(whole)
    if not text_lengths(whole)[1]:
        noted.append(Problem("no text", called[0]))
    return Annotators(family, corpora, whole, _once(noted))


def _together(called: tuple[str, ...], labels: tuple[str, ...], pairs: Sequence[Comparison]) -> Comparison:
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


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """Return each problem once: those of the first annotator are met in every join."""
    return list(dict.fromkeys(problems))


def _check_offsets(whole: Comparison) -> None:
    for name, own in whole.sides.items():
        nowhere = int((~own.located).sum())
        if nowhere:
            raise MeasureError(
                f"{plural(nowhere, 'span')} of {name} without offsets", expected="start and end in every span"
            )
