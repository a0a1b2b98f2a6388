"""A result in TensorBoard, by the writer of torch.utils.tensorboard or of tensorboardX."""

from __future__ import annotations

from typing import Any

from spanscope.adapters.scalars import scalars
from spanscope.results.result import Result


def log_result(result: Result, writer: Any, *, step: int | None = None, labels: bool = False) -> None:
    """Write the figures as scalars, and the signature, the report and the JSON as texts.

    writer   a SummaryWriter.
    step     of all of them.
    labels   write the figures of every label too.
    """
    for name, value in scalars(result, labels=labels).items():
        writer.add_scalar(name, value, step)
    writer.add_text("spanscope/signature", f"`{result.signature()}`", step)
    writer.add_text("spanscope/report", result.table("markdown"), step)
    writer.add_text("spanscope/result.json", f"```json\n{result.to_json()}\n```", step)
