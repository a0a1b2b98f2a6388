"""Label Studio exports: tasks with annotations, a segmentation an annotator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from spanscope.data.problems import problem_at
from spanscope.errors import InputError, shown
from spanscope.io.head import CUT
from spanscope.io.strict import Report

if TYPE_CHECKING:
    from spanscope.io.segments.hypertext import Page

Where = Callable[[int], str]
REGIONS = ("labels", "hypertextlabels", "paragraphlabels")
MADE = ("annotations", "predictions")  # where a task keeps what people and models made
ONE = {"annotations": "one annotation of each annotator", "predictions": "one prediction of each model"}


def is_export(documents: Sequence[Any]) -> bool:
    """Tell Label Studio tasks from documents."""
    first = documents[0] if documents else None
    if not isinstance(first, Mapping) or not isinstance(first.get("data"), Mapping):
        return False
    return any(key in first for key in MADE)


def is_task(document: Any, head: bytes) -> bool:
    """Tell a task, also where the first bytes of a file hold only its beginning."""
    if is_export([document]):
        return True
    begun = isinstance(document, Mapping) and any(document.get(key) is CUT for key in MADE)
    return begun and b'"result"' in head


def tasks(documents: Sequence[Any], where: Where, report: Report) -> list[dict[str, Any] | None]:
    """Return the tasks as documents with a segmentation an annotator (or model), offsets in code points.

    Results come in any order and with gaps, as people drew them: that is for --normalise. Cancelled annotations
    and tasks that nobody annotated are left out and reported; a task that cannot be read is None where problems
    are collected.
    """
    people = {name for task in documents for name in _people(task)}
    out: list[dict[str, Any] | None] = []
    for row, task in enumerate(documents):
        try:
            out.append(_task(task, people, where(row), report))
        except InputError as error:
            report.bad(error, "bad document")
            out.append(None)
    return out


def _wrong(where: str, what: str, expected: str = "") -> NoReturn:
    raise InputError(what, where=where, expected=expected)


def _task(task: Any, people: set[str], where: str, report: Report) -> dict[str, Any] | None:
    if not isinstance(task, Mapping) or not isinstance(task.get("data"), Mapping):
        _wrong(where, f"a task is {shown(task)}", "an object with data and annotations")
    data = task["data"]
    from spanscope.io.segments.hypertext import Page  # with a reader of HTML, for which nobody else has a use

    page = Page.of(data, where)
    found: dict[str, list[Any]] = {}
    cancelled = 0
    for kind in MADE:
        for number, one in enumerate(_listed(task.get(kind), kind, where)):
            if not isinstance(one, Mapping):
                _wrong(where, f"{kind}[{number}] is {shown(one)}", "an object with result")
            if one.get("was_cancelled"):
                own = one.get("id", number)
                report.problems.append(problem_at("cancelled annotation", where, {"annotation": own}))
                cancelled += 1
                continue
            name = _annotator(one, where) if kind == "annotations" else _model(one, people)
            if name in found:
                _wrong(where, f"two {kind} are by {name!r}", ONE[kind])
            found[name] = _segments(one, name, page, where)
    if not found:
        if not cancelled:
            report.problems.append(problem_at("no annotation", where))
        return None
    report.problems += [problem_at("other length", where, values) for values in page.odd()]
    identity = data.get("origin_id", data.get("id", task.get("id")))
    whole = {"text": page.text} if page.text is not None else {"length": page.length}
    return {"id": identity, **whole, "segmentations": found}


def _listed(value: Any, called: str, where: str) -> list[Any]:
    """Return a list that may be missing or null."""
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        _wrong(where, f"{called} is {shown(value)}", "a list")
    return list(value)


def _segments(one: Mapping[str, Any], name: str, page: Page, where: str) -> list[Any]:
    """Return what somebody drew as [start, end, label]; choices about the whole text and relations are none."""
    out = []
    for number, result in enumerate(_listed(one.get("result"), f"{name}: result", where)):
        at = f"{name}: result[{number}]"
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


def _annotator(one: Mapping[str, Any], where: str = "") -> str:
    """Return who made an annotation: the annotator's e-mail or number, or the model it was taken from."""
    who = one.get("completed_by", one.get("model_version"))
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("id")
    if who is not None and (isinstance(who, bool) or not isinstance(who, (str, int))):
        _wrong(where, f"completed_by is {shown(who)}", "an e-mail address or a number")
    return "annotator" if who is None or who == "" else str(who)


def _people(task: Any) -> list[str]:
    """Return who annotated a task; what is wrong with it is said when it is read."""
    made = task.get("annotations") if isinstance(task, Mapping) else None
    known = [one for one in made if isinstance(one, Mapping)] if isinstance(made, list) else []
    kept = [one for one in known if isinstance(one.get("completed_by"), (str, int, Mapping, type(None)))]
    out = []
    for one in kept:
        try:
            out.append(_annotator(one))
        except InputError:
            continue
    return out


def _model(one: Mapping[str, Any], people: set[str]) -> str:
    """Return the name of a model: its version, made different from the annotators of the whole export."""
    version = one.get("model_version")
    name = version if isinstance(version, str) and version else "model" if version is None else f"model {version}"
    while name in people:
        name = f"model {name}"
    return name or "model"
