"""segeval's files: masses of every coder, or the number of the segment that each unit is in."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.documents import Documents
from spanscope.io.folder import is_folder
from spanscope.io.json_lines import decode
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.segments.reading import read_documents
from spanscope.io.segments.recognise import TABLES
from spanscope.io.source import FILES
from spanscope.io.spans.one_file_each import File, note_left_aside, numbered_lines, open_files

POSITIONS = "positions"


def read_segeval(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the segmentations of segeval's JSON, a coder each."""
    name, sha256, value = options.side or "documents", None, source
    if isinstance(source, FILES):
        file = open_source(source)
        name, sha256, value = file.name, file.sha256, decode(file.data, file.name)
    items = value.get("items") if isinstance(value, Mapping) else None
    kind = value.get("segmentation_type") if isinstance(value, Mapping) else None
    if not isinstance(items, Mapping) or kind != "linear":
        what = f"segmentation_type is {shown(kind)}" if isinstance(items, Mapping) else f"items is {shown(items)}"
        raise InputError(what, where=name, expected="items by document and coder, of the type linear")
    by_unit = str(value.get("boundary_format", "")).startswith("position")
    documents = [_document(key, own, f"{name}[{key!r}]", by_unit=by_unit) for key, own in items.items()]
    keys = list(items)
    return read_documents(Documents(documents, lambda row: f"{name}[{keys[row]!r}]", name, sha256), options)


def read_segeval_table(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the segmentations of documents, which are called as their files are: one row per coder."""
    files = open_files(source, TABLES if is_folder(source) else ("",))
    documents = [_table(file.id or PurePath(file.name.removesuffix(".gz")).stem, file) for file in files.found]
    found = Documents(documents, lambda row: files.found[row].name, files.name, files.sha256)
    out = read_documents(found, options)
    aside = {name: number for name, number in files.others.items() if name.startswith("files")}
    note_left_aside(next(iter(out.values())), aside, options, "segments")
    return out


def _table(name: str, file: File) -> dict[str, Any]:
    """Return the document of one table."""
    lines = list(numbered_lines(file.data.decode("utf-8", "replace")))
    parted = "\t" if "\t" in lines[0][1] else ","
    coders: dict[str, Any] = {}
    for number, line in lines[1:]:
        cells = next(csv.reader(io.StringIO(line), delimiter=parted), [])
        cells = [cell.strip() for cell in cells]
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            continue
        where = f"{file.name}:{number}"
        if len(cells) < 2 or not all(cell.isascii() and cell.isdigit() for cell in cells[1:]):
            raise InputError(f"the line is {shown(line)}", where=where, expected="a coder, then whole numbers")
        if cells[0] in coders:
            what = f"the coder {shown(cells[0])} has a second row"
            raise InputError(what, where=where, expected="one row per coder")
        coders[cells[0]] = [int(cell) for cell in cells[1:]]
    return _document(name, coders, file.name, by_unit=POSITIONS in lines[0][1].lower())


def _document(name: str, coders: Any, where: str, *, by_unit: bool) -> dict[str, Any]:
    if not isinstance(coders, Mapping) or not coders:
        raise InputError(f"the document has {shown(coders)}", where=where, expected="masses by coder")
    masses = {str(coder): _masses(own, where) if by_unit else own for coder, own in coders.items()}
    sizes = {coder: sum(own) for coder, own in masses.items() if _are_numbers(own)}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{size} of {shown(coder)}" for coder, size in sizes.items())
        raise InputError(f"the masses add up to {told}", where=where, expected="as many units for every coder")
    return {"id": name, "segmentations": {coder: {"masses": own} for coder, own in masses.items()}}


def _masses(numbers: Any, where: str) -> list[int]:
    """Return masses of the numbers of segments, one a unit."""
    if not _are_numbers(numbers):
        raise InputError(f"the positions are {shown(numbers)}", where=where, expected="a whole number a unit")
    return [len(list(own)) for _, own in groupby(numbers)]


def _are_numbers(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and all(type(one) is int for one in value)
