"""Which format a source is in: one table, which every command asks.

A format claims a source by evidence of its own: the shape of its text, of the whole value, or of the first
document that shows any. What two formats claim, or none, is refused with the candidates and the option that
decides. A new format is a file with its reader and what it claims by, and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, MeasureError, did_you_mean, fields_of, named
from spanscope.io.fields import KNOWN
from spanscope.io.head import Head, Record, head_of
from spanscope.io.passages.queries import CONTAINERS as QUERIES
from spanscope.io.passages.queries import is_query, read_queries, squad_protocol
from spanscope.io.passages.trec import is_judged, is_run, is_trec, read_judged, read_trec
from spanscope.io.reading import read
from spanscope.io.segments.label_studio import is_task
from spanscope.io.segments.recognise import is_segmented
from spanscope.io.source import Source
from spanscope.io.spans.columns import is_columns
from spanscope.io.spans.objects import CONTAINERS, is_labelled, is_without_spans
from spanscope.io.tokens.sentences import (
    claims_lines,
    from_documents,
    from_lines,
    from_rows,
    is_frame,
    is_tagged,
    is_tags,
)
from spanscope.io.tokens.tag_rules import TagRules

ALL = ("spans", "segments", "tokens", "passages")
USUAL = TagRules()


@dataclass(frozen=True)
class Said:
    """What somebody said about a source that bears on what it is: names of fields, and how tags are read."""

    fields: Mapping[str, str] = field(default_factory=dict)
    tags: TagRules = USUAL


def _nothing(*_: Any) -> bool:
    return False


def _no_protocol(_: Head) -> str | None:
    return None


def _are_tagged_lines(head: Head, said: Said) -> bool:
    """Tell CoNLL; the name of a system at the end of a run, such as B-25, is no tag unless somebody says so."""
    if not head.is_file or head.is_lined or not claims_lines(head.data, said.tags):
        return False
    return said.tags.said or not is_run(head.data)


def _are_columns(head: Head, said: Said) -> bool:
    names = KNOWN | {key: (own,) for key, own in said.fields.items()}
    return not head.is_file and is_columns(head.source, names) and not is_frame(head.source)


def _segmentations(*given: Any, **more: Any) -> Any:
    from spanscope.io.segments.reading import read_segmentations  # which few runs need

    return read_segmentations(*given, **more)


@dataclass(frozen=True)
class Format:
    """A format: its name, the family of what it holds, what it is known by, its reader and what it claims.

    `whole` looks at the text or the whole value, `record` at one document. The readers of a family are called
    alike: those of spans and segments give corpora, those of tokens `Sentences`, those of passages `Rows` or
    a corpus.
    """

    name: str
    family: str
    cue: str
    reader: Callable[..., Any]
    whole: Callable[[Head, Said], bool] = _nothing
    record: Callable[[Any, Head, Said], bool] = _nothing
    containers: Sequence[str] = CONTAINERS
    in_files: bool = True  # not only in memory, so that --input can name it
    protocol: Callable[[Head], str | None] = _no_protocol  # its own, where it has one: else the family's

    def claims(self, one: Record, head: Head, said: Said) -> bool:
        """Tell whether a document is evidence of this format."""
        known = one.container is None or one.container in self.containers
        return known and self.record(one.value, head, said)


FORMATS = (
    Format(
        "trec",
        "passages",
        "lines of judgements or of a run",
        read_trec,
        lambda head, _: head.is_file and not isinstance(head.source, Source) and is_trec(head.source, head.data),
        protocol=lambda _: "trec",
    ),
    Format(
        "judgements",
        "passages",
        "numbers by query and document",
        read_judged,
        lambda head, _: is_judged(head.value),
        protocol=lambda _: "trec",
    ),
    Format(
        "passages",
        "passages",
        "queries with snippets, answers or retrieved_passages",
        read_queries,
        record=lambda one, *_: is_query(one),
        containers=QUERIES,
        protocol=lambda head: squad_protocol(head.value),
    ),
    Format(
        "conll",
        "tokens",
        "lines of tokens and tags",
        from_lines,
        _are_tagged_lines,
    ),
    Format(
        "tags",
        "tokens",
        "lists of tags",
        from_documents,
        lambda head, said: head.is_file and is_tags(head.value, said.tags),
        lambda one, _, said: is_tags(one, said.tags),
    ),
    Format(
        "tokens",
        "tokens",
        "documents with tokens and tags",
        from_documents,
        record=lambda one, *_: is_tagged(one),
    ),
    Format(
        "token-rows",
        "tokens",
        "columns token and annotation",
        from_rows,
        lambda head, _: not head.is_file and is_frame(head.source),
        in_files=False,
    ),
    Format(
        "label-studio",
        "segments",
        "tasks with data and annotations",
        _segmentations,
        record=lambda one, head, _: is_task(one, head.data),
        containers=(*CONTAINERS, "traces"),
    ),
    Format(
        "segments",
        "segments",
        "documents with segmentations, segments, boundaries, masses or string",
        _segmentations,
        record=lambda one, _, said: is_segmented(one, said.fields),
        containers=(*CONTAINERS, "traces"),
    ),
    Format(
        "columns",
        "spans",
        "columns doc, start, end and label",
        read,
        _are_columns,
        in_files=False,
    ),
    Format(
        "spans",
        "spans",
        "documents with spans, ents or entities",
        read,
        lambda head, said: is_without_spans(head.value) and not _are_columns(head, said),
        lambda one, _, said: is_labelled(one, said.fields) and not is_tagged(one),
    ),
)
BY_NAME = {one.name: one for one in FORMATS}
NAMES = tuple(one.name for one in FORMATS if one.in_files)


def known_input(name: Any) -> str | None:
    """Return the name of a format that files were said to be in; a name that is none is refused."""
    if name is not None and not (isinstance(name, str) and name in NAMES):
        raise MeasureError(
            f"no input is called {named(name)}{did_you_mean(name, NAMES)}", expected=", ".join(NAMES)
        )
    return name


def recognise(
    source: Any, fields: Mapping[str, str] | None = None, tags: TagRules = USUAL, among: Sequence[str] = ALL
) -> Format:
    """Return the format of a source: the one that was said, else the one that claims it.

    `among` are the families it can be of, where something else has decided that, the first of them where nothing
    claims the source: its reader says what is wrong. Otherwise what nothing claims is refused.
    """
    head, said = head_of(source), Said(fields if isinstance(fields, Mapping) else {}, tags)
    if isinstance(head.source, Corpus):
        return BY_NAME[among[0]]
    if (given := _given(head, said, among)) is not None:
        return given
    found, shown_by = _claims(head, said, [one for one in FORMATS if one.family in among])
    if len(found) > 1:
        _refuse_several(head, found, shown_by)
    if not found and among == ALL and (odd := _first_document(head)) is not None:
        _refuse_unclaimed(head, odd)
    return found[0] if found else BY_NAME[among[0]]


def protocol_of(source: Any, fields: Mapping[str, str] | None, tags: TagRules) -> tuple[str, str | None]:
    """Return the family of a source, and the protocol of its format where it has one of its own."""
    found = recognise(source, fields, tags)
    return found.family, found.protocol(head_of(source))


def _given(head: Head, said: Said, among: Sequence[str]) -> Format | None:
    """Return the format that a file was said to have; JSON may stand beside lines that were said to be CoNLL."""
    name, lines = known_input(said.tags.input), BY_NAME["conll"]
    if not head.is_file:
        return None
    if said.tags.said and name in (None, lines.name):
        return lines if lines.family in among and lines.whole(head, said) else None
    if name is None or name == lines.name:
        return None
    if (row := BY_NAME[name]).family not in among:
        what = f"input is {name}, which holds {row.family}, and {among[0]} are asked for"
        raise MeasureError(what, expected=" or ".join(one for one in NAMES if BY_NAME[one].family in among))
    return row


def _claims(head: Head, said: Said, formats: Sequence[Format]) -> tuple[list[Format], Record | None]:
    """Return the formats that claim a source, and the document they claim it by, where it is one."""
    found = [one for one in formats if one.whole(head, said)]
    if found:
        return found, None
    for record in head.records():
        found = [one for one in formats if one.claims(record, head, said)]
        if found:
            return found, record
    return [], None


def _first_document(head: Head) -> Record | None:
    """Return the first object of a source, which should have shown what it holds, if it is there to its end."""
    return next(
        (one for one in head.records() if isinstance(one.value, Mapping) and one.value and one.whole), None
    )


def _where(head: Head, record: Record | None) -> str:
    if not head.is_file:
        return ""
    return f"{head.source}:{record.line}" if record is not None else str(head.source)


def _refuse_several(head: Head, found: Sequence[Format], record: Record | None) -> None:
    """Refuse a source that several formats claim: they may give different figures."""
    by = "the text"
    if record is not None and isinstance(record.value, Mapping):
        by = f"a document with {fields_of(record.value)}"
    raise InputError(
        f"{by} can be read in {len(found)} ways: {', '.join(one.name for one in found)}",
        where=_where(head, record),
        expected="; or ".join(one.cue for one in found),
        hint=f"{' or '.join(f'[[input={one.name}]]' for one in found)}   to say which",
    )


def _refuse_unclaimed(head: Head, record: Record) -> None:
    """Refuse a source that no format claims, with what each would be known by."""
    rows = [one for one in FORMATS if one.in_files and one.record is not _nothing]
    raise InputError(
        f"no format has documents with {fields_of(record.value)}",
        where=_where(head, record),
        expected="; ".join(dict.fromkeys(one.cue for one in reversed(rows))),
        hint=f"[[fields=spans=NAME]]   if spans stand under another name, or [[input={', '.join(ALL)}]]",
    )
