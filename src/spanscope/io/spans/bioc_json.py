"""BioC's documents in JSON: in a collection, in a list, or line by line as PubTator's API gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.folder import is_folder
from spanscope.io.json_lines import decode
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.bioc import Annotation, Article, Infons, corpus_of, piece_of, try_reading, whole_number
from spanscope.io.spans.one_file_each import open_files
from spanscope.io.spans.reading import ALONE, Sides
from spanscope.io.spans.recognise import is_bioc

LISTS = ("documents", "PubTator3")  # what documents stand under


def read_bioc_json(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a collection, of documents line by line, of a folder of either or of objects."""
    if not is_folder(source):
        found = documents_of(source, options.side or "documents", _documents, ("documents",), options.report)
        return {ALONE: corpus_of(_read(found), options, {})}
    files = open_files(source, (".json", ".jsonl"))
    values: list[Any] = []
    where: list[str] = []
    for file in files.found:
        own = _documents(decode(file.data, file.name), file.name)
        values += own
        where += [file.name] * len(own)
    found = Documents(values, where.__getitem__, files.name, files.sha256)
    return {ALONE: corpus_of(_read(found), options, files.others)}


def _documents(value: Any, where: str) -> list[Any]:
    """Return the documents of a value: of a collection, of a list, or the one that it is."""
    if isinstance(value, Mapping):
        key = next((key for key in LISTS if isinstance(value.get(key), (list, tuple))), None)
        return [value] if key is None else list(value[key])
    if isinstance(value, (list, tuple)):
        return [document for one in value for document in _documents(one, where)]
    raise InputError(f"the value is {shown(value)}", where=where, expected="a collection with documents")


def _read(found: Documents) -> Documents:
    """Return the documents with their parts; in place of one that cannot be read, the error that says so."""
    values = [try_reading(_from_json, value, found.where(row)) for row, value in enumerate(found.values)]
    return found._replace(values=values)


def _from_json(document: Any, where: str) -> Article:
    if not is_bioc(document):
        expected = "an object with passages that have offsets"
        raise InputError(f"a document is {shown(document)}", where=where, expected=expected)
    texts, annotations, relations = [], [], 0
    for part in _with_parts(document, where):
        if part.get("text"):
            texts.append((whole_number(part.get("offset"), "offset", where), part["text"]))
        annotations += [_annotation(one, where) for one in _list(part, "annotations", where)]
        relations += len(_list(part, "relations", where))
    return Article(document.get("id"), _object(document.get("infons")), texts, annotations, relations)


def _with_parts(document: Mapping[str, Any], where: str) -> list[Mapping[str, Any]]:
    """Return a document, without the text it may have, its passages and their sentences.

    A sentence has a text where its passage has none; where both have one, they are the same characters.
    """
    out: list[Mapping[str, Any]] = [{**document, "text": None}]
    for passage in _list(document, "passages", where):
        sentences = _list(passage, "sentences", where)
        has_text = bool(passage.get("text"))
        out += [passage, *({**one, "text": None} if has_text else one for one in sentences)]
    return out


def _list(parent: Mapping[str, Any], key: str, where: str) -> list[Mapping[str, Any]]:
    found = parent.get(key) or []
    if not isinstance(found, (list, tuple)) or not all(isinstance(one, Mapping) for one in found):
        raise InputError(f"{key} is {shown(found)}", where=where, expected="a list of objects")
    return list(found)


def _annotation(one: Mapping[str, Any], where: str) -> Annotation:
    places = [piece_of(place, where) for place in _list(one, "locations", where)]
    text = one.get("text")
    return Annotation(_object(one.get("infons")), places, text if isinstance(text, str) else None)


def _object(value: Any) -> Infons:
    return value if isinstance(value, Mapping) else {}
