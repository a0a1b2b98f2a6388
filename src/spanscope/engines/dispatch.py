"""Counting that is done by Spark: what is sent there, and what is made of the portions that come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spanscope.arguments import one_of, whole
from spanscope.engines import spark
from spanscope.engines.choice import Spark
from spanscope.engines.load import Progress, formats_of
from spanscope.engines.partial_sums import Portion, add_portions, keep_portions, make_result
from spanscope.engines.sizes import most_documents
from spanscope.engines.spark_frames import Side, first_rows, key_rows
from spanscope.engines.streaming import Task
from spanscope.errors import MeasureError
from spanscope.io.fields import Fields
from spanscope.io.line_blocks import Pair
from spanscope.io.surrogates import path_of
from spanscope.results.result import KEEPING, Result
from spanscope.settings.options import Running


@dataclass(frozen=True)
class Block:
    """A task with what is to be kept: a function of the two halves of a block."""

    task: Task
    totals: bool

    def __call__(self, gold: Any, pred: Any) -> Portion:
        """Read and count a block."""
        return self.task((Pair(gold, pred), self.totals))


def evaluate_on_spark(
    sources: Sequence[Any],
    both: Sequence[Side],
    names: Fields,
    how: Spark,
    task: Task,
    running: Running,
    meta: Mapping[str, str],
    progress: Progress,
) -> Result:
    """Return the result of a task on `both` sides; where only totals are asked for they are added up there.

    `names` are those under which documents may have their ids.
    """
    memory = running.memory
    if memory is not None:
        one_of("memory", memory, KEEPING)
    if memory == "spans":
        raise MeasureError("Spark gives back counts, not spans", hint="[[memory=counts]], or [[memory=totals]]")
    if whole("jobs", running.jobs, 1) != 1:
        raise MeasureError("Spark has processes of its own", hint="without [[jobs]]")
    if "texts" in task.settings.left_open:
        what, expected = "Spark reads portions, and no texts beside them", "texts in the documents, or no Spark"
        raise MeasureError(what, expected=expected)
    totals = memory == "totals"
    most = most_documents(memory, task.settings)
    formats = formats_of([first_rows(side) for side in both], task.settings)
    keyed = [key_rows(side, own, names) for side, own in zip(both, formats, strict=True)]
    task = replace(task, formats=tuple(one.name for one in formats))
    portions = spark.run(Block(task, totals), keyed, how, fold=add_portions if totals else None)
    parts = keep_portions(portions, most)
    return make_result(parts, [(path_of(source), None) for source in sources], meta, progress)
