"""Data sets of Hugging Face in memory, as tables that know the names of their classes; and their splits.

The library `datasets` is never loaded: an object of it shows its own table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from spanscope.errors import InputError, named
from spanscope.io.source import is_object_of

KEY = b"huggingface"  # of what the library notes in the schema of a table


def is_dataset(value: object) -> bool:
    """Tell a data set in memory, without loading its library for anything else."""
    return is_object_of(value, "datasets", "Dataset")


def is_dataset_dict(value: object) -> bool:
    """Tell several splits in memory."""
    return is_object_of(value, "datasets", "DatasetDict")


def table_of_dataset(dataset: Any) -> Any:
    """Return the rows that a data set in memory has, in its order, as a table that knows its classes."""
    rows = dataset.with_format("arrow")[:]
    return describe(rows, {"info": {"features": dataset.features.to_dict()}})


def chosen_split(splits: Sequence[str], split: str | None, name: str) -> str:
    """Return the split that was asked for, or the only one; of several one must be named."""
    if split is None and len(splits) == 1:
        return splits[0]
    if split is not None and split in splits:
        return split
    what = f"has no split {named(split)}" if split is not None else f"holds {len(splits)} splits"
    hint = f"{' or '.join(f'[[split={one}]]' for one in splits[:4])}   to read one"
    raise InputError(f"{what}: {', '.join(splits) or 'none'}", where=name, expected="one split", hint=hint)


def class_names(table: Any) -> dict[str, list[str]]:
    """Return the names of classes by column: of a number, or of lists of numbers."""
    noted = (table.schema.metadata or {}).get(KEY)
    try:
        features = msgspec.json.decode(noted)["info"]["features"] if noted else {}
    except (msgspec.DecodeError, KeyError, TypeError):
        return {}
    found = {name: _names(one) for name, one in features.items()} if isinstance(features, dict) else {}
    return {name: own for name, own in found.items() if own}


def _names(feature: Any) -> list[str]:
    """Return the names of a feature, or of what it is a list of; none where it has none."""
    if isinstance(feature, list) and len(feature) == 1:
        return _names(feature[0])
    if not isinstance(feature, Mapping):
        return []
    if isinstance(feature.get("names"), list):
        return [str(name) for name in feature["names"]]
    return _names(feature.get("feature"))


def describe(table: Any, noted: Mapping[str, Any]) -> Any:
    """Return a table with what the library would note of it."""
    return table.replace_schema_metadata({KEY: msgspec.json.encode(noted)})
