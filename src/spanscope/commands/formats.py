"""The formats that are read and written, as tables: what each is known by, what it heeds, what it cannot hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from spanscope.errors import MeasureError, PluginError, did_you_mean, named
from spanscope.io.detect import BY_NAME, FORMATS
from spanscope.io.format import Format
from spanscope.io.plugged import plugged_formats, plugged_writers
from spanscope.io.samples import about_format
from spanscope.io.writer import Writer
from spanscope.io.written_forms import NAMES, every_writer

ORDER = ("spans", "tokens", "segments", "passages")


class FormatRow(TypedDict):
    """What is known of a format."""

    name: str
    family: str
    known: str  # by what it is known
    options: list[str]  # that it heeds
    written: list[str]  # the forms that are written and read as it
    package: str  # that adds it, with its version; none for Spanscope's own


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
    read, written, _ = _every()
    known = {*BY_NAME, *(one.name for one in read)}
    rows: list[FormatRow] = []
    for family in ORDER:
        rows += [_row(one, written) for one in read if one.family == family]
        rows += [
            {
                "name": one.name,
                "family": family,
                "known": "",
                "options": [],
                "written": [one.name],
                "package": one.origin,
            }
            for one in written
            if one.family == family and known.isdisjoint(one.reads_as)
        ]
    return rows


def refused_formats() -> list[PluginError]:
    """Return what is wrong with packages whose formats cannot be used."""
    return _every()[2]


def _every() -> tuple[list[Format], list[Writer], list[PluginError]]:
    """Return all formats and all forms to write, those of packages behind ours, and which cannot be used."""
    read, refused = plugged_formats(BY_NAME)
    written, more = plugged_writers(NAMES)
    return [*FORMATS, *read], [*every_writer(), *written], [*refused, *more]


def _row(one: Format, written: Sequence[Writer]) -> FormatRow:
    return {
        "name": one.name,
        "family": one.family,
        "known": one.cue,
        "options": list(one.reads),
        "written": [*dict.fromkeys(form.name for form in written if one.name in form.reads_as)],
        "package": one.origin,
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
    read, written, _ = _every()
    known = next((one.about for one in read if one.name == row["name"] and one.about is not None), None)
    known = known or about_format(row["name"], row["family"])
    forms = {one.name: list(one.cannot_hold) for one in written if one.name in row["written"]}
    return {**row, "sample": known.sample, "cannot_hold": known.cannot_hold, "lost_when_written": forms}
