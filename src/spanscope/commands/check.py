"""Every problem of a corpus, with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arguments import folder_name, label_names, of_type
from spanscope.data.corpus import Corpus
from spanscope.data.problem_kinds import kind_of
from spanscope.data.problems import Problem, problem_at
from spanscope.data.wording import Quote, quote
from spanscope.engines.sources import Source, open_sources
from spanscope.errors import DocumentError, InputError, MeasureError, quoting
from spanscope.families import PASSAGES, SEGMENTS, TOKENS
from spanscope.io.fields import own_names
from spanscope.io.head import head_of
from spanscope.io.passages.reading import read_each_side, read_passages
from spanscope.io.read_options import LEFT_OPEN
from spanscope.io.tokens.reading import read_columns, read_one
from spanscope.match.overlaps import repeats_earlier
from spanscope.results.checked import Checked
from spanscope.settings.left_open import left_open
from spanscope.settings.options import Text, refuse_unread
from spanscope.settings.reading import Reading
from spanscope.settings.run_settings import may_quote
from spanscope.settings.settle import tag_rules
from spanscope.sides.forms import other_forms
from spanscope.sides.join import join
from spanscope.sides.schema import labels_outside, number_in_document

OPEN = tuple(name for name in LEFT_OPEN if name != "keep_fields")  # nothing is looked for in fields
TOLD = ("opened", "texts beside")  # kinds that say how sources were read, where nothing is wrong


def check(
    *sources: Any,
    labels: Sequence[str] | None = None,
    read: Reading | None = None,
    text: Text = "full",
) -> Checked:
    """Return every problem of some inputs; the first is gold, the others are compared with it.

    Looked for: lines that are not JSON, documents and spans with missing or wrong fields, offsets past the
    end, reversed or negative, empty spans, span text that is not the document's, duplicates, labels outside
    `labels` (or the labels the file declares), repeated ids, documents on one side only, texts that differ.
    In segmentations: gaps, overlaps, empty segments, segments out of order or outside the text. In queries with
    passages: repeated queries and documents, empty passages, names and places of files (in the folder `corpus`).
    `read` says how files are read (input, fields, offsets, scheme, columns, corpus and what files leave open:
    ends, annotator, layer, split, label_names, texts), and `text` whether documents may be quoted, as for
    evaluate. A source that is read in its own way is given as spanscope.source(path, ...).
    """
    labels = None if labels is None else label_names(labels)
    how = of_type("read", read, Reading, "a Reading") or Reading()
    refuse_unread(how, ("input", "fields", "offsets", "scheme", "columns", "corpus", *OPEN), "check")
    given: dict[str, Any] = {"labels": labels, "scheme": how.scheme, "corpus": folder_name(how.corpus)}
    given |= {"input": how.input, "field": own_names(how.fields) or None}
    given["columns"] = tag_rules(how).columns or None
    given["offsets"] = how.offsets
    several = len(sources) > 2
    names = ["gold", *(f"pred {number}" if several else "pred" for number in range(1, len(sources)))]
    with quoting(may_quote(text)):
        opened = open_sources(sources, names[: len(sources)], how, collect=True)
        _refuse_unread_options(opened, left_open(how))
        found = _problems(opened, given)
    return Checked(problem for problem in found if problem.kind not in TOLD)


def _problems(sources: Sequence[Source], given: Mapping[str, Any]) -> list[Problem]:
    """Return the problems of sources of whichever family they are; `given` are the options that not all read."""
    families = [one.family for one in sources]
    read = {name for one in sources for name in one.format.reads}
    heeded = tuple(name for name, option in (("offsets", "offsets"), ("field", "fields")) if option in read)
    if PASSAGES in families:
        _refuse(given, "queries with passages", ("corpus", *heeded, "input"))
        return _queries(sources, given["corpus"])
    if SEGMENTS in families:
        _refuse(given, "segmentations", (*heeded, "input"))
        return _segmentations(sources)
    if TOKENS in families:
        _refuse(given, "tagged tokens", ("labels", "scheme", "input", "columns"))
        return _check_tags(sources, given["labels"])
    _refuse(given, "spans", ("labels", *heeded, "input"))
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    for one in sources:
        for own in one.read().values():
            problems += [*own.problems, *_problems_within(own, given["labels"] or own.schema or _schema(corpora))]
            corpora.append(own)
    for other in corpora[1:]:
        problems += _problems_between(corpora[0], other)
    return sorted(problems, key=lambda problem: _place(problem, corpora))


def _refuse_unread_options(sources: Sequence[Source], said: Mapping[str, Any]) -> None:
    """Refuse what was said of all sources and none of them leaves open; any may have several annotators."""
    heeded = {"annotator", *(name for one in sources for name in one.format.reads)}
    if odd := sorted(said.keys() - heeded):
        what = f"sources in the format {sources[0].format.name}"
        raise MeasureError(f"{odd[0]} means nothing for {what}", expected=f"no {odd[0]} beside them")


def _refuse(given: Mapping[str, Any], what: str, read: Sequence[str]) -> None:
    """Refuse options that nothing would read: they would seem to have been heeded."""
    unread = next((name for name, value in given.items() if value is not None and name not in read), None)
    if unread is not None:
        raise MeasureError(f"{unread} has no effect on {what}", expected=f"no {unread} with them")


def _queries(sources: Sequence[Source], folder: str | Path | None) -> list[Problem]:
    """Return the problems of queries: those of each file, empty passages, and queries on one side only."""
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    try:
        if len(sources) == 2:
            gold, pred = sources
            formats = (gold.format, pred.format)
            options = (gold.options, pred.options)
            corpora += read_passages((gold.source, pred.source), options, folder, formats=formats)
        else:
            for number, one in enumerate(sources):
                both = len(sources) == 1 and one.format.holds_both(head_of(one.source), one.options.fields)
                side = "documents" if both else "gold" if number == 0 else "pred"
                options_of = replace(one.options, side=side)
                corpora += read_each_side(one.source, options_of, folder, one.format).values()
    except InputError as error:
        return [problem_at("bad input", error.where, {"what": error.what})]
    for corpus in corpora:
        problems += [*corpus.problems, *_blank_passages(corpus)]
    for corpus in corpora[1:]:  # those of gold are wordings of one answer
        problems += _repeated_passages(corpus)
    for other in corpora[1:]:
        problems += _problems_between(corpora[0], other, forms=True)
    return sorted(problems, key=lambda problem: _place(problem, corpora))


def _blank_passages(corpus: Corpus) -> Iterator[Problem]:
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


def _check_tags(sources: Sequence[Source], labels: Sequence[str] | None) -> list[Problem]:
    """Return every ill-formed tag, labels that may not be, and documents on one side only."""
    corpora: list[Corpus] = []
    problems: list[Problem] = []
    for number, one in enumerate(sources):
        try:
            side = "gold" if number == 0 else "pred"
            tagged = one.family == TOKENS
            corpora += _columns_of(one, side, alone=len(sources) == 1) if tagged else one.read().values()
        except InputError as error:
            problems.append(problem_at("bad input", error.where, {"what": error.what}))
    for corpus in corpora:
        problems += [*corpus.problems, *_problems_within(corpus, labels)]
    for other in corpora[1:] if len(sources) > 1 else []:
        problems += _problems_between(corpora[0], other)
    unique = {(problem.kind, str(problem)): problem for problem in problems}
    return sorted(unique.values(), key=lambda problem: _place(problem, corpora))


def _columns_of(one: Source, side: str, *, alone: bool) -> list[Corpus]:
    """Return the tags of a source; both columns where it stands alone and has two."""
    options = replace(one.options, side=side)
    if alone:
        return [*read_columns(one.source, options, one.format).values()]
    return [read_one(one.source, options, one.format)]


def _segmentations(sources: Sequence[Source]) -> list[Problem]:
    """Return every problem of segmentations: what is no partition, and documents on one side only."""
    problems: list[Problem] = []
    corpora: list[Corpus] = []
    for one in sources:
        corpora += one.read().values()
        problems += one.options.report.problems
    for other in corpora[1:]:
        problems += _problems_between(corpora[0], other)
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


def _problems_within(corpus: Corpus, labels: Sequence[str] | None) -> Iterator[Problem]:
    spans = corpus.spans
    number = number_in_document(corpus)

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
    yield from labels_outside(corpus, labels)
    seen: dict[str, int] = {}
    for row, name in enumerate(corpus.ids or []):
        if name in seen:
            values = {"first": corpus.where(seen[name])}
            yield problem_at("repeated id", corpus.where(row), values, document=_name_of(corpus, name))
        seen.setdefault(name, row)


def _problems_between(gold: Corpus, other: Corpus, *, forms: bool = False) -> list[Problem]:
    """Return documents that only one side has, texts that differ, with `forms` names in another Unicode form."""
    try:
        _, problems = join(
            gold, other, missing="skip", extra="skip", repeated="number", forms=forms, by_content=True
        )
    except DocumentError as error:
        return [Problem("documents", other.name, values={"what": error.what})]
    except InputError as error:
        return [problem_at("bad span", error.where, {"what": error.what})]
    out = [problem for problem in problems if kind_of(problem.kind).of_texts or problem.kind == "other form"]
    if any(problem.kind == "paired by" for problem in problems):
        return out  # their ids have nothing to do with one another
    alike = other_forms(gold.ids or [], other.ids or []) if forms else {}
    paired = {*alike, *alike.values()}
    for corpus, against, kind in ((gold, other, "missing document"), (other, gold, "extra document")):
        known = set(against.ids or [])
        known |= {*against.left_out}
        for row, name in enumerate(corpus.ids or []):
            if against.ids is not None and name not in known and name not in paired:
                document = _name_of(corpus, name)
                out.append(problem_at(kind, corpus.where(row), {"other": against.name}, document=document))
    return out


def _name_of(corpus: Corpus, name: str) -> str | Quote:
    return quote(name) if corpus.queries.named_by_text else name
