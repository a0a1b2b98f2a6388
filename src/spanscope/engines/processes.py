"""Several processes of this machine: a function shaped like map."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from threading import Thread
from typing import TypeVar

from spanscope.errors import EngineError

A = TypeVar("A")
B = TypeVar("B")


def run(
    function: Callable[[A], B], batches: Iterable[A], done: Callable[[], None], jobs: int
) -> Generator[B, None, None]:
    """Apply the function to every batch in so many processes, in order, and say when each is done.

    No more batches are on their way than twice the processes, so that memory does not grow with their number. The
    function and what it gives must be picklable. Processes are started afresh: threads do not survive a fork.
    """
    waiting: deque[Future[B]] = deque()
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_born) as pool:
        try:
            for batch in batches:
                with _undisturbed():
                    waiting.append(pool.submit(function, batch))
                while len(waiting) >= 2 * jobs:
                    yield waiting.popleft().result()
                    done()
            while waiting:
                yield waiting.popleft().result()
                done()
        except BrokenProcessPool:
            raise EngineError(
                "a process ended before its work was done",
                expected='memory for every process; in a script, the call under if __name__ == "__main__":',
                hint="--jobs with a smaller number",
            ) from None
        finally:
            for one in waiting:
                one.cancel()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold ctrl-c back while processes are started: they keep it from themselves then, from their first moment."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows has none
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _born() -> None:
    """Let a process end with its parent: not by ctrl-c, which the parent hears too, but when that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for library in ("OPENBLAS", "OMP", "MKL"):  # the processes share the cores: one thread each; NumPy comes later
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)
