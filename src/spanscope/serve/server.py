"""From the command to a listening server, and back: the socket, the signals, the browser."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from spanscope.errors import EngineError, InputError
from spanscope.serve.limits import ANY, Limits, is_loopback, size_in_words

if TYPE_CHECKING:
    import uvicorn

TAKEN = (errno.EADDRINUSE, errno.EACCES)
TRIED = 50  # ports after the one that was asked for
PATIENCE = 3  # seconds that open connections have when the server stops


def serve(
    folder: str,
    kept: str | None,
    host: str,
    port: int,
    limits: Limits,
    *,
    browse: bool,
    said: Callable[[str], None],
) -> None:
    """Serve the runs of a user, and the files of a folder, until the process is told to stop."""
    root = Path(folder).resolve()
    if not root.is_dir():
        raise InputError("is not a folder", where=folder, expected="the folder whose files are to be scored")
    _need_packages()
    from spanscope.serve.keeping import kept_folder

    with (
        suppress(KeyboardInterrupt),
        stoppable(),
        kept_folder(kept) as (own, tell),
        bound_socket(host, port) as bound,
    ):
        server, address = make_server(root, own, host, bound, limits)
        tell(address)
        said(f"Spanscope serves {root} at {address}")
        if bound.getsockname()[1] != port and port:
            said(f"port {port} is taken, so it is {bound.getsockname()[1]}")
        if not is_loopback(host):
            said(f"warning: {host} can be reached from other machines, and there is no password")
        said(f"runs are kept in {own}; {_of_uploads(limits)}; all of it may have {size_in_words(limits.total)}")
        said("Ctrl-C stops the server")
        if browse:
            threading.Timer(0.5, _browse, [address, said]).start()
        server.run(sockets=[bound])


def _of_uploads(limits: Limits) -> str:
    """Say how long uploads are kept."""
    if not limits.keeps_texts:
        return "uploads until the server stops"
    return f"uploads for {limits.days:g} days"


def _need_packages() -> None:
    """Say what to install where a package of the server is missing."""
    for package in ("starlette", "uvicorn", "anyio", "platformdirs"):
        try:
            importlib.import_module(package)
        except ImportError as error:
            if (error.name or "").partition(".")[0] != package:
                raise
            raise EngineError(
                f"serve needs {package}, which is not installed", hint="pip install 'spanscope[serve]'"
            ) from None


@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGTERM, and a terminal that is closed, end the server as Ctrl-C does: what was half made is removed."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    def hang_up(_number: int, _frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGTERM)  # whose handler is the server's own while it runs

    closed = getattr(signal, "SIGHUP", None)
    wanted = {signal.SIGTERM: stop}
    if closed is not None and signal.getsignal(closed) != signal.SIG_IGN:  # as it is under nohup
        wanted[closed] = hang_up
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _browse(address: str, said: Callable[[str], None]) -> None:
    import webbrowser

    if not webbrowser.open(address):
        from spanscope.viewer import no_browser

        said(no_browser(address))


@contextmanager
def bound_socket(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a socket that is bound: to the port, or to the next one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, min(port + TRIED, 65535) + 1) if port else (0,):
        bound = socket.socket(family, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":
                bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((host, number))
            bound.listen(128)
        except (OSError, OverflowError) as error:
            bound.close()
            if isinstance(error, OSError) and error.errno in TAKEN:
                continue
            raise EngineError(
                f"cannot listen at {host} port {number} ({error})", hint="--host 127.0.0.1"
            ) from None
        with bound:
            yield bound
        return
    raise EngineError(
        f"the ports {port} to {min(port + TRIED, 65535)} are all taken or not allowed",
        hint="--port 0 for any that is free",
    )


def make_server(
    root: Path, kept: Path, host: str, bound: socket.socket, limits: Limits
) -> tuple[uvicorn.Server, str]:
    """Return the server, ready to run on the socket, and its address; `kept` is the folder where it remembers."""
    import uvicorn

    from spanscope.serve.app import app
    from spanscope.serve.jobs import tell_interrupted
    from spanscope.serve.state import remember
    from spanscope.serve.store import Store

    port = bound.getsockname()[1]
    state = remember(root, Store(kept), limits)
    tell_interrupted(state)
    config = uvicorn.Config(
        app(state, host, port),
        log_level="warning" if os.environ.get("SPANSCOPE_DEBUG") else "critical",  # no traces of what is told
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        limit_concurrency=64,
        timeout_graceful_shutdown=PATIENCE,
    )

    class Server(uvicorn.Server):
        """Ends streams and jobs first: a connection that waits for news would keep the server from stopping."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await state.stop()
            await super().shutdown(sockets)

    shown = "127.0.0.1" if host in ANY else f"[{host}]" if ":" in host else host
    return Server(config), f"http://{shown}:{port}/"
