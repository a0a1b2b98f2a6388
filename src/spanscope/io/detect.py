"""Which format a source is in, and who reads it: one table, which every command asks.

A format claims a source by evidence of its own: the names in a folder, the first lines of a text, the type of an
object, the whole JSON value, or the first document that shows any. What two formats claim, or none, is refused
with the candidates and the option that decides.

A new format is a file with its reader, a row in `formats.py` of its family, and its samples:

- It claims by `whole`, a function of the `Head`, or by `record`, a function of one JSON document or of one object
  in a list. What a folder shows are `names`, a text `lines`, a binary file `data`; objects of other libraries are
  known by their types (`source.is_object_of`), so that no library is loaded for anything else.
- It is read by a function of the source and `ReadOptions`, as every format is, named by `when_called` so that its
  module is loaded for its own files only; what it is known by stands in `formats.py`, because every source asks.
  What it returns is the same for all formats of a family: corpora by annotator for spans and segments (one alone
  under ''), `Sentences` for tokens, `PassageRows` for passages, or a corpus where these are known by
  identifiers alone.
- `spans/reading.translate_documents` makes a corpus of documents that are put under our own names one by one. JSON
  and JSON Lines are opened by `documents.documents_of`, other files by `opening.open_source`, folders by
  `folder.open_folder`.
- Where a source leaves something open, its reader refuses it and names the option that decides. That option is
  declared in `settings/options.py`, handed on in `ReadOptions`, and listed in `reads` of the rows that heed it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, MeasureError, PluginError, did_you_mean, fields_of, named
from spanscope.io.fields import refuse_unknown_field
from spanscope.io.format import ALL, Format
from spanscope.io.head import Head, Record, head_of
from spanscope.io.opening import is_in_utf16
from spanscope.io.passages.formats import FORMATS as PASSAGES
from spanscope.io.read_options import ReadOptions
from spanscope.io.segments.formats import FORMATS as SEGMENTS
from spanscope.io.spans.columns import is_columns
from spanscope.io.spans.formats import FORMATS as SPANS
from spanscope.io.tokens.formats import FORMATS as TOKENS
from spanscope.io.tokens.tag_rules import TagRules

OUTPUTS = ("output", "response", "completion", "generated_text")  # fields with what a model wrote, as it stands
NEAREST = 3  # formats that are named where none claims a source
USUAL = TagRules()
FORMATS = (*PASSAGES, *TOKENS, *SEGMENTS, *SPANS)
BY_NAME = {name: one for one in FORMATS for name in (one.name, *one.also)}
NAMES = tuple(name for name, one in BY_NAME.items() if one.in_files)


def by_name(name: str) -> Format:
    """Return a format by its name: ours, or that of a package, which another process may not have loaded yet."""
    if (found := _find(name)) is None:
        raise MeasureError(f"no format is called {named(name)}", expected="the packages that were there before")
    return found


def _find(name: str) -> Format | None:
    if name in BY_NAME:
        return BY_NAME[name]
    from spanscope.io.plugged import plugged_format  # what other runs need not wait for

    return plugged_format(name, BY_NAME)


def known_input(name: Any) -> str | None:
    """Return the name of a format that files were said to be in; a name that is none is refused."""
    if name is None:
        return None
    found = _find(name) if isinstance(name, str) else None
    if found is None or not found.in_files:
        raise MeasureError(
            f"no input is called {named(name)}{did_you_mean(name, NAMES)}",
            expected=f"one of the {len(NAMES)} formats that `spanscope formats` lists",
        )
    return str(name)


def check_said(rules: TagRules, sources: Sequence[Any]) -> None:
    """Refuse what was said of files where there are none: it would seem to have been heeded."""
    if rules.input is None or _may_be_said_of_objects(rules.input):
        return
    if not any(isinstance(source, (str, Path)) for source in sources):
        raise MeasureError("input says what a file is, and there is none", expected="paths with it")


def _may_be_said_of_objects(name: Any) -> bool:
    found = _find(name) if isinstance(name, str) else None
    return found is not None and found.of_objects


def recognise(
    source: Any, fields: Mapping[str, str] | None = None, tags: TagRules = USUAL, among: Sequence[str] = ALL
) -> Format:
    """Return the format of a source: the one that was said, else the one that claims it.

    `among` are the families it can be of, where something else has decided that, the first of them where nothing
    claims the source: its reader says what is wrong. Otherwise what nothing claims is refused.
    """
    head = head_of(source)
    options = ReadOptions(fields=fields if isinstance(fields, Mapping) else {}, tags=tags)
    if isinstance(head.source, Corpus):
        return BY_NAME[among[0]]
    is_parts = head.is_folder and not any(one.whole(head, options) for one in FORMATS if one.family in among)
    if is_parts and (added := _claimed_by_package(head, options, among)[0]) is not None:
        return added
    if is_parts:
        from spanscope.io.parts import format_of_parts  # which few sources need

        return format_of_parts(source, lambda part: recognise(part, fields, tags, among))
    known = _format_of(head, options, among)
    if not is_in_utf16(head.source):
        return known
    from spanscope.io.parts import with_notes

    return with_notes(known, head.source)


def _format_of(head: Head, options: ReadOptions, among: Sequence[str]) -> Format:
    """Return the format of one source that a reader takes as it is."""
    if (given := _format_given(head, options, among)) is not None:
        return given
    found, shown_by = _claims(head, options, [one for one in FORMATS if one.family in among])
    if len(found) > 1:
        _refuse_several(head, found, shown_by)
    if found:
        return found[0]
    added, refused = _claimed_by_package(head, options, among)
    if added is not None:
        return added
    from spanscope.io.unreadable import refuse_unreadable

    try:
        refuse_unreadable(head)
        if among == ALL and (odd := _first_document(head)) is not None:
            refuse_unknown_field(options.fields)
            _refuse_unclaimed(head, odd)
    except InputError as error:  # which a package that cannot be used may have read
        error.hint = "; ".join([*(one.what for one in refused), error.hint])
        raise
    return _usual(head, among[0])


def _claimed_by_package(
    head: Head, options: ReadOptions, among: Sequence[str]
) -> tuple[Format | None, list[PluginError]]:
    """Return the format of a package that claims a source which none of ours does, and packages that failed.

    Packages come second, so that to install one never changes how a file was read before.
    """
    from spanscope.io.plugged import plugged_formats

    added, refused = plugged_formats(BY_NAME)
    found: list[Format] = []
    for one in added:
        try:
            found += _claims(head, options, [one])[0] if one.family in among else []
        except PluginError as error:
            refused.append(error)
    if len(found) > 1:
        _refuse_several(head, found, None)
    return (found[0] if found else None), refused


def protocol_of(source: Any, fields: Mapping[str, str] | None, tags: TagRules) -> tuple[str, str | None]:
    """Return the family of a source, and the protocol of its format where it has one of its own."""
    found = recognise(source, fields, tags)
    return found.family, found.protocol(head_of(source))


def formats_claiming(source: Any) -> tuple[Format, ...]:
    """Return the formats that claim a source, whether or not that is clear enough to read it."""
    found = _claims(head_of(source), ReadOptions(), FORMATS)[0]
    added = None if found else _claimed_by_package(head_of(source), ReadOptions(), ALL)[0]
    return tuple(found) if added is None else (added,)


def _usual(head: Head, family: str) -> Format:
    """Return the format whose reader says what is wrong with a source that nothing claims."""
    is_table = family == "spans" and not head.is_file and is_columns(head.source)
    return BY_NAME["columns" if is_table else family]


def _format_given(head: Head, options: ReadOptions, among: Sequence[str]) -> Format | None:
    """Return the format that a file was said to have; JSON may stand beside lines that were said to be CoNLL."""
    name, lines = known_input(options.tags.input), BY_NAME["conll"]
    if not head.is_file and not _may_be_said_of_objects(name):
        return None
    if options.tags.said and name in (None, lines.name):
        return lines if lines.family in among and lines.whole(head, options) else None
    if name is None or name == lines.name:
        return None
    if (row := by_name(name)).family not in among:
        what = f"input is {name}, which holds {row.family}, and {among[0]} are asked for"
        raise MeasureError(what, expected=f"a format of {among[0]}; `spanscope formats` lists them")
    return row


def _claims(head: Head, options: ReadOptions, formats: Sequence[Format]) -> tuple[list[Format], Record | None]:
    """Return the formats that claim a source, and the document they claim it by, where it is one.

    A document without annotations may show a general format only, where a later one shows which it is.
    """
    found = _without_general([one for one in formats if one.whole(head, options)])
    if found:
        return found, None
    first: Record | None = None
    formats = [one for one in formats if one.record is not None]
    asked: dict[tuple[Any, ...] | None, list[Format]] = {}
    special = {one.family for one in formats if not one.general}
    for record in head.records():
        names = tuple(record.value) if isinstance(record.value, Mapping) else None
        if names not in asked:  # most documents of a source have the same fields
            asked[names] = [one for one in formats if options.fields or one.may_claim(record.value)]
        now = [one for one in asked[names] if one not in found and one.claims(record, head, options)]
        if not now:
            continue
        now = _without_general(now)
        if found and not all(one.family == found[0].family for one in now):
            break
        if not found or not now[0].general:
            found, first = now, record
        if not _is_open(found, special):
            break
    if len(found) > 1:
        found = [one for one in found if one.fits(head)] or found
    return found, first


def _without_general(found: list[Format]) -> list[Format]:
    """Return the formats that claim something, general ones only where no other of their family does."""
    special = {one.family for one in found if not one.general}
    return [one for one in found if not (one.general and one.family in special)]


def _is_open(found: Sequence[Format], special: Set[str]) -> bool:
    """Tell whether another document may still show a format that is less general than the one found.

    `special` are the families that have such formats.
    """
    return len(found) == 1 and found[0].general and found[0].family in special


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
    """Refuse a source that no format claims, with what the nearest formats would be known by."""
    rows = [one for one in reversed(FORMATS) if one.in_files and one.record is not None]
    cues = sorted(dict.fromkeys(one.cue for one in rows), key=lambda cue: -_in_common(cue, record.value))
    hint = "[[fields=spans=NAME]]   if spans have another name, or [[input=NAME]] for the format"
    if "choices" in record.value or any(isinstance(record.value.get(name), str) for name in OUTPUTS):
        hint = f"[[locate]]   to place quotes in outputs of a language model; {hint}"
    raise InputError(
        f"no format has documents with {fields_of(record.value)}",
        where=_where(head, record),
        expected="; ".join(cues[:NEAREST]),
        hint=f"{hint}; `spanscope formats` lists all",
    )


def _in_common(cue: str, document: Mapping[str, Any]) -> int:
    """Return how many fields of a document a format is known by."""
    return len(set(re.findall(r"\w+", cue)) & document.keys())
