"""A process that may crash while it reads a file, and the one that waits for it and says which file it was.

Arrow trusts the bytes of its files in places: a damaged one can end the process by a segmentation fault, which no
Python code can catch. So a process that shall say a sentence then forks, while it is still small: the child does
all the work, and the parent passes signals on, waits, and ends as the child does.
"""

from __future__ import annotations

import mmap
import os
import signal
import stat
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from spanscope.errors import EngineError, InputError, SpanscopeError

TABLES = (
    b"PAR1",
    b"ARROW1",
    b"\xff\xff\xff\xff",
)  # first bytes: Parquet, Arrow's files (and Feather), its streams
ENDINGS = (".parquet", ".arrow", ".feather")
CRASHES = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGXCPU")
PASSED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM")
ROOM = 4096  # bytes for the name of the file that is being read

_opened: dict[str, int] = {}  # files by path, for whoever reads them
_note: mmap.mmap | None = None  # memory that the process which waits can see


def is_arrow(name: str, head: bytes) -> bool:
    """Tell files of tables, Parquet's and Arrow's, by their first bytes or their names."""
    return head.startswith(TABLES) or name.endswith(ENDINGS)


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Let whoever waits for this process know which file is being read, should it crash over it."""
    before = _noted_name()
    _put(name)
    try:
        yield
    finally:
        _put(before)


@contextmanager
def bounded(memory: int, seconds: int | None = None) -> Iterator[None]:
    """Let a watched process have so much more memory and time: beyond them Arrow fails, or the process ends.

    Processes that nobody watches are left alone: they may be somebody's own.
    """
    if _note is None or not (pages := _pages()):
        yield
        return
    import resource as r

    now = {r.RLIMIT_AS: pages * mmap.PAGESIZE + memory}
    if seconds is not None:
        now[r.RLIMIT_CPU] = int(sum(r.getrusage(r.RUSAGE_SELF)[:2])) + seconds
    before = {kind: r.getrlimit(kind) for kind in now}
    try:
        for kind, most in now.items():
            soft, hard = before[kind]
            r.setrlimit(kind, (most if soft == r.RLIM_INFINITY else min(soft, most), hard))
        yield
    finally:
        for kind, both in before.items():
            r.setrlimit(kind, both)


def _pages() -> int:
    """Return how many pages of memory this process has set aside, where the system says so."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0


def _put(name: str) -> None:
    if _note is not None:
        _note[:] = name.encode("utf-8", "surrogateescape")[:ROOM].ljust(ROOM, b"\0")


def _noted_name() -> str:
    return "" if _note is None else _note[:].rstrip(b"\0").decode("utf-8", "replace")


def can_watch() -> bool:
    """Tell whether a second process can do the work: it would not share streams that are only in memory."""
    own = sys.stdout is sys.__stdout__ and sys.stderr is sys.__stderr__ and sys.stdin is sys.__stdin__
    return own and hasattr(os, "fork") and hasattr(signal, "sigwaitinfo") and threading.active_count() == 1


def may_crash(arguments: Sequence[str]) -> bool:
    """Tell whether one of these arguments of a command can be a file of a table, without waiting for a pipe."""
    return any(
        one == "-" or _may_hold_table(one) for given in arguments for one in (given, given.partition("=")[2])
    )


def _may_hold_table(path: str) -> bool:
    try:
        kind = Path(path).stat().st_mode if path else stat.S_IFDIR
        if not stat.S_ISREG(kind):
            return stat.S_ISFIFO(kind)  # nobody can look into it without taking something out
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        head = os.pread(number, 8, 0)
    except (OSError, ValueError):
        return False
    if (before := _opened.pop(path, None)) is not None:
        os.close(before)
    _opened[path] = number
    return is_arrow(path, head)


def opened_before(path: str) -> int | None:
    """Return the file that was opened to look at its first bytes, if it still stands behind the path.

    It belongs to the caller from then on, who need not open it again.
    """
    number = _opened.pop(path, None)
    if number is None:
        return None
    with suppress(OSError):
        if os.path.samestat(os.fstat(number), Path(path).stat()):
            return number
    os.close(number)
    return None


def fork_watched() -> int | None:
    """Fork; return None in the process that shall do the work, and in the other how that one ended.

    That is its exit code; a crash is an error that names the file. Other signals end both processes alike.
    """
    global _note
    _note = mmap.mmap(-1, ROOM)
    heard = {getattr(signal, name) for name in (*PASSED, "SIGCHLD") if hasattr(signal, name)}
    usual = signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, nobody is told of an end
    before = signal.pthread_sigmask(signal.SIG_BLOCK, heard)
    alive, held = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(held)
        signal.signal(signal.SIGCHLD, usual)
        _end_with(alive)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return None
    os.close(alive)
    code = os.waitstatus_to_exitcode(_wait(child, heard))
    if code >= 0:
        return code
    if signal_name(-code) in CRASHES:
        raise _crash_error(_noted_name(), signal_name(-code))
    if -code not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(-code, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
    os.kill(os.getpid(), -code)
    return 128 - code


def signal_name(number: int) -> str:
    """Return the name of a signal; of one that has none, such as those for real time, its number."""
    return next((one.name for one in signal.Signals if one.value == number), f"signal {number}")


def _wait(child: int, heard: set[signal.Signals]) -> int:
    """Pass on what is sent to this process alone, and return how the child ended.

    What the terminal sends, such as Ctrl-C, goes to all processes of the command: the child has it already.
    """
    while True:
        with suppress(ChildProcessError, ProcessLookupError):
            told = signal.sigwaitinfo(heard)
            if told.si_signo != signal.SIGCHLD and told.si_code <= 0:  # sent by a process, not by the kernel
                os.kill(child, told.si_signo)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status


def _end_with(alive: int) -> None:
    """End this process when the other one is gone, which holds the other end of this pipe: SIGIO does that."""
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)


def _crash_error(name: str, how: str) -> SpanscopeError:
    """Return the error for a file over which the process that read it crashed."""
    happened = "took too long" if how == "SIGXCPU" else f"crashed ({how})"
    if not name:
        return EngineError(f"the process that did the work {happened}")
    what = f"is damaged: the process that read it {happened}"
    return InputError(what, where=name, expected="a whole Parquet or Arrow file", hint="write the file anew")
