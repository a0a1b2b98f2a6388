"""Gzip, unpacked a part at a time: what is in memory does not depend on how well a file was packed."""

from __future__ import annotations

import zlib

from spanscope.errors import InputError

MAGIC = b"\x1f\x8b"  # the first bytes of a gzip file
PART = 1 << 23  # bytes that are unpacked at once


class Gunzip:
    """Takes packed bytes and gives back what they hold, no more than PART at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._member = zlib.decompressobj(31)
        self._left = b""  # packed bytes that are still to be unpacked

    @property
    def waiting(self) -> bool:
        """Tell whether there are packed bytes that were taken and not yet unpacked."""
        return bool(self._left)

    def feed(self, raw: bytes) -> None:
        """Take packed bytes."""
        self._left += raw

    def part(self) -> bytes:
        """Return what is unpacked next; nothing where more packed bytes are needed first."""
        out, size = list[bytes](), 0
        try:
            while self._left and size < PART:
                if self._member.eof:  # several members, and perhaps zeros after the last
                    self._left = self._left.lstrip(b"\0")
                    self._member = zlib.decompressobj(31) if self._left else self._member
                    continue
                out.append(self._member.decompress(self._left, PART - size))
                self._left = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
                size += len(out[-1])
        except zlib.error as error:
            reason = str(error).rpartition(": ")[2]
            raise InputError(f"is not a whole gzip file ({reason})", where=self._name) from None
        return b"".join(out)

    def finish(self) -> None:
        """Refuse a file that ends too early."""
        if not self._member.eof:
            raise InputError("is not a whole gzip file (it ends too early)", where=self._name)
