"""CSV and TSV with one row per document, whose spans stand in a cell: as JSON, or as a Python literal.

Such cells are what pandas and spreadsheets make of a column of lists. Literals are parsed, and never run.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.column_names import DOCUMENT, ROWS, TEXTS, first_named, squashed
from spanscope.io.delimited import open_delimited
from spanscope.io.documents import Documents
from spanscope.io.fields import KNOWN
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.reading import ALONE, translate_documents

LITERALS = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)
LIST_NAMES = ("spans", "entities", "ents")
NOTHING = object()  # a cell that holds no list
FIELDS = ("start", "end", "label", "span_text", "span_score")


def read_span_cells(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the corpus of a table with one row per document."""
    table = open_delimited(source)
    where = f"{table.name}:1"
    spans = column_of_spans(table.header, table.rows, options.fields)
    if spans is None:
        raise InputError(
            f"no column holds lists of spans (there are {', '.join(table.header)})",
            where=where,
            expected='a list of spans in every row, such as [{"start": 0, "end": 4, "label": "PER"}]',
            hint="[[fields=spans=NAME]]   if there is one",
        )
    free = {squashed(name): name for name in table.header if name != spans}
    of_id = options.fields.get("id") or first_named(DOCUMENT, free)
    free = {key: name for key, name in free.items() if name != of_id}
    of_text = options.fields.get("text") or first_named(TEXTS, free)
    for name in (of_id, of_text):
        if name is not None and name not in table.header:
            expected = ", ".join(table.header)
            raise InputError(f"there is no column {shown(name)}", where=where, expected=expected)
    at = {name: number for number, name in enumerate(table.header)}
    others = [name for name in table.header if name and name not in (spans, of_id, of_text)]

    def translate(row: Sequence[str], place: str) -> dict[str, Any]:
        out: dict[str, Any] = {"spans": _spans(row[at[spans]], spans, place, options.fields)}
        if of_id is not None:
            out["id"] = row[at[of_id]] or None
        if of_text is not None:
            out["text"] = row[at[of_text]]
        return out | {"meta": {name: row[at[name]] for name in others}}

    found = Documents(table.rows, table.where, table.name, table.sha256)
    return {ALONE: translate_documents(found, translate, options)}


def column_of_spans(header: Sequence[str], rows: Sequence[Sequence[str]], own: Mapping[str, str]) -> str | None:
    """Return the column whose cells are lists of spans in every row; of several, the one with a usual name."""
    if "spans" in own:
        return own["spans"] if own["spans"] in header else None
    found = [name for number, name in enumerate(header) if _are_lists([row[number] for row in rows], name, own)]
    usual = first_named(LIST_NAMES, {squashed(name): name for name in found})
    return usual or (found[0] if len(found) == 1 else None)


def _are_lists(cells: Sequence[str], name: str, own: Mapping[str, str]) -> bool:
    """Tell cells that are lists of spans; lists that are all empty only under a usual name."""
    if any(cell.strip() and not cell.lstrip().startswith("[") for cell in cells):
        return False
    lists = [parse_list(cell) for cell in cells if cell.strip()]
    if NOTHING in lists or not lists:
        return False
    spans = [one for found in lists for one in found]
    if not spans:
        return squashed(name) in LIST_NAMES
    return all(_is_span(one, own) for one in spans)


def _is_span(one: Any, own: Mapping[str, str]) -> bool:
    """Tell a span: an object with a start, or a start, an end and a label."""
    if isinstance(one, Mapping):
        there = {squashed(str(key)): str(key) for key in one}
        needed = [(own[key],) if key in own else ROWS[key] for key in ("start", "end", "label")]
        return all(first_named(names, there) is not None for names in needed)
    three = isinstance(one, (list, tuple)) and len(one) == 3
    return three and type(one[0]) is int and type(one[1]) is int and isinstance(one[2], str)


def parse_list(cell: str) -> Any:
    """Return the list in a cell, of JSON or of a Python literal; NOTHING where it holds none.

    >>> parsed("[(0, 4, 'PER')]"), parsed('[[0, 4, "PER"]]'), parsed("[f()]") is NOTHING
    ([(0, 4, 'PER')], [[0, 4, 'PER']], True)
    """
    try:
        found = msgspec.json.decode(cell)
    except (msgspec.DecodeError, RecursionError):
        try:
            found = literal_eval(cell.strip())
        except LITERALS:
            return NOTHING
    return list(found) if isinstance(found, (list, tuple)) else NOTHING


def _spans(cell: str, name: str, place: str, own: Mapping[str, str]) -> list[Any]:
    """Return the spans in a cell under our own names; none in an empty one."""
    found = parse_list(cell) if cell.strip() else []
    if found is NOTHING:
        what = f"{name} is {shown(cell)}"
        raise InputError(what, where=place, expected="a list of spans, as JSON or as a Python literal")
    return [_rename_fields(one, own) for one in found]


def _rename_fields(one: Any, own: Mapping[str, str]) -> Any:
    """Return a span whose fields stand under our own names where they stood under others."""
    if not isinstance(one, Mapping):
        return one
    there = {squashed(str(key)): str(key) for key in one}
    out = {str(key): value for key, value in one.items()}
    for field in FIELDS:
        usual = KNOWN[field]
        if field not in own and any(name in out for name in usual):
            continue
        found = own.get(field) or first_named(ROWS[field], there)
        if found in out:
            out[usual[0]] = out.pop(found)
    return out
