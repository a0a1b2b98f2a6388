"""Label Studio's exports of labelled spans: JSON, JSON-MIN, CSV and TSV, by annotator and by model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from spanscope.arguments import as_whole
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, fields_of, plural, shown
from spanscope.io.coverage import gaps_alone
from spanscope.io.documents import Documents, documents_of
from spanscope.io.head import head_of
from spanscope.io.label_studio import (
    MODELS,
    PEOPLE,
    checked_task,
    is_export,
    label_key,
    made_in,
    people_of,
    place_of,
    text_key,
    wrong,
)
from spanscope.io.metadata import META, meta_of
from spanscope.io.offsets import OFFSETS
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.fitting import count_fitting, translate_quoting
from spanscope.io.spans.inner import LISTS, list_documents, refuse_other_fields, value_inside
from spanscope.io.spans.label_studio_short import as_tasks, read_table
from spanscope.io.spans.one_file_each import note_left_aside
from spanscope.io.spans.reading import ALONE, Sides
from spanscope.io.spans.recognise import is_label_studio_table
from spanscope.io.spans.wide import behind_wide

EXPECTED = "tasks of Label Studio, or records of its JSON-MIN"
ADDRESS = re.compile(r"(https?|s3|gs)://\S+|/data/\S+")
ENOUGH = 9  # of ten quoted texts that must stand at their offsets
Document = dict[str, Any]


class Drawn(NamedTuple):
    """What one annotator or model drew in a task."""

    name: str
    kind: str  # annotations or predictions
    row: int
    results: list[Any]


class Export(NamedTuple):
    """The tasks of an export that can be read, by row, and what was drawn in them."""

    tasks: Mapping[int, Mapping[str, Any]]
    drawn: Sequence[Drawn]
    cancelled: Sequence[tuple[str, int]]  # by whom, in which task


def read_label_studio(source: Any, options: ReadOptions) -> Sides:
    """Return the corpora of an export, by annotator and by the version of each model.

    Cancelled annotations are left out and noted, as are drafts and tasks that nobody annotated. Offsets are UTF-16
    units, unless the texts of the spans of an annotator or a model show code points.
    """
    refuse_other_fields(options, ("id", "text", "spans"), "exports of Label Studio")
    before = len(options.report.problems)
    found, tasks = _open_export(source, options)
    export = _export(tasks, found, options)
    aside = Counter({"drafts": sum(map(_drafts, export.tasks.values()))})
    shows_pages = any(
        label_key(one) == "hypertextlabels" for own in export.drawn for one in _mappings(own.results)
    )
    by_side: dict[tuple[str, str], list[Drawn]] = {}
    for one in sorted(export.drawn, key=lambda own: own.kind == MODELS):
        by_side.setdefault((one.kind, one.name), []).append(one)
    nobody = _note_unannotated(export, found, options)
    noted = options.report.problems[before:]
    sides: Sides = {}
    for (kind, name), drawn in by_side.items():
        corpus = _corpus(drawn, export, found, options, aside, shows_pages)
        gone = {row for who, row in export.cancelled if who == name} | nobody if kind == PEOPLE else set()
        gone -= {one.row for one in drawn}
        role = "gold" if kind == PEOPLE else "pred"
        sides[name] = replace(corpus, role=role, left_out=_left_out(gone, export, options, shows_pages))
    sides = sides or {ALONE: translate_quoting(found._replace(values=[]), lambda own, _: own, options)}
    first = next(iter(sides.values()))
    note_left_aside(first, aside, options)
    if options.tags.input is None and is_export([*found.values[:1]]) and gaps_alone(iter(found.values)):
        values = {"how": "labelled spans", "option": "[[input=labelstudio-segments]]", "other": "a segmentation"}
        noted = [*noted, problem_at("read as", found.name, values)]
    first.problems[:0] = noted
    return sides


# ---------------------------------------------------------------- tasks


def _open_export(source: Any, options: ReadOptions) -> tuple[Documents, Sequence[Any]]:
    """Return what an export holds, and the same as tasks."""
    if is_label_studio_table(head_of(source)):
        found = read_table(source)
    else:
        called = options.side or "documents"
        found = documents_of(source, called, _documents, LISTS, options.report, EXPECTED)
    if not found.values or is_export(found.values):
        return found, found.values
    where = [found.where(row) for row in range(len(found.values))]
    return found, as_tasks(found.values, where, options)


def _documents(value: Any, where: str) -> list[Any]:
    return list_documents(value, where, EXPECTED)


def _export(tasks: Sequence[Any], found: Documents, options: ReadOptions) -> Export:
    people = people_of(tasks)
    known: dict[int, Mapping[str, Any]] = {}
    drawn: list[Drawn] = []
    cancelled: list[tuple[str, int]] = []
    for row, given in enumerate(tasks):
        try:
            task = checked_task(given, found.where(row))
            made = made_in(task, people, found.where(row), options.report)
        except InputError as error:
            options.report.bad(error, "bad document")
            continue
        known[row] = task
        drawn += [Drawn(one.name, one.kind, row, one.results) for one in made if not one.cancelled]
        cancelled += [(one.name, row) for one in made if one.cancelled]
    return Export(known, drawn, cancelled)


def _drafts(task: Mapping[str, Any]) -> int:
    drafts = task.get("drafts")
    return len(drafts) if isinstance(drafts, list) else 0


def _note_unannotated(export: Export, found: Documents, options: ReadOptions) -> set[int]:
    """Return the tasks without an annotation that counts, and note those that nobody looked at.

    Where there are predictions alone, nobody was to annotate.
    """
    models = {one.row for one in export.drawn if one.kind == MODELS}
    people = {one.row for one in export.drawn if one.kind == PEOPLE}
    seen = {row for _, row in export.cancelled}
    without = export.tasks.keys() - people
    for row in sorted(without - seen if people or seen else without - models):
        options.report.problems.append(problem_at("no annotation", found.where(row)))
    return without


def _left_out(rows: set[int], export: Export, options: ReadOptions, shows_pages: bool) -> dict[str, str | None]:
    """Return the ids and the texts of tasks that are left out, as far as they have some."""
    out: dict[str, str | None] = {}
    for row in rows:
        task = export.tasks[row]
        try:
            text, _ = _text(task, (), "", options, shows_pages)
        except InputError:
            text = None
        out[str(_id(task, options))] = text
    return out


# ---------------------------------------------------------------- documents


def _corpus(
    drawn: Sequence[Drawn],
    export: Export,
    found: Documents,
    options: ReadOptions,
    aside: Counter[str],
    shows_pages: bool,
) -> Corpus:
    """Return what one annotator or model drew."""
    before = len(options.report.problems)
    rows: list[int] = []
    documents: list[Document] = []
    for one in drawn:
        try:
            documents.append(
                _document(one, export.tasks[one.row], found.where(one.row), options, aside, shows_pages)
            )
        except InputError as error:
            options.report.bad(error, "bad document")
            continue
        rows.append(one.row)
    where = [found.where(row) for row in rows]
    unit, noted = _unit(documents, where, found.name, drawn[0], options, shows_pages)
    noted = [*options.report.problems[before:], *noted]
    placed = found._replace(values=documents, where=where.__getitem__)
    corpus = translate_quoting(placed, lambda own, _: own, options, unit)
    corpus.problems[:0] = noted
    return corpus


def _document(
    one: Drawn, task: Mapping[str, Any], where: str, options: ReadOptions, aside: Counter[str], shows_pages: bool
) -> Document:
    text, key = _text(task, one.results, where, options, shows_pages)
    spans: list[Document] = []
    for number, result in enumerate(one.results):
        at = f"{one.name}: result[{number}]"
        if not isinstance(result, Mapping):
            wrong(where, f"{at} is {shown(result)}", "an object with type and value")
        if label_key(result):
            spans += _spans(result, at, where, shows_pages)
        else:
            aside[_kind_of(result)] += 1
    own = (key, _id_in_data(task, options))
    data = {name: value for name, value in task["data"].items() if name not in own}
    meta = meta_of(data or None, task, options.keep_fields)
    return {"id": _id(task, options), "text": text, "spans": spans, META: meta}


def _kind_of(result: Mapping[str, Any]) -> str:
    """Return what a result is called that is no region of a text."""
    kind = str(result.get("type"))
    return "relations" if kind == "relation" else f"results of the type {kind}" if kind.isalpha() else "results"


def _id_in_data(task: Mapping[str, Any], options: ReadOptions) -> str | None:
    """Return the name under which the data has the id of a task, where the task itself has none."""
    name = options.fields.get("id", "id")
    return name if value_inside(task, name) is None else None


def _id(task: Mapping[str, Any], options: ReadOptions) -> Any:
    name = options.fields.get("id", "id")
    found = value_inside(task, name)
    return value_inside(task["data"], name) if found is None else found


def _text(
    task: Mapping[str, Any], results: Sequence[Any], where: str, options: ReadOptions, shows_pages: bool
) -> tuple[str, str]:
    """Return the text of a task, and the field of its data that it stands under."""
    data = task["data"]
    said = options.fields.get("text")
    key = said.removeprefix("data.") if said is not None else text_key(data, results)
    text = None if key is None else value_inside(data, key)
    if key is None or not isinstance(text, str):
        hint = "[[fields=text=NAME]]   to say which of them is the text"
        wrong(where, f"data has {fields_of(data)}", "a text under text, content or html", hint)
    if ADDRESS.fullmatch(text):
        wrong(where, f"data.{key} is an address: the text itself is not in the export", "a text")
    if shows_pages or key == "html":
        from spanscope.io.segments.hypertext import page_text  # with a reader of HTML, for which few have a use

        return page_text(text, where), key
    return text, key


def _spans(result: Mapping[str, Any], at: str, where: str, shows_pages: bool) -> list[Document]:
    """Return a region, once for each of its labels."""
    value, key = result.get("value"), label_key(result)
    if not isinstance(value, Mapping):
        wrong(where, f"{at}.value is {shown(value)}", "an object with start, end and labels")
    labels = value.get(key)
    if not isinstance(labels, (list, tuple)) or not labels:
        wrong(where, f"{at}.value.{key} is {shown(labels)}", "a label at least")
    if key == "paragraphlabels":
        wrong(where, f"{at} counts in paragraphs of a dialogue", "regions of a text")
    if shows_pages and not isinstance(value.get("globalOffsets"), Mapping):
        wrong(where, f"{at} has no globalOffsets, which count the text that a page shows", "start and end in them")
    start, end = place_of(value)
    out: Document = {"start": start, "end": end}
    if isinstance(value.get("text"), str):
        out["text"] = value["text"]
    score = result.get("score", value.get("score"))
    out |= {} if score is None else {"score": score}
    out |= {META: result[META]} if result.get(META) else {}
    return [{**out, "label": label} for label in labels]


def _mappings(values: Sequence[Any]) -> list[Mapping[str, Any]]:
    return [one for one in values if isinstance(one, Mapping)]


# ---------------------------------------------------------------- which unit


def _unit(
    documents: Sequence[Document],
    where: Sequence[str],
    name: str,
    side: Drawn,
    options: ReadOptions,
    shows_pages: bool,
) -> tuple[str, list[Problem]]:
    """Return the unit of the offsets of an annotator or a model, and what is to be noted about it.

    The texts of the spans decide. Without them annotations are in UTF-16 units, as the tool counts; of
    predictions, which people import, it is a question where it matters.
    """
    if options.offsets is not None:
        return options.unit(), []
    plain = [{**one, "spans": [span for span in one["spans"] if _has_place(span)]} for one in documents]
    quoted = sum("text" in span for one in plain for span in one["spans"])
    fits = {unit: count_fitting(plain, unit) for unit in ("utf16", "codepoints")}
    unit = max(fits, key=lambda name: fits[name])  # the first, where both are as good
    if 10 * fits[unit] < ENOUGH * quoted or (shows_pages and fits[unit] < sum(len(one["spans"]) for one in plain)):
        _refuse_misfits(plain, where, quoted, fits, options)
    if fits["codepoints"] != fits["utf16"]:
        values = {"unit": OFFSETS[unit], "usual": OFFSETS["utf16"], "tool": "Label Studio"}
        return unit, [problem_at("unit assumed", name, values)] if unit == "codepoints" else []
    behind = sum(
        1 for one in plain for _ in behind_wide(one["text"], [(s["start"], s["end"]) for s in one["spans"]])
    )
    if not behind or quoted:
        return unit, []
    if side.kind == MODELS:
        hint = "[[offsets=codepoints]]   where Python counted, [[offsets=utf16]] where Label Studio did"
        what = f"{plural(behind, 'span')} of {side.name} behind a character that counts twice in UTF-16"
        wrong(name, what, "the unit of start and end, or the texts of spans, which show it", hint)
    values = {"unit": OFFSETS["utf16"], "tool": "Label Studio", "option": "[[offsets=codepoints]]"}
    return unit, [problem_at("unit assumed", name, values, number=behind)]


def _has_place(span: Document) -> bool:
    return all(as_whole(span[key]) is not None for key in ("start", "end"))


def _refuse_misfits(
    documents: Sequence[Document], where: Sequence[str], quoted: int, fits: Mapping[str, int], options: ReadOptions
) -> None:
    """Refuse spans whose texts stand at their offsets in no unit."""
    bad = [number for number, one in enumerate(documents) if count_fitting([one], "utf16") < len(one["spans"])]
    numbers = " and ".join(f"{number:,} in {OFFSETS[unit]}" for unit, number in fits.items())
    error = InputError(
        f"of {plural(quoted, 'span')} with a text these stand at their offsets: {numbers}",
        where=where[bad[0]] if bad else "",
        expected="labels of the text that the export holds",
        hint="[[fields=text=NAME]]   if they are labels of another field",
    )
    options.report.bad(error, "bad document")
