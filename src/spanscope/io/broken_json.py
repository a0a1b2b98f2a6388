"""What is wrong with JSON that could not be decoded."""

from __future__ import annotations

import json
import math
import re

from spanscope.arguments import WHOLE
from spanscope.errors import InputError, shown

LONE = re.compile(
    r"\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}",
    re.IGNORECASE,
)
CONSTANT = re.compile(r"[:\[,]\s*(NaN|-?Infinity)\b")


def explain(data: bytes, name: str, first_line: int = 1) -> InputError:
    """Say what is wrong with JSON that could not be decoded: the line, the column, the reason."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        what = f"byte {data[error.start]:#04x} is not UTF-8"
        return InputError(what, where=f"{name}:{line}", expected="UTF-8", hint="iconv -f latin1 -t utf-8")
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            what, expected = "the JSON ends too early", "a complete JSON value (was the file cut off?)"
        else:
            near = shown(text[error.pos : error.pos + 20], 20)
            what, expected = f"not JSON at column {error.colno}: {error.msg}, at {near}", "JSON"
        return InputError(what, where=f"{name}:{line}", expected=expected)
    except ValueError:  # Python refuses to read whole numbers of more than 4,300 digits
        what = "a number has thousands of digits"
        return InputError(what, where=f"{name}:{first_line}", expected="numbers a computer can hold")
    except RecursionError:
        return InputError("the JSON is nested too deeply", where=f"{name}:{first_line}")
    if huge := _too_large(text):
        return InputError(
            f"{shown(huge)} is too large a number", where=f"{name}:{first_line}", expected="a finite number"
        )
    for pattern, what, expected in (
        (LONE, "half of a surrogate pair", WHOLE),
        (CONSTANT, "not JSON", "a number or null"),
    ):
        if found := pattern.search(text):
            value = found[found.lastindex or 0]
            line = first_line + text.count("\n", 0, found.start())
            return InputError(f"{value} is {what}", where=f"{name}:{line}", expected=expected)
    return InputError("cannot be decoded", where=f"{name}:{first_line}", expected="JSON")


def _too_large(text: str) -> str:
    """Return the first number that no float can hold, such as 1e400."""
    found: list[str] = []

    def keep(literal: str) -> float:
        value = float(literal)
        if math.isinf(value):
            found.append(literal)
        return value

    json.loads(text, parse_float=keep)
    return found[0] if found else ""
