"""Repairs of gold whose offsets have drifted: proposed as a diff, never written over the file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from spanscope.errors import InputError, plural, quoting
from spanscope.io.document_texts import BODIES
from spanscope.io.documents import documents_in
from spanscope.io.opening import open_source
from spanscope.io.strict import Report
from spanscope.locating.document import Locating, place
from spanscope.settings.options import Text
from spanscope.settings.run_settings import may_quote

STRICT = Locating(fuzzy=1.0)  # the words of gold are right: a text that is only alike is no repair
SPANS, QUOTES = ("spans", "entities", "annotations"), ("text", "quote")


def propose_repairs(gold: str | Path, *, text: Text = "full") -> tuple[str, str]:
    """Return a diff that moves spans to where their own texts stand, and in words what it does."""
    if not may_quote(text):
        raise InputError("a diff quotes the lines of gold", expected="--text full, or no --check")
    with quoting(may_quote(text)):
        source = open_source(gold)
        documents = documents_in(source, _one_a_line, (), Report())
    before = source.data.decode("utf-8").splitlines(keepends=True)
    if len([line for line in before if line.strip()]) != len(documents.values):
        raise InputError(
            "not one document per line", where=source.name, expected="JSON Lines, to propose a diff of"
        )
    after, repaired, open_, lost = [], 0, 0, 0
    values = iter(documents.values)
    for line in before:
        if not line.strip():
            after.append(line)
            continue
        value = next(values)
        moved, unsure, gone = _repair(value)
        repaired, open_, lost = repaired + moved, open_ + unsure, lost + gone
        after.append(msgspec.json.encode(value).decode() + "\n" if moved else line)
    diff = "".join(
        difflib.unified_diff(_plain(before), _plain(after), source.name, f"{source.name} (proposed)", n=0)
    )
    said = (
        f"{plural(repaired, 'span')} moved to where {'its text stands' if repaired == 1 else 'their texts stand'}"
    )
    said += f", {open_:,} of them at one of several places" if open_ else ""
    return diff, said + (f"; {plural(lost, 'text')} not found, left as they are" if lost else "")


def _one_a_line(value: Any, where: str) -> list[Any]:
    if isinstance(value, Mapping):
        return [value]
    raise InputError("not one document per line", where=where, expected="JSON Lines, to propose a diff of")


def _plain(lines: list[str]) -> list[str]:
    """Return lines as the proposal writes them, so that only what is moved differs."""
    return [
        msgspec.json.encode(msgspec.json.decode(line)).decode() + "\n" if line.strip() else line for line in lines
    ]


def _repair(value: dict[str, Any]) -> tuple[int, int, int]:
    """Move the spans of a document that do not fit; return how many, how many unsure, how many not found."""
    text = next((value[key] for key in BODIES if isinstance(value.get(key), str)), None)
    spans = next((value[key] for key in SPANS if isinstance(value.get(key), list)), None)
    if text is None or spans is None:
        return 0, 0, 0
    rows = [one for one in spans if isinstance(one, dict) and isinstance(_quote_of(one), str)]
    items = [
        {"quote": _quote_of(one), "label": "", "start": one.get("start"), "end": one.get("end")} for one in rows
    ]
    for number, item in enumerate(items):
        item["label"] = f"{rows[number].get('label', rows[number].get('tag', ''))}"
    moved = unsure = lost = 0
    for one, found in zip(rows, place(text, items, STRICT), strict=True):
        if text[_offset_of(one, "start") : _offset_of(one, "end")] == _quote_of(one):
            continue
        if found.start is None:
            lost += 1
        elif (one.get("start"), one.get("end")) != (found.start, found.end):
            one["start"], one["end"] = found.start, found.end
            moved += 1
            unsure += found.place == "open"
    return moved, unsure, lost


def _quote_of(one: Mapping[str, Any]) -> Any:
    return next((one[key] for key in QUOTES if key in one), None)


def _offset_of(one: Mapping[str, Any], key: str) -> int:
    own = one.get(key)
    return own if isinstance(own, int) and own >= 0 else 0
