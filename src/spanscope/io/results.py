"""Result files, as they were written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from spanscope.io.jsonl import decode
from spanscope.io.source import open_source, peek

FIRST = re.compile(rb'\s*\{\s*"form"\s*:\s*\d+\s*,\s*"spanscope"\s*:')


def is_result(source: Any) -> bool:
    """Tell a result file by its first bytes."""
    return isinstance(source, (str, Path)) and bool(FIRST.match(peek(source)))


def read_result(source: str | Path) -> tuple[Any, str]:
    """Return the data of a result file, and its name."""
    file = open_source(source)
    return decode(file.data, file.name), file.name
