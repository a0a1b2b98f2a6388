"""Names of documents where there are many: made from their numbers when somebody reads them, or packed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from spanscope.arithmetic import Ints


@dataclass(frozen=True)
class Numbered(Sequence[str]):
    """Names of documents without ids, #1, #2, ..., made when somebody reads them."""

    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Numbered: ...
    def __getitem__(self, at: int | slice) -> str | Numbered:
        return Numbered(self.numbers[at]) if isinstance(at, slice) else f"#{self.numbers[at]}"


@dataclass(frozen=True)
class Packed(Sequence[str]):
    """Names of documents, end to end in one string of bytes: a tenth of what a list of them takes."""

    data: bytes
    ends: Ints

    @classmethod
    def of(cls, names: Sequence[str]) -> Packed:
        """Pack names."""
        coded = [name.encode("utf-8", "surrogatepass") for name in names]
        return cls(b"".join(coded), np.cumsum([len(name) for name in coded], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        row = range(len(self))[at]
        first = int(self.ends[row - 1]) if row else 0
        return self.data[first : int(self.ends[row])].decode("utf-8", "surrogatepass")
