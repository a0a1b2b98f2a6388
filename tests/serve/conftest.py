"""A server on a free port, in a thread, as the command starts it."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli import GOLD, PRED
from tests.serve import Served
from tests.support import needs
from tests.viewer.conftest import browser

__all__ = ["browser"]
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
def start(folder: Path) -> Iterator[Start]:
    """Return a function that starts a server with the limits given; it is stopped after the test."""
    needs("uvicorn")
    needs("starlette")
    from spanscope.serve.limits import Limits
    from spanscope.serve.server import bound_socket, make_server, private_folder

    running = []

    def start_(host: str = "127.0.0.1", **limits: Any) -> Served:
        sockets, folders = bound_socket("127.0.0.1", 0), private_folder()
        bound, temp = sockets.__enter__(), folders.__enter__()
        server, _ = make_server(folder, temp, host, bound, Limits(**limits))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        running.append((server, thread, sockets, folders))
        end = time.monotonic() + 20
        while not server.started and time.monotonic() < end:
            time.sleep(0.01)
        made = Served(bound.getsockname()[1], folder, temp)
        made.held = server.config.app.app.state.held
        return made

    yield start_
    for server, thread, sockets, folders in running:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()
        folders.__exit__(None, None, None)
        sockets.__exit__(None, None, None)


@pytest.fixture
def served(start: Start) -> Served:
    """Return a server with the usual limits."""
    return start()
