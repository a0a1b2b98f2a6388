"""Score rows of any kind of result as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from spanscope.jsonable import JsonObject, finite_values
from spanscope.stats.averages import Score

if TYPE_CHECKING:
    from spanscope.stats.slices import Slice


def plain_rows(rows: Iterable[Score]) -> list[JsonObject]:
    """Return rows as they go into JSON: numbers that are not finite become None."""
    return [finite_values(row.plain()) for row in rows]


def slice_record(one: Slice) -> JsonObject:
    """Return a slice as it goes into JSON."""
    own = finite_values({**asdict(one), "difference": one.difference})
    return {**own, "rates": finite_values(one.rates)}
