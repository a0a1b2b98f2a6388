"""The documents of all portions as one corpus: their names and keys, in the order of gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from spanscope.arithmetic import Ints, Keys
from spanscope.counts import of_documents
from spanscope.data.names import Numbered, Packed
from spanscope.findings.findings import Findings
from spanscope.sides.comparison import numbered_keys

if TYPE_CHECKING:
    from spanscope.engines.partial_sums import Portion

NOBODY = np.zeros(0, dtype=np.uint64)  # keys of no documents


def names_and_keys(parts: Sequence[Portion]) -> tuple[Sequence[str], Keys, Keys | None]:
    """Return the names and the keys of all documents, and the keys of their groups where they have some."""
    keys = np.concatenate([part.keys for part in parts])
    known = [part.groups for part in parts if part.groups is not None]
    groups = np.concatenate(known) if known else None
    if parts[0].totals is not None:
        return Numbered(range(1, parts[0].documents + 1)), NOBODY, None
    if any(part.content for part in parts):
        return Numbered(range(1, len(keys) + 1)), numbered_keys(keys), groups
    if len(parts) == 1:
        return parts[0].names, keys, groups
    packed = [part.names for part in parts if isinstance(part.names, Packed)]
    shift = np.cumsum([0, *(len(own.data) for own in packed)])
    ends = [own.ends + by for own, by in zip(packed, shift.tolist(), strict=False)]
    names = Packed(b"".join(own.data for own in packed), np.concatenate([np.zeros(0, dtype=np.int64), *ends]))
    return names, keys, groups


def order_of_gold(parts: Sequence[Portion], documents: int) -> Ints | None:
    """Return the documents in the order of gold; None where they are in it, or where nobody knows it."""
    known = [part.order for part in parts if part.order is not None]
    if sum(map(len, known)) != documents or not known:
        return None
    place = np.concatenate(known)
    order = np.argsort(place, kind="stable")
    return None if (np.diff(order) > 0).all() else order


def sort_documents(
    order: Ints, names: Sequence[str], keys: Keys, groups: Keys | None, found: Findings
) -> tuple[Sequence[str], Keys, Keys | None, Findings]:
    """Return the documents in another order."""
    tables = tuple(of_documents(one, order) for one in found.counts)
    named = Packed.of([names[row] for row in order.tolist()])
    groups = None if groups is None else groups[order]
    return named, keys[order], groups, replace(found, counts=tables)
