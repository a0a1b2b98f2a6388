"""Text in UTF-16, as Excel and Windows write it: told by its byte order mark, and read as UTF-8."""

from __future__ import annotations

import codecs
import re

from spanscope.errors import InputError

ORDERS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}  # by the mark
WIDE = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")  # the marks of UTF-32
DECLARED = re.compile(rb"""\A(<\?xml[^>]{0,200}?encoding=["'])utf-?16[bl]?e?(["'])""", re.IGNORECASE)


def is_utf16(head: bytes) -> bool:
    """Tell text in UTF-16 by its byte order mark; nothing else begins so that anybody reads here."""
    return head[:2] in ORDERS and head[:4] not in WIDE


class Recoder:
    """Takes the bytes of a text in UTF-16, the mark first, and gives them back in UTF-8."""

    def __init__(self, head: bytes, name: str) -> None:
        self._decoder = codecs.getincrementaldecoder(ORDERS[head[:2]])("strict")
        self._name, self._done, self._skip = name, 0, 2

    def recode(self, data: bytes, *, last: bool = False) -> bytes:
        """Return the next bytes in UTF-8; `last` says that no more come."""
        own, self._skip = data[self._skip :], max(self._skip - len(data), 0)
        try:
            text = self._decoder.decode(own, last)
        except UnicodeDecodeError as error:
            what = f"is not whole text in UTF-16 ({error.reason}, after {self._done:,} characters)"
            raise InputError(what, where=self._name, expected="UTF-8, or whole UTF-16") from None
        first, self._done = not self._done, self._done + len(text)
        out = text.encode()
        return DECLARED.sub(rb"\1utf-8\2", out) if first else out


def to_utf8(data: bytes, name: str) -> bytes:
    """Return a text in UTF-8 where it is in UTF-16, else as it is."""
    return Recoder(data, name).recode(data, last=True) if is_utf16(data) else data


def recoded_head(data: bytes) -> bytes:
    """Return the beginning of a text in UTF-8; a character that is cut off is left out."""
    return Recoder(data, "").recode(data) if is_utf16(data) else data
