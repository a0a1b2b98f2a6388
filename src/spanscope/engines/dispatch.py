"""Counting that is done elsewhere: what is sent there, and what is made of the portions that come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spanscope.arguments import one_of, whole
from spanscope.engines.load import Progress
from spanscope.engines.partial_sums import Portion, added, kept, result
from spanscope.engines.streaming import MOST, Task
from spanscope.engines.totals import can_total, refuse
from spanscope.errors import MeasureError
from spanscope.io.line_blocks import Pair
from spanscope.results.result import KEEPING, Kept, Result


@dataclass(frozen=True)
class Block:
    """A task with what is to be kept: a function of the two halves of a block."""

    task: Task
    totals: bool

    def __call__(self, gold: Any, pred: Any) -> Portion:
        """Read and count a block."""
        return self.task((Pair(gold, pred), self.totals))


def dispatched(
    sources: Sequence[Any],
    task: Task,
    run: Callable[..., Iterable[Portion]],
    jobs: int,
    memory: Kept | None,
    meta: Mapping[str, str],
    told: Progress,
) -> Result:
    """Return the result of what `run` makes of a task; where only totals are asked for they are added up there."""
    if memory is not None:
        one_of("memory", memory, KEEPING)
    if memory == "spans":
        raise MeasureError("Spark gives back counts, not spans", hint="--memory counts, or --memory totals")
    if whole("jobs", jobs, 1) != 1:
        raise MeasureError("Spark has processes of its own", hint="without --jobs")
    totals = memory == "totals"
    if totals:
        refuse(task.settings)
    most = 0 if totals else MOST if memory is None and can_total(task.settings) else None
    parts = kept(run(Block(task, totals), fold=added if totals else None), most)
    paths = [str(source) if isinstance(source, (str, Path)) else None for source in sources]
    return result(parts, [(path, None) for path in paths], meta, told)
