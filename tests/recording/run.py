"""One case in a process of its own: a copy of this one, so that modules are loaded once and nothing is left."""

from __future__ import annotations

import fcntl
import os
import re
import runpy
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import IO

from tests.recording import page

OUT = "out"  # the folder, in that of the inputs, which a case writes to
LONGEST = 150  # seconds a case may take
LOUD = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "SPANSCOPE_DEBUG", "CLICOLOR_FORCE", "GITHUB_ACTIONS")
PLAIN = {"TERM": "dumb", "NO_COLOR": "1", "SOURCE_DATE_EPOCH": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
STREAMS = (("stdin", 0, "r", "strict"), ("stdout", 1, "w", "strict"), ("stderr", 2, "w", "backslashreplace"))
BINARY = (".png", ".pdf")  # endings of files of which only the size is known to be the same
NORMAL: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b0x[0-9a-fA-F]{6,}\b"), "0x<address>"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?"), "<date>"),
    (re.compile(r"(?:/private)?/(?:var/)?tmp/[\w./+-]*\w"), "<tmp>"),
    (re.compile(r"\b(pid|process) \d+\b"), r"\1 <number>"),
)
TIMINGS = re.compile(r'(timings\\?": ?\{)([^{}]*)(\})')  # in pages, JSON stands in a string of JSON
SECONDS = re.compile(r"(: ?)[\d.e+-]+")


@dataclass(frozen=True)
class Case:
    """Something to run: arguments of the command, or a function whose text is recorded."""

    name: str
    args: Sequence[str] = ()
    call: Callable[[], str] | None = None
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    terminal: int = 0  # columns of a terminal that standard output is; else a file
    needed: bool = False  # other cases read what it writes
    tell: bool = False  # write the names of all loaded modules, too


@dataclass(frozen=True)
class Done:
    """How a case ended, and the files it wrote."""

    code: int
    out: str
    err: str
    files: Mapping[str, bytes]


class Runner:
    """Runs cases in a folder of inputs and writes what they print and return to another."""

    def __init__(self, inputs: Path, folder: Path, hidden: Mapping[str, str]) -> None:
        self.inputs, self.folder, self.hidden = inputs, folder, hidden
        self.seconds: dict[str, float] = {}
        self.written = 0

    def record(self, case: Case) -> None:
        """Run a case and write its outputs."""
        start = time.perf_counter()
        done = self.run(case)
        head = f"$ spanscope {' '.join(map(_quoted, case.args))}\n" if case.call is None else ""
        columns = f"COLUMNS={case.env['COLUMNS']} " if "COLUMNS" in case.env else ""
        said = f"{columns}{head}exit {done.code}\n---- stdout\n{done.out}"
        self.put(f"{case.name}.txt", said + (f"---- stderr\n{done.err}" if done.err else ""))
        for name, content in done.files.items():
            self._put_file(f"{case.name}--{name.replace('/', '-')}", content)
        self.seconds[case.name] = time.perf_counter() - start

    def _put_file(self, name: str, content: bytes) -> None:
        """Write a file that a case wrote: pages unpacked, pictures that are no text by their size alone."""
        if name.endswith(".html"):
            text = content.decode("utf-8")
            self.put(f"{name}.data.json", page.data_of(text))
            self.put(f"{name}.plain.txt", page.plain_of(text))
        elif name.endswith(BINARY):
            self.put(f"{name}.txt", f"starts with {content[:4]!r}\n")
        else:
            self.put(name, content.decode("utf-8", "backslashreplace"))

    def put(self, name: str, text: str) -> None:
        """Write an output, without what may vary."""
        path = self.folder / name
        if path.exists():
            raise SystemExit(f"two outputs are called {name}")
        path.write_text(self.normal(text), encoding="utf-8", errors="backslashreplace", newline="")
        self.written += 1

    def normal(self, text: str) -> str:
        """Return a text without times, dates, versions, addresses and places of files."""
        for place, name in self.hidden.items():
            text = text.replace(place, name)
        text = TIMINGS.sub(lambda found: found[1] + SECONDS.sub(r"\1<seconds>", found[2]) + found[3], text)
        for pattern, name in NORMAL:
            text = pattern.sub(name, text)
        return text

    def run(self, case: Case) -> Done:
        """Run a case in a copy of this process, in the folder of the inputs."""
        out = self.inputs / OUT
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as told:
            stdin.write(case.stdin)
            stdin.seek(0)
            ours, theirs = _terminal(case.terminal) if case.terminal else (-1, said.fileno())
            sys.stdout.flush()
            sys.stderr.flush()
            child = os.fork()
            if child == 0:
                _work(case, self.inputs, (stdin.fileno(), theirs, told.fileno()))
            if case.terminal:
                os.close(theirs)
                said.write(_heard(ours))
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            texts = [_content(file) for file in (said, told)]
        found = [path for path in sorted(out.rglob("*")) if path.is_file()]
        return Done(code, *texts, {path.relative_to(out).as_posix(): path.read_bytes() for path in found})


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "backslashreplace")


def _terminal(columns: int) -> tuple[int, int]:
    """Return both ends of a terminal of so many columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    return ours, theirs


def _heard(terminal: int) -> bytes:
    """Return all that is written to a terminal until its other end is closed."""
    out = b""
    try:
        while piece := os.read(terminal, 65536):
            out += piece
    except OSError:  # Linux says so where the other end is closed
        pass
    finally:
        os.close(terminal)
    return out


def _quoted(word: str) -> str:
    shown = word if len(word) <= 200 else f"{word[:60]}...({len(word)} long)"
    return f"'{shown}'" if not shown or set(shown) & set(" ()*[]") else shown.replace("\0", "\\0")


def _work(case: Case, folder: Path, streams: Sequence[int]) -> None:
    """Do the work of the copied process, and end it."""
    code = 1
    try:
        _prepare(case, folder, streams)
        code = _called(case)
        if case.tell:
            Path(OUT, "modules").write_text("\n".join(sys.modules), encoding="utf-8")
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                code = code or 1
        os._exit(code & 255)


def _prepare(case: Case, folder: Path, streams: Sequence[int]) -> None:
    """Take the streams, the environment and the place of the case."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for name, number, mode, errors in STREAMS:
        stream = open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)  # the command looks whether a stream is the process's own
    os.chdir(folder)
    for name in (*LOUD, "COLUMNS", "LINES"):
        os.environ.pop(name, None)
    os.environ.update({**PLAIN, **case.env})
    if case.terminal:
        os.environ["TERM"] = "xterm-256color"
        del os.environ["NO_COLOR"]
    signal.alarm(LONGEST)
    sys.modules["__main__"] = ModuleType("__main__")  # usage lines name `spanscope`; other processes load no more
    sys.modules["__main__"].__package__ = ""
    _no_browser()


def _no_browser() -> None:
    """Let `spanscope view` put the page beside other outputs, in place of opening it."""
    import webbrowser
    from urllib.parse import unquote, urlparse

    def put(address: str, *_: object, **__: object) -> bool:
        shutil.copy(unquote(urlparse(address).path), Path(OUT, "viewed.html"))
        return True

    webbrowser.open = put


def _called(case: Case) -> int:
    """Run the command or the function and return the exit code."""
    try:
        if case.call is None:
            sys.argv = ["spanscope", *case.args]
            runpy.run_module("spanscope", run_name="__main__")
        else:
            sys.stdout.write(case.call())
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except Exception as error:
        print(f"raised {type(error).__name__}: {error}", file=sys.stderr)
        return 70
    return 0
