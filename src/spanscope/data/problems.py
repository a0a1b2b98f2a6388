"""What is odd about the data and does not stop the run."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """Something wrong with the data that does not stop the run: what kind, where, and the sentence to show."""

    kind: str
    where: str
    what: str
    number: int = 1  # how many spans or documents the sentence is about
    name: str = field(default="", compare=False)  # of the first document among them, as the sentence tells it
    row: int = field(default=0, compare=False)  # of that document on its side

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"
