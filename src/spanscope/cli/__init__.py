"""The command line: each command is one library call, and the words around it."""

from __future__ import annotations

from spanscope.cli import early  # first, because everything else takes time

# isort: split
import atexit
import copy
import gc
import importlib
import os
import sys
import traceback
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from spanscope.cli import process

with process.loading():
    import typer

    from spanscope.cli.help import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["early", "main", "program"]


def main() -> None:
    """Run the command line; whatever goes wrong ends in a sentence and an exit code, not in a traceback."""
    process.fill_closed_streams()
    atexit.register(gc.freeze)  # what is left at the end goes with the process: nobody looks for garbage in it
    with process.loading():
        from spanscope.errors import speaking_to

        code = _run_in_child()
    if code is None:
        with speaking_to("flags"):
            code = process.run_program(lambda: _flush(_exit_code(program(*sys.argv[1:2]))))
    sys.exit(code)


def _run_in_child() -> int | None:
    """Let another process do the work where it may crash over a damaged table, and return how that one ended.

    None where this process does the work: because nothing of the kind is read, or because it is the other one.
    """
    from spanscope.errors import SpanscopeError
    from spanscope.system.child_process import can_watch, fork_watched, may_crash

    if not (can_watch() and may_crash(sys.argv[1:])):
        return None
    try:
        return fork_watched()
    except SpanscopeError as error:
        typer.echo(f"{error}", err=True)
        return 2


def program(first: str = "") -> typer.Typer:
    """Return the program with all its commands, or with the one that the first word names: that loads faster."""
    wanted = [first] if first in COMMANDS else [*COMMANDS]
    for module in {COMMANDS[name]: None for name in wanted}:
        importlib.import_module(f"spanscope.cli.{module}")
    from spanscope.cli.app import app

    made = {one.name or getattr(one.callback, "__name__", ""): one for one in app.registered_commands}
    out = copy.copy(app)
    out.registered_commands = [made[name] for name in wanted]
    return out


def _flush(code: int) -> int:
    """Return the exit code, once all that was printed has been written."""
    return _exit_code(sys.stdout.flush) or code if sys.stdout is not None else code


def _exit_code(run: Callable[[], Any]) -> int:
    from spanscope.errors import SpanscopeError

    try:
        run()
    except SystemExit as stop:
        if stop.code == process.INTERRUPTED:
            return process.report_interruption()
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 2
    except SpanscopeError as error:
        typer.echo(f"{error}", err=True)
        if "github" in _values_of(("--format", "-f"), sys.argv):
            from spanscope.report.github import annotation_of

            typer.echo(annotation_of(error), err=True)
        return 2
    except (ImportError, MemoryError) as error:
        typer.echo(f"error: {error or 'not enough memory for this corpus'}", err=True)
        return 2
    except Exception as error:
        private = _is_private(sys.argv) or not getattr(error, "may_quote_texts", True)
        if os.environ.get("SPANSCOPE_DEBUG"):
            if not private:
                raise
            typer.echo("".join(traceback.format_tb(error.__traceback__)), err=True, nl=False)
        said = "" if private else f": {error}"  # an error nobody foresaw may quote anything
        typer.echo(
            f"internal error: {type(error).__name__}{said}\n"
            "  try       SPANSCOPE_DEBUG=1 for the traceback, and report it with the command",
            err=True,
        )
        return 2
    return 0


def _is_private(given: list[str]) -> bool:
    """Tell whether --text asks that no text is quoted."""
    return bool({"masked", "none"} & {*_values_of(("--text",), given)})


def _values_of(flags: tuple[str, ...], given: list[str]) -> list[str]:
    """Return what was typed for an option, by any of its names."""
    values = [after for before, after in pairwise(given) if before in flags]
    return values + [one.partition("=")[2] for one in given if one.startswith(tuple(f"{flag}=" for flag in flags))]
