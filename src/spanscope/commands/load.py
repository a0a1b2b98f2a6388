"""Load a result that was written."""

from __future__ import annotations

from pathlib import Path

from spanscope.io.results import read_result
from spanscope.results.written import WrittenResult, restore_result


def load(path: str | Path) -> WrittenResult:
    """Return a result as `spanscope eval GOLD PRED -o result.json` or `Result.to_json` wrote it.

    It has all figures (`rows`, `value()`, `counts()`, `slices()`, `confidence()`, the `curve()` that was written),
    its tables, data frames and figures for papers, but no documents: nothing can be scored again from it.
    """
    return restore_result(*read_result(path, "a result, as spanscope eval -o FILE.json writes it"))
