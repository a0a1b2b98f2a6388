"""The formats that are read and written, as tables: what each is known by, what it heeds, what it cannot hold."""

from __future__ import annotations

from typing import TypedDict

from spanscope.errors import MeasureError, did_you_mean, named
from spanscope.io.detect import BY_NAME, FORMATS
from spanscope.io.format import Format
from spanscope.io.samples import About, about
from spanscope.io.written_forms import WRITERS, writers_read_as

ORDER = ("spans", "tokens", "segments", "passages")


class FormatRow(TypedDict):
    """What is known of a format."""

    name: str
    family: str
    known: str  # by what it is known
    options: list[str]  # that it heeds
    written: list[str]  # the forms that are written and read as it


class Explanation(FormatRow):
    """A row with a sample, and what is lost."""

    sample: str
    cannot_hold: str
    lost_when_written: dict[str, list[str]]  # by form


def formats() -> list[FormatRow]:
    """Return a row for each format: name, family, what it is known by, the options it heeds, how it is written.

    Forms that are written and have no format of their own stand behind those of their family.

    >>> formats()[0]["family"]
    'spans'
    """
    rows: list[FormatRow] = []
    for family in ORDER:
        rows += [_row(one) for one in FORMATS if one.family == family]
        rows += [
            {"name": one.name, "family": family, "known": "", "options": [], "written": [one.name]}
            for one in WRITERS[family]
            if one.family == family and not any(name in BY_NAME for name in one.reads_as)
        ]
    return rows


def _row(one: Format) -> FormatRow:
    return {
        "name": one.name,
        "family": one.family,
        "known": one.cue,
        "options": list(one.reads),
        "written": [*dict.fromkeys(form.name for form in writers_read_as(one.name))],
    }


def explain(name: str) -> Explanation:
    """Return all that is known of one format: its row, a sample, and what it cannot hold."""
    row = next((one for one in formats() if name == one["name"]), None)
    if row is None:
        row = next((one for one in formats() if name in one["written"]), None)
    if row is None:
        names = [one["name"] for one in formats()]
        raise MeasureError(
            f"no format is called {named(name)}{did_you_mean(name, names)}", expected=", ".join(names)
        )
    known: About = about(row["name"], row["family"])
    forms = {one.name: list(one.cannot_hold) for one in WRITERS[row["family"]] if one.name in row["written"]}
    return {**row, "sample": known.sample, "cannot_hold": known.cannot_hold, "lost_when_written": forms}
