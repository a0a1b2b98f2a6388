"""Every problem of a corpus, with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arguments import folder_name, label_names, of_type
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem, Quote, kind_of, problem_at, quote
from spanscope.engines.load import kinds_of
from spanscope.errors import DocumentError, InputError, MeasureError, quoting
from spanscope.families import PASSAGES, SEGMENTS, TOKENS, Family
from spanscope.io.arrow import as_rows
from spanscope.io.fields import own_names
from spanscope.io.offsets import unit_of
from spanscope.io.passages.reading import read_one_side, read_passages
from spanscope.io.pipes import all_held
from spanscope.io.reading import Offsets, Report
from spanscope.io.reading import read as read_corpus
from spanscope.io.segments.reading import read_segmentations
from spanscope.io.tokens.reading import read_both, read_one
from spanscope.io.tokens.tag_rules import TagRules, check_said
from spanscope.match.overlaps import repeats_earlier
from spanscope.settings.options import Reading, Text, refuse_unread
from spanscope.settings.settle import may_quote, tag_rules
from spanscope.sides.join import join


def check(
    *sources: Any,
    labels: Sequence[str] | None = None,
    read: Reading | None = None,
    text: Text = "full",
) -> list[Problem]:
    """Return every problem of some inputs; the first is gold, the others are compared with it.

    Looked for: lines that are not JSON, documents and spans with missing or wrong fields, offsets past the
    end, reversed or negative, empty spans, span text that is not the document's, duplicates, labels outside
    `labels` (or the labels the file declares), repeated ids, documents on one side only, texts that differ.
    In segmentations: gaps, overlaps, empty segments, segments out of order or outside the text. In queries with
    passages: repeated queries and documents, empty passages, names and places of files (in the folder `corpus`).
    `read` says how files are read (input, fields, offsets, scheme, columns and corpus), and `text` whether
    documents may be quoted, as for evaluate.
    """
    labels = None if labels is None else label_names(labels)
    how = of_type("read", read, Reading, "a Reading") or Reading()
    refuse_unread(how, ("input", "fields", "offsets", "scheme", "columns", "corpus"), "check")
    rules = tag_rules(how)
    given: dict[str, Any] = {"labels": labels, "scheme": how.scheme, "corpus": folder_name(how.corpus)}
    given |= {"input": how.input, "field": own_names(how.fields) or None, "columns": rules.columns or None}
    given["offsets"] = None if unit_of(how.offsets) == "codepoints" else how.offsets
    with quoting(may_quote(text)):
        tables = [as_rows(source, "table") for source in all_held(*sources)]
        return _problems(tables, given, rules, how.offsets, how.fields)


def _problems(
    sources: Sequence[Any],
    given: Mapping[str, Any],
    rules: TagRules,
    offsets: Offsets,
    field: Mapping[str, str] | None,
) -> list[Problem]:
    """Return the problems of sources of whichever family they are; `given` are the options that not all read."""
    labels = given["labels"]
    check_said(rules, sources)
    kinds = kinds_of(sources, field, rules)
    if PASSAGES in kinds:
        _refuse(given, "queries with passages", ("corpus", "input"))
        return _queries(sources, given["corpus"], rules)
    if SEGMENTS in kinds:
        _refuse(given, "segmentations", ("offsets", "field", "input"))
        return _segmentations(sources, offsets, field, rules)
    if TOKENS in kinds:
        _refuse(given, "tagged tokens", ("labels", "scheme", "input", "columns"))
        return _tagged(sources, kinds, labels, rules)
    _refuse(given, "spans", ("labels", "offsets", "field", "input"))
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    for number, source in enumerate(sources):
        name = "gold" if number == 0 else f"pred {number}" if len(sources) > 2 else "pred"
        own = read_corpus(source, name=name, field=field, offsets=offsets, report=Report(collect=True))
        problems += [*own.problems, *_inside(own, labels or own.schema or _schema(corpora))]
        corpora.append(own)
    for other in corpora[1:]:
        problems += _between(corpora[0], other)
    return sorted(problems, key=lambda problem: _place(problem, corpora))


def _refuse(given: Mapping[str, Any], what: str, read: Sequence[str]) -> None:
    """Refuse options that nothing would read: they would seem to have been heeded."""
    unread = next((name for name, value in given.items() if value is not None and name not in read), None)
    if unread is not None:
        raise MeasureError(f"{unread} means nothing for {what}", expected=f"no {unread} beside them")


def _queries(sources: Sequence[Any], folder: str | Path | None, rules: TagRules) -> list[Problem]:
    """Return the problems of queries: those of each file, empty passages, and queries on one side only."""
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    try:
        if len(sources) == 2:
            corpora += read_passages(sources[0], sources[1], folder, tags=rules)
        else:
            sides = ("gold" if number == 0 else "pred" for number in range(len(sources)))
            both = zip(sources, sides, strict=False)
            corpora += [read_one_side(source, side, folder, rules) for source, side in both]
    except InputError as error:
        return [problem_at("bad input", error.where, {"what": error.what})]
    for corpus in corpora:
        problems += [*corpus.problems, *_blank(corpus)]
    for corpus in corpora[1:]:  # those of gold are wordings of one answer
        problems += _repeated_passages(corpus)
    for other in corpora[1:]:
        problems += _between(corpora[0], other)
    return sorted(problems, key=lambda problem: _place(problem, corpora))


def _blank(corpus: Corpus) -> Iterator[Problem]:
    """Return passages without a character: they hold nothing, and match nothing."""
    spans = corpus.spans
    for row, text in enumerate([] if spans.text is None else spans.text.tolist()):
        if text is not None and not text.strip():
            rank = int(spans.extra["rank"][row]) + 1
            yield problem_at("empty passage", corpus.where(int(spans.doc[row])), {"rank": rank})


def _repeated_passages(corpus: Corpus) -> Iterator[Problem]:
    """Return passages that repeat another one of the same query, file and place."""
    spans = corpus.spans
    for row in np.flatnonzero(repeats_earlier(spans) & spans.located).tolist():
        values = {"rank": int(spans.extra["rank"][row]) + 1, "book": corpus.labels[spans.label[row]]}
        places = {"start": int(spans.start[row]), "end": int(spans.end[row])}
        yield problem_at("duplicate", corpus.where(int(spans.doc[row])), values | places)


def _tagged(
    sources: Sequence[Any], kinds: Sequence[Family], labels: Sequence[str] | None, rules: TagRules
) -> list[Problem]:
    """Return every ill-formed tag, labels that may not be, and documents on one side only."""
    corpora: list[Corpus] = []
    problems: list[Problem] = []
    for number, source in enumerate(sources):
        try:
            name = "gold" if number == 0 else "pred"
            if kinds[number] == TOKENS:
                corpora += _sides(source, name, rules, alone=len(sources) == 1)
            else:
                corpora.append(read_corpus(source, name=name, report=Report(collect=True)))
        except InputError as error:
            problems.append(problem_at("bad input", error.where, {"what": error.what}))
    for corpus in corpora:
        problems += [*corpus.problems, *_inside(corpus, labels)]
    for other in corpora[1:] if len(sources) > 1 else []:
        problems += _between(corpora[0], other)
    unique = {(problem.kind, str(problem)): problem for problem in problems}
    return sorted(unique.values(), key=lambda problem: _place(problem, corpora))


def _sides(source: Any, name: str, rules: TagRules, *, alone: bool) -> list[Corpus]:
    """Return the tags of a source; both columns where it stands alone and has two."""
    if alone:
        try:
            return list(read_both(source, None, rules)[:2])
        except InputError as error:
            if "predict" not in error.what:
                raise
    return [read_one(source, name, rules)]


def _segmentations(
    sources: Sequence[Any], offsets: Offsets, field: Mapping[str, str] | None, rules: TagRules
) -> list[Problem]:
    """Return every problem of segmentations: what is no partition, and documents on one side only."""
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    for number, source in enumerate(sources):
        report = Report(collect=True)
        name = "gold" if number == 0 else "pred"
        found = read_segmentations(
            source, name=name, field=field, offsets=offsets, report=report, input=rules.input
        )
        problems += report.problems
        corpora += found.values()
    for other in corpora[1:]:
        problems += _between(corpora[0], other)
    unique = {(problem.kind, str(problem)): problem for problem in problems}
    return sorted(unique.values(), key=lambda problem: _place(problem, corpora))


def _place(problem: Problem, corpora: Sequence[Corpus]) -> tuple[int, int]:
    """Return which input a problem is in, and on which line, so that people can go down the file."""
    files = [corpus.name for corpus in corpora]
    known = problem.line is not None and problem.file in files
    return files.index(problem.file) if known else len(files), problem.line or 0


def _schema(corpora: Sequence[Corpus]) -> tuple[str, ...] | None:
    """Return the labels gold declares, for files that declare none."""
    return corpora[0].schema if corpora else None


def _inside(corpus: Corpus, labels: Sequence[str] | None) -> Iterator[Problem]:
    spans = corpus.spans
    first = np.searchsorted(spans.doc, np.arange(corpus.n_documents))
    number = spans.extra.get("number", np.arange(len(spans)) - first[spans.doc])

    def at(row: int) -> tuple[str, str]:
        return corpus.where(int(spans.doc[row])), f"spans[{number[row]}]"

    for row in np.flatnonzero((spans.start == spans.end) & spans.located).tolist():
        where, own = at(row)
        yield problem_at("empty span", where, {"at": own, "start": int(spans.start[row])})
    for row in np.flatnonzero(repeats_earlier(spans) & spans.located).tolist():
        where, own = at(row)
        values = {"at": own, "label": corpus.labels[spans.label[row]]}
        yield problem_at(
            "duplicate", where, {**values, "start": int(spans.start[row]), "end": int(spans.end[row])}
        )
    for row in np.flatnonzero(~spans.located).tolist():
        where, own = at(row)
        yield problem_at("no offsets", where, {"at": own})
    if labels is not None:
        unknown = np.array([name not in labels for name in corpus.labels], dtype=bool)
        for row in np.flatnonzero(unknown[spans.label]).tolist() if len(unknown) else []:
            where, own = at(row)
            name = corpus.labels[spans.label[row]]
            yield problem_at("unknown label", where, {"at": own, "label": name, "labels": tuple(labels)})
    seen: dict[str, int] = {}
    for row, name in enumerate(corpus.ids or []):
        if name in seen:
            values = {"first": corpus.where(seen[name])}
            yield problem_at("repeated id", corpus.where(row), values, document=_name_of(corpus, name))
        seen.setdefault(name, row)


def _between(gold: Corpus, other: Corpus) -> list[Problem]:
    """Return documents that only one side has, and texts that differ."""
    try:
        _, problems = join(gold, other, missing="skip", extra="skip", repeated="number")
    except DocumentError as error:
        return [Problem("documents", other.name, values={"what": error.what})]
    except InputError as error:
        return [problem_at("bad span", error.where, {"what": error.what})]
    out = [problem for problem in problems if kind_of(problem.kind).of_texts]
    for corpus, against, kind in ((gold, other, "missing document"), (other, gold, "extra document")):
        known = set(against.ids or [])
        for row, name in enumerate(corpus.ids or []):
            if against.ids is not None and name not in known:
                document = _name_of(corpus, name)
                out.append(problem_at(kind, corpus.where(row), {"other": against.name}, document=document))
    return out


def _name_of(corpus: Corpus, name: str) -> str | Quote:
    return quote(name) if corpus.named_by_text else name
