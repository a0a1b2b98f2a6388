"""Figures and texts as plain data: what may go into JSON, and what may be shown."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

HIDDEN = re.compile(r"[^\s!-/:-@\[-^`{-~]")  # all but white space and punctuation: also marks upon letters


def as_shown(text: str | None, how: str) -> str | None:
    """Return the text of a span as it may be shown."""
    if text is None or how == "none":
        return None
    return HIDDEN.sub("x", text) if how == "masked" else text


def plain(value: Any) -> int | float:
    """Return a count as a Python number: whole where it is."""
    return int(value) if float(value).is_integer() else float(value)


def finite(value: Any) -> Any:
    """Return a value as it goes into JSON: numbers that are not finite become None."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def finite_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by name as they go into JSON."""
    return {key: finite(value) for key, value in values.items()}


def listed(labels: Sequence[str]) -> str:
    """Return the labels that were asked for, or their number and a hash where they are many."""
    names = "+".join(labels)
    return names if len(names) <= 40 else f"{len(labels)},crc32:{zlib.crc32(names.encode('utf-8', 'replace')):08x}"
