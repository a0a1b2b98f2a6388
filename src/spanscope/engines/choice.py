"""Which engine is asked for, decided without loading any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spanscope.errors import MeasureError, shown


@dataclass(frozen=True)
class Spark:
    """Where Spark is, unless a session is there; how documents are dealt, and how many are counted at once."""

    master: str | None = None  # else SPARK_REMOTE or SPARK_MASTER, else every core of this machine
    partitions: int | None = None  # else by the size of gold
    block: int = 20_000  # documents that a worker holds at once, unless they are large


def choose_spark(engine: str | Spark | None, *sources: Any) -> Spark | None:
    """Return how Spark is asked for, by name or by data frames; None for the local engine."""
    if isinstance(engine, Spark):
        return engine
    if engine is not None and not (isinstance(engine, str) and engine in ("local", "spark")):
        raise MeasureError(f"no engine is called {shown(engine)}", expected="local or spark")
    frames = any(map(is_frame, sources))
    if frames and engine == "local":
        raise MeasureError("data frames of Spark are counted by Spark", hint="without engine=local")
    return Spark() if frames or engine == "spark" else None


def is_frame(value: object) -> bool:
    """Tell a data frame of Spark, without loading Spark for anything else."""
    return type(value).__module__.startswith("pyspark.sql") and hasattr(value, "schema")
