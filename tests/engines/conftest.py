"""Sessions of Spark, one a master, and documents of every family."""

import os
import shutil
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import spanscope
from tests.support import lacking

SOURCE = str(Path(spanscope.__file__).parents[1])
LOCAL = "local[2]"
CLUSTER = "local-cluster[2,1,1024]"
PLAIN = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "3",
    "spark.executorEnv.PYTHONPATH": SOURCE,
    "spark.log.level": "OFF",
}


def spark_at(master: str) -> Any:
    """Start Spark; where it or Java is missing skip, but in CI fail."""
    if shutil.which("java") is None:
        lacking("Spark is tested with Java, which is not installed: apt-get install openjdk-17-jre-headless")
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        lacking("Spark is tested with pyspark, which is not installed: pip install 'spanscope[spark]'")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = SOURCE
    return SparkSession.builder.master(master).config(map=PLAIN).getOrCreate()


@pytest.fixture(scope="module")
def spark(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return the session of a module: on two cores, or where its MASTER says."""
    found = spark_at(getattr(request.module, "MASTER", LOCAL))
    yield found
    found.stop()


def span_documents(number: int, shift: int = 0) -> list[dict[str, Any]]:
    """Make documents of two or three spans; with a shift every third span is one character off."""
    out = []
    for n in range(number):
        text = f"Café number {n} in the old town opened {n % 7} doors"
        places = [(0, 4, "NAME"), (5, 11, "WORD"), (len(text) - 5, len(text), "THING")][: 2 + n % 2]
        spans = [
            {"start": a + (shift if (n + i) % 3 == 0 and b - a > shift else 0), "end": b, "label": label}
            for i, (a, b, label) in enumerate(places)
        ]
        out.append({"id": f"d{n}", "text": text, "spans": spans})
    return out


def _segments(number: int, step: int) -> list[dict[str, Any]]:
    cuts = [[0, 10 + n % 3 + step, 30 + step, 50] for n in range(number)]
    rows = [[{"start": a, "end": b} for a, b in pairwise(own)] for own in cuts]
    return [{"id": f"s{n}", "length": 50, "segments": own} for n, own in enumerate(rows)]


def _tagged(number: int, every: int) -> list[dict[str, Any]]:
    tags = [["B-PER", "I-PER", "O", "B-LOC" if n % every else "O"] for n in range(number)]
    return [{"id": f"t{n}", "tokens": ["Ann", "Lee", "in", "Rome"], "tags": own} for n, own in enumerate(tags)]


def _passage(start: int, end: int) -> dict[str, Any]:
    return {"file_path": "a.txt", "span": [start, end], "text": "the quick brown fox " * 5 + f"{start}"[:2]}


def _queries(number: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    gold = [{"id": f"q{n}", "query": f"what is {n}", "snippets": [_passage(n, n + 9)]} for n in range(number)]
    pred = [
        {
            "id": f"q{n}",
            "query": f"what is {n}",
            "retrieved_passages": [
                _passage(n + 40, n + 50) | {"score": 0.9},
                _passage(n + n % 3, n + 9) | {"score": 0.5},
            ],
        }
        for n in range(number)
    ]
    return gold, pred


FAMILIES: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "spans": (span_documents(40), span_documents(40, shift=1)),
    "segments": (_segments(12, 0), _segments(12, 2)),
    "tokens": (_tagged(12, 100), _tagged(12, 3)),
    "passages": _queries(12),
}
