"""What exports of Label Studio have in common: tasks, who annotated them, what was cancelled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from spanscope.data.problems import problem_at
from spanscope.errors import InputError, shown
from spanscope.io.head import CUT
from spanscope.io.strict import Report

REGIONS = ("labels", "hypertextlabels", "paragraphlabels")
PEOPLE, MODELS = MADE = ("annotations", "predictions")  # where a task keeps what people and models made
OLD = "completions"  # what annotations were called before 2021
TASK = (*MADE, OLD)  # fields of which every task has one
ONE = {PEOPLE: "one annotation of each annotator", MODELS: "one prediction of each model"}


class Made(NamedTuple):
    """What one annotator, or one model, made of a task."""

    name: str
    kind: str  # annotations or predictions
    results: list[Any]
    cancelled: bool = False


def wrong(where: str, what: str, expected: str = "", hint: str = "") -> NoReturn:
    """Refuse something in an export."""
    raise InputError(what, where=where, expected=expected, hint=hint)


def is_export(documents: Sequence[Any]) -> bool:
    """Tell Label Studio tasks from documents."""
    first = documents[0] if documents else None
    if not isinstance(first, Mapping) or not isinstance(first.get("data"), Mapping):
        return False
    return any(key in first for key in TASK)


def is_task(document: Any, head: bytes) -> bool:
    """Tell a task, also where the first bytes of a file hold only its beginning."""
    if is_export([document]):
        return True
    begun = isinstance(document, Mapping) and any(document.get(key) is CUT for key in TASK)
    return begun and b'"result"' in head


def checked_task(task: Any, where: str) -> Mapping[str, Any]:
    """Return a task, its annotations under the name of today; refuse what is none."""
    if not isinstance(task, Mapping) or not isinstance(task.get("data"), Mapping):
        wrong(where, f"a task is {shown(task)}", "an object with data and annotations")
    return task if OLD not in task or PEOPLE in task else {**task, PEOPLE: task[OLD]}


def made_in(task: Mapping[str, Any], people: set[str], where: str, report: Report) -> list[Made]:
    """Return what was made of a task, by annotator or model; cancelled annotations are noted, and say so.

    `people` are the annotators of the whole export: no model is called as one of them.
    """
    out: list[Made] = []
    for kind in MADE:
        for number, one in enumerate(list_in(task.get(kind), kind, where)):
            if not isinstance(one, Mapping):
                wrong(where, f"{kind}[{number}] is {shown(one)}", "an object with result")
            name = annotator_of(one, where) if kind == PEOPLE else model_of(one, people, where)
            cancelled = bool(one.get("was_cancelled"))
            if cancelled:
                own = one.get("id", number)
                report.problems.append(problem_at("cancelled annotation", where, {"annotation": own}))
            elif any(other.name == name and not other.cancelled for other in out):
                wrong(where, f"two {kind} are by {name!r}", ONE[kind])
            results = [] if cancelled else list_in(one.get("result"), f"{name}: result", where)
            out.append(Made(name, kind, results, cancelled))
    return out


def list_in(value: Any, called: str, where: str) -> list[Any]:
    """Return a list that may be missing or null."""
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        wrong(where, f"{called} is {shown(value)}", "a list")
    return list(value)


def annotator_of(one: Mapping[str, Any], where: str = "") -> str:
    """Return who made an annotation: the annotator's e-mail or number, or the model it was taken from."""
    who = one.get("completed_by", one.get("model_version"))
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("id")
    if who is not None and (isinstance(who, bool) or not isinstance(who, (str, int))):
        wrong(where, f"completed_by is {shown(who)}", "an e-mail address or a number")
    return "annotator" if who is None or who == "" else str(who)


def people_of(tasks: Iterable[Any]) -> set[str]:
    """Return who annotated some tasks; what is wrong with them is said when they are read."""
    return {name for task in tasks if isinstance(task, Mapping) for name in _people(task)}


def _people(task: Mapping[str, Any]) -> list[str]:
    made = task.get(PEOPLE, task.get(OLD))
    known = [one for one in made if isinstance(one, Mapping)] if isinstance(made, list) else []
    kept = [one for one in known if isinstance(one.get("completed_by"), (str, int, Mapping, type(None)))]
    out = []
    for one in kept:
        try:
            out.append(annotator_of(one))
        except InputError:
            continue
    return out


def model_of(one: Mapping[str, Any], people: set[str], where: str = "") -> str:
    """Return the name of a model: its version, made different from the annotators of the whole export."""
    version = one.get("model_version")
    if version is not None and not isinstance(version, (str, int, float)):
        wrong(where, f"model_version is {shown(version)}", "a name or a number")
    name = version if isinstance(version, str) and version else "model" if version is None else f"model {version}"
    while name in people:
        name = f"model {name}"
    return name or "model"


# ---------------------------------------------------------------- results, and the texts that they are about


def label_key(result: Mapping[str, Any]) -> str:
    """Return what the labels of a region stand under, whose type says it where they are missing; else nothing."""
    value = result.get("value")
    kind = result.get("type")
    known = value.keys() if isinstance(value, Mapping) else ()
    found = next((key for key in known if key.endswith("labels")), kind if kind in REGIONS else "")
    return found if isinstance(found, str) else ""


def place_of(value: Any) -> tuple[Any, Any]:
    """Return start and end of a region, as they stand there: of a page, those into the text that it shows."""
    if not isinstance(value, Mapping):
        return None, None
    shown_at = value.get("globalOffsets")
    found = shown_at if isinstance(shown_at, Mapping) else value
    return found.get("start"), found.get("end")


def text_key(data: Mapping[str, Any], results: Sequence[Any]) -> str | None:
    """Return where a task has its text: under the key its results are about, a usual one, or the only one."""
    about = [one.get("to_name") for one in results if isinstance(one, Mapping)]
    names = [name for name in (*about, "text", "content", "html") if isinstance(name, str)]
    texts = [key for key, value in data.items() if isinstance(value, str)]
    return next((name for name in names if name in texts), texts[0] if len(texts) == 1 else None)
