"""A session of Spark, and what went wrong there in a sentence."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spanscope.errors import EngineError, InputError, SpanscopeError

HEADLESS = "apt-get install openjdk-17-jre-headless"
CONNECTED = "sc://"
HERE = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}


def session(master: str | None = None) -> Any:
    """Return the session there is, else a new one: at `master`, SPARK_REMOTE or SPARK_MASTER, else all cores."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise EngineError(
            "engine=spark needs pyspark, which is not installed", hint="pip install 'spanscope[spark]'"
        ) from None
    if (active := SparkSession.getActiveSession()) is not None:
        return active
    where = master or os.environ.get("SPARK_REMOTE") or os.environ.get("SPARK_MASTER") or "local[*]"
    builder = SparkSession.builder.appName("spanscope")
    if where.startswith(CONNECTED):
        return _make_session(builder.remote(where), where)
    _require_java()
    if not where.startswith("local"):
        return _make_session(builder.master(where), where)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers of this machine are this very Python
    return _make_session(builder.master(where).config(map=HERE), where)


@contextmanager
def ignore_warnings() -> Iterator[None]:
    """Keep quiet about pandas, which PySpark warns of and which is not used here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        yield


def _make_session(builder: Any, where: str) -> Any:
    try:
        with ignore_warnings():
            return builder.getOrCreate()
    except Exception as error:
        raise EngineError(
            f"no session of Spark could be made ({last_line(error)})",
            where=where,
            expected="a master such as local[*], spark://HOST:7077 or yarn, or sc://HOST for Spark Connect",
        ) from None


def _require_java() -> None:
    """Refuse to start without Java, before Spark says so in many lines."""
    home = os.environ.get("JAVA_HOME")
    found = (Path(home).joinpath("bin", "java").exists() if home else False) or (not home and shutil.which("java"))
    if not found:
        what = f"JAVA_HOME is {home}, and there is no Java" if home else "Spark needs Java, which is not there"
        raise EngineError(
            what,
            expected="Java 17 or newer, on the path or under JAVA_HOME",
            hint=HEADLESS,
        )


def last_line(error: BaseException) -> str:
    """Return the line that says most of what went wrong in Spark or in a worker's Python."""
    lines = [line.strip() for line in str(error).strip().split("\n") if line.strip()]
    said = [line for line in lines if not line.startswith(("at ", "File ", "...", "JVM stacktrace", "Traceback"))]
    python = [line for line in said if line.partition(":")[0].endswith(("Error", "Exception")) and ": " in line]
    chosen = (python or said or [type(error).__name__])[-1 if python else 0]
    return chosen.split(" SQLSTATE")[0][:200]


def spark_error(error: Exception, where: str = "") -> SpanscopeError:
    """Return what went wrong in Spark as one of our errors."""
    text = str(error)
    if isinstance(error, SpanscopeError):
        return error
    if "PATH_NOT_FOUND" in text or "Path does not exist" in text:
        return InputError("there is no such file", where=where)
    if "FAILED_READ_FILE" in text or "CANNOT_READ_FILE" in text or "is not a Parquet file" in text:
        return InputError(f"cannot be read ({last_line(error)})", where=where, expected="Parquet or JSON Lines")
    if "UNABLE_TO_INFER_SCHEMA" in text:
        return InputError("holds no Parquet file", where=where, expected="Parquet, or JSON Lines as .jsonl")
    hint = ""
    if "No module named" in text:
        hint = "spanscope for the Python of the workers, which PYSPARK_PYTHON names (docs/spark.md)"
    elif "maxResultSize" in text:
        hint = "--conf spark.driver.maxResultSize=8g, or more: the counts of every document come back"
    elif "ExecutorLostFailure" in text or "OutOfMemoryError" in text:
        hint = "more memory for each executor, or more partitions"
    return EngineError(f"Spark gave up ({last_line(error)})", where=where, hint=hint)
