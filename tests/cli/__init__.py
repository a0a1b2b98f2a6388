"""The command line in this process: what it prints, and the code it ends with."""

import io
import json
import os
import sys
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from spanscope.cli import main

EXAMPLES = Path(str(files("spanscope"))) / "examples"
GOLD = EXAMPLES / "requirements.gold.jsonl"
PRED = EXAMPLES / "requirements.pred.jsonl"
TRACES = EXAMPLES / "traces.jsonl"
LONGEST = 500  # characters of an error message
PLAIN = {"COLUMNS": "200", "LINES": "24", "TERM": "dumb", "NO_COLOR": "1"}  # so wide that no table lacks a column
LOUD = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "SPANSCOPE_DEBUG", "CLICOLOR_FORCE", "GITHUB_ACTIONS")
LOUD += ("GITHUB_STEP_SUMMARY",)


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str
    noted: str = ""  # the line about data problems, which goes to standard error too


def environment() -> dict[str, str]:
    """Return the environment without anything that changes what a terminal shows."""
    return {key: value for key, value in os.environ.items() if key not in LOUD} | PLAIN


def run(*args: object, stdin: bytes = b"") -> Done:
    """Run `spanscope ARGS` as the installed command does."""
    out, err = io.StringIO(), io.StringIO()
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with (
        mock.patch.object(sys, "argv", ["spanscope", *map(str, args)]),
        mock.patch.object(sys.modules["__main__"], "__package__", ""),  # else `python -m pytest` is named in usage
        mock.patch.object(sys, "stdin", source),
        mock.patch.dict(os.environ, environment(), clear=True),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
        else:
            raise AssertionError("main always ends with an exit code")
    assert isinstance(code, int)
    said = err.getvalue().splitlines(keepends=True)
    noted = "".join(line for line in said if line.startswith("data problems: "))
    return Done(code, out.getvalue(), "".join(line for line in said if line not in noted), noted)


def refused(done: Done) -> str:
    """Return what the command said when it refused its input, after checking the manners of the refusal."""
    assert done.code == 2, done
    assert done.out == ""
    assert "Traceback" not in done.err
    assert "internal error" not in done.err
    assert len(done.err) <= LONGEST, len(done.err)
    return done.err


def jsonl(documents: Iterable[Any], **options: Any) -> str:
    """Return documents as JSON Lines."""
    return "".join(json.dumps(document, **options) + "\n" for document in documents)


def write(path: Path, content: str | bytes | list[Any]) -> Path:
    """Write bytes as they are, text in UTF-8, and documents as JSON Lines; return the path."""
    if isinstance(content, list):
        content = jsonl(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
