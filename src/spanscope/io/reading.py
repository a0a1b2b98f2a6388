"""Reading labelled spans from Python: one call, whatever format they are in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from spanscope.arguments import of_type
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, MeasureError, did_you_mean, named, plural
from spanscope.io.arrow import as_rows
from spanscope.io.detect import recognise
from spanscope.io.fields import fields
from spanscope.io.offsets import Offsets, unit_of
from spanscope.io.pipes import hold
from spanscope.io.read_options import Progress, ReadOptions
from spanscope.io.strict import Report

__all__ = ["Offsets", "Report", "read"]


def read(
    source: Any,
    *,
    name: str = "",
    field: Mapping[str, str] | None = None,
    offsets: str = "codepoints",
    report: Report | None = None,
    progress: Progress | None = None,
    like: Corpus | None = None,
) -> Corpus:
    """Return the corpus of a path, of `-` (standard input), of Python objects or of columns.

    `field` names fields that stand under other names, `offsets` the unit of start and end. `report` collects
    what is wrong instead of stopping at it; `progress` is told how many bytes are done. Ids and texts that are
    the same in the corpus `like` are not kept a second time.
    """
    unit_of(offsets)
    fields(field)
    of_type("report", report, Report, "a Report")
    of_type("name", name, str, "the name of the input")
    of_type("like", like, Corpus, "a Corpus")
    if progress is not None and not callable(progress):
        raise MeasureError(f"progress is {named(progress)}", expected="a function of the bytes that are done")
    if isinstance(source, Corpus):
        return source
    given = ReadOptions(name, field or {}, offsets, report=report or Report(), like=like)
    options = given if progress is None else replace(given, progress=progress)
    source = as_rows(hold(source), name or "table")
    sides = recognise(source, options.fields, among=("spans",)).reader(source, options)
    return the_only(sides, name or "the source")


def the_only(
    sides: Mapping[str, Corpus],
    whose: str,
    noun: str = "annotator",
    hint: str = "[[annotator=NAME]]   to read one, or spanscope agree FILE   to compare all",
    *,
    annotator: str | None = None,
) -> Corpus:
    """Return the one side of a source, or the one that was asked for, or say what to do with several."""
    if annotator is not None:
        return _asked_for(sides, whose, noun, annotator)
    if len(sides) == 1:
        return next(iter(sides.values()))
    raise InputError(
        f"{whose} holds {plural(len(sides), noun)} ({counted_sides(sides) or 'none'})",
        expected="one version of each document on each side",
        hint=hint,
    )


def counted_sides(sides: Mapping[str, Corpus]) -> str:
    """Return the sides of a source with how many documents each has, as `anna: 6 documents, ben: 5`."""
    said: list[str] = []
    for name, side in sides.items():
        noun = "query" if side.family == "passages" else "document"
        number = f"{side.n_documents:,}" if said else plural(side.n_documents, noun)
        said.append(f"{name or 'one without a name'}: {number}")
    return ", ".join(said)


def _asked_for(sides: Mapping[str, Corpus], whose: str, noun: str, name: str) -> Corpus:
    """Return the side with a name; refuse one that the source does not have."""
    if name in sides:
        return sides[name]
    there = ", ".join(one or "one without a name" for one in sides) or "none"
    raise InputError(f"{whose} has no {noun} {named(name)}{did_you_mean(name, list(sides))}", expected=there)
