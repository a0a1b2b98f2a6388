"""Packed files, unpacked a part at a time: what is in memory does not depend on how well a file was packed.

Gzip, bzip2, xz and Zstandard are told by their first bytes, never by a name.
"""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from spanscope.errors import InputError

PART = 1 << 23  # bytes that are unpacked at once
WINDOW = 1 << 28  # bytes that xz may ask for besides: its highest level takes a quarter
SLICE = 2048  # packed bytes that zstandard is given at once: it cannot be told how much to give back
LONGEST = 6  # bytes at the beginning of a file that tell how it is packed


class Member(Protocol):
    """What unpacks one packed member of a file, as the standard library's decompressors do."""

    @property
    def eof(self) -> bool:
        """Tell whether the member is unpacked to its end."""

    @property
    def unused_data(self) -> bytes:
        """Return what was taken and stands behind the end of the member."""

    @property
    def needs_input(self) -> bool:
        """Tell whether nothing more can be unpacked of what was taken."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Take packed bytes, and return no more than so many that they hold."""


class Packing(NamedTuple):
    """A way of packing files: its name, the first bytes, and what begins a member."""

    name: str
    magic: bytes
    begin: Callable[[str], Member]


class _Inflate:
    """Gzip as the other decompressors are used."""

    def __init__(self) -> None:
        self._member, self._left = zlib.decompressobj(31), b""

    @property
    def eof(self) -> bool:
        return self._member.eof

    @property
    def unused_data(self) -> bytes:
        return self._member.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._left

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        out = self._member.decompress(self._left + data if self._left else data, max_length)
        self._left = self._member.unconsumed_tail
        return out


class _Zstandard:
    """The library zstandard as the decompressors of the standard library are used."""

    def __init__(self, library: Any) -> None:
        self._member, self._left, self._at = library.ZstdDecompressor().decompressobj(), b"", 0

    @property
    def eof(self) -> bool:
        return bool(self._member.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._member.unused_data) + self._left[self._at :]

    @property
    def needs_input(self) -> bool:
        return self._at >= len(self._left)

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        self._left, self._at = self._left[self._at :] + data, 0
        out, size = list[bytes](), 0
        while self._at < len(self._left) and size < max_length and not self.eof:
            out.append(self._member.decompress(self._left[self._at : self._at + SLICE]))
            self._at += SLICE
            size += len(out[-1])
        return b"".join(out)


def _begin_zstandard(name: str) -> Member:
    """Begin a member of Zstandard: with Python's own library from 3.14 on, else with the one of the extra."""
    if sys.version_info >= (3, 14):
        from compression import zstd

        own: Member = zstd.ZstdDecompressor()
        return own
    try:
        import zstandard
    except ImportError:
        raise InputError(
            "Zstandard needs zstandard, which is not installed",
            where=name,
            hint="pip install 'spanscope[zstd]'   or unzstd the file first",
        ) from None
    return _Zstandard(zstandard)


PACKINGS = (
    Packing("gzip", b"\x1f\x8b", lambda _: _Inflate()),
    Packing("bzip2", b"BZh", lambda _: bz2.BZ2Decompressor()),
    Packing("xz", b"\xfd7zXZ\0", lambda _: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=WINDOW)),
    Packing("Zstandard", b"\x28\xb5\x2f\xfd", _begin_zstandard),
)


def packing_of(head: bytes) -> Packing | None:
    """Return how a file is packed, by its first bytes; None where it is not."""
    return next((one for one in PACKINGS if head.startswith(one.magic)), None)


class Unpacker:
    """Takes packed bytes and gives back what they hold, no more than about PART at a time."""

    def __init__(self, name: str, packing: Packing) -> None:
        self._name, self._packing = name, packing
        self._member = packing.begin(name)
        self._left = b""  # packed bytes that no member has taken yet

    @property
    def waiting(self) -> bool:
        """Tell whether there are packed bytes that were taken and not yet unpacked."""
        return bool(self._left) or not (self._member.eof or self._member.needs_input)

    def feed(self, raw: bytes) -> None:
        """Take packed bytes."""
        self._left += raw

    def part(self) -> bytes:
        """Return what is unpacked next; nothing where more packed bytes are needed first."""
        out, size = list[bytes](), 0
        try:
            while self.waiting and size < PART:
                if self._member.eof:  # several members, and perhaps zeros after the last
                    self._left = self._left.lstrip(b"\0")
                    self._member = self._packing.begin(self._name) if self._left else self._member
                    continue
                given, self._left = self._left, b""
                out.append(self._member.decompress(given, PART - size))
                self._left = self._member.unused_data if self._member.eof else b""
                size += len(out[-1])
        except InputError:
            raise
        except Exception as error:  # what the libraries raise over damaged bytes is of many kinds
            reason = str(error).rpartition(": ")[2]
            raise self._broken(reason) from None
        return b"".join(out)

    def finish(self) -> None:
        """Refuse a file that ends too early."""
        if not self._member.eof:
            raise self._broken("it ends too early")

    def _broken(self, reason: str) -> InputError:
        what = f"is not a whole {self._packing.name} file ({reason})"
        hint = "write or copy it again: it is damaged, or only a part of it"
        return InputError(what, where=self._name, hint=hint)
