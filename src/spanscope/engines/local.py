"""This process, one batch after the other."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def run(function: Callable[[A], B], batches: Iterable[A], done: Callable[[], None]) -> Generator[B, None, None]:
    """Apply the function to every batch, in order, and say when each is done."""
    for batch in batches:
        yield function(batch)
        done()
