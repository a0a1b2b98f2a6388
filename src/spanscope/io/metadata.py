"""What else is known of documents and spans: the field `meta`, and fields that somebody asked to keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from spanscope.data.corpus import Corpus, Texts
from spanscope.errors import InputError, shown

META = "meta"
Meta = dict[str, Any]


def meta_of(value: Any, record: Mapping[str, Any] | None = None, keep: Sequence[str] = ()) -> Meta | None:
    """Return the metadata of a document or a span; None where there is nothing.

    `value` stood under meta: what is no object is kept under that name. Fields of the record that were asked for
    stand beside it, and before what has the same name there.

    >>> meta_of({"source": "web"}, {"year": 1999, "id": 1}, ["year", "month"])
    {'source': 'web', 'year': 1999}
    >>> meta_of("web")
    {'meta': 'web'}
    """
    if value is None and not keep:
        return None
    out = dict(value) if isinstance(value, Mapping) else {} if value is None else {META: value}
    if keep and record is not None:
        out |= {name: record[name] for name in keep if record.get(name) is not None}
    return out or None


def meta_column(parts: Iterable[tuple[Sequence[Meta | None], int]]) -> Texts | None:
    """Return metadata by batch as one column, with the size of each batch; None where there is none at all."""
    found = [(part, size) for part, size in parts]
    if not any(one is not None for part, _ in found for one in part):
        return None
    out = np.full(sum(size for _, size in found), None, dtype=object)
    first = 0
    for part, size in found:
        if len(part):
            out[first : first + size] = np.fromiter(part, object, size)
        first += size
    return out


def refuse_unmet(corpora: Iterable[Corpus], keep: Sequence[str], name: str) -> None:
    """Refuse a field that was to be kept and that no document has: its name may be misspelt."""
    if not keep:
        return
    sides = list(corpora)
    columns = [
        column for side in sides for column in (side.meta, side.spans.extra.get(META)) if column is not None
    ]
    met = {key for column in columns for one in column.tolist() if one is not None for key in one}
    lacking = next((name for name in keep if name not in met), None)
    if lacking is not None and any(side.n_documents for side in sides):
        raise InputError(
            f"no document has the field {shown(lacking)}, which was to be kept",
            where=name,
            expected="the name of a field of documents",
        )
