"""The program as a process: its signals, its standard streams, and how it ends."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from spanscope.errors import InputError

STOPPING = ("SIGTERM", "SIGHUP")
INTERRUPTED = 130  # what shells show for a process that was ended by ctrl-c


class Stopped(BaseException):
    """The process was told to stop by a signal: everything is cleaned up on the way, then it ends as told."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


class Standard(io.FileIO):
    """The bytes of standard output or error, and what is done when they cannot be written.

    Where the reader has left (`| head`) the program ends as other commands do. Standard output that is full or
    closed is an error; of standard error nobody could be told.
    """

    lost = False

    def write(self, data: Any) -> int:
        """Write bytes; none after the first that could not be written."""
        if self.lost:
            return len(data)
        try:
            return super().write(data)
        except BrokenPipeError:
            self.lost = True
            raise Stopped(signal.SIGPIPE) from None
        except OSError as error:
            self.lost = True
            if self.fileno() == 2:
                return len(data)
            raise InputError(f"cannot be written ({error.strerror or error})", where="<stdout>") from None


def run_program(run: Callable[[], int]) -> int:
    """Run the program and return its exit code; a signal that stopped it ends the process."""
    _prepare_streams()
    try:
        with _stoppable():
            return run()
    except Stopped as stop:
        signal.signal(stop.number, signal.SIG_DFL)
        os.kill(os.getpid(), stop.number)
        return 128 + stop.number  # where the signal is held back
    except KeyboardInterrupt:
        return report_interruption()


def report_interruption() -> int:
    """Say that the work was broken off, and return the exit code."""
    with suppress(OSError, AttributeError):
        sys.stderr.write("interrupted\n")
    return INTERRUPTED


@contextmanager
def loading() -> Iterator[None]:
    """Let ctrl-c end the program in one line while its modules are loaded."""
    try:
        yield
    except KeyboardInterrupt:
        raise SystemExit(report_interruption()) from None


@contextmanager
def _stoppable() -> Iterator[None]:
    """Raise Stopped where a signal asks the process to end, so that temporary files and processes go with it."""

    def stop(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # once is enough
        raise Stopped(number)

    wanted = [getattr(signal, name) for name in STOPPING if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        wanted = []
    wanted = [number for number in wanted if signal.getsignal(number) == signal.SIG_DFL]  # nohup ignores one
    for number in wanted:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in wanted:
            signal.signal(number, signal.SIG_DFL)


def fill_closed_streams() -> None:
    """Put something in the place of closed streams, which the next opened file would get."""
    if os.name != "posix":
        return
    for number, way in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:  # closed: reading and printing must fail, messages go nowhere
            os.open(os.devnull, way)


def _prepare_streams() -> None:
    """See to output that cannot be written."""
    fill_closed_streams()
    if os.name != "posix":
        if isinstance(sys.stdout, io.TextIOWrapper):  # what its encoding lacks is shown as a question mark
            sys.stdout.reconfigure(errors="replace")
        return
    if sys.stdout is sys.__stdout__:
        sys.stdout = _stream(1, sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _stream(2, sys.stderr)


def _stream(number: int, like: Any) -> io.TextIOWrapper:
    """Return standard output or error as text; what its encoding lacks is shown as a question mark or escaped."""
    lined = number == 2 or os.isatty(number)
    return io.TextIOWrapper(
        io.BufferedWriter(Standard(number, "wb", closefd=False)),
        encoding=getattr(like, "encoding", "utf-8"),
        errors="replace" if number == 1 else "backslashreplace",
        line_buffering=lined,
        write_through=getattr(like, "write_through", False),
    )
