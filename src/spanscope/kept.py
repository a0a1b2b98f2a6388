"""The counts of every document, kept in a result file, from which runs are compared without reading them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spanscope.arithmetic import Keys
from spanscope.counts import Counts
from spanscope.errors import InputError, shown
from spanscope.measure import Measure, parse
from spanscope.plain import plain

FORM = 1  # version of the kept part


@dataclass(frozen=True)
class Kept:
    """What a comparison of runs needs of one: its documents, what was measured, and the counts."""

    name: str
    documents: tuple[str, ...]
    keys: Keys
    measures: tuple[Measure, ...]
    tables: tuple[Counts, ...]
    settings: Mapping[str, Any]  # as in JSON
    gold: str | None  # SHA-256 of the gold file, where it was one


def keep(
    documents: Sequence[str], keys: Keys, measures: Sequence[Measure], tables: Sequence[Counts]
) -> dict[str, Any]:
    """Return the counts as they go into JSON: sparse rows, column by column."""
    return {
        "form": FORM,
        "documents": list(documents),
        "keys": [f"{key:016x}" for key in keys.tolist()],
        "tables": {
            str(measure): {
                "labels": list(table.labels),
                "columns": list(table.columns),
                "document": table.doc.tolist(),
                "label": table.label.tolist(),
                "values": [[plain(value) for value in column] for column in table.values.tolist()],
            }
            for measure, table in zip(measures, tables, strict=True)
        },
    }


def is_kept(value: Any) -> bool:
    """Tell the data of a result file."""
    return isinstance(value, Mapping) and "spanscope" in value and "signatures" in value


def restored(value: Mapping[str, Any], name: str) -> Kept:
    """Return what a result file kept."""
    own = value.get("kept")
    if not isinstance(own, Mapping):
        raise InputError(
            "the result kept no counts of documents",
            where=name,
            expected="a result written with --keep",
            hint="spanscope eval GOLD PRED --keep -o FILE.json",
        )
    try:
        measures = tuple(parse(text) for text in own["tables"])
        documents = tuple(map(str, own["documents"]))
        keys = np.array([int(key, 16) for key in own["keys"]], dtype=np.uint64)
        tables = tuple(_table(table, len(documents)) for table in own["tables"].values())
        gold = value["inputs"]["gold"]["sha256"]
        if own["form"] != FORM or len(keys) != len(documents) or not measures or not dict(value["settings"]):
            raise ValueError("parts are missing")
        return Kept(name, documents, keys, measures, tables, value["settings"], gold)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError) as error:
        raise InputError(
            f"the kept counts cannot be read: {shown(str(error))}", where=name, expected="a file as it was written"
        ) from None


def _table(own: Mapping[str, Any], documents: int) -> Counts:
    values = np.array(own["values"])
    if values.dtype.kind != "i":
        values = values.astype(np.float64)
    doc, label = (np.array(own[key], dtype=np.int64) for key in ("document", "label"))
    labels, columns = tuple(own["labels"]), tuple(own["columns"])
    sound = values.shape == (len(columns), len(doc)) and len(label) == len(doc)
    if not sound or (len(doc) and not (0 <= doc.min() <= doc.max() < documents and label.min() >= -1)):
        raise ValueError("rows that do not fit")
    if len(label) and label.max() >= len(labels):
        raise ValueError("labels that are not there")
    return Counts(documents, labels, columns, doc, label, values)
