"""What a client asks for, checked: the body, the options of a job, and what there is to choose from."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from spanscope.errors import MeasureError, shown
from spanscope.jsonable import JsonObject
from spanscope.serve.limits import LONE, TEXTS, Limits, Refused, size_in_words

TYPES: dict[str, tuple[type, ...]] = {
    "protocol": (str,),
    "measures": (list,),
    "threshold": (int, float),
    "labels": (list,),
    "text": (str,),
    "missing": (str,),
    "extra": (str,),
    "group": (str,),
    "repeated": (str,),
    "offsets": (str,),
    "scheme": (str,),
    "input": (str,),
    "beta": (int, float),
    "k": (int,),
    "join": (str,),
    "scores": (str,),
    "ci": (bool,),
    "strict": (bool,),
    "normalise": (bool,),
    "locate": (bool,),
    "repair_json": (bool,),
}
LARGEST = 10**9  # of a number
LONGEST = 120  # characters of a run's name


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
        raise Refused(400, "the request is no JSON") from None
    if not isinstance(found, dict):
        raise Refused(400, "the request is no JSON object")
    return found


def options(given: Any, limits: Limits) -> JsonObject:
    """Return the arguments of `evaluate` that were asked for; anything unknown or of another type is refused."""
    from spanscope.measures.registry import parse
    from spanscope.settings.protocols import protocol

    if not isinstance(given, dict):
        raise Refused(400, "options is no JSON object")
    out: JsonObject = {}
    for key, value in given.items():
        kinds = TYPES.get(key)
        if kinds is None:
            raise Refused(400, f"there is no option {shown(key)}", expected=", ".join(TYPES))
        if value is None or value in ("", []):
            continue
        if not _fits(value, kinds):
            raise Refused(400, f"{key} is {shown(value)}", expected=" or ".join(kind.__name__ for kind in kinds))
        out[key] = value
    if "protocol" in out:
        protocol(out["protocol"])
    threshold = out.pop("threshold", None)
    if threshold is not None and "measures" not in out:
        raise MeasureError("a threshold is of a measure, and none was chosen", expected="a measure beside it")
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
    words = value if isinstance(value, list) else [value]
    return all(isinstance(one, str) and not LONE.search(one) for one in words)


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


def choices(limits: Limits) -> JsonObject:
    """Return the protocols and measures there are, for the page: names, what they are, thresholds."""
    from spanscope.measures.registry import AGREEMENT, known, parse
    from spanscope.settings.protocols import PROTOCOLS

    return {
        "protocols": [
            {"name": one.name, "says": one.summary, "measures": list(one.measures)} for one in PROTOCOLS.values()
        ],
        "measures": [
            {"name": name, "says": definition.doc.splitlines()[0], "threshold": parse(name).threshold}
            for name, definition in known().items()
            if not name.startswith(f"{AGREEMENT}.")
        ],
        "texts": list(reversed(TEXTS[: TEXTS.index(limits.text) + 1])),
        "limits": {"upload": limits.upload, "runs": limits.runs, "said": size_in_words(limits.upload)},
    }
