"""How data stands in a page: JSON, columns of whole numbers in few bytes, compressed, as base64.

The bytes before compression: four of length (little end first), so many of JSON in UTF-8, then the columns. In the
JSON a column is `{"$": [first byte, length, width, steps]}`: numbers of 1, 2 or 4 bytes; where `steps` is 1 each
number is what is added to the one before it. Columns stand in objects only, never in lists. The same data gives
the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.jsonable import JsonObject

WIDTHS = (np.int8, np.int16, np.int32)


def compress(found: JsonObject) -> bytes:
    """Return data as compressed bytes: nothing in it is left as it could be read by a browser.

    Texts with lone surrogates, which UTF-8 cannot hold, are escaped.
    """
    parts: list[bytes] = []
    size = 0

    def put(column: NDArray[Any]) -> JsonObject:
        nonlocal size
        made, steps = _narrow(column)
        parts.append(made.tobytes())
        entry = {"$": [size, len(made), made.itemsize, steps]}
        size += made.nbytes
        return entry

    dense: JsonObject = {"allow_nan": False, "separators": (",", ":")}
    plain = _replace_columns(found, put)
    try:
        data = json.dumps(plain, ensure_ascii=False, **dense).encode()
    except UnicodeEncodeError:
        data = json.dumps(plain, **dense).encode()
    return gzip.compress(b"".join((struct.pack("<I", len(data)), data, *parts)), 6, mtime=0)


def pack(found: JsonObject) -> str:
    """Return data as base64 of the compressed bytes: nothing in it can end the element it stands in."""
    return base64.b64encode(compress(found)).decode()


def unpack(page: str) -> Any:
    """Return the data of a page: what `pack` put into it, columns as lists."""
    _, _, rest = page.partition('id="data">')
    return expand(base64.b64decode(rest.partition("</script>")[0]))


def expand(data: bytes) -> Any:
    """Return what `compress` was given, columns as lists."""
    data = gzip.decompress(data)
    (length,) = struct.unpack_from("<I", data)

    def read(entry: JsonObject) -> Any:
        if entry.keys() != {"$"}:
            return entry
        at, number, width, steps = entry["$"]
        column = np.frombuffer(data, f"<i{width}", number, 4 + length + at).astype(np.int64)
        return (np.cumsum(column) if steps else column).tolist()

    return json.loads(data[4 : 4 + length], object_hook=read)


def _narrow(column: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Return the numbers, or the steps between them, in the fewest bytes; numbers where both take as many.

    >>> _narrow(np.array([7, 300, 301]))
    (array([  7, 300, 301], dtype=int16), 0)
    >>> _narrow(np.arange(100, 500, 100))
    (array([100, 100, 100, 100], dtype=int8), 1)
    """
    forms = (column, np.diff(column, prepend=np.int64(0)))
    fits = [next(kind for kind in WIDTHS if _fits(form, kind)) for form in forms]
    steps = int(np.dtype(fits[1]).itemsize < np.dtype(fits[0]).itemsize)
    return forms[steps].astype(np.dtype(fits[steps]).newbyteorder("<")), steps


def _fits(column: NDArray[Any], kind: type[np.signedinteger[Any]]) -> bool:
    """Tell whether all numbers fit. Offsets beyond two thousand million no document has."""
    limits = np.iinfo(kind)
    return kind is np.int32 or not len(column) or (limits.min <= column.min() and column.max() <= limits.max)


def _replace_columns(found: Any, put: Callable[[NDArray[Any]], JsonObject]) -> Any:
    """Return data with every column handed to `put` and its entry in its place."""
    if isinstance(found, np.ndarray):
        return put(found)
    return (
        {key: _replace_columns(value, put) for key, value in found.items()} if isinstance(found, dict) else found
    )
