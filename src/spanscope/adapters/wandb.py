"""A result in a run of Weights & Biases."""

from __future__ import annotations

from typing import Any

from spanscope.adapters.scalars import scalars
from spanscope.results.result import Result


def log_result(
    result: Result, run: Any, *, step: int | None = None, labels: bool = False, artifact: str | None = "spanscope"
) -> None:
    """Log the figures, put the signature into the summary of the run, and the JSON into an artifact.

    run        what `wandb.init` returned.
    step       of the figures; the run's own unless given.
    labels     log the figures of every label too.
    artifact   the name of the artifact; None for none.
    """
    run.log(scalars(result, labels=labels), step=step)
    run.summary["spanscope/signature"] = result.signature()
    if artifact is None:
        return
    from wandb import Artifact

    made = Artifact(artifact, type="evaluation", metadata={"signature": result.signature()})
    for name, text in (("result.json", result.to_json() + "\n"), ("report.md", result.table("markdown"))):
        with made.new_file(name, encoding="utf-8") as file:
            file.write(text)
    run.log_artifact(made)
