"""The command line: each command is one library call, and the words around it."""

from __future__ import annotations

import copy
import io
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import typer

from spanscope.cli import (  # they add their commands to the program
    about,
    agree,
    compare,
    plot,
    report,
    scoring,
    serve,
)
from spanscope.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["about", "agree", "app", "compare", "main", "plot", "report", "scoring", "serve"]


def main() -> None:
    """Run the command line; whatever goes wrong ends in a sentence and an exit code, not in a traceback."""
    if hasattr(signal, "SIGPIPE"):  # `spanscope ... | head` ends as every other command does
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that cannot show a character shows a question mark
        sys.stdout.reconfigure(errors="replace")
    sys.exit(_guarded(_program(sys.argv[1:2])))


def _program(first: list[str]) -> typer.Typer:
    """Return the program; with one command only where it comes first, as making all options ready takes time."""
    names = {one.name or getattr(one.callback, "__name__", ""): one for one in app.registered_commands}
    if not first or first[0] not in names:
        return app
    only = copy.copy(app)
    only.registered_commands = [names[first[0]]]
    return only


def _guarded(run: Callable[[], Any]) -> int:
    from spanscope.errors import SpanscopeError

    try:
        run()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 2
    except SpanscopeError as error:
        typer.echo(f"{error}", err=True)
        return 2
    except (ImportError, MemoryError) as error:
        typer.echo(f"error: {error or 'not enough memory for this corpus'}", err=True)
        return 2
    except Exception as error:
        if os.environ.get("SPANSCOPE_DEBUG"):
            raise
        typer.echo(
            f"internal error: {type(error).__name__}: {error}\n"
            "  try       SPANSCOPE_DEBUG=1 for the traceback, and report it with the command",
            err=True,
        )
        return 2
    return 0
