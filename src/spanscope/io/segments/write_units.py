"""Segmentations written with sentences, or the lines of texts, as their units: wiki-727k and JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

from spanscope.io.losses import Document, Feature
from spanscope.io.segments.recognise import CHOI, HEADING
from spanscope.io.spans.lacks import file_name
from spanscope.io.writer import json_lines

SENTENCES = "sentences"  # the metadata in which readers keep those of documents without a text


def sentences_of(document: Document) -> list[list[str]] | None:
    """Return the sentences of every segment: those that came with it, or the lines of its text.

    None where there are none, or where a segment ends inside of one.

    >>> sentences_of({"text": "a\\nb\\nc", "segments": [[0, 4], [4, 5]]})
    [['a', 'b'], ['c']]
    """
    text, segments = document.get("text"), document["segments"]
    if text is None:
        known = document.get("meta", {}).get(SENTENCES)
        whole = isinstance(known, list) and len(known) == document.get("length") and _are_texts(known)
        return [known[start:end] for start, end, *_ in segments] if whole and known else None
    if not text or any(text[end - 1] != "\n" for _, end, *_ in segments[:-1]):
        return None
    return [text[start:end].removesuffix("\n").split("\n") for start, end, *_ in segments]


def _are_texts(values: Sequence[object]) -> bool:
    return all(isinstance(one, str) for one in values)


def _fits_lines(document: Document) -> bool:
    """Tell sentences that lines can be: neither empty, nor with white space around, nor headings or separators."""
    return all(_is_line(one) for one in chain(*(sentences_of(document) or ())))


def _is_line(one: str) -> bool:
    return one not in ("", CHOI) and one == one.strip() and "\n" not in one and not HEADING.fullmatch(one)


def _kept(holds: Callable[[Document, str], bool]) -> Callable[[Document], Document]:
    """Return what leaves a document the metadata that a form holds."""

    def kept(one: Document) -> Document:
        own = {key: value for key, value in one.get("meta", {}).items() if holds(one, key)}
        rest = {key: value for key, value in one.items() if key != "meta"}
        return {**rest, "meta": own} if own else rest

    return kept


def _without_meta(what: str, holds: Callable[[Document, str], bool]) -> Feature:
    kept = _kept(holds)
    return Feature(what, "left out", lambda one: int(kept(one) != one), kept)


def _left_out(what: str, fits: Callable[[Document], bool]) -> Feature:
    return Feature(what, "left out", lambda one: int(not fits(one)), lambda one: one if fits(one) else None)


OTHER_META = _without_meta(
    "documents with metadata other than sentences", lambda one, key: key == SENTENCES and "text" not in one
)
OWN_SENTENCES = _without_meta(
    "metadata called sentences of documents with a text", lambda one, key: key != SENTENCES or "text" not in one
)
NO_SENTENCES = _left_out(
    "documents without sentences, or whose segments end inside of one", lambda one: sentences_of(one) is not None
)
NO_LINES = _left_out("documents with a sentence that is no line of its own", _fits_lines)


def _plain_labels(document: Document) -> Document:
    """Return a document with labels that headings can have: of one line, with no blanks around."""
    named = [[a, b, *(_one_line(label) for label in more)] for a, b, *more in document["segments"]]
    return {**document, "segments": [[one for one in own if one != ""] for own in named]}


def _one_line(label: str) -> str:
    return re.sub(r"[\r\n]+", " ", label).strip()


ONE_LINE_LABELS = Feature(
    "labels of segments of several lines, or with blanks around",
    "put on one line, without these",
    lambda one: sum(_one_line(label) != label for _, _, *more in one["segments"] for label in more),
    _plain_labels,
)


def bare_name(name: str) -> str:
    """Return an id as the name of a file without a suffix.

    >>> bare_name("a.1")
    'a%2E1'
    """
    return file_name(name).replace(".", "%2E")


def write_wiki(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return files as wiki-727k has them: a sentence a line, and a heading before each segment."""
    return {one["id"]: "".join(f"{line}\n" for line in _wiki_lines(one)).encode() for one in documents}


def _wiki_lines(document: Document) -> list[str]:
    """Return the lines of a file: the first heading is of the level 1, as its prefaces are, the others of 2."""
    out: list[str] = []
    for (_, _, *label), sentences in zip(document["segments"], sentences_of(document) or [], strict=True):
        out += [f"========,{2 if out else 1},{''.join(label)}.", *sentences]
    return out


def write_sections(documents: Sequence[Document]) -> bytes:
    """Return a line for each document: its sentences, and for each the number of its segment."""
    return json_lines(list(map(_sections, documents)))


def _sections(document: Document) -> Document:
    found = sentences_of(document) or []
    rest = {key: own for key, own in document.items() if key not in ("text", "length", "segments", "meta")}
    meta = {key: own for key, own in document.get("meta", {}).items() if key != SENTENCES}
    numbers = [number for number, own in enumerate(found) for _ in own]
    return {**rest, SENTENCES: list(chain(*found)), "section_ids": numbers, **({"meta": meta} if meta else {})}
