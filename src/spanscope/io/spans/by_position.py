"""Lists of spans as models return them, one list per text in their order, mostly without texts and ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from spanscope.errors import InputError, fields_of, shown
from spanscope.io.documents import Documents, documents_in, documents_of
from spanscope.io.fields import KNOWN, value_of
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES
from spanscope.io.spans.objects import CONTAINERS

IsRow = Callable[[Any], bool]
EXPECTED = "a list of spans for each text"


class Answer(NamedTuple):
    """What a model returned for a text: its rows, and the id and the text where somebody put them beside these."""

    rows: list[Any]
    id: Any = None
    text: Any = None


def open_answers(source: Any, is_row: IsRow, options: ReadOptions) -> Documents:
    """Return what a model returned for each text: of a flat list of rows, what it returned for one."""

    def unwrap(value: Any, _: str) -> list[Any]:
        if isinstance(value, Mapping):
            listed = next((value[key] for key in CONTAINERS if isinstance(value.get(key), (list, tuple))), None)
            if listed is not None:
                return list(listed)
            own = value_of(value, KNOWN["spans"])
            if own is not None or is_row(value):
                return [value]
            return [{"id": key, "spans": rows} for key, rows in value.items()]
        return [value] if value and is_row(value[0]) else list(value)

    if isinstance(source, FILES):
        return documents_in(open_source(source), unwrap, CONTAINERS, options.report)
    return documents_of(source, options.side or "documents", unwrap, CONTAINERS, options.report)


def answer_of(value: Any, is_row: IsRow, where: str) -> Answer:
    """Return what a model returned for one text, refused where it is no list of rows of its kind."""
    id_, text = None, None
    if isinstance(value, Mapping) and not is_row(value):
        id_, text = (value_of(value, KNOWN[key]) for key in ("id", "text"))
        value = value_of(value, KNOWN["spans"])
    if is_row(value):
        raise InputError("is a span on a line of its own", where=where, expected=EXPECTED)
    if not isinstance(value, (list, tuple)):
        raise InputError(f"what belongs to a text is {shown(value)}", where=where, expected=EXPECTED)
    for number, row in enumerate(value):
        if not is_row(row):
            what = f"has {fields_of(row)}" if isinstance(row, Mapping) else f"is {shown(row)}"
            first = f", and not what {fields_of(value[0])} are" if number and isinstance(value[0], Mapping) else ""
            raise InputError(f"spans[{number}] {what}{first}", where=where, expected="spans of one kind")
    return Answer(list(value), id_, text)
