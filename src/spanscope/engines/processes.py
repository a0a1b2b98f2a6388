"""Several processes of this machine: a function shaped like map."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from spanscope.errors import EngineError

A = TypeVar("A")
B = TypeVar("B")


def run(function: Callable[[A], B], batches: Iterable[A], done: Callable[[], None], jobs: int) -> Iterator[B]:
    """Apply the function to every batch in so many processes, in order, and say when each is done.

    No more batches are on their way than twice the processes, so that memory does not grow with their number. The
    function and what it gives must be picklable. Processes are started afresh: threads do not survive a fork.
    """
    waiting: deque[Future[B]] = deque()
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            for batch in batches:
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
                expected="memory for every process",
                hint="--jobs with a smaller number",
            ) from None
        finally:
            for one in waiting:
                one.cancel()
