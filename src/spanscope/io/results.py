"""Result files, as they were written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.json_lines import decode
from spanscope.io.opening import open_source, peek

KEPT = "a result that kept its counts"
FIRST = re.compile(rb'\s*\{\s*"form"\s*:\s*\d+\s*,\s*"spanscope"\s*:')


def is_result(source: Any) -> bool:
    """Tell a result file by its first bytes; a table is none, and is not opened: the server asks this itself."""
    return isinstance(source, (str, Path)) and bool(FIRST.match(peek(source, tables=False)))


def read_result(source: str | Path, expected: str = KEPT) -> tuple[Any, str]:
    """Return the data of a result file, and its name."""
    if not isinstance(source, (str, Path)):
        raise InputError(f"the result is {shown(source)}", expected="a Result, or the path of a result file")
    file = open_source(source)
    if not FIRST.match(file.data):
        raise InputError(
            "is not a result file",
            where=file.name,
            expected=expected,
            hint="spanscope eval GOLD PRED --keep -o FILE.json",
        )
    return decode(file.data, file.name), file.name
