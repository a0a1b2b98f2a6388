"""Label Studio's short exports, JSON-MIN, CSV and TSV: one record per annotation, with the fields of its task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from spanscope.errors import shown
from spanscope.io.delimited import open_delimited
from spanscope.io.documents import Documents
from spanscope.io.label_studio import PEOPLE, wrong
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.inner import value_inside

# What Label Studio adds to the fields of a task.
ANNOTATION = "annotation_id"  # what every record has
OWN = ("id", "annotator", ANNOTATION, "created_at", "updated_at", "lead_time", "agreement")


def read_table(source: Any) -> Documents:
    """Return the records of a CSV or TSV file, with the cells that hold JSON as values."""
    table = open_delimited(source)
    records = [{name: _value(cell) for name, cell in zip(table.header, row, strict=True)} for row in table.rows]
    return Documents(records, table.where, table.name, table.sha256)


def _value(cell: str) -> Any:
    """Return what a cell holds: a list of regions, or what stands there; nothing of an empty one."""
    if cell.startswith("[{"):
        try:
            return msgspec.json.decode(cell)
        except (msgspec.DecodeError, RecursionError):
            return cell
    return cell or None


def as_tasks(records: Sequence[Any], where: Sequence[str], options: ReadOptions) -> list[Any]:
    """Return records as tasks with one annotation each; what is no record stays as it is."""
    mappings = [one for one in records if isinstance(one, Mapping)]
    key = _region_key(mappings, where[0], options)
    return [
        _task(one, key, at) if isinstance(one, Mapping) else one for one, at in zip(records, where, strict=True)
    ]


def _region_key(records: Sequence[Mapping[str, Any]], where: str, options: ReadOptions) -> str:
    """Return what regions stand under, which is the project's own name for its labels."""
    if (said := options.fields.get("spans")) is not None:
        return said
    found = dict.fromkeys(key for one in records for key, value in one.items() if _holds_regions(value))
    if len(found) > 1:
        names = ", ".join(found)
        what = f"has labels under {names}"
        wrong(where, what, "the labels of one control", f"[[fields=spans={next(iter(found))}]]   to say which")
    return next(iter(found), "label")


def _holds_regions(value: Any) -> bool:
    """Tell a list of regions."""
    first = value[0] if isinstance(value, (list, tuple)) and value else None
    return isinstance(first, Mapping) and "start" in first and "end" in first


def _task(record: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    if ANNOTATION not in record:
        wrong(where, f"a record has no {ANNOTATION}", "the fields of JSON-MIN, CSV or TSV, such as annotation_id")
    regions = record.get(key)
    if regions is not None and not isinstance(regions, (list, tuple)):
        wrong(where, f"{key} is {shown(regions)}", "a list of regions")
    kinds = [_kind(one) for one in regions or ()]
    results = [{"type": kind, "value": one} for one, kind in zip(regions or (), kinds, strict=True)]
    annotation = {
        "id": record.get("annotation_id"),
        "completed_by": record.get("annotator"),
        "result": results,
    }
    data = {name: value for name, value in record.items() if name not in (*OWN, key)}
    return {"id": value_inside(record, "id"), "data": data, PEOPLE: [annotation]}


def _kind(region: Any) -> str:
    """Return the type of a region, by what its labels stand under."""
    names = region if isinstance(region, Mapping) else ()
    return next((name for name in names if name.endswith("labels")), "labels")
