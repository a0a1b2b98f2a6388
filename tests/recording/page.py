"""What a page holds: its data, unpacked, and the plain tables that stand in it."""

from __future__ import annotations

import base64
import gzip
import json
import re
import struct
from itertools import accumulate
from typing import Any

DATA = re.compile(r'<script[^>]*\bid="data"[^>]*>(.*?)</script>', re.S)
PARTS = (
    re.compile(r"<title>.*?</title>", re.S),
    re.compile(r"<aside\b.*?</aside>", re.S),
    re.compile(r'<main id="static">.*?</main>', re.S),
)
KINDS = {1: "b", 2: "h", 4: "i"}  # of struct, by their bytes


def data_of(page: str) -> str:
    """Return the data of a page as JSON, one line per value; columns are lists."""
    found = DATA.search(page)
    if found is None:
        return "the page has no data\n"
    return json.dumps(_unpacked(base64.b64decode(found[1])), ensure_ascii=True, indent=1) + "\n"


def plain_of(page: str) -> str:
    """Return the title, the warning and the plain tables of a page, one tag per line."""
    head = page[: found.start()] if (found := DATA.search(page)) else page
    parts = [match[0] for part in PARTS if (match := part.search(head) or part.search(page))]
    return "\n".join(parts).replace("><", ">\n<") + "\n"


def _unpacked(packed: bytes) -> Any:
    """Undo the packing: gzip, four bytes of length, so many bytes of JSON, then columns of whole numbers."""
    raw = gzip.decompress(packed)
    (length,) = struct.unpack_from("<I", raw)

    def column(entry: dict[str, Any]) -> Any:
        if set(entry) != {"$"}:
            return entry
        at, number, width, steps = entry["$"]
        values = struct.unpack_from(f"<{number}{KINDS[width]}", raw, 4 + length + at)
        return list(accumulate(values)) if steps else list(values)

    return json.loads(raw[4 : 4 + length].decode("utf-8"), object_hook=column)
