"""A server on a free port, in a thread, as the command starts it."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.cli import GOLD, PRED
from tests.serve import Served
from tests.support import needs
from tests.viewer.conftest import browser, firefox, play

__all__ = ["browser", "firefox", "play"]
Start = Callable[..., Served]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with gold and predictions of the demo corpus."""
    made = tmp_path / "data"
    made.mkdir()
    shutil.copy(GOLD, made / "gold.jsonl")
    shutil.copy(PRED, made / "pred.jsonl")
    return made


@pytest.fixture
def start(folder: Path, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a server with the limits given; it is stopped after the test.

    All of them, one after the other, remember in one folder.
    """
    needs("uvicorn")
    needs("starlette")
    from spanscope.serve.keeping import kept_folder
    from spanscope.serve.limits import Limits
    from spanscope.serve.server import bound_socket, make_server

    running = []

    def start_(host: str = "127.0.0.1", **limits: Any) -> Served:
        with ExitStack() as held:
            kept, _ = held.enter_context(kept_folder(tmp_path / "kept"))
            bound = held.enter_context(bound_socket("127.0.0.1", 0))
            server, _ = make_server(folder, kept, host, bound, Limits(**limits))
            opened = held.pop_all()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        running.append((server, thread, opened))
        end = time.monotonic() + 60
        while not server.started and time.monotonic() < end:
            time.sleep(0.01)
        made = Served(bound.getsockname()[1], folder, kept)
        made.held = server.config.app.app.state.held
        made.stop = lambda: stop(*running.pop())
        return made

    def stop(server: Any, thread: threading.Thread, opened: ExitStack) -> None:
        server.should_exit = True
        thread.join(60)
        assert not thread.is_alive()
        opened.close()

    yield start_
    for one in running:
        stop(*one)


@pytest.fixture
def served(start: Start) -> Served:
    """Return a server with the usual limits."""
    return start()
