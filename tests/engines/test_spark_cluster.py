"""Spark with two workers: the figures of the local engine, also when one of them is killed while it counts."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.engines.choice import Spark
from tests.cli import write
from tests.engines.conftest import CLUSTER, FAMILIES

MASTER = CLUSTER
pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.xdist_group("spark"),  # one process, so that sessions are started once
]
EXECUTOR = "CoarseGrainedExecutorBackend"
WAIT = 120  # seconds after which the test gives up


def parents() -> dict[int, int]:
    """Return the parent of every process."""
    out = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                out[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it ended while we looked
                continue
    return out


def executors() -> list[int]:
    """Return the executors that this very process started, by way of its Java."""
    above = parents()
    out = []
    for process in above:
        line, up = process, False
        while line in above and not up:
            line = above[line]
            up = line == os.getpid()
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if up and EXECUTOR.encode() in command and b"java" in command.split(b"\0")[0]:
            out.append(process)
    return out


@pytest.fixture(scope="module")
def paths(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    room = tmp_path_factory.mktemp("lines")
    gold, pred = FAMILIES["spans"]
    return write(room / "g.jsonl", gold), write(room / "p.jsonl", pred)


def test_two_workers_have_the_local_figures(spark: Any, paths: tuple[Path, Path]) -> None:
    wanted = spanscope.evaluate(*paths, ci=spanscope.Ci(resamples=50))
    found = spanscope.evaluate(
        *paths, run=spanscope.Running(engine=Spark(partitions=4)), ci=spanscope.Ci(resamples=50)
    )
    assert found.rows == wanted.rows


def test_a_worker_is_killed_while_it_counts(spark: Any, paths: tuple[Path, Path], tmp_path: Path) -> None:
    """Two of four partitions are being read, slowly, when a worker is killed: its work is done again elsewhere."""
    begun = tmp_path / "begun"
    killed: list[int] = []

    def slowly(batches: Any) -> Any:
        for batch in batches:
            Path(begun).touch()
            time.sleep(4)
            yield batch

    def kill() -> None:
        end = time.monotonic() + WAIT
        while not begun.exists() and time.monotonic() < end:
            time.sleep(0.1)
        if begun.exists() and (own := executors()):
            os.kill(own[0], signal.SIGKILL)
            killed.append(own[0])

    gold = spark.read.json(str(paths[0])).repartition(4, "id")
    slow = gold.mapInArrow(slowly, gold.schema)
    killer = threading.Thread(target=kill)
    killer.start()
    found = spanscope.evaluate(slow, spark.read.json(str(paths[1])), "spans.exact", ci=False)
    killer.join(WAIT)
    assert len(killed) == 1
    assert killed[0] not in executors()
    assert found.rows == spanscope.evaluate(*paths, "spans.exact", ci=False).rows
