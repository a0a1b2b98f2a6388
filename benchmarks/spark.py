"""Spark on this machine: seconds, bytes read, shuffled and returned, for one core, two, and two workers.

    python benchmarks/spark.py                     20,000 and 100,000 documents, all three masters
    python benchmarks/spark.py --documents 20000 --masters 'local[1]' 'local[2]'

Each master has a process of its own. A first run over few documents, which is not counted, warms Java and
the workers of Python. What is shuffled is what Spark says it wrote; what is returned is the size of the counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock

from clock import load_average

from spanscope.settings.options import grouped

MASTERS = ("local[1]", "local[2]", "local-cluster[2,1,2048]")
SIZES = (20_000, 100_000)
WARM = 20_000
CONF = {
    "spark.ui.enabled": "true",  # the counters of shuffles come from there
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.driver.memory": "3g",
}
Row = dict[str, Any]


def main() -> None:
    """Run every master in a process of its own and print one table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--masters", nargs="+", default=list(MASTERS))
    parser.add_argument("--memory", default="counts", choices=["counts", "totals"])
    parser.add_argument("--one", help="run this master here and print rows of JSON")
    asked = parser.parse_args()
    if asked.one:
        for row in measured(asked.one, asked.documents, asked.memory):
            print("ROW", json.dumps(row), flush=True)
        return
    head()
    for master in asked.masters:
        command = [sys.executable, __file__, "--one", master, "--memory", asked.memory, "--documents"]
        done = subprocess.run(
            [*command, *map(str, asked.documents)], capture_output=True, text=True, check=False, env=environment()
        )
        found = [json.loads(line[4:]) for line in done.stdout.splitlines() if line.startswith("ROW ")]
        if not found:
            print(f"{master}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        show(found)


def environment() -> dict[str, str]:
    """Return the environment, in which the workers are this very Python."""
    import spanscope

    source = str(Path(spanscope.__file__).parents[1])
    return os.environ | {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": source}


def measured(master: str, sizes: list[int], memory: str) -> list[Row]:
    """Return one row per corpus, counted by Spark at this master."""
    from corpus import span_corpus
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).config(map=CONF)
    spark = builder.config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"]).getOrCreate()
    warm = span_corpus(WARM).folder
    counted(spark, warm, memory)
    out = []
    for documents in sizes:
        folder = span_corpus(documents).folder
        read = sum((folder / f"{side}.jsonl").stat().st_size for side in ("gold", "pred"))
        before = shuffled(spark)
        seconds, returned, f1 = counted(spark, folder, memory)
        row = {"master": master, "documents": documents, "seconds": seconds, "read": read, "returned": returned}
        out.append(
            row | {"shuffled": shuffled(spark) - before, "f1": f1, "load": float(load_average().split()[0])}
        )
    spark.stop()
    return out


def counted(_spark: Any, folder: Path, memory: str) -> tuple[float, int, float]:
    """Return the seconds of an evaluation without intervals, the bytes that came back, and F1."""
    import spanscope
    from spanscope.engines import spark as engine
    from spanscope.engines.spark import unpack

    size = 0
    options: dict[str, Any] = {"engine": "spark", "ci": False, "memory": memory}

    def weighed(data: bytes) -> Any:
        nonlocal size
        size += len(data)
        return unpack(data)

    with mock.patch.object(engine, "unpack", weighed):
        start = time.perf_counter()
        found = spanscope.evaluate(folder / "gold.jsonl", folder / "pred.jsonl", "spans.exact", **grouped(options))
        return time.perf_counter() - start, size, found.value("f1")


def shuffled(spark: Any) -> int:
    """Return the bytes that all stages so far wrote for shuffles."""
    store = spark.sparkContext._jsc.sc().statusStore()
    stages = store.stageList(None, False, False, _no_doubles(spark), None)
    return sum(int(stages.apply(i).shuffleWriteBytes()) for i in range(stages.size()))


def _no_doubles(spark: Any) -> Any:
    return spark.sparkContext._gateway.new_array(spark._jvm.double, 0)


def head() -> None:
    """Print the head of the table."""
    print(
        "| master | documents | seconds | documents/s | B read/doc | B shuffled/doc | B returned/doc | F1 | load |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")


def show(rows: list[Row]) -> None:
    """Print rows of the table."""
    for row in rows:
        n = row["documents"]
        each = [f"{row[key] / n:,.0f}" for key in ("read", "shuffled", "returned")]
        rate, f1, load = f"{n / row['seconds']:,.0f}", f"{row['f1']:.4f}", f"{row['load']:.1f}"
        print(
            "|",
            " | ".join([row["master"], f"{n:,}", f"{row['seconds']:.1f}", rate, *each, f1, load]),
            "|",
            flush=True,
        )


if __name__ == "__main__":
    main()
