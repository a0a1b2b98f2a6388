"""Which documents several annotators share, and what is done about those that not all of them have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from spanscope.arithmetic import Bools
from spanscope.data.concatenate import concatenate
from spanscope.data.corpus import Corpus, with_documents
from spanscope.data.problems import Problem
from spanscope.errors import DocumentError, named, plural
from spanscope.sides.pairing import pair_by_texts

Missing = Literal["pairwise", "skip", "error"]
MISSING: tuple[Missing, ...] = ("pairwise", "skip", "error")


class Had(NamedTuple):
    """The annotators with the documents that are compared.

    In `level` all have the same documents, with nothing in those that they lack; where some lack some, `absent`
    says who lacks which, in the order of `level`.
    """

    corpora: tuple[Corpus, ...]
    level: tuple[Corpus, ...]
    problems: list[Problem]
    absent: tuple[Bools, ...] = ()


def shared_documents(corpora: list[Corpus], called: Sequence[str], missing: Missing) -> Had:
    """Return the annotators with the documents that are compared, and what was left out.

    Of two annotators these are what both have. Columns cannot show empty documents, so nobody lacks any there.
    """
    by_name = all(own.ids is not None or not own.n_documents for own in corpora)
    if missing == "pairwise" and len(corpora) > 2 and by_name and not any(own.open_ended for own in corpora):
        return _of_at_least_two([replace(own, ids=own.ids or []) for own in corpora], called)
    own, problems = _in_common(_without_left_out(corpora), called, missing)
    return Had(own, own, problems)


def _of_at_least_two(corpora: Sequence[Corpus], called: Sequence[str]) -> Had:
    """Return the annotators with the documents that at least two of them have."""
    for corpus in corpora:
        _refuse_repeated(corpus)
    corpora = [with_documents(own, {*(own.ids or [])} - {*own.left_out}) for own in corpora]
    times = Counter(name for corpus in corpora for name in corpus.ids or [])
    names = [name for name, number in times.items() if number > 1]
    if not names and all(pair_by_texts(corpora[0], other) for other in corpora[1:]):
        return Had(tuple(corpora), tuple(corpora), [])  # every export numbers the same texts in its own way
    if not names and times:
        raise DocumentError("no document was annotated by two", expected="the same ids in several sources")
    problems = [
        Problem("missing document", name, document=gone[0], values={"whom": "anybody else"}, number=len(gone))
        for corpus, name in zip(corpora, called, strict=True)
        if (gone := [one for one in corpus.ids or [] if times[one] == 1])
    ]
    kept = tuple(with_documents(corpus, set(names)) for corpus in corpora)
    if all(corpus.n_documents == len(names) for corpus in kept):
        return Had(kept, kept, problems)
    level = tuple(_with_the_rest(own, kept) for own in kept)
    there = [set(own.ids or []) for own in kept]
    absent = (np.array([name not in own for name in level[0].ids or []], dtype=bool) for own in there)
    return Had(kept, level, problems, tuple(absent))


def _with_the_rest(own: Corpus, corpora: Sequence[Corpus]) -> Corpus:
    """Return an annotator with all documents: of those that it lacks, what the first knows who has them.

    So their texts, lengths and tokens are there for the others to be held against; there are no spans in them.
    """
    known, parts = set(own.ids or []), [own]
    for other in corpora:
        more = [name for name in other.ids or [] if name not in known]
        known.update(more)
        parts += [_bare(with_documents(other, set(more)), own)] if more else []
    return replace(concatenate(parts, own.name, own.sha256), left_out={})


def _bare(other: Corpus, own: Corpus) -> Corpus:
    """Return what another annotator knows of documents, as documents in which this one marked nothing."""
    tokens = own.tokens
    if tokens is not None:
        alike = other.tokens is not None and (other.tokens.text is None) == (tokens.text is None)
        tokens = other.tokens if alike else tokens.take(np.full(other.n_documents, -1))
    return replace(
        own,
        ids=other.ids,
        spans=own.spans.take(np.zeros(0, dtype=np.int64)),
        texts=other.texts,
        meta=other.meta,
        tokens=tokens,
        lengths=other.lengths,
        n_documents=other.n_documents,
        all_texts=other.all_texts,
        locate=other.where,
        problems=[],
        seconds={},
        groups=None,
    )


def _without_left_out(corpora: Sequence[Corpus]) -> list[Corpus]:
    """Return corpora without the documents that one of them vouches for nothing in."""
    gone = {name for own in corpora for name in own.left_out}
    return [with_documents(own, {*(own.ids or ())} - gone) if gone and own.ids else own for own in corpora]


def _in_common(
    corpora: list[Corpus], called: Sequence[str], missing: str
) -> tuple[tuple[Corpus, ...], list[Problem]]:
    """Return the corpora with the documents that all of them have, and what was left out."""
    if any(corpus.ids is None for corpus in corpora):
        return tuple(corpora), []  # by position: join sees to it
    for corpus in corpora:
        _refuse_repeated(corpus)
    if any(corpus.open_ended for corpus in corpora):
        return _with_all_documents(corpora), []
    keep = set.intersection(*(set(corpus.ids or []) for corpus in corpora))
    if not keep and all(pair_by_texts(corpora[0], other) for other in corpora[1:]):
        return tuple(corpora), []  # every export numbers the same texts in its own way: join says so
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
            problems.append(
                Problem("missing document", name, document=gone[0], values={"whom": "all"}, number=len(gone))
            )
    return tuple(with_documents(corpus, keep) for corpus in corpora), problems


def _refuse_repeated(corpus: Corpus) -> None:
    seen: set[str] = set()
    for row, name in enumerate(corpus.ids or []):
        if name in seen:
            expected = "one document for each id"
            raise DocumentError(f"the id {named(name)} is repeated", where=corpus.where(row), expected=expected)
        seen.add(name)


def _with_all_documents(corpora: Sequence[Corpus]) -> tuple[Corpus, ...]:
    """Return the corpora with all documents: columns cannot show empty ones, so a missing one is empty."""
    union = list(dict.fromkeys(name for corpus in corpora for name in corpus.ids or []))
    out = []
    for corpus in corpora:
        more = [name for name in union if name not in set(corpus.ids or [])]
        texts, meta = (
            None if column is None else np.concatenate((column, np.full(len(more), None, dtype=object)))
            for column in (corpus.texts, corpus.meta)
        )
        ids, tokens = [*(corpus.ids or []), *more], corpus.tokens
        if tokens is not None:
            tokens = tokens.take(np.append(np.arange(len(tokens.first) - 1), np.full(len(more), -1)))
        filled = replace(corpus, ids=ids, texts=texts, meta=meta, tokens=tokens, n_documents=len(ids))
        out.append(replace(filled, all_texts=False))
    return tuple(out)
