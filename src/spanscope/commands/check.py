"""Every problem of a corpus, with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arguments import folder_name, label_names, of_type
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.errors import DocumentError, InputError, MeasureError, document_name, quoting
from spanscope.io.fields import own_names
from spanscope.io.offsets import unit_of
from spanscope.io.passages.reading import has_passages, read_one_side, read_passages
from spanscope.io.pipes import held
from spanscope.io.reading import Offsets, Report, read
from spanscope.io.segments.reading import has_segments, read_segmentations
from spanscope.io.tokens.reading import has_tokens, read_both, read_one
from spanscope.io.tokens.tag_rules import TagRules, check_said, checked_rules
from spanscope.match.overlaps import repeats
from spanscope.settings.settle import Text, may_quote
from spanscope.sides.join import join


def check(
    *sources: Any,
    labels: Sequence[str] | None = None,
    offsets: Offsets = "codepoints",
    field: Mapping[str, str] | None = None,
    scheme: str | None = None,
    input: str | None = None,
    columns: Mapping[str, int | str] | None = None,
    corpus: str | Path | None = None,
    text: Text = "full",
) -> list[Problem]:
    """Return every problem of some inputs; the first is gold, the others are compared with it.

    Looked for: lines that are not JSON, documents and spans with missing or wrong fields, offsets past the
    end, reversed or negative, empty spans, span text that is not the document's, duplicates, labels outside
    `labels` (or the labels the file declares), repeated ids, documents on one side only, texts that differ.
    In segmentations: gaps, overlaps, empty segments, segments out of order or outside the text. In queries with
    passages: repeated queries and documents, empty passages, names and places of files (`corpus`, their folder).
    `input` and `columns` say how files of tagged tokens are read, and `text` whether documents may be quoted, as
    for evaluate.
    """
    labels = None if labels is None else label_names(labels)
    of_type("scheme", scheme, str, "the name of a scheme, such as IOB2")
    rules = checked_rules(TagRules(scheme, columns=columns, input=input))
    given: dict[str, Any] = {"labels": labels, "scheme": scheme, "corpus": folder_name(corpus), "input": input}
    given |= {"field": own_names(field) or None, "columns": rules.columns or None}
    given["offsets"] = None if unit_of(offsets) == "codepoints" else offsets
    with quoting(may_quote(text)):
        return _problems(tuple(held(source) for source in sources), given, rules, offsets, field)


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
    tagged = any(has_tokens(source, rules) for source in sources)
    if not (tagged and rules.said) and any(has_passages(source) for source in sources):
        _refuse(given, "queries with passages", ("corpus",))
        return _queries(sources, given["corpus"])
    if tagged:
        _refuse(given, "tagged tokens", ("labels", "scheme", "input", "columns"))
        return _tagged(sources, labels, rules)
    if any(has_segments(source, field) for source in sources):
        _refuse(given, "segmentations", ("offsets", "field"))
        return _segmentations(sources, offsets, field)
    _refuse(given, "spans", ("labels", "offsets", "field"))
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    for number, source in enumerate(sources):
        name = "gold" if number == 0 else f"pred {number}" if len(sources) > 2 else "pred"
        own = read(source, name=name, field=field, offsets=offsets, report=Report(collect=True))
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


def _queries(sources: Sequence[Any], folder: str | Path | None) -> list[Problem]:
    """Return the problems of queries: those of each file, empty passages, and queries on one side only."""
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    try:
        if len(sources) == 2:
            corpora += read_passages(sources[0], sources[1], folder)
        else:
            sides = ("gold" if number == 0 else "pred" for number in range(len(sources)))
            corpora += [read_one_side(source, side, folder) for source, side in zip(sources, sides, strict=False)]
    except InputError as error:
        return [Problem("bad input", error.where, error.what)]
    for corpus in corpora:
        problems += [*corpus.problems, *_blank(corpus)]
    for other in corpora[1:]:
        problems += _between(corpora[0], other)
    return sorted(problems, key=lambda problem: _place(problem, corpora))


def _blank(corpus: Corpus) -> Iterator[Problem]:
    """Return passages without a character: they hold nothing, and match nothing."""
    spans = corpus.spans
    for row, text in enumerate([] if spans.text is None else spans.text.tolist()):
        if text is not None and not text.strip():
            what = f"passage {spans.extra['rank'][row] + 1} is empty"
            yield Problem("empty passage", corpus.where(int(spans.doc[row])), what)


def _tagged(sources: Sequence[Any], labels: Sequence[str] | None, rules: TagRules) -> list[Problem]:
    """Return every ill-formed tag, labels that may not be, and documents on one side only."""
    corpora: list[Corpus] = []
    problems: list[Problem] = []
    for number, source in enumerate(sources):
        try:
            corpora += _sides(source, "gold" if number == 0 else "pred", rules, alone=len(sources) == 1)
        except InputError as error:
            problems.append(Problem("bad input", error.where, error.what))
    for corpus in corpora:
        problems += [*corpus.problems, *_inside(corpus, labels)]
    for other in corpora[1:] if len(sources) > 1 else []:
        problems += _between(corpora[0], other)
    unique = {(problem.kind, str(problem)): problem for problem in problems}
    return sorted(unique.values(), key=lambda problem: _place(problem, corpora))


def _sides(source: Any, name: str, rules: TagRules, *, alone: bool) -> list[Corpus]:
    """Return the tags of a source; both columns where it stands alone and has two."""
    if not has_tokens(source, rules):
        return [read(source, name=name, report=Report(collect=True))]
    if alone:
        try:
            return list(read_both(source, None, rules)[:2])
        except InputError as error:
            if "predict" not in error.what:
                raise
    return [read_one(source, name, rules)]


def _segmentations(sources: Sequence[Any], offsets: Offsets, field: Mapping[str, str] | None) -> list[Problem]:
    """Return every problem of segmentations: what is no partition, and documents on one side only."""
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    for number, source in enumerate(sources):
        report = Report(collect=True)
        name = "gold" if number == 0 else "pred"
        found = read_segmentations(source, name=name, field=field, offsets=offsets, report=report)
        problems += report.problems
        corpora += found.values()
    for other in corpora[1:]:
        problems += _between(corpora[0], other)
    unique = {(problem.kind, str(problem)): problem for problem in problems}
    return sorted(unique.values(), key=lambda problem: _place(problem, corpora))


def _place(problem: Problem, corpora: Sequence[Corpus]) -> tuple[int, int]:
    """Return which input a problem is in, and on which line, so that people can go down the file."""
    name, _, line = problem.where.rpartition(":")
    files = [corpus.name for corpus in corpora]
    return files.index(name) if name in files else len(files), int(line) if line.isdecimal() else 0


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
        where, what = at(row)
        yield Problem("empty span", where, f"{what} is empty: it starts and ends at {spans.start[row]}")
    for row in np.flatnonzero(repeats(spans) & spans.located).tolist():
        where, what = at(row)
        place = f"{corpus.labels[spans.label[row]]} {spans.start[row]}..{spans.end[row]}"
        yield Problem("duplicate", where, f"{what} repeats another span: {place}")
    for row in np.flatnonzero(~spans.located).tolist():
        where, what = at(row)
        yield Problem("no offsets", where, f"{what} has a text, but no start and end")
    if labels is not None:
        unknown = np.array([name not in labels for name in corpus.labels], dtype=bool)
        for row in np.flatnonzero(unknown[spans.label]).tolist() if len(unknown) else []:
            where, what = at(row)
            name = corpus.labels[spans.label[row]]
            yield Problem("unknown label", where, f"{what}.label is {name!r}, not one of {', '.join(labels)}")
    seen: dict[str, int] = {}
    for row, name in enumerate(corpus.ids or []):
        if name in seen:
            told = document_name(name, is_text=corpus.named_by_text)
            what = f"the id {told} is repeated (first at {corpus.where(seen[name])})"
            yield Problem("repeated id", corpus.where(row), what)
        seen.setdefault(name, row)


def _between(gold: Corpus, other: Corpus) -> list[Problem]:
    """Return documents that only one side has, and texts that differ."""
    try:
        _, problems = join(gold, other, missing="skip", extra="skip", repeated="number")
    except DocumentError as error:
        return [Problem("documents", other.name, error.what)]
    except InputError as error:
        return [Problem("bad span", error.where, error.what)]
    out = [problem for problem in problems if problem.kind in ("different texts", "text mismatch")]
    for corpus, against, kind in ((gold, other, "missing document"), (other, gold, "extra document")):
        known = set(against.ids or [])
        for row, name in enumerate(corpus.ids or []):
            if against.ids is not None and name not in known:
                told = document_name(name, is_text=corpus.named_by_text)
                out.append(Problem(kind, corpus.where(row), f"the document {told} is not in {against.name}"))
    return out
