"""Figures and texts as plain data: what may go into JSON, and what may be shown."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, SupportsFloat, SupportsInt

JsonObject = dict[str, Any]  # an object of JSON, or what becomes one: its values are of any type that JSON has
HIDDEN = re.compile(r"[^\s!-/:-@\[-^`{-~]")  # all but white space and punctuation: also marks upon letters


class Number(SupportsInt, SupportsFloat, Protocol):
    """A number of Python or NumPy."""


def as_shown(text: str | None, how: str) -> str | None:
    """Return the text of a span as it may be shown."""
    if text is None or how == "none":
        return None
    return HIDDEN.sub("x", text) if how == "masked" else text


def plain(value: Number) -> int | float:
    """Return a count as a Python number: whole where it is."""
    return int(value) if float(value).is_integer() else float(value)


def finite(value: Any) -> Any:
    """Return a value as it goes into JSON: numbers that are not finite become None."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finite_values(row: Mapping[str, object]) -> JsonObject:
    """Return a row by column name as it goes into JSON."""
    return {key: finite(value) for key, value in row.items()}


def json_text(data: JsonObject) -> str:
    """Return data as indented JSON."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def list_or_hash(labels: Sequence[str]) -> str:
    """Return the labels that were asked for, or their number and a hash where they are many."""
    names = "+".join(labels)
    return names if len(names) <= 40 else f"{len(labels)},crc32:{zlib.crc32(names.encode('utf-8', 'replace')):08x}"
