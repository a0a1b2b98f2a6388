"""A progress bar on standard error, for work that takes more than two seconds."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

PATIENCE = 2.0
BYTES = ("reading", "dealing")  # stages whose progress is told in bytes


class Bar:
    """Called with (stage, done, total); shows itself on a terminal when the work turns out to be long."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.start = time.monotonic()
        self.patience = patience
        self.wanted = sys.stderr is not None and sys.stderr.isatty()
        self.bar: Any = None
        self.tasks: dict[str, Any] = {}

    def __enter__(self) -> Bar:
        return self

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage is."""
        if not self.wanted or time.monotonic() - self.start < self.patience:
            return
        if self.bar is None:
            from rich.console import Console
            from rich.progress import Progress, TextColumn

            columns = (*Progress.get_default_columns(), TextColumn("{task.fields[amount]}"))
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
        if stage not in self.tasks:
            self.tasks[stage] = self.bar.add_task(stage, total=total, amount="")
        self.bar.update(self.tasks[stage], completed=done, total=total, amount=_amount(stage, done, total))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()


def _amount(stage: str, done: int, total: int) -> str:
    """Return how many bytes of how many, for the stages that go by bytes."""
    if not stage.startswith(BYTES):
        return ""
    from rich.filesize import decimal

    return f"{decimal(done)} of {decimal(total)}"
