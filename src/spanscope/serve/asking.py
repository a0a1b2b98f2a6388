"""What a client asks for, checked: the body, the options of a job, and what there is to choose from."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from spanscope.errors import MeasureError, shown
from spanscope.jsonable import JsonObject
from spanscope.serve.limits import LONE, TEXTS, Limits, Refused, size_in_words
from spanscope.serve.offered import OFFERED, further, types_of

LARGEST = 10**9  # of a number
LONGEST = 120  # characters of a run's name
NOTE = 2000  # characters of a note
DEEPEST = 200  # values in one list or mapping


async def body(stream: AsyncIterator[bytes], limit: int) -> JsonObject:
    """Return the JSON object of a request, of which no more than the limit is read."""
    data = b""
    async for part in stream:
        data += part
        if len(data) > limit:
            raise Refused(413, f"the request has more than {size_in_words(limit)}")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise Refused(400, "the request is not valid JSON") from None
    if not isinstance(found, dict):
        raise Refused(400, "the request is not a JSON object")
    return found


def options(given: Any, limits: Limits) -> JsonObject:
    """Return the arguments of `evaluate` that were asked for; anything unknown or of another type is refused."""
    from spanscope.measures.registry import parse
    from spanscope.settings.protocols import protocol

    if not isinstance(given, dict):
        raise Refused(400, "options is not a JSON object")
    out: JsonObject = {}
    for key, value in given.items():
        kinds = types_of(key)
        if kinds is None:
            known = ", ".join((*OFFERED, "threshold", "ci"))
            raise Refused(400, f"there is no option {shown(key)}", expected=known)
        if value is None or value in ("", [], {}):
            continue
        if not _fits(value, kinds):
            raise Refused(400, f"{key} is {shown(value)}", expected=" or ".join(kind.__name__ for kind in kinds))
        out[key] = value
    if "protocol" in out:
        protocol(out["protocol"])
    threshold = out.pop("threshold", None)
    if threshold is not None and "measures" not in out:
        raise MeasureError("a threshold is of a measure, and none was chosen", expected="a measure with it")
    for at, text in enumerate(out.get("measures", [])):
        one = parse(text)
        out["measures"][at] = str(one if threshold is None else one.replace(threshold=float(threshold)))
    return {**out, "text": text_of(out.get("text"), limits)}


def _fits(value: Any, kinds: tuple[type, ...]) -> bool:
    """Tell whether a value is of a type, its numbers can be computed with, and its words can be written."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        return False
    if isinstance(value, int | float):
        return not abs(value) > LARGEST  # nan is told by the library, which knows what it is for
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else [value]
    numbers = dict in kinds or int in kinds
    return len(parts) <= DEEPEST and all(_is_part(one, numbers=numbers) for one in parts)


def _is_part(value: Any, *, numbers: bool) -> bool:
    if numbers and isinstance(value, int) and not isinstance(value, bool):
        return abs(value) <= LARGEST
    return isinstance(value, str) and not LONE.search(value)


def text_of(asked: str | None, limits: Limits) -> str:
    """Return how much of texts a page may show: as was asked, and no more than the server was told."""
    text = limits.text if asked is None else asked
    if text not in TEXTS or TEXTS.index(text) > TEXTS.index(limits.text):
        allowed = " or ".join(TEXTS[: TEXTS.index(limits.text) + 1])
        raise Refused(400, f"text is {shown(text)}", expected=allowed, hint="spanscope serve --text full")
    return text


def name_of(given: Any, otherwise: str) -> str:
    """Return the name of a run."""
    name = " ".join(given.split())[:LONGEST] if isinstance(given, str) else ""
    return name or otherwise


def changes(given: JsonObject) -> JsonObject:
    """Return what is to be changed of a run: its name, its note, or that it is not deleted after all."""
    out: JsonObject = {}
    for key, value in given.items():
        if key == "name":
            out["name"] = name_of(value, "")
        elif key == "note" and isinstance(value, str):
            out["note"] = LONE.sub("_", value).strip()[:NOTE]
        elif key == "deleted" and value is False:
            out["deleted"] = False
        else:
            raise Refused(400, f"{shown(key)} cannot be changed so", expected="name, note, or deleted: false")
    if "name" in out and not out["name"]:
        raise Refused(400, "the name is empty", expected="a name")
    return out


def choices(limits: Limits) -> JsonObject:
    """Return the protocols and measures there are, for the page: names, what they are, thresholds."""
    from spanscope.measures.registry import AGREEMENT, known, parse
    from spanscope.settings.protocols import known_protocols

    return {
        "protocols": [
            {"name": one.name, "says": one.summary, "measures": list(one.measures)}
            for one in known_protocols()[0].values()
        ],
        "measures": [
            {"name": name, "says": definition.doc.splitlines()[0], "threshold": parse(name).threshold}
            for name, definition in known().items()
            if not name.startswith(f"{AGREEMENT}.")
        ],
        "texts": list(reversed(TEXTS[: TEXTS.index(limits.text) + 1])),
        "further": further(),
        "limits": {
            "upload": limits.upload,
            "said": size_in_words(limits.upload),
            "total": size_in_words(limits.total),
            "days": limits.days if limits.keeps_texts else 0,
            "undo": limits.undo,
        },
    }
