"""The texts of documents by id, from a source that is asked for nothing else.

That is JSON, JSON Lines, CSV, TSV, Parquet or a data frame with an id and a text for each document, a folder of
.txt files that are named by their documents, or in memory a mapping from id to text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from spanscope.arguments import identifier
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, named, shown
from spanscope.io.arrow import TableRows, as_rows
from spanscope.io.column_names import DOCUMENT, TEXTS, columns_of_spans, first_named, is_row_a_span, squashed
from spanscope.io.delimited import open_delimited
from spanscope.io.documents import Documents, documents_in
from spanscope.io.folder import is_folder, open_folder
from spanscope.io.opening import open_source
from spanscope.io.pipes import hold
from spanscope.io.source import FILES, OBJECTS
from spanscope.io.spans.columns import documents_of_frame
from spanscope.io.strict import Report

OF_FILES = ".txt"  # how the names of texts in a folder end
LISTS = ("documents", "data", "items", "examples")  # what documents may stand under
BODIES = (*TEXTS, "body", "source_text")  # names of a document's text
EXPECTED = "an id and a text for each document, or a folder of .txt files that are named by their documents"


@dataclass(frozen=True, eq=False)
class DocumentTexts:
    """The texts of documents by id, where each stands, and the hash of their source."""

    name: str
    texts: Mapping[str, str]
    where: Callable[[str], str]
    sha256: str | None = None
    files: bool = False  # each is a file of its own, which rows may call by its whole name

    def for_ids(self, ids: Sequence[str]) -> DocumentTexts:
        """Return the texts under the names that rows give their documents: with .txt where they write it."""
        if not self.files or not any(one.endswith(OF_FILES) for one in ids):
            return self
        texts = {f"{key}{OF_FILES}": text for key, text in self.texts.items()}
        return DocumentTexts(self.name, texts, lambda key: f"{self.name}/{key}", self.sha256)

    def refuse_unknown(self, key: str, where: str, report: Report) -> None:
        """Refuse a row about a document that has no text here."""
        if key not in self.texts:
            what, expected = f"no text has the id {named(key)}", f"the id of a document in {self.name}"
            report.bad(InputError(what, where=where, expected=expected), "bad document")

    def note(self, ids: Sequence[str], name: str) -> Problem:
        """Return what is told of a table beside these texts: which they were, and how many have no row in it."""
        digest = f"SHA-256 {self.sha256}" if self.sha256 else "in memory"
        values: dict[str, Any] = {"texts": self.name, "hash": digest, "all": len(self.texts)}
        return problem_at("texts beside", name, values | {"empty": len(self.texts.keys() - {*ids})})


def texts_by_id(source: Any, called: str = "texts") -> DocumentTexts:
    """Return the texts of a source by id; every document must have both, and no id comes twice."""
    source = hold(source)
    if isinstance(source, Mapping) and all(isinstance(one, str) for one in source.values()):
        texts = {str(key): one for key, one in source.items()}
        return DocumentTexts(called, texts, lambda key: f"{called}[{key!r}]")
    if isinstance(source, (str, Path)) and is_folder(source):
        return _texts_of_files(source)
    found = _documents_with_texts(source, called)
    at: dict[str, int] = {}
    texts = {}
    for row, (key, text) in enumerate(ids_and_texts(found.values)):
        if key is None or text is None:
            lacking = "id" if key is None else "text"
            raise InputError(f"the document has no {lacking}", where=found.where(row), expected=EXPECTED)
        if key in at:
            raise InputError(f"the id {named(key)} is repeated", where=found.where(row), expected="every id once")
        at[key], texts[key] = row, text
    return DocumentTexts(found.name, texts, lambda key: found.where(at[key]), found.sha256)


def ids_and_texts(values: Sequence[Any]) -> Iterator[tuple[str | None, str | None]]:
    """Yield the id and the text of each document, None for what it has not."""
    for value in values:
        if not isinstance(value, OBJECTS):
            yield None, None
            continue
        key, body = _names_among(tuple(map(str, value)))
        text = value.get(body)
        yield identifier(value.get(key)), text if isinstance(text, str) else None


@lru_cache(1024)  # most documents of a source have the same fields
def _names_among(present: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Return under which names documents with these fields have their id and their text.

    >>> _names_among(("document", "text")), _names_among(("id", "document"))
    (('document', 'text'), ('id', 'document'))
    """
    known = {squashed(name): name for name in present}
    body = first_named(BODIES, known)
    known.pop(squashed(body or ""), None)
    return first_named((*DOCUMENT, "custom_id", "key"), known), body


def _documents_with_texts(source: Any, called: str) -> Documents:
    source = as_rows(source, called)
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        _refuse_spans([*map(str, source.columns)], called)
        source = documents_of_frame(source)
    if isinstance(source, (list, tuple, Mapping)):
        return Documents(_documents_in(source, called), lambda row: f"{called}[{row}]", called)
    if not isinstance(source, FILES):
        raise InputError(f"the {called} are {shown(source)}", expected=EXPECTED)
    file = open_source(source)
    if isinstance(file.held, TableRows) or file.data.lstrip()[:1] in (b"{", b"["):
        if isinstance(file.held, TableRows):
            _refuse_spans(file.held.table.column_names, file.name)
        return documents_in(file, _documents_in, LISTS, Report())
    table = open_delimited(file)
    _refuse_spans(table.header, f"{table.name}:1")
    if None in _names_among(table.header):
        there = f"the columns are {', '.join(table.header) or 'without names'}"
        raise InputError(there, where=f"{table.name}:1", expected="columns id and text")
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    return Documents(rows, table.where, table.name, table.sha256)


def _refuse_spans(columns: Sequence[str], where: str) -> None:
    """Refuse a table of spans, whose texts are those of the spans."""
    if is_row_a_span(columns_of_spans(columns)):
        raise InputError("the rows are spans", where=where, expected=EXPECTED)


def _documents_in(value: Any, where: str) -> list[Any]:
    """Return the documents in a JSON value: a list, or a list under a name."""
    if isinstance(value, Mapping):
        value = next((value[key] for key in LISTS if isinstance(value.get(key), list)), [value])
    if not isinstance(value, (list, tuple)):
        raise InputError(f"the input is {shown(value)}", where=where, expected=EXPECTED)
    return list(value)


def _texts_of_files(source: str | Path) -> DocumentTexts:
    """Return the texts of a folder, each under the name of its file without the ending."""
    folder = open_folder(source)
    names = [name for name in folder.names if PurePosixPath(name).suffix == OF_FILES]
    if not names:
        raise InputError("holds no .txt file", where=folder.name, expected=EXPECTED)
    texts = {name.removesuffix(OF_FILES): folder.open(name).data.decode() for name in names}
    return DocumentTexts(
        folder.name, texts, lambda key: f"{folder.name}/{key}{OF_FILES}", folder.sha256, files=True
    )
