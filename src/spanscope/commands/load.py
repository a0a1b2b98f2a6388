"""Load what was written as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spanscope.io.results import read_result
from spanscope.results.written import restore_result
from spanscope.results.written_records import restore_records


def load(path: str | Path) -> Any:  # which of the two it is depends on the file
    """Return what `-o result.json` or `to_json()` wrote: a `WrittenResult` of one run, else `WrittenRecords`.

    The result of a run has all figures (`rows`, `value()`, `counts()`, `slices()`, `confidence()`, the `curve()`
    that was written), its tables, data frames and figures for papers, but no documents: nothing can be scored
    again from it. A comparison, a leaderboard, agreement or a panel of segmentations has its figures as records
    (`rows`, `slices()`, `to_pandas()`), and all else that was written as `data`.
    """
    value, name = read_result(path, "a result, as spanscope eval -o FILE.json writes it")
    return restore_records(value, name) or restore_result(value, name)
