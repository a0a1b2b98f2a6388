"""ReqFlow's own rules for what it reads, for the protocols that reproduce its figures.

Strict readers refuse bad data; ReqFlow drops it. Here it is dropped as ReqFlow drops it, and every drop is
written down. Where ReqFlow's command line and its window disagree the command line is followed: items that are
no objects, have no id or an id that `int()` refuses are dropped, the last of several items with one id wins, and
an object of items is read by the ids inside the items (the window uses the keys; so do we where there is no id).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arguments import holds, identifier
from spanscope.data.corpus import FARTHEST, Corpus
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, shown
from spanscope.io.builder import Builder
from spanscope.io.failed_calls import note_failed_call
from spanscope.io.json_lines import decode, is_lines, lines
from spanscope.io.opening import open_source
from spanscope.io.source import FILES, Source
from spanscope.io.spans.batch import Batch
from spanscope.io.spans.columns import is_columns
from spanscope.io.surrogates import refuse_half

TAGS = (
    "Main_actor",
    "Entity",
    "Action",
    "System_response",
    "Condition",
    "Precondition",
    "Constraint",
    "Exception",
)


def read_reqflow(source: Any, name: str) -> Corpus:
    """Return a corpus with what ReqFlow would have kept of a file or of Python objects."""
    sha256 = None
    if isinstance(source, Corpus):
        return source
    if is_columns(source) or not isinstance(source, (list, tuple, dict, str, Path)):
        raise InputError(
            f"the input is {shown(source)}", where=name, expected="a path, or items as ReqFlow has them"
        )
    if isinstance(source, FILES):
        opened = open_source(source)
        name, sha256, source = opened.name, opened.sha256, _decode(opened)
    problems: list[Problem] = []

    def drop(where: str, what: str) -> None:
        problems.append(problem_at("dropped, as ReqFlow does", where, {"what": what}))

    items = _by_id(_items(source, name), name, drop)
    keys = list(items)
    builder = Builder(name, lambda row: f"{name} id {keys[row]}", keep_given=True)
    spans = [_spans(item.get("spans"), f"{name} id {key}", drop) for key, item in items.items()]
    for key, item in items.items():
        refuse_half(item.get("text"), "text", f"{name} id {key}")
        problems += note_failed_call(item, f"{name} id {key}")
    flat = [span for part in spans for span in part]
    tags, starts, ends, texts = ([span[i] for span in flat] for i in range(4))
    batch = Batch(
        [str(key) for key in keys],
        [text if isinstance(text := item.get("text"), str) else None for item in items.values()],
        np.array([len(part) for part in spans], dtype=np.int64),
        np.array(starts, dtype=np.int64),
        np.array(ends, dtype=np.int64),
        tags,
        texts,
    )
    builder.add(batch)  # reversed and outlying spans are legal for ReqFlow
    builder.problems[:0] = problems
    corpus = builder.corpus(sha256=sha256)
    corpus.ids = corpus.ids or []
    return corpus


def _decode(source: Source) -> Any:
    if is_lines(source):
        return [decode(line, source.name, number) for number, line in lines(source)]
    return decode(source.data, source.name)


def _items(value: Any, name: str) -> list[Any]:
    if isinstance(value, dict):
        for key in ("items", "data"):
            if isinstance(value.get(key), list):
                return list(value[key])
        return [{"id": key, **item} if isinstance(item, dict) else item for key, item in value.items()]
    if not isinstance(value, (list, tuple)):
        raise InputError(
            f"the input is {shown(value)}", where=name, expected="a list of items, or an object of them"
        )
    return list(value)


def _by_id(items: list[Any], name: str, drop: Callable[[str, str], None]) -> dict[int, dict[str, Any]]:
    out: dict[int, dict[str, Any]] = {}
    for row, item in enumerate(items):
        where = f"{name}[{row}]"
        if not isinstance(item, dict):
            drop(where, f"the item is {shown(item)}")
            continue
        if "id" not in item:
            drop(where, "the item has no id")
            continue
        try:
            key = int(item["id"])
        except (TypeError, ValueError, OverflowError):
            drop(where, f"the id {shown(item['id'])} is not a number")
            continue
        if identifier(key) is None:
            raise InputError(f"the id is {shown(key)}", where=where, expected="a number that can be written")
        if key in out:
            drop(where, f"the id {key} is repeated: the last one wins")
        out[key] = item
    return out


def _spans(found: Any, where: str, drop: Callable[[str, str], None]) -> list[tuple[Any, ...]]:
    out: list[tuple[Any, ...]] = []
    found = found if holds(found) else []
    if not isinstance(found, (list, tuple, str, dict)):  # ReqFlow walks texts and objects, and drops each part
        raise InputError(f"spans is {shown(found)}", where=where, expected="a list")
    for row, span in enumerate(found):
        if not isinstance(span, dict):
            drop(where, f"spans[{row}] is {shown(span)}")
            continue
        tag, start, end = span.get("tag"), span.get("start"), span.get("end")
        if not isinstance(tag, str) or tag not in TAGS:
            drop(where, f"spans[{row}].tag is {shown(tag)}")
        elif not isinstance(start, int) or not isinstance(end, int):
            drop(where, f"spans[{row}] has offsets {shown(start)} and {shown(end)}")
        elif max(abs(start), abs(end)) > FARTHEST:
            raise InputError(
                f"spans[{row}] has offsets {shown(start)} and {shown(end)}",
                where=where,
                expected="offsets into a text",
            )
        else:
            refuse_half(span.get("text"), f"spans[{row}].text", where)
            if end < start:
                drop(where, f"spans[{row}] ends at {end}, before it starts at {start}: only exact sets count it")
            out.append((tag, int(start), int(end), _text(span.get("text", ""))))
    return out


def _text(value: Any) -> str:
    try:
        return str(value)
    except ValueError:  # a number of thousands of digits
        return shown(value)
