"""BioC's collections in XML."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from spanscope.errors import InputError, shown
from spanscope.io.documents import Documents
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.bioc import Annotation, Article, corpus_of, piece_of, try_reading, whole_number
from spanscope.io.spans.one_file_each import open_files
from spanscope.io.spans.reading import ALONE, Sides
from spanscope.io.xml_tree import parse_xml, refuse_text_between

ELEMENTS = (
    "collection",
    "document",
    "passage",
    "sentence",
    "annotation",
    "relation",
)  # without a text of their own


def read_bioc_xml(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a collection, or of all collections in a folder."""
    files = open_files(source, (".xml",))
    articles: list[Article | InputError] = []
    where: list[str] = []
    for file in files.found:
        root, lines = parse_xml(file.data, file.name)
        if root.tag != "collection":
            raise InputError(f"the root element is {shown(root.tag)}", where=file.name, expected="collection")
        refuse_text_between(root, ELEMENTS, file.name)
        for document in root.findall("document"):
            where.append(f"{file.name}:{lines[document]}")
            articles.append(try_reading(_from_xml, document, where[-1]))
    found = Documents(articles, where.__getitem__, files.name, files.sha256)
    return {ALONE: corpus_of(found, options, files.others)}


def _from_xml(document: Element, where: str) -> Article:
    texts, annotations = [], []
    for part in _parts(document):
        own = part.find("text")
        if own is not None and own.text is not None:
            texts.append((whole_number(part.findtext("offset"), "offset", where), own.text))
    for one in document.iter("annotation"):
        places = [piece_of(place.attrib, where) for place in one.findall("location")]
        annotations.append(Annotation(_infons(one), places, one.findtext("text")))
    relations = sum(1 for _ in document.iter("relation"))
    return Article(document.findtext("id"), _infons(document), texts, annotations, relations)


def _parts(document: Element) -> list[Element]:
    """Return what has a text: passages, or the sentences of those that have none of their own."""
    out = []
    for passage in document.findall("passage"):
        out += [passage] if passage.find("text") is not None else passage.findall("sentence")
    return out


def _infons(element: Element) -> dict[str, str]:
    return {one.get("key", ""): one.text or "" for one in element.findall("infon")}
