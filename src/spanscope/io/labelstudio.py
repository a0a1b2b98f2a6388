"""Label Studio exports: tasks with annotations, a segmentation an annotator."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any, NoReturn

from spanscope.data import Problem
from spanscope.errors import InputError, shown
from spanscope.io.build import places
from spanscope.io.careful import Report

Where = Callable[[int], str]
CLAUSE = re.compile(r"/div\[(\d+)\]/")  # the clause of an end, in the pages RT-SEG made: /div[N]/div[1]/text()[1]
REGIONS = ("labels", "hypertextlabels", "paragraphlabels")


def is_export(documents: Sequence[Any]) -> bool:
    """Tell Label Studio tasks from documents."""
    first = documents[0] if documents else None
    return isinstance(first, Mapping) and isinstance(first.get("data"), Mapping) and "annotations" in first


def tasks(documents: Sequence[Any], where: Where, report: Report) -> list[Any]:
    """Return the tasks as documents with a segmentation an annotator (or model), offsets in code points.

    Results come in any order and with gaps, as people drew them: that is for --normalise. Cancelled annotations
    are left out and reported.
    """
    out: list[Any] = []
    for row, task in enumerate(documents):
        try:
            out.append(_task(task, where(row), report))
        except InputError as error:
            report.bad(error, "bad document")
            out.append({"length": 0, "segmentations": {}})
    return out


def _wrong(where: str, what: str, expected: str = "") -> NoReturn:
    raise InputError(what, where=where, expected=expected)


def _task(task: Any, where: str, report: Report) -> dict[str, Any]:
    if not isinstance(task, Mapping) or not isinstance(task.get("data"), Mapping):
        _wrong(where, f"a task is {shown(task)}", "an object with data and annotations")
    data = task["data"]
    page = _Page.of(data, where)
    found: dict[str, list[Any]] = {}
    for number, one in enumerate([*(task.get("annotations") or []), *(task.get("predictions") or [])]):
        if not isinstance(one, Mapping):
            _wrong(where, f"annotations[{number}] is {shown(one)}", "an object with result")
        if one.get("was_cancelled"):
            what = f"the annotation {one.get('id', number)} was cancelled: left out"
            report.problems.append(Problem("cancelled annotation", where, what))
            continue
        name = _annotator(one)
        if name in found:
            _wrong(where, f"two annotations are by {name!r}", "one annotation of each annotator")
        found[name] = [
            page.segment(result["value"], f"{name}: result[{n}]", where)
            for n, result in enumerate(one.get("result") or [])
            if isinstance(result, Mapping) and isinstance(result.get("value"), Mapping) and _is_region(result)
        ]
    identity = data.get("origin_id", data.get("id", task.get("id")))
    whole = {"text": page.text} if page.text is not None else {"length": page.length}
    return {"id": identity, **whole, "segmentations": found}


def _is_region(result: Mapping[str, Any]) -> bool:
    return any(kind in result["value"] for kind in REGIONS) or result.get("type") in REGIONS


def _annotator(one: Mapping[str, Any]) -> str:
    """Return who made an annotation: the annotator's e-mail or number, or the model's version."""
    who = one.get("completed_by", one.get("model_version"))
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("id")
    return "annotator" if who is None else str(who)


class _Page:
    """The text of a task, and how offsets into its page become offsets into the text."""

    def __init__(self, text: str | None, length: int, clauses: list[str], offsets: list[list[int]]) -> None:
        self.text, self.length, self.clauses, self.offsets = text, length, clauses, offsets
        self.convert = None if text is None else places(text, "utf16")

    @classmethod
    def of(cls, data: Mapping[str, Any], where: str) -> _Page:
        """Return the page of a task: a text, or HTML with perhaps the offsets of its clauses."""
        html, offsets = data.get("html"), data.get("offsets")
        if isinstance(html, str):
            reader = _Reader()
            reader.feed(html)
            reader.close()
            if isinstance(offsets, list) and offsets:
                return cls(None, int(offsets[-1][1]), reader.clauses, offsets)
            text = "".join(reader.clauses)
            return cls(text, len(text), [], [])
        plain = next((data[key] for key in ("text", "content") if isinstance(data.get(key), str)), None)
        if plain is None:
            _wrong(where, f"data has {', '.join(map(str, list(data)[:8]))}", "a text under text, content or html")
        return cls(plain, len(plain), [], [])

    def segment(self, value: Mapping[str, Any], at: str, where: str) -> list[Any]:
        """Return one result as [start, end, label]."""
        kind = next((value[kind] for kind in REGIONS if value.get(kind)), ["segment"])
        label = str(kind[0]) if isinstance(kind, list) and kind else str(kind)
        if self.offsets:
            return [*(self._clause(value, end, at, where) for end in ("start", "end")), label]
        ends = value.get("globalOffsets") or value
        out = []
        for end in ("start", "end"):
            offset = ends.get(end)
            moved = self.convert(offset) if isinstance(offset, int) and self.convert else None
            if moved is None:
                _wrong(where, f"{at}.{end} is {shown(offset)}", "an offset into the text, in UTF-16 units")
            out.append(moved)
        return [*out, label]

    def _clause(self, value: Mapping[str, Any], end: str, at: str, where: str) -> int:
        """Return an end given by its clause and the offset in it, undoing the escapes of the page."""
        found = CLAUSE.match(str(value.get(end)))
        offset = value.get(f"{end}Offset")
        number = int(found[1]) - 1 if found else -1
        if not 0 <= number < len(self.offsets) or not isinstance(offset, int):
            _wrong(
                where,
                f"{at}.{end} is {shown(value.get(end))} with offset {shown(offset)}",
                "/div[N]/... and an offset",
            )
        low, high = (int(edge) for edge in self.offsets[number])
        written = self.clauses[number] if number < len(self.clauses) else ""
        raw = written.encode("utf-16-le")[: 2 * offset].decode("utf-16-le", "replace")
        escapes = raw.count('\\"') if len(written) - written.count('\\"') == high - low else 0
        return low + len(raw) - escapes if written else low + offset


class _Reader(HTMLParser):
    """Collects the text of a page, a piece each text node."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.clauses: list[str] = []

    def handle_data(self, data: str) -> None:
        self.clauses.append(data)
