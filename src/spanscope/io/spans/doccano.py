"""doccano's exports: one line per document, its spans under label, labels, entities or annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

from spanscope.arguments import as_whole
from spanscope.data.corpus import Corpus
from spanscope.data.problems import problem_at
from spanscope.errors import InputError, fields_of, plural, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.metadata import META, meta_of
from spanscope.io.offsets import OFFSETS
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.inner import LISTS, list_documents, refuse_other_fields, value_inside
from spanscope.io.spans.one_file_each import note_left_aside
from spanscope.io.spans.reading import ALONE, Sides, translate_documents
from spanscope.io.spans.recognise import DOCCANO
from spanscope.io.spans.wide import behind_wide

EXPECTED = "documents of doccano, with a text and spans under label or entities"
SPAN = "[start, end, label], or an object with start_offset, end_offset and label"
TYPED = "annotations"  # what spans stand under in the old export whose labels are numbers
NO_META = ("id", "text", "meta", "relations", "annotation_approver", *DOCCANO)


class Export(NamedTuple):
    """A document of an export, with its spans as they stand there."""

    row: int
    value: Mapping[str, Any]
    spans: Sequence[Any]
    key: str  # what the spans stand under


def read_doccano(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of an export; of an old one with several users, the corpora of each.

    doccano's editor counts UTF-16 units, and files that were made for it mostly count code points. Nothing in a
    file says which: what has doccano's ids is an export, everything else is a question.
    """
    refuse_other_fields(options, ("id",), "doccano's documents")
    called, before = options.side or "documents", len(options.report.problems)
    found = documents_of(source, called, _documents, LISTS, options.report, EXPECTED)
    kept = [one for row in range(len(found.values)) if (one := _open_row(found, row, options)) is not None]
    unit = _unit(kept, found, options)
    noted = options.report.problems[before:]
    own = replace(options, offsets=unit)
    sides = {who: _corpus(documents, found, own) for who, documents in _by_user(kept).items()}
    first = next(iter(sides.values()))
    relations = [one.value.get("relations") for one in kept]
    aside = {"relations": sum(len(one) for one in relations if isinstance(one, list))}
    note_left_aside(first, aside, options)
    first.problems[:0] = noted
    return sides


def _documents(value: Any, where: str) -> list[Any]:
    return list_documents(value, where, EXPECTED)


def _open_row(found: Documents, row: int, options: ReadOptions) -> Export | None:
    try:
        return _export(found.values[row], row, found.where(row))
    except InputError as error:
        options.report.bad(error, "bad document")
        return None


def _export(value: Any, row: int, where: str) -> Export:
    if not isinstance(value, Mapping):
        _wrong(where, f"a document is {shown(value)}", EXPECTED)
    full = [key for key in DOCCANO if value.get(key)]
    key = (full or [key for key in DOCCANO if key in value] or [""])[0]
    if not key:
        _wrong(where, f"a document has {fields_of(value)}", EXPECTED)
    if len(full) > 1:
        _wrong(where, f"a document has spans under {full[0]} and under {full[1]}", "spans under one name")
    if not isinstance(value.get("text"), str):
        _wrong(where, f"text is {shown(value.get('text'))}", "a string")
    spans = value[key]
    if not isinstance(spans, (list, tuple)):
        _wrong(where, f"{key} is {shown(spans)}", f"a list of spans: {SPAN}")
    if spans and all(isinstance(span, str) for span in spans):
        _wrong(where, f"{key} is {shown(spans)}: names and no places, as of whole texts", f"a list of {SPAN}")
    return Export(row, value, spans, key)


def _wrong(where: str, what: str, expected: str, hint: str = "") -> NoReturn:
    raise InputError(what, where=where, expected=expected, hint=hint)


# ---------------------------------------------------------------- which unit


def _unit(documents: Sequence[Export], found: Documents, options: ReadOptions) -> str:
    """Return the unit of the offsets: as somebody said, else UTF-16 units of an export, where that matters."""
    if options.offsets is not None:
        return options.unit()
    behind = 0
    for one in documents:
        for number, torn in behind_wide(one.value["text"], map(_ends, one.spans)):
            behind += 1
            if torn:
                what = f"{one.key}[{number}] begins or ends inside a character of UTF-16, which doccano counts"
                _ask(found.where(one.row), what)
    if not behind:
        return "codepoints"  # which is all the same here
    if not all(as_whole(one.value.get("id")) is not None for one in documents):
        what = (
            f"{plural(behind, 'span')} behind a character that counts twice in UTF-16, and no ids of an export by "
            "doccano, which would count so"
        )
        _ask(found.name, what)
    values = {"unit": OFFSETS["utf16"], "tool": "doccano", "option": "[[offsets=codepoints]]"}
    options.report.problems.append(problem_at("unit assumed", found.name, values, number=behind))
    return "utf16"


def _ends(span: Any) -> tuple[Any, Any]:
    if isinstance(span, Mapping):
        return span.get("start_offset"), span.get("end_offset")
    return (span[0], span[1]) if isinstance(span, (list, tuple)) and len(span) > 1 else (None, None)


def _ask(where: str, what: str) -> NoReturn:
    hint = "[[offsets=codepoints]]   for a file that Python wrote, [[offsets=utf16]] for an export of doccano"
    _wrong(where, what, "the unit of start and end", hint)


# ---------------------------------------------------------------- documents


def _by_user(documents: Sequence[Export]) -> dict[str, list[Export]]:
    """Return the documents of each user, where an old export has the spans of several.

    A document without spans is everybody's; one with those of some users is theirs only.
    """
    users = list(dict.fromkeys(who for one in documents for span in one.spans if (who := _user(one, span))))
    if len(users) < 2:
        return {ALONE: list(documents)}
    out: dict[str, list[Export]] = {who: [] for who in users}
    for one in documents:
        for who in users:
            own = [span for span in one.spans if _user(one, span) == who]
            if own or not one.spans:
                out[who].append(one._replace(spans=own))
    return out


def _user(document: Export, span: Any) -> str:
    found = span.get("user") if document.key == TYPED and isinstance(span, Mapping) else None
    return "" if found is None else str(found)


def _corpus(documents: Sequence[Export], found: Documents, options: ReadOptions) -> Corpus:
    placed = found._replace(values=documents, where=lambda row: found.where(documents[row].row))
    return translate_documents(placed, lambda one, where: _translate(one, where, options), options)


def _translate(one: Export, where: str, options: ReadOptions) -> dict[str, Any]:
    spans = [_span(span, f"{one.key}[{number}]", where, options) for number, span in enumerate(one.spans)]
    more = [key for key, value in one.value.items() if key not in NO_META and value not in ([], {}, "")]
    name = value_inside(one.value, options.fields.get("id", "id"))
    meta = meta_of(one.value.get(META) or None, one.value, [*more, *options.keep_fields])
    return {"id": name, "text": one.value["text"], "spans": spans, META: meta}


def _span(span: Any, at: str, where: str, options: ReadOptions) -> dict[str, Any]:
    if isinstance(span, Mapping) and "start_offset" in span and "end_offset" in span:
        start, end, label = span["start_offset"], span["end_offset"], span.get("label")
    elif isinstance(span, (list, tuple)) and len(span) == 3:
        start, end, label = span
    else:
        _wrong(where, f"{at} is {shown(span)}", SPAN)
    return {"start": start, "end": end, "label": _label(label, f"{at}.label", where, options)}


def _label(label: Any, at: str, where: str, options: ReadOptions) -> Any:
    """Return a label, which old exports have as a number of the database."""
    number = as_whole(label)
    if number is None:
        return label
    if (name := options.label_names.get(str(number))) is None:
        _wrong(
            where,
            f"{at} is {number}: labels are numbers of doccano's database",
            "names of labels",
            'export as "JSONL (text label)", or give the names: [[label_names=1=PER,2=ORG]]',
        )
    return name
