"""Choi's files and those of wiki-727k: one line per sentence, and lines between them where segments begin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.documents import Documents
from spanscope.io.folder import is_folder
from spanscope.io.read_options import ReadOptions
from spanscope.io.segments.reading import read_documents
from spanscope.io.segments.recognise import CHOI, HEADING
from spanscope.io.spans.one_file_each import Files, note_left_aside, numbered_lines, open_files

Parts = list[tuple[str | None, list[str]]]  # segments: a heading, where there is one, and sentences


def read_choi(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the segmentation of a file, or of the .ref files in a folder; the units are lines."""
    suffixes = (".ref",) if is_folder(source) else ("",)
    return _read(open_files(source, suffixes), options, _choi)


def read_wiki(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the sections of a file of wiki-727k, or of a folder of them; the units are lines.

    Every heading starts a segment, whatever its level; the preface is one, which papers leave out. Headings with
    no sentence of their own are no segments, and are counted.
    """
    return _read(open_files(source, ("",)), options, _wiki)


def _read(
    files: Files, options: ReadOptions, parts_of: Callable[[str, str], tuple[Parts, int]]
) -> dict[str, Corpus]:
    bare, documents = 0, []
    for file in files.found:
        parts, empty = parts_of(file.text, file.name)
        bare += empty
        documents.append(_document(file.id, parts))
    found = Documents(documents, lambda row: files.found[row].name, files.name, files.sha256)
    out = read_documents(found, options)
    aside = {name: number for name, number in files.others.items() if name.startswith("files")}
    note_left_aside(next(iter(out.values())), {"headings without sentences": bare, **aside}, options, "segments")
    return out


def _document(name: str | None, parts: Parts) -> dict[str, Any]:
    """Return a document whose units are its sentences."""
    segments: list[list[Any]] = []
    at = 0
    for heading, sentences in parts:
        segments.append([at, at + len(sentences), *([heading] if heading else [])])
        at += len(sentences)
    texts = [sentence for _, sentences in parts for sentence in sentences]
    return {"id": name, "length": at, "segments": segments, "meta": {"sentences": texts}}


def _choi(text: str, where: str) -> tuple[Parts, int]:
    """Return the segments between separators, of which the first and the last line are no empty segments."""
    parts: Parts = []
    open_at = 0
    for number, line in numbered_lines(text):
        own = line.strip()
        if own and own != CHOI and not parts:
            expected = f"a first line of {CHOI}"
            raise InputError(f"the first line is {shown(own)}", where=f"{where}:{number}", expected=expected)
        if HEADING.fullmatch(own):
            expected = f"sentences, and {CHOI} between segments"
            raise InputError("is a heading as wiki-727k has", where=f"{where}:{number}", expected=expected)
        if own == CHOI:
            if parts and not parts[-1][1]:
                raise InputError(
                    "two separators have no sentence between them",
                    where=f"{where}:{number}",
                    expected="a segment of at least one line",
                )
            parts.append((None, []))
            open_at = number
        elif own:
            parts[-1][1].append(own)
    if parts and not parts[-1][1]:
        parts.pop()
    return _some(parts, f"{where}:{open_at or 1}"), 0


def _wiki(text: str, where: str) -> tuple[Parts, int]:
    parts: Parts = []
    for number, line in numbered_lines(text):
        if (heading := HEADING.fullmatch(line)) is not None:
            parts.append((heading[2].strip(), []))
        elif line.strip() == CHOI:
            expected = "headings such as ========,1,preface. between segments"
            raise InputError("is a separator as Choi's files have", where=f"{where}:{number}", expected=expected)
        elif line.strip():
            if not parts:
                expected = "a heading such as ========,1,preface."
                raise InputError("the text begins without a heading", where=f"{where}:{number}", expected=expected)
            parts[-1][1].append(line.strip())
    full = [part for part in parts if part[1]]
    return _some(full, where), len(parts) - len(full)


def _some(parts: Parts, where: str) -> Parts:
    if not parts:
        raise InputError("has no sentence", where=where, expected="at least one segment")
    return parts
