"""JSON as models break it: trailing commas, single quotes, bare names, cut off at the end. Only on request."""

from __future__ import annotations

import json
import re
from typing import Any

_SPACE = re.compile(r"[\s,]*")
_BARE = re.compile(r"[^\s,:{}\[\]\"']+")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
DEEPEST = 100


class Broken(ValueError):
    """Nothing can be made of a text."""


def read_leniently(text: str) -> Any:
    """Return the first JSON value of a text, with what is broken in it mended; an unfinished last item is dropped.

    >>> read_leniently("{'a': [1, 2,], b: 'x', 'c': 'cut o")
    {'a': [1, 2], 'b': 'x'}
    """
    start = next((at for at, one in enumerate(text) if one in "{["), None)
    if start is None:
        raise Broken("no object and no list")
    return _value(text, start, 0)[0]


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> tuple[Any, int, bool]:
    """Return a value, where it ends, and whether it is whole."""
    at = _skip(text, at)
    if at >= len(text):
        return None, at, False
    if depth > DEEPEST:
        raise Broken("nested too deeply")
    if text[at] == "{":
        return _object(text, at + 1, depth)
    if text[at] == "[":
        return _list(text, at + 1, depth)
    if text[at] in "\"'":
        return _string(text, at)
    found = _BARE.match(text, at)
    if not found:
        raise Broken("not JSON")
    own = found[0]
    if own in _WORDS:
        return _WORDS[own], found.end(), True
    try:
        return json.loads(own), found.end(), True
    except ValueError:
        return own, found.end(), found.end() < len(text)


def _string(text: str, at: int) -> tuple[str, int, bool]:
    mark, out, at = text[at], [], at + 1
    while at < len(text):
        one = text[at]
        if one == "\\" and at + 1 < len(text):
            out.append(text[at : at + 2])
            at += 2
        elif one == mark and _ends(text, at):
            return _unescape("".join(out)), at + 1, True
        else:
            out.append(one)
            at += 1
    return _unescape("".join(out)), at, False


def _ends(text: str, at: int) -> bool:
    """Tell the mark that ends a string from one inside it, which models forget to escape."""
    after = text[at + 1 : at + 50].lstrip()
    return not after or after[0] in ",:]}\n`"


def _unescape(text: str) -> str:
    plain = text.replace("\\'", "'").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    try:
        return str(json.loads('"' + re.sub(r'(?<!\\)"', '\\"', plain) + '"'))
    except ValueError:
        return text


def _list(text: str, at: int, depth: int) -> tuple[list[Any], int, bool]:
    out: list[Any] = []
    while (at := _skip(text, at)) < len(text):
        if text[at] in "]}":
            return out, at + 1, True
        own, at, whole = _value(text, at, depth + 1)
        if whole:
            out.append(own)
    return out, at, True  # what is whole of it is kept


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int, bool]:
    out: dict[str, Any] = {}
    while (at := _skip(text, at)) < len(text):
        if text[at] in "}]":
            return out, at + 1, True
        key, at, named = _value(text, at, depth + 1)
        at = _skip(text, at)
        if not named or text[at : at + 1] != ":":
            return out, at, bool(out) and depth == 0
        own, at, whole = _value(text, at + 1, depth + 1)
        if not whole:
            return out, at, depth == 0
        out[str(key)] = own
    return out, at, depth == 0 or any(isinstance(one, list) for one in out.values())
