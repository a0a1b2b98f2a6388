"""What the page of passages and answers shows besides the figures."""

from __future__ import annotations

from typing import Any

from spanscope.result import Result


def own(result: Result, budget: float) -> dict[str, Any]:
    """Return what only this page shows."""
    del result, budget
    return {}
