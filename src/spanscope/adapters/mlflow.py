"""A result in a run of MLflow."""

from __future__ import annotations

import time
from typing import Any

from spanscope.adapters.scalars import scalars
from spanscope.errors import MeasureError
from spanscope.results.result import Result

BATCH = 500  # metrics that are sent together: MLflow takes 1,000 at most
FOLDER = "spanscope"  # of the artifacts


def log_result(
    result: Result, run: Any = None, *, client: Any = None, step: int | None = None, labels: bool = False
) -> None:
    """Log the figures as metrics, the signature as a tag, and the JSON and the report as artifacts.

    run      a run or its id; the active one unless given.
    client   an MlflowClient; one of the current tracking server unless given.
    step     of the metrics.
    labels   log the figures of every label too.
    """
    from mlflow import MlflowClient, active_run
    from mlflow.entities import Metric, RunTag

    run = active_run() if run is None else run
    if run is None:
        raise MeasureError("no run of MLflow is active", expected="a run", hint="with mlflow.start_run(): ...")
    own, name = client or MlflowClient(), run if isinstance(run, str) else run.info.run_id
    now = time.time_ns() // 1_000_000
    metrics = [Metric(key, value, now, step or 0) for key, value in scalars(result, labels=labels).items()]
    tags = [RunTag("spanscope.signature", result.signature())]
    for first in range(0, max(len(metrics), 1), BATCH):
        own.log_batch(name, metrics=metrics[first : first + BATCH], tags=tags)
    own.log_text(name, result.to_json() + "\n", f"{FOLDER}/result.json")
    own.log_text(name, result.table("markdown"), f"{FOLDER}/report.md")
