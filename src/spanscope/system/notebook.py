"""Notebooks: whether this process runs one, and a progress bar in its cells."""

from __future__ import annotations

import sys
import time
from html import escape
from typing import Any

PATIENCE = 2.0  # seconds of work before a bar is shown
PAUSE = 0.2  # seconds between two drawings


def in_notebook() -> bool:
    """Tell whether a kernel runs this process, whose front end shows HTML: not a terminal, be it IPython's."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class CellBar:
    """Called with (stage, done, total); draws a bar below the cell when work turns out to be long.

    The bar is gone when its stage has ended.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.start = self.drawn = time.monotonic()
        self.shown: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Draw how far a stage is."""
        now = time.monotonic()
        if done >= total:
            self._draw("")
        elif now - self.start >= self.patience and (self.shown is None or now - self.drawn >= PAUSE):
            self.drawn = now
            words = f"{escape(stage)} {100 * done // max(total, 1)} %"
            self._draw(f'<progress value="{done}" max="{total}" aria-label="{words}"></progress> {words}')

    def _draw(self, html: str) -> None:
        if self.shown is None and not html:
            return
        from IPython.display import HTML, display

        if self.shown is None:
            self.shown = display(HTML(html), display_id=True)
        else:
            self.shown.update(HTML(html))
