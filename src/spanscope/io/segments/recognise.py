"""Segmentations or labelled spans: what the first document of a source says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from spanscope.io.fields import FORMS, KNOWN
from spanscope.io.opening import peek
from spanscope.io.segments.label_studio import MADE, is_export
from spanscope.io.source import FILES

CONTAINERS = ("items", "data", "documents", "examples", "traces")
HEADS = (1 << 16, 1 << 22)  # how much of a file is looked at: mostly its first document is in the first 64 KB
CUT = object()  # a value that the head of a file does not hold to its end
BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def has_segments(source: Any, field: Mapping[str, str] | None = None) -> bool:
    """Tell whether a source holds segmentations and not labelled spans, from its first document.

    `field` gives other names of fields, as for the readers.
    """
    own = field if isinstance(field, Mapping) else {}
    if not isinstance(source, FILES):
        return _is_segmented(_first(source, own), own)
    for size in HEADS:
        head = peek(source, size).lstrip()
        first, whole = _of_head(head, own)
        if _is_segmented(first, own) or _is_long_task(first, head):
            return True
        if whole:
            return False
    return False


def _names(own: Mapping[str, str]) -> list[str]:
    return [own.get(form, form) for form in FORMS]


def _is_segmented(first: Any, own: Mapping[str, str]) -> bool:
    """Tell a document with a segmentation, or a task of Label Studio, by the fields of the document itself."""
    if not isinstance(first, Mapping):
        return False
    if is_export([first]):
        return True
    names = _names(own)
    spans = (own["spans"],) if "spans" in own else KNOWN["spans"]
    return any(name in first for name in names) and not any(name in first for name in spans if name not in names)


def _is_long_task(first: Any, head: bytes) -> bool:
    """Tell a task of Label Studio of which the head holds only the beginning."""
    return isinstance(first, Mapping) and any(first.get(key) is CUT for key in MADE) and b'"result"' in head


def _first(value: Any, own: Mapping[str, str]) -> Any:
    """Return the first document of decoded data: of a list, of a container, or of documents keyed by id."""
    if isinstance(value, (list, tuple)):
        return value[0] if value else None
    if not isinstance(value, Mapping):
        return None
    inner = next((value[key] for key in CONTAINERS if isinstance(value.get(key), list) and value[key]), None)
    if inner is not None:
        return inner[0]
    if is_export([value]) or any(name in value for name in _names(own)):
        return value
    if value and all(isinstance(item, Mapping) for item in value.values()):
        return next(iter(value.values()))
    return value


def _of_head(head: bytes, own: Mapping[str, str]) -> tuple[Any, bool]:
    """Return the first document in the first bytes of a file, and whether all of it is there."""
    line = head.partition(b"\n")[0]
    for part in (line, head) if len(line) < len(head) else (head,):
        try:
            return _first(msgspec.json.decode(part), own), True
        except BROKEN:
            continue
    text = head.decode("utf-8", "ignore")
    at = _skip(text, 1) if text[:1] == "[" else 0
    if text[at : at + 1] != "{":
        return None, False
    found = dict(_fields(text, at))
    known = {key: value for key, value in found.items() if value is not CUT}
    first = _first(known, own) if text[:1] == "{" else None
    keyed = first is not known and not any(name in found for name in _names(own))
    return (first if keyed and first is not None else found), False


def _fields(text: str, at: int) -> Iterator[tuple[str, Any]]:
    """Return the fields of an object as far as the text goes: the last value may be cut off.

    Of a list of documents that is cut off the first document is returned as far as it goes.
    """
    decoder = json.JSONDecoder()
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        try:
            key, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            return
        at = _skip(text, at + 1)
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield key, _begun(text, at, key)
            return
        yield key, value
        at = _skip(text, end)
        if text[at : at + 1] != ",":
            return
        at = _skip(text, at + 1)


def _begun(text: str, at: int, key: str) -> Any:
    """Return what there is of a value that is cut off, where it can be a document or a list of them."""
    if key in CONTAINERS and text[at : at + 1] == "[":
        inner = _skip(text, at + 1)
        if text[inner : inner + 1] == "{":
            return [dict(_fields(text, inner))]
    return CUT


def _skip(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at
