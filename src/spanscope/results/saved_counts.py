"""The counts of every document, kept in a result file, from which runs are compared without reading them again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import msgspec
import numpy as np

from spanscope.arithmetic import Ints, Keys
from spanscope.counts import Counts
from spanscope.errors import InputError, shown
from spanscope.findings.slices import OF_SPANS
from spanscope.jsonable import JsonObject, plain
from spanscope.measures.registry import Measure, parse
from spanscope.settings.run_settings import Settings
from spanscope.stats.averages import scores
from spanscope.stats.slicings import Slicing

FORM = 1  # version of the kept part
LARGEST_EXACT = 2.0**53  # counts up to which sums are exact
CLOSE = 1e-9  # how far a figure may be from its counts: additions may be made in another order elsewhere
UNSOUND = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, msgspec.ValidationError)


class SavedTable(msgspec.Struct):
    """The counts of a measure as they stand in a result file."""

    labels: list[str]
    columns: list[str]
    document: list[int]
    label: list[int]
    values: list[list[int | float]]


class SavedSlices(msgspec.Struct):
    """One way to slice as it stands in a result file: the slice of every document, or the counts of spans."""

    names: list[str]
    document: list[int] | None = None
    table: SavedTable | None = None


class SavedPart(msgspec.Struct):
    """The kept part of a result file."""

    form: int
    documents: list[str]
    keys: list[str]
    tables: dict[str, SavedTable]
    gold: str | None = None  # what gold is, whatever its file; older results do not say
    groups: list[str] | None = None  # keys of the groups that documents are in, where groups are drawn
    slices: dict[str, SavedSlices] = {}  # by what slices are by, where some were asked for


class SavedSlicing(NamedTuple):
    """A way to slice: the slice of every document, or what slices of spans count."""

    names: tuple[str, ...]
    held: Ints | Counts


@dataclass(frozen=True)
class SavedCounts:
    """What a comparison of runs needs of one: its documents, what was measured, and the counts."""

    name: str
    documents: tuple[str, ...]
    keys: Keys
    measures: tuple[Measure, ...]
    tables: tuple[Counts, ...]
    settings: Mapping[str, Any]  # as in JSON
    gold: str | None  # SHA-256 of the gold file, where it was one
    content: str | None  # what gold is, whatever its file; older results do not say
    groups: Keys | None  # of the documents, where groups of them are drawn
    slices: Mapping[str, SavedSlicing]  # by what they are by


def keep(
    documents: Sequence[str],
    keys: Keys,
    groups: Keys | None,
    measures: Sequence[Measure],
    tables: Sequence[Counts],
    gold: str,
    slicings: Sequence[Slicing] = (),
) -> JsonObject:
    """Return the counts as they go into JSON: sparse rows, column by column."""
    return {
        "form": FORM,
        "documents": list(documents),
        "keys": _in_hex(keys),
        **({} if groups is None else {"groups": _in_hex(groups)}),
        "gold": gold,
        "tables": {str(measure): _plain_table(table) for measure, table in zip(measures, tables, strict=True)},
        **({"slices": {own.by: _plain_slices(own) for own in slicings}} if slicings else {}),
    }


def _plain_table(table: Counts) -> JsonObject:
    return {
        "labels": list(table.labels),
        "columns": list(table.columns),
        "document": table.doc.tolist(),
        "label": table.label.tolist(),
        "values": [[plain(value) for value in column] for column in table.values.tolist()],
    }


def _plain_slices(own: Slicing) -> JsonObject:
    """Return a way to slice: of spans the counts, of documents where each of them is."""
    names = list(own.counts.labels)
    if own.by in OF_SPANS:
        return {"names": names, "table": _plain_table(own.counts)}
    return {"names": names, "document": own.counts.label.tolist()}  # which has one row for every document


def _in_hex(keys: Keys) -> list[str]:
    return [f"{key:016x}" for key in keys.tolist()]


def _out_of_hex(keys: Sequence[str]) -> Keys:
    return np.array([int(key, 16) for key in keys], dtype=np.uint64)


def restore_counts(value: Mapping[str, Any], name: str) -> SavedCounts:
    """Return what a result file kept."""
    own = value.get("kept")
    if not isinstance(own, Mapping):
        raise InputError(
            "the result kept no counts of documents",
            where=name,
            expected="a result written with --keep",
            hint="spanscope eval GOLD PRED --keep -o FILE.json",
        )
    if own.get("form") not in (FORM, None):
        raise InputError(
            f"its counts are in form {shown(own['form'])}, which another version of Spanscope wrote",
            where=name,
            expected=f"form {FORM}",
            hint="score it again with --keep, or pip install --upgrade spanscope",
        )
    try:
        part = msgspec.convert(own, SavedPart)
        measures = tuple(parse(text) for text in part.tables)
        documents = tuple(part.documents)
        keys = _out_of_hex(part.keys)
        groups = None if part.groups is None else _out_of_hex(part.groups)
        tables = tuple(_table(table, len(documents)) for table in part.tables.values())
        gold = msgspec.convert(value["inputs"]["gold"]["sha256"], str | None)
        settings = msgspec.convert(value["settings"], JsonObject)
        msgspec.convert(settings["labels"], list[str] | None)
        slices = {by: _slices(one, len(documents)) for by, one in part.slices.items()}
        told = groups is None or len(groups) == len(documents)
        if part.form != FORM or len(keys) != len(documents) or not measures or not told:
            raise ValueError("parts are missing")
        if settings["measures"] != list(map(str, measures)):
            raise ValueError("other measures than in the settings")
        if part.gold is not None and f"{int(part.gold, 16):016x}" != part.gold:
            raise ValueError("gold is not a number")
        return SavedCounts(name, documents, keys, measures, tables, settings, gold, part.gold, groups, slices)
    except UNSOUND as error:
        _refuse(name, str(error))


def confirm(kept: SavedCounts, settings: Settings, rows: Sequence[JsonObject]) -> None:
    """Refuse counts that do not give the figures of their file: one of the two is not as it was written."""
    try:
        there = {(row["measure"], row["rate"], row["average"], row["label"]): row["value"] for row in rows}
        for measure, table in zip(kept.measures, kept.tables, strict=True):
            how = (settings.rates(measure), measure.definition.rate_set, settings.policy)
            for row in scores(str(measure), table, *how):
                if not _same(there.pop((row.measure, row.rate, row.average, row.label)), row.value):
                    raise ValueError(f"{row.average} {row.rate} of {measure.short} is another")
        if there:
            raise ValueError("figures without counts")
    except UNSOUND as error:
        _refuse(kept.name, str(error))


def _same(written: float | None, made: float) -> bool:
    if written is None or not math.isfinite(made):
        return written is None and not math.isfinite(made)
    return math.isclose(written, made, rel_tol=CLOSE, abs_tol=CLOSE)


def _refuse(name: str, why: str) -> NoReturn:
    raise InputError(
        f"the kept counts cannot be read: {shown(why)}", where=name, expected="a file as it was written"
    ) from None


def confirm_slices(slicings: Sequence[Slicing], records: Sequence[JsonObject], name: str) -> None:
    """Refuse slices that do not count what their file says of them: one of the two is not as it was written."""
    try:
        there = {(one["by"], one["name"]): one["counts"] for one in records}
        for own in slicings:
            codes, sums = own.counts.label_sums
            for code, line in zip(codes.tolist(), sums.tolist(), strict=True):
                written = there[own.by, own.counts.labels[code]]
                if not all(map(_same, (written[column] for column in own.counts.columns), line)):
                    raise ValueError(f"the slice {own.counts.labels[code]} counts something else")
    except UNSOUND as error:
        _refuse(name, str(error))


def _slices(own: SavedSlices, documents: int) -> SavedSlicing:
    """Return a way to slice as it was kept."""
    names = tuple(own.names)
    if len({*names}) < len(names):
        raise ValueError("slices that are repeated")
    if own.table is not None:
        table = _table(own.table, documents)
        if table.labels != names or (len(table.label) and table.label.min() < 0):
            raise ValueError("other slices than are named")
        return SavedSlicing(names, table)
    code = np.array(own.document, dtype=np.int64)
    if code.shape != (documents,) or (documents and not 0 <= code.min() <= code.max() < len(names)):
        raise ValueError("slices that do not fit")
    return SavedSlicing(names, code)


def _table(own: SavedTable, documents: int) -> Counts:
    values = np.array(own.values)
    if values.dtype.kind != "i":
        values = values.astype(np.float64)
    doc, label = np.array(own.document, dtype=np.int64), np.array(own.label, dtype=np.int64)
    labels, columns = tuple(own.labels), tuple(own.columns)
    if values.size and not np.abs(values).max() < LARGEST_EXACT:
        raise ValueError("counts that no corpus has")
    if len({*labels}) < len(labels) or len({*columns}) < len(columns):
        raise ValueError("names that are repeated")
    sound = values.shape == (len(columns), len(doc)) and len(label) == len(doc)
    if not sound or (len(doc) and not (0 <= doc.min() <= doc.max() < documents and label.min() >= -1)):
        raise ValueError("rows that do not fit")
    if len(label) and label.max() >= len(labels):
        raise ValueError("labels that are not there")
    return Counts(documents, labels, columns, doc, label, values)
