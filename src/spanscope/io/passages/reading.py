"""Queries with ranked passages and gold answers: both sides as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.data.corpus import NOWHERE, Corpus, Queries, Spans, Texts
from spanscope.data.dicts import PLAIN
from spanscope.data.problems import Problem, problem_at
from spanscope.data.wording import quote
from spanscope.errors import shown
from spanscope.io.detect import recognise
from spanscope.io.format import Format
from spanscope.io.metadata import meta_column
from spanscope.io.passages.grades import grade_column, note_fractions
from spanscope.io.passages.library import Library
from spanscope.io.passages.lists import settle_open
from spanscope.io.passages.paths import pair_files
from spanscope.io.passages.rows import PassageRows, Sides, wrong
from spanscope.io.read_options import ReadOptions
from spanscope.io.surrogates import legible

SIDES = ("gold", "pred")


def read_passages(
    sources: Sequence[Any],
    options: Sequence[ReadOptions],
    corpus: str | Path | None = None,
    scores: str | None = None,
    formats: Sequence[Format | None] = (None, None),
    *,
    pair_paths: bool = True,
) -> tuple[Corpus, Corpus]:
    """Return the gold side and what was retrieved, by the names of queries that both have: ids, else texts.

    Both may be one source, where that holds gold and what was retrieved. Unless names are compared as a tool does,
    files are paired by the ends of their paths where whole paths share nothing.
    """
    library = _library(corpus, sources[0], formats[0])
    sides = [
        _of_side(_read(source, replace(own, side=side, library=library), known), side)
        for source, own, side, known in zip(sources, options, SIDES, formats, strict=True)
    ]
    rows = [side for side in sides if isinstance(side, PassageRows)]
    by = "ids" if all(None not in own.ids for own in rows) else "queries"
    if len(rows) == len(sides) and pair_paths:
        pair_files(*rows)
    _check_files(rows)
    if library is not None and not rows:
        wrong("corpus", "judgements and runs have no places in files", "no corpus with them")
    if len(rows) < len(sides):
        by = "ids"  # judgements and runs have nothing else
        for side in sides:
            for own in rows:
                if isinstance(side, Corpus) and side.queries.questions is not None:
                    _give_ids(own, side)
    for own in rows:
        _check_names(own, by)
    ours, theirs = (_corpus(side, by) if isinstance(side, PassageRows) else side for side in sides)
    settle_open(ours, theirs)
    return ours, theirs if scores is None else _ordered_by(theirs, scores)


def _library(corpus: str | Path | None, gold: Any, known: Format | None) -> Library | None:
    """Return the files that passages are from: those that somebody named, else those beside gold."""
    if corpus is not None:
        return Library(corpus)
    found: Library | None = known.library(gold) if known is not None and known.library is not None else None
    return found


def _give_ids(rows: PassageRows, known: Corpus) -> None:
    """Give queries without an id that of the judged query which asks the same, where just one does."""
    questions = [] if known.queries.questions is None else known.queries.questions.tolist()
    asked = Counter(questions)
    ids = {text: name for text, name in zip(questions, known.ids or [], strict=True) if asked[text] == 1}
    if None in rows.ids and set(rows.queries) <= set(ids):
        rows.ids = [ids[text] if name is None else name for name, text in zip(rows.ids, rows.queries, strict=True)]


def _of_side(found: Sides, side: str) -> PassageRows | Corpus:
    """Return the side that was asked for."""
    return found[side] if side in found else next(iter(found.values()))


def _ordered_by(corpus: Corpus, scores: str) -> Corpus:
    """Return what was retrieved with the word what its scores are; a run has said so by being one."""
    if corpus.queries.lists is not None:
        wrong(corpus.name, f"scores is {shown(scores)}, and the highest score of a run is best", "no scores here")
    spans = corpus.spans
    distance = np.full(len(spans), scores == "distances")
    return replace(corpus, spans=replace(spans, extra={**spans.extra, "distance": distance}))


def _check_files(sides: Sequence[PassageRows]) -> None:
    """Refuse a place without a file where others have one: places can be compared within files only."""
    some = [own for own in sides if own.span.count(None) < len(own.span)]
    placed = [(own, row) for own in some for row, span in enumerate(own.span) if span is not None]
    lacking = [(own, row) for own, row in placed if own.file[row] is None]
    if lacking and len(lacking) < len(placed):
        own, row = lacking[0]
        wrong(
            own.at(own.doc[row]), "a passage has a span, but no file_path", "file_path beside every span, or none"
        )


def _check_names(rows: PassageRows, by: str) -> None:
    """Refuse queries that lack the name by which the two sides are joined."""
    names = rows.ids if by == "ids" else rows.queries
    lacking = next((row for row, name in enumerate(names) if name is None), None)
    if lacking is not None:
        expected = "an id in every query of both sides, or the text of the query in every one"
        wrong(rows.at(lacking), f"the query has no {'id' if by == 'ids' else 'text'}", expected)


def read_one_side(
    source: Any, options: ReadOptions, corpus: str | Path | None = None, known: Format | None = None
) -> Corpus:
    """Return one side alone, by ids where all queries have one."""
    return next(iter(read_each_side(source, options, corpus, known).values()))


def read_each_side(
    source: Any, options: ReadOptions, corpus: str | Path | None = None, known: Format | None = None
) -> dict[str, Corpus]:
    """Return what a source holds: gold and pred where it has both, else its only side under ''."""
    library = None if corpus is None else Library(corpus)
    out: dict[str, Corpus] = {}
    for side, found in _read(source, replace(options, library=library), known).items():
        if isinstance(found, PassageRows):
            by = "ids" if None not in found.ids else "queries"
            _check_names(found, by)
            out[side] = _corpus(found, by)
        else:
            out[side] = found
    if not out:
        name = legible(source) if isinstance(source, (str, Path)) else options.side or "the source"
        wrong(name, "no query has what is right or what was retrieved", "queries with answers or passages")
    return out if len(out) > 1 else {"": next(iter(out.values()))}


def _read(source: Any, options: ReadOptions, known: Format | None) -> Sides:
    """Read the side that the options name, or all there are: lists by identifier, everything else as rows."""
    own = known or recognise(source, options.fields, options.tags, among=("passages",))
    found: Sides = own.reader(source, options)
    return found


def _corpus(rows: PassageRows, by: str) -> Corpus:
    """Return the columns: a passage's label is its file, its rank the order in which it came."""
    names = [str(name) for name in (rows.ids if by == "ids" else rows.queries)]
    labels = tuple(sorted({name or PLAIN for name in set(rows.file)})) or (PLAIN,)
    code = {name: at for at, name in enumerate(labels)}
    ends = [span or (NOWHERE, NOWHERE) for span in rows.span]
    doc = np.array(rows.doc, dtype=np.int64)
    first = np.searchsorted(doc, np.arange(len(names)))
    spans = Spans(
        doc,
        np.array([a for a, _ in ends], dtype=np.int64),
        np.array([b for _, b in ends], dtype=np.int64),
        np.array([code[name or PLAIN] for name in rows.file], dtype=np.int64),
        np.arange(len(doc)),
        _objects(rows.text),
        extra={
            "rank": np.arange(len(doc)) - first[doc] if len(doc) else doc,
            "name": _objects(rows.called),
            "score": np.array(rows.score, dtype=np.float64),
            "relevance": grade_column(rows.grade),
            "alternative": np.array(rows.group, dtype=np.int64),
        }
        | ({"meta": _objects([rows.more.get(row) for row in range(len(doc))])} if rows.more else {}),
    )
    corpus = Corpus(rows.name, names, labels, spans, None, rows.at, sha256=rows.sha256)
    asked = by == "ids" and any(query is not None for query in rows.queries)
    questions = _objects(rows.queries) if asked else None
    kind = next(iter(rows.kinds)) if len(rows.kinds) == 1 else ""
    corpus.queries = Queries(None, np.array(rows.no_answer), questions, by == "queries", kind)
    corpus.n_documents = len(names)
    corpus.meta = meta_column([(rows.meta, len(names))])
    corpus.problems = [*rows.problems, *_problems_of_repeats(names, rows), *_some_scores(spans, rows)]
    corpus.problems += note_fractions(rows.name, rows.grade)
    return corpus


def _some_scores(spans: Spans, rows: PassageRows) -> list[Problem]:
    """Return the queries in which some passages have a score and others none: their order is as given."""
    score = np.isnan(spans.extra["score"])
    docs = np.intersect1d(spans.doc[score], spans.doc[~score])
    return [problem_at("scores missing", rows.at(int(doc))) for doc in docs]


def _problems_of_repeats(names: Sequence[str], rows: PassageRows) -> list[Problem]:
    seen: set[str] = set()
    out: list[Problem] = []
    if len(set(names)) == len(names):
        return out
    for row, name in enumerate(names):
        if name in seen:
            out.append(problem_at("repeated query", rows.at(row), {"query": quote(name)}))
        seen.add(name)
    return out


def _objects(values: Sequence[Any]) -> Texts:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
