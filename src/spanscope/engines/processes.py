"""Several processes of this machine: a function shaped like map.

Every process has a pipe of its own, and a thread here that waits for it: where the process is killed, even in the
middle of an answer, the pipe ends, and whoever waits is told. A queue that processes share would wait for ever.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from spanscope.errors import EngineError, SpanscopeError
from spanscope.system.child_process import signal_name

A = TypeVar("A")
B = TypeVar("B")
PATIENCE = 10  # seconds for a process to end once its pipe has


class Ended(Exception):
    """A process ended before it had answered, with this exit code."""

    def __init__(self, code: int | None) -> None:
        self.code = code
        super().__init__(code)


class Worker:
    """A process that applies a function to what it is sent."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        context = multiprocessing.get_context("spawn")  # threads do not survive a fork
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=_answer, args=(there,), daemon=True)
        self.unsent: Any = function  # goes first through the pipe: with it come the libraries it needs
        try:
            with _hold_interrupts():
                self.process.start()
        except OSError as error:  # no memory, or no more processes allowed
            raise EngineError(
                f"a process cannot be started ({error.strerror or error})", hint="[[jobs]] with a smaller number"
            ) from None
        finally:
            there.close()  # else the pipe would not end with the process

    def __call__(self, batch: Any) -> Any:
        """Return what the process makes of a batch."""
        try:
            if self.unsent is not None:
                self.pipe.send(self.unsent)
                self.unsent = None
            self.pipe.send(batch)
            done, value = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(PATIENCE)
            raise Ended(self.process.exitcode) from None
        if not done:
            raise value
        return value


def run(
    function: Callable[[A], B], batches: Iterable[A], done: Callable[[], None], jobs: int
) -> Generator[B, None, None]:
    """Apply the function to every batch in so many processes, in order, and say when each is done.

    No more batches are on their way than twice the processes, so that memory does not grow with their number. The
    function and what it gives must be picklable. Processes are started afresh, as there are batches for them.
    """
    waiting: deque[Future[B]] = deque()
    workers: list[Worker] = []
    idle: SimpleQueue[Worker] = SimpleQueue()
    threads = ThreadPoolExecutor(jobs)
    try:
        for batch in batches:
            if len(workers) < jobs:
                workers.append(Worker(function))
                idle.put(workers[-1])
            waiting.append(threads.submit(_work_on, idle, batch))
            while len(waiting) >= 2 * jobs:
                yield waiting.popleft().result()
                done()
        while waiting:
            yield waiting.popleft().result()
            done()
    except BaseException as error:  # a signal too: nobody wants what is still being made
        for worker in workers:
            worker.process.terminate()
        raise (_broken_error(error.code) if isinstance(error, Ended) else error) from None
    finally:
        threads.shutdown(cancel_futures=True)
        for worker in workers:
            worker.pipe.close()
            worker.process.join()


def _work_on(idle: SimpleQueue[Worker], batch: Any) -> Any:
    """Have a batch worked on by a process that has nothing to do."""
    worker = idle.get()
    try:
        return worker(batch)
    finally:
        idle.put(worker)


def _broken_error(code: int | None) -> EngineError:
    """Say how a process ended that had not done its work."""
    what, expected = "a process ended before its work was done", "memory for every process"
    if code is not None and code < 0:
        what = f"{what}: it was killed by signal {-code} ({signal_name(-code)})"
    else:
        expected = f'{expected}; in a script, the call under if __name__ == "__main__":'
    return EngineError(what, expected=expected, hint="[[jobs]] with a smaller number, or [[memory=totals]]")


@contextmanager
def _hold_interrupts() -> Iterator[None]:
    """Hold ctrl-c back while processes are started: they keep it from themselves then, from their first moment."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows has none
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answer(pipe: Any) -> None:
    """Work on what comes through the pipe until it ends: what a process does."""
    _begin()
    with suppress(EOFError, OSError):
        function = pipe.recv()
        while True:
            batch = pipe.recv()
            try:
                answer = (True, function(batch))
            except Exception as error:
                if not isinstance(error, SpanscopeError):  # for whoever looks for its cause
                    error.add_note(traceback.format_exc())
                answer = (False, error)
            pipe.send(answer)


def _begin() -> None:
    """Let a process end with its parent: not by ctrl-c, which the parent hears too, but when that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for library in ("OPENBLAS", "OMP", "MKL"):  # the processes share the cores: one thread each; NumPy comes later
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)
