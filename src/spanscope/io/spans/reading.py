"""Labelled spans in our own form, in files and in memory; and documents of other forms, put into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.arrow import TableRows
from spanscope.io.builder import Builder
from spanscope.io.column_names import columns_of_spans
from spanscope.io.fields import has_row_a_span
from spanscope.io.json_lines import can_stream
from spanscope.io.metadata import META, meta_of
from spanscope.io.opening import open_source
from spanscope.io.pipes import byte_size
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES, Source
from spanscope.io.spans.columns import (
    column_values,
    documents_of_frame,
    present_value,
    read_columns,
    refuse_texts,
    with_our_names,
)
from spanscope.io.spans.lines import read_json, read_stream
from spanscope.io.spans.objects import add_objects, unwrap
from spanscope.io.strict import Rules

if TYPE_CHECKING:
    from spanscope.io.documents import Documents

LARGE = 1 << 22  # bytes of a file that is not held in memory whole while it is read
ALONE = ""  # the name of the only side of a source
Sides = dict[str, Corpus]  # what a source holds, by annotator


def read_plain(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a path, of `-` (standard input) or of documents in memory."""
    rules = options.rules()
    if isinstance(source, FILES):
        found = _read_file(source, rules, options)
        corpus = next(iter(found.values()))
        if corpus.ids is None and corpus.texts is None:
            from spanscope.io.spans.token_numbers import refuse_token_numbers  # which few sources need

            refuse_token_numbers(source, corpus, options)
        return found
    if isinstance(source, (list, tuple, Mapping)):
        return _only_side(_read_objects(source, options.side or "documents", rules), rules)
    raise InputError(f"the input is {shown(source)}", expected="a path, a list of documents, or columns")


def read_frame(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of columns with one row per span: a mapping of them, or a data frame."""
    rules, name = options.rules(), options.side or "columns"
    present = [str(one) for one in (source.columns if hasattr(source, "columns") else source)]
    if not has_row_a_span(present, rules.names) and any(own in present for own in rules.names["spans"]):
        return _only_side(_read_objects(documents_of_frame(source), name, rules), rules)
    named = with_our_names(source, rules.names, options.fields)
    column = columns_of_spans(present, options.fields).get("annotator")
    if column is None or named is source:
        return _only_side(read_columns(named, name, rules), rules)
    own = [str(present_value(one) or "") for one in column_values(source[column], column, name)]
    lists = {key: column_values(value, key, name) for key, value in named.items()}
    out = {}
    for one in dict.fromkeys(own):
        at = [row for row, other in enumerate(own) if other == one]
        part = {key: [values[row] for row in at] for key, values in lists.items()}
        out[one] = read_columns(part, name, rules)
        _only_side(out[one], rules)
    return out


def translate_documents(
    found: Documents, translate: Callable[[Any, str], Mapping[str, Any] | None], options: ReadOptions
) -> Corpus:
    """Return the corpus of documents in another form: `translate` makes each, and its place, one of our own.

    It returns None for a document that is left out, and raises an InputError for one that cannot be read. Whatever
    it returns goes through the strict reader, which says what is wrong with ids, labels and offsets.
    """
    rules, before = options.translated_rules(), len(options.report.problems)
    rows: list[int] = []
    documents: list[Any] = []
    for row, value in enumerate(found.values):
        try:
            document = translate(value, found.where(row))
        except InputError as error:
            options.report.bad(error, "bad document")
            continue
        if document is not None:
            rows.append(row)
            documents.append(_with_kept(document, value, options.keep_fields))

    def where(row: int) -> str:
        return found.where(rows[row])

    builder = Builder(found.name, where, like=options.like)
    add_objects(builder, documents, where, rules)
    corpus = builder.corpus(sha256=found.sha256)
    corpus.problems[:0] = options.report.problems[before:]
    return corpus


def _with_kept(document: Mapping[str, Any], value: Any, keep: Sequence[str]) -> Mapping[str, Any]:
    """Return a document with those fields of the one it was made of that were to be kept."""
    if not keep or not isinstance(value, Mapping):
        return document
    return {**document, META: meta_of(document.get(META), value, keep)}


def _only_side(corpus: Corpus, rules: Rules) -> Sides:
    """Return a corpus as the only side, with what was noticed while it was read."""
    corpus.problems[:0] = rules.report.problems
    return {ALONE: corpus}


def _read_file(source: str | Path | Source, rules: Rules, options: ReadOptions) -> Sides:
    """Read a file of a table, of JSON Lines, of JSON."""
    if not isinstance(source, Source) and _is_large(source) and can_stream(source):
        refuse_texts(rules, str(source))
        return _only_side(read_stream(source, rules, options.progress, options.like), rules)
    file = open_source(source)
    if isinstance(file.held, TableRows):
        from spanscope.io.spans.arrow import read_rows  # which only tables need

        found = read_rows(file, file.held, rules, options.fields, options.progress)
        for corpus in found.values():
            _only_side(corpus, rules)
        return found
    refuse_texts(rules, file.name)
    return _only_side(read_json(file, rules, options.progress, options.like), rules)


def _is_large(path: str | Path) -> bool:
    """Tell files that are not held in memory whole while they are read."""
    try:
        return byte_size(path) >= LARGE
    except (OSError, ValueError):  # standard input, or a file that is not there
        return False


def _read_objects(source: Any, name: str, rules: Rules) -> Corpus:
    refuse_texts(rules, name)
    documents, schema = unwrap(source, rules.names, name)

    def where(row: int) -> str:
        return f"{name}[{row}]"

    builder = Builder(name, where)
    add_objects(builder, documents, where, rules)
    return builder.corpus(schema=schema)
