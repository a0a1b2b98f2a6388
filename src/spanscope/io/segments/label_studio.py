"""Label Studio exports: tasks with annotations, a segmentation an annotator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from spanscope.data.problems import problem_at
from spanscope.errors import InputError, shown
from spanscope.io.label_studio import REGIONS, Made, checked_task, made_in, people_of
from spanscope.io.label_studio import wrong as _wrong
from spanscope.io.strict import Report

if TYPE_CHECKING:
    from spanscope.io.segments.hypertext import Page

Where = Callable[[int], str]


def tasks(documents: Sequence[Any], where: Where, report: Report) -> list[dict[str, Any] | None]:
    """Return the tasks as documents with a segmentation an annotator (or model), offsets in code points.

    Results come in any order and with gaps, as people drew them: that is for --normalise. Cancelled annotations
    and tasks that nobody annotated are left out and reported; a task that cannot be read is None where problems
    are collected.
    """
    people = people_of(documents)
    out: list[dict[str, Any] | None] = []
    for row, task in enumerate(documents):
        try:
            out.append(_task(task, people, where(row), report))
        except InputError as error:
            report.bad(error, "bad document")
            out.append(None)
    return out


def _task(given: Any, people: set[str], where: str, report: Report) -> dict[str, Any] | None:
    task = checked_task(given, where)
    data = task["data"]
    from spanscope.io.segments.hypertext import Page  # with a reader of HTML, for which nobody else has a use

    page = Page.of(data, where)
    made = made_in(task, people, where, report)
    found = {one.name: _segments(one, page, where) for one in made if not one.cancelled}
    if not found:
        if not made:
            report.problems.append(problem_at("no annotation", where))
        return None
    report.problems += [problem_at("other length", where, values) for values in page.odd()]
    identity = data.get("origin_id", data.get("id", task.get("id")))
    whole = {"text": page.text} if page.text is not None else {"length": page.length}
    return {"id": identity, **whole, "segmentations": found}


def _segments(one: Made, page: Page, where: str) -> list[Any]:
    """Return what somebody drew as [start, end, label]; choices about the whole text and relations are none."""
    out = []
    for number, result in enumerate(one.results):
        at = f"{one.name}: result[{number}]"
        if not isinstance(result, Mapping):
            _wrong(where, f"{at} is {shown(result)}", "an object with type and value")
        value = result.get("value")
        region = result.get("type") in REGIONS
        if not isinstance(value, Mapping):
            if region:
                _wrong(where, f"{at}.value is {shown(value)}", "an object with start, end and labels")
            continue
        if region or any(kind in value for kind in REGIONS):
            start, end = page.ends(value, at, where)
            out.append([start, end, _label(value, at, where)])
    return out


def _label(value: Mapping[str, Any], at: str, where: str) -> str:
    kind = next((kind for kind in REGIONS if value.get(kind) not in (None, [])), None)
    if kind is None:
        return "segment"
    given = value[kind]
    labels = given if isinstance(given, list) else [given]
    if len(labels) > 1:
        _wrong(where, f"{at} has several labels: {shown(labels)}", "one label for each segment")
    if not isinstance(labels[0], str) or labels[0] in ("", "*"):
        _wrong(
            where, f"{at}.{kind} is {shown(given)}", "a list with one name (not '*', which stands for all labels)"
        )
    return labels[0]
