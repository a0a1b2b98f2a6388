"""WebAnno TSV 3, as INCEpTION exports it: one line per token, and in its columns the annotations that cover it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, NoReturn

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, plural, shown
from spanscope.io.documents import Documents
from spanscope.io.offsets import OFFSETS, places
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.fitting import SIZES
from spanscope.io.spans.layers import Layer, choose_layer
from spanscope.io.spans.one_file_each import File, each_side, numbered_lines, open_files
from spanscope.io.spans.reading import Sides, translate_documents
from spanscope.io.spans.recognise import WEBANNO

KINDS = {"RL": "relations", "CH": "links of chains"}  # of layers that have no spans
LAYER = re.compile(r"#T_(SP|RL|CH)=([^|]+)(?:\|(.*))?")
TOKEN = re.compile(r"(\d+)-(\d+(?:\.\d+)*)\t(\d+)-(\d+)\t([^\t]*)\t?(.*)")
ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|->|.)", re.DOTALL)
ITEM = re.compile(r"((?:\\.|[^\\\[\]])*)(?:\[(\d+)\])?", re.DOTALL)
BAR = re.compile(r"((?:\\.|[^\\|])*)(?:\||$)", re.DOTALL)
CONTROLS = {"t": "\t", "n": "\n", "r": "\r"}
NOTHING, NO_VALUE = "_", "*"  # a cell without an annotation, and one without a value for this feature
COUNTED = ("BT_", "referenceType")  # the one column of a relation or a chain that every one has a value in
SLOT = "ROLE_"  # features that point to other annotations
UNIT = "utf16"
Key = tuple[str, str]  # of an annotation: its layer, and its number or its token


class Column(NamedTuple):
    """A column of annotations: what its layer is, of which type, and the feature that it has."""

    kind: str
    type: str
    feature: str


@dataclass
class Marked:
    """An annotation: its first and its last offset, and its features."""

    begin: int
    end: int
    features: dict[str, str | None] = field(default_factory=dict)


@dataclass
class Sheet:
    """A file: its document, its columns, its sentences as (offset, text), its annotations and its tokens."""

    file: File
    unit: str
    columns: list[Column] = field(default_factory=list)
    sentences: list[tuple[int, str]] = field(default_factory=list)
    marked: dict[Key, Marked] = field(default_factory=dict)
    tokens: list[tuple[int, int, str]] = field(default_factory=list)
    number: tuple[int, int] | None = None  # of the last token: its sentence, and its place there
    others: Counter[str] = field(default_factory=Counter)


def read_webanno(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a file, or of each annotator in the folder of an export."""
    files = open_files(source, (".tsv",))
    unit = options.unit(UNIT)
    sheets = [_sheet(file, unit) for file in files.found]
    found = _layers(sheets)
    layer = choose_layer(found, options.layer, files.name)
    aside: Counter[str] = Counter()
    for one in {Layer("", one.kind) for one in found if found[one]}:
        if layer is None or one.kind != layer.kind:
            aside[f"annotations of the layer {one.name}"] += max(found[x] for x in found if x.kind == one.kind)
    for sheet in sheets:
        aside.update(sheet.others)

    def corpus(rows: Sequence[int]) -> Corpus:
        own = [sheets[row] for row in rows]
        values = Documents(own, lambda row: own[row].file.name, files.name, files.sha256)
        return translate_documents(
            values, lambda one, where: _document(one, layer, aside, where), replace(options, offsets=unit)
        )

    return each_side(files, corpus, options, aside)


# ---------------------------------------------------------------- lines


def _sheet(file: File, unit: str) -> Sheet:
    """Return what the lines of a file say."""
    out = Sheet(file, unit)
    text: list[str] = []
    for number, line in numbered_lines(file.text):
        where = f"{file.name}:{number}"
        if number == 1 and not line.startswith(WEBANNO):
            raise InputError(f"the first line is {shown(line)}", where=where, expected=f"{WEBANNO} 3.x")
        if (layer := LAYER.fullmatch(line)) is not None:
            kind, name, features = layer[1], layer[2], layer[3]
            out.columns += [Column(kind, name, one) for one in (features.split("|") if features else [""])]
        elif line.startswith("#Text="):
            text.append(_plain(line.removeprefix("#Text=")))
        elif line and not line.startswith("#"):
            _add_token(out, text, line, where)
    return out


def _add_token(sheet: Sheet, text: list[str], line: str, where: str) -> None:
    """Take a token in; the first after the text of a sentence says where the sentence begins."""
    found = TOKEN.fullmatch(line)
    if found is None:
        expected = "1-1, a tab, start-end, a tab, the token, then its annotations"
        raise InputError(f"the line is {shown(line)}", where=where, expected=expected)
    _count(sheet, int(found[1]), int(found[2].partition(".")[0]), where)
    begin, end, token = int(found[3]), int(found[4]), _plain(found[5])
    if text:
        whole = "\n".join(text)
        before = whole[: max(0, whole.find(token))]
        sheet.sentences.append((begin - SIZES[sheet.unit](before), whole))
        text.clear()
    sheet.tokens.append((begin, end, token))
    cells = found[6].removesuffix("\t").split("\t") if found[6].strip() else []
    if len(cells) != len(sheet.columns):
        what = f"the token has {plural(len(cells), 'column')} of annotations"
        raise InputError(what, where=where, expected=f"{len(sheet.columns)}, as the header has")
    for column, cell in zip(sheet.columns, cells, strict=True):
        _add_cell(sheet, column, cell, begin, end)


def _count(sheet: Sheet, sentence: int, token: int, where: str) -> None:
    """Refuse a token that does not follow the one before: a line was lost, or comes from elsewhere."""
    before, sheet.number = sheet.number, (sentence, token)
    if before is None:
        return
    follows = token == 1 if sentence == before[0] + 1 else sentence == before[0] and token - before[1] in (0, 1)
    if not follows:
        what = f"the token {sentence}-{token} follows {before[0]}-{before[1]}"
        raise InputError(what, where=where, expected="all tokens, numbered in their order")


def _add_cell(sheet: Sheet, column: Column, cell: str, begin: int, end: int) -> None:
    """Take the annotations of a cell in: those with a number go on over several tokens, or share one."""
    if cell == NOTHING:
        return
    for own in (item for item in BAR.findall(cell) if item):
        found = ITEM.fullmatch(own)
        words, number = (own, None) if found is None else (found[1], found[2])
        if column.kind != "SP":
            sheet.others[KINDS[column.kind]] += column.feature.startswith(COUNTED)
            continue
        key = (column.type, f"[{number}]" if number else f"{begin}-{end}")
        marked = sheet.marked.setdefault(key, Marked(begin, end))
        marked.end = end
        marked.features.setdefault(column.feature, None if words == NO_VALUE else _plain(words))


def _plain(text: str) -> str:
    r"""Return a text without its escapes.

    >>> _plain(r"a\_b \-> \[c\]\n")
    'a_b -> [c]\n'
    """

    def plain(found: re.Match[str]) -> str:
        own = found[1]
        return chr(int(own[1:], 16)) if len(own) == 5 else CONTROLS.get(own, own)

    return ESCAPED.sub(plain, text) if "\\" in text else text


# ---------------------------------------------------------------- documents


def _layers(sheets: Sequence[Sheet]) -> dict[Layer, int]:
    """Return the number of annotations of every layer of spans, once for each feature that can be a label."""
    numbers = Counter(kind for sheet in sheets for kind, _ in sheet.marked)
    columns = dict.fromkeys(one for sheet in sheets for one in sheet.columns if one.kind == "SP")
    return {
        Layer("", one.type, one.feature): numbers[one.type] for one in columns if not one.feature.startswith(SLOT)
    }


def _document(sheet: Sheet, layer: Layer | None, aside: Counter[str], where: str) -> dict[str, Any]:
    """Return a document with the spans of a layer; annotations without a label are counted."""
    text = _text(sheet, where)
    spans = []
    for (kind, _), one in sheet.marked.items():
        if layer is None or kind != layer.kind:
            continue
        label = one.features.get(layer.feature) if layer.feature else layer.name
        if label is None:
            aside["annotations without a label"] += 1
            continue
        meta = {key: own for key, own in one.features.items() if own is not None and key != layer.feature}
        spans.append({"start": one.begin, "end": one.end, "label": label, "meta": meta})
    return {"id": sheet.file.id, "text": text, "spans": spans}


def _text(sheet: Sheet, where: str) -> str:
    """Return the sentences at their offsets; of what is between them only the length is known."""
    out, at, unit = "", 0, sheet.unit
    for begin, text in sheet.sentences:
        if begin < at:
            _refuse_places(f"a sentence starts at {begin}, and the one before it ends at {at}", unit, where)
        out += " " * (begin - at) + text
        at = begin + SIZES[unit](text)
    place = places(out, unit)
    wrong = [one for one in sheet.tokens if out[_offset_at(place(one[0])) : _offset_at(place(one[1]))] != one[2]]
    if wrong:
        begin, end, token = wrong[0]
        number = f"{len(wrong)} of {plural(len(sheet.tokens), 'token')}"
        _refuse_places(f"{number} are not at their offsets (first: {shown(token)} at {begin}-{end})", unit, where)
    _refuse_cut(sheet, where)
    return out


def _refuse_cut(sheet: Sheet, where: str) -> None:
    """Refuse a file whose last sentence lacks tokens of its text: annotations would be shorter than they are."""
    begin, text = sheet.sentences[-1] if sheet.sentences else (0, "")
    whole, there = begin + SIZES[sheet.unit](text.rstrip()), sheet.tokens[-1][1] if sheet.tokens else 0
    if there < whole:
        what = f"the last token ends at {there}, the text of its sentence at {whole}"
        raise InputError(what, where=where, expected="all tokens of the text", hint="export the file again")


def _offset_at(offset: int | None) -> int:
    """Return an offset; one inside a character or past the text is where nothing is."""
    return -1 if offset is None else offset


def _refuse_places(what: str, unit: str, where: str) -> NoReturn:
    others = " or ".join(f"[[offsets={one}]]" for one in OFFSETS if one != unit)
    hint = f"{others}   where another unit was counted"
    raise InputError(what, where=where, expected=f"offsets in {OFFSETS[unit]}", hint=hint)
