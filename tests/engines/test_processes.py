"""Several processes: their order, their end, and what they leave behind."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from spanscope import Running
from spanscope.commands.evaluate import evaluate
from spanscope.engines import processes
from spanscope.errors import EngineError
from spanscope.io import line_blocks as blocks
from tests.engines.test_interrupts import heard
from tests.streaming_support import documents, put, refusal, small

__all__ = ["small"]  # a fixture


# ---------------------------------------------------------------- processes and temporary files


def die(batch: int) -> int:
    """End the process in the middle of its work, as one that is killed does."""
    if batch == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


def double(batch: int) -> int:
    return 2 * batch


def test_a_process_that_dies() -> None:
    with pytest.raises(EngineError, match="a process ended before its work was done"):
        list(processes.run(die, range(6), lambda: None, 2))
    assert multiprocessing.active_children() == []


def test_order_and_number_of_batches_on_their_way() -> None:
    taken = 0

    def batch(number: int) -> int:
        nonlocal taken
        taken = number
        return number

    found = []
    for one in processes.run(double, map(batch, range(1, 21)), lambda: None, 2):
        found.append(one)
        assert taken <= len(found) + 4
    assert found == [2 * n for n in range(1, 21)]


def test_an_interrupt_leaves_no_processes() -> None:
    running = processes.run(double, range(1000), lambda: None, 2)
    assert next(running) == 0
    assert len(multiprocessing.active_children()) == 2
    with pytest.raises(KeyboardInterrupt):
        running.throw(KeyboardInterrupt())
    assert multiprocessing.active_children() == []


FOREVER = """
import itertools, time
from spanscope.engines import processes
if __name__ == "__main__":
    for _ in processes.run(time.sleep, itertools.repeat(0.05), lambda: None, 2):
        print("one", flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_program(how: signal.Signals) -> None:
    """Ctrl-c reaches all processes at once; a program that is killed takes its processes with it."""
    program = subprocess.Popen(
        [sys.executable, "-c", FOREVER],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heard,  # noqa: PLW1509
    )
    assert program.stdout is not None
    assert program.stdout.readline() == b"one\n"
    if how is signal.SIGINT:
        os.killpg(program.pid, how)
    else:
        program.kill()
    said = program.communicate(timeout=60)[1]
    assert program.returncode != 0
    assert said.count(b"Traceback") == (how is signal.SIGINT)  # of the program alone
    for _ in range(600):
        try:
            os.killpg(program.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(program.pid, signal.SIGKILL)
    pytest.fail("processes are left")


@pytest.mark.usefixtures("small")
def test_temporary_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    gold, pred = documents("spans")
    lines: Any = list(reversed(pred))
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", lines)
    seen = []
    real = blocks._read

    def look(*args: Any) -> Any:
        seen.extend(room.iterdir())
        return real(*args)

    monkeypatch.setattr(blocks, "_read", look)
    evaluate(ours, theirs, run=Running(memory="counts"))
    assert seen
    assert list(room.iterdir()) == []
    bad = put(tmp_path / "bad.jsonl", [*lines[:-1], '{"id": "d0", "spans": 3}'])
    seen.clear()
    refusal(ours, bad, memory="counts")
    assert seen
    assert list(room.iterdir()) == []
