"""The table of formats: what each is known by, which options it heeds, and the forms in which it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spanscope.report.table import MAIN, Column, Report, Table, row_name

TITLES = {
    "spans": "Labelled spans",
    "tokens": "Tagged tokens",
    "segments": "Segmentations",
    "passages": "Queries with passages",
}


def report(rows: Sequence[Mapping[str, Any]]) -> Report:
    """Return the tables of all families."""
    return Report("Formats", [_table(title, rows, family) for family, title in TITLES.items()], "")


def _table(title: str, rows: Sequence[Mapping[str, Any]], family: str) -> Table:
    columns = (
        row_name("Format"),
        Column("Known by", left=True, priority=MAIN),
        Column("Options", left=True, priority=3),
        Column("Written with --to", left=True, priority=2),
    )
    own = [row for row in rows if row["family"] == family]
    cells = [(row["name"], row["known"], ", ".join(row["options"]), ", ".join(row["written"])) for row in own]
    if not any(row["package"] for row in rows):
        return Table(title, columns, cells)
    of = Column("Package", left=True, priority=2, missing="")
    return Table(
        title, (*columns, of), [(*cell, row["package"] or None) for cell, row in zip(cells, own, strict=True)]
    )


def lines_about(one: Mapping[str, Any]) -> str:
    """Return all that is known of one format, as lines."""
    options = ", ".join(one["options"]) or "none of its own"
    out = [
        f"{one['name']} ({one['family']})",
        f"  known by     {one['known'] or 'nothing: it is written, and read by other tools'}",
        f"  options      {options}",
        *([f"  package      {one['package']}"] if one["package"] else []),
        f"  cannot hold  {one['cannot_hold']}",
    ]
    for form, lost in one["lost_when_written"].items():
        out += [f"  --to {form} {'loses' if lost else 'loses nothing'}", *(f"    {what}" for what in lost)]
    if one["sample"]:
        out += ["  sample", *(f"    {line}" for line in one["sample"].split("\n"))]
    return "\n".join(out)
