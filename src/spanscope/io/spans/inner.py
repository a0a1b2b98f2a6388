"""Fields inside others, such as `meta.doc_id`: where annotation tools keep what people gave their documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from spanscope.errors import InputError
from spanscope.io.read_options import ReadOptions

LISTS = ("items", "data", "documents", "examples")  # what documents stand under


def value_inside(record: Mapping[str, Any], name: str) -> Any:
    """Return what stands under a name: of a field, or of fields within each other with dots between them.

    >>> value_inside({"meta": {"doc_id": 7}}, "meta.doc_id")
    7
    """
    if name in record:
        return record[name]
    outer, dot, inner = name.partition(".")
    own = record.get(outer) if dot else None
    return value_inside(own, inner) if isinstance(own, Mapping) else None


def refuse_other_fields(options: ReadOptions, known: Collection[str], what: str) -> None:
    """Refuse names of fields that nothing would look for, because the format itself says them."""
    if odd := sorted(options.fields.keys() - set(known)):
        raise InputError(
            f"another name for {odd[0]} has no effect on {what}",
            expected=f"names for {' or '.join(known)} at most",
        )


def list_documents(value: Any, where: str, expected: str) -> list[Any]:
    """Return the documents of a JSON value: of a list, of a list under a usual name, or the one that it is."""
    if isinstance(value, (list, tuple)):
        return list(value)
    if not isinstance(value, Mapping):
        raise InputError("the value is not a list of objects", where=where, expected=expected)
    key = next((key for key in LISTS if isinstance(value.get(key), (list, tuple))), None)
    return [value] if key is None else list(value[key])
