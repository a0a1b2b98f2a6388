"""Rows of ai4privacy's data sets, in the three forms that their editions have."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from spanscope.errors import InputError, fields_of, shown
from spanscope.io.documents import documents_in, documents_of
from spanscope.io.fields import fields
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES
from spanscope.io.spans.objects import CONTAINERS, unwrap
from spanscope.io.spans.reading import ALONE, Sides, translate_documents

TEXTS = ("source_text", "unmasked_text")
IDS = ("uid", "id")
META = ("language", "locale", "region", "script", "split", "set")
NUMBER = re.compile(r"_\d+$")  # the second city of a text is CITY_2 in the first edition
OUTSIDE = "O"
LONGEST = 1 << 20  # characters of a literal that is read: that of the longest row has a few thousand


def read_ai4privacy(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of the rows."""
    if isinstance(source, FILES):
        found = documents_in(open_source(source), _unwrap, CONTAINERS, options.report)
    else:
        found = documents_of(source, options.side or "documents", _unwrap, CONTAINERS, options.report)
    return {ALONE: translate_documents(found, _document, options)}


def _unwrap(value: Any, where: str) -> list[Any]:
    is_row = isinstance(value, Mapping) and "privacy_mask" in value
    return [value] if is_row else unwrap(value, fields(None), where)[0]


def _document(row: Any, where: str) -> dict[str, Any]:
    if not isinstance(row, Mapping) or not any(isinstance(row.get(name), str) for name in TEXTS):
        what = f"a row has {fields_of(row)}" if isinstance(row, Mapping) else f"a row is {shown(row)}"
        raise InputError(what, where=where, expected=f"{' or '.join(TEXTS)}, and privacy_mask")
    meta = {name: row[name] for name in META if row.get(name) is not None}
    text = next(row[name] for name in TEXTS if isinstance(row.get(name), str))
    own = next((row[name] for name in IDS if row.get(name) is not None), None)
    return {"id": own, "text": text, "spans": _spans(row, where), "meta": meta}


def _spans(row: Mapping[str, Any], where: str) -> list[Any]:
    """Return the masks of a row with their places; of the first edition, its labels of stretches of the text."""
    masks = _literal(row.get("privacy_mask"), "privacy_mask", where)
    if isinstance(masks, list) and all(isinstance(mask, Mapping) and "start" in mask for mask in masks):
        return [_mask(mask) for mask in masks]
    stretches = _literal(row.get("span_labels"), "span_labels", where)
    if not isinstance(stretches, list) or not all(map(_is_stretch, stretches)):
        what = f"privacy_mask has no offsets, and span_labels is {shown(row.get('span_labels'))}"
        raise InputError(what, where=where, expected="span_labels as a list of start, end and label")
    return [
        {"start": start, "end": end, "label": NUMBER.sub("", label) if isinstance(label, str) else label}
        for start, end, label in stretches
        if label != OUTSIDE
    ]


def _is_stretch(one: Any) -> bool:
    return isinstance(one, (list, tuple)) and len(one) == 3


def _mask(mask: Mapping[str, Any]) -> dict[str, Any]:
    own = {name: mask.get(name) for name in ("start", "end", "label")}
    return own if mask.get("value") is None else {**own, "text": mask["value"]}


def _literal(value: Any, name: str, where: str) -> Any:
    """Return a value that may be written as a literal of Python in a string; nothing of it is ever run."""
    if not isinstance(value, str):
        return value
    try:
        if len(value) <= LONGEST:
            return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    raise InputError(f"{name} is {shown(value)}", where=where, expected="a list, or a list as Python writes it")
