"""A process that is told to stop, or whose worker is killed, says so in a line and leaves nothing behind."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from spanscope.engines import processes
from spanscope.errors import EngineError
from tests.cli import GOLD, PRED, environment

# The program, run from a file so that its worker processes load the same changes.
PROGRAM = r"""
import os, signal, sys, time
from multiprocessing import parent_process
from spanscope.engines import streaming
from spanscope.io import line_blocks as blocks
from spanscope.engines.streaming import Task

blocks.LINES = 2  # many blocks
how = os.environ["HOW"]
count = Task.__call__
read = blocks._read

def slow(self, item):
    os.write(1, b"working\n")  # at once: there are two of them
    if how == "killed" and parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(600)

def waiting(*args):
    print("dealt", flush=True)
    time.sleep(600)

if how == "dealt":
    blocks._read = waiting
else:
    Task.__call__ = slow

if __name__ == "__main__":
    from spanscope.cli import main
    main()
"""


@pytest.fixture
def temp(tmp_path: Path) -> Path:
    """Return an empty folder for temporary files."""
    folder = tmp_path / "temp"
    folder.mkdir()
    return folder


def started(tmp_path: Path, temp: Path, how: str, *args: str) -> subprocess.Popen[str]:
    """Start the program with predictions in another order than gold, so that lines are dealt into files."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    back = tmp_path / "back.jsonl"
    back.write_text("".join(reversed(PRED.read_text().splitlines(keepends=True))))
    pred = back if how == "dealt" else PRED
    return subprocess.Popen(
        [sys.executable, str(program), "eval", str(GOLD), str(pred), "--memory", "counts", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment(), "HOW": how, "TMPDIR": str(temp)},
        start_new_session=True,
        preexec_fn=heard,  # noqa: PLW1509
    )


def heard() -> None:
    """Let a process hear signals that whoever runs the tests may ignore."""
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)


def gone(group: int) -> bool:
    """Wait for the processes of a group to end, and tell whether they did."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    return False


def test_a_worker_that_is_killed(tmp_path: Path, temp: Path) -> None:
    process = started(tmp_path, temp, "killed", "--jobs", "2")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 2
    assert said.startswith("a process ended before its work was done: it was killed by signal 9 (SIGKILL)\n")
    assert "--jobs" in said
    assert "Traceback" not in said
    assert gone(process.pid)
    assert list(temp.iterdir()) == []


def half_an_answer(_batch: int) -> bytes:
    """Be killed in the middle of sending an answer."""

    def send(pipe: Any, data: Any, _write: Any = None) -> None:
        os.write(pipe.fileno(), bytes(data)[: len(data) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    Connection._send = send  # type: ignore[attr-defined]
    return bytes(1000)


def test_a_worker_that_is_killed_while_it_answers() -> None:
    """Half of a message has come, and nobody will send the rest."""
    with pytest.raises(EngineError, match="killed by signal 9"):
        list(processes.run(half_an_answer, range(8), lambda: None, 2))
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_remove_temporary_files(tmp_path: Path, temp: Path, number: signal.Signals) -> None:
    process = started(tmp_path, temp, "dealt")
    assert process.stdout is not None
    assert process.stdout.readline() == "dealt\n"
    assert list(temp.iterdir()) != []
    process.send_signal(number)
    _, said = process.communicate(timeout=120)
    assert process.returncode == -number  # which shells show as 128 and the number
    assert said == ""
    assert list(temp.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_the_workers(tmp_path: Path, temp: Path, number: signal.Signals) -> None:
    """They are in the middle of work that takes ten minutes, and are not waited for."""
    process = started(tmp_path, temp, "slow", "--jobs", "2")
    assert process.stdout is not None
    assert process.stdout.readline() == "working\n"
    process.send_signal(number)
    _, said = process.communicate(timeout=120)
    assert (process.returncode, said) == ((130, "interrupted\n") if number is signal.SIGINT else (-number, ""))
    assert gone(process.pid)


def test_an_ignored_signal_stays_ignored(tmp_path: Path, temp: Path) -> None:
    """Under nohup a terminal that is closed does not end the program."""
    code = "import os, signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nfrom spanscope.cli import process\n"
    code += "process.run_program(lambda: os.kill(os.getpid(), signal.SIGHUP) or print('still here') or 0)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment()
    )
    assert (done.returncode, done.stdout) == (0, "still here\n")


@pytest.mark.parametrize("module", ["typer", "numpy"])
def test_ctrl_c_while_modules_are_loaded(tmp_path: Path, module: str) -> None:
    """A module of that name that comes first presses the keys when it is loaded."""
    (tmp_path / f"{module}.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    code = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from spanscope.cli import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", code, "eval", str(GOLD), str(PRED)],
        capture_output=True,
        text=True,
        check=False,
        env={**environment(), "PYTHONPATH": path},
    )
    assert (done.returncode, done.stderr, done.stdout) == (130, "interrupted\n", "")


@pytest.mark.parametrize("module", ["typing", "signal", "difflib"])
def test_ctrl_c_before_the_program_has_its_own_handler(tmp_path: Path, module: str) -> None:
    """What the first modules of ours import must not end in a traceback either: Python ends by the signal."""
    (tmp_path / f"{module}.py").write_text("raise KeyboardInterrupt\n")
    code = f"import sys\nsys.modules.pop({module!r}, None)\n"
    code += f"sys.path.insert(0, {str(tmp_path)!r})\nfrom spanscope.cli import main\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", code, "eval", str(GOLD), str(PRED)],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert (done.returncode, done.stderr, done.stdout) == (-signal.SIGINT, "interrupted\n", "")


def test_nothing_is_imported_before() -> None:
    """The package itself imports nothing: the command line comes first."""
    code = "import sys\nbefore = {*sys.modules}\nimport spanscope\nprint({*sys.modules} - before)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment()
    )
    assert done.stdout == "{'spanscope'}\n"


def test_a_reader_that_leaves_ends_the_program_as_other_commands(tmp_path: Path) -> None:
    """More than a pipe holds is printed; nobody reads it."""
    command = [sys.executable, "-c", "from spanscope.cli import main; main()", "eval", str(GOLD), str(PRED)]
    with subprocess.Popen(
        [*command, "-f", "json", "--matches", "--documents"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        said = process.stderr.read().decode()
        assert process.wait(timeout=60) == -signal.SIGPIPE
    assert said.startswith("data problems")
    assert len(said.splitlines()) == 1
