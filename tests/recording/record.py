"""Running all cases: where the inputs are, what is hidden in outputs, and how long it took."""

from __future__ import annotations

import gc
import importlib
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from pathlib import Path

import spanscope
from tests.recording import cases, inputs
from tests.recording.run import Case, Runner

WARMING = (
    ("demo",),
    ("demo", "segments"),
    ("eval", "pii.gold.jsonl", "pii.noisy.jsonl", "-p", "presidio"),
    ("eval", "legal.gold.json", "legal.pred.json", "-p", "legal"),
    ("eval", "legal.gold.json", "legal.pred.json", "-m", "passages.ranking(by=fuzzy)"),
    ("eval", "traces.jsonl", "-m", "segments.ami", "-m", "segments.ghd", "-m", "segments.edit_distance"),
    ("report", "traces.jsonl", "-o", "out/x.html"),
    ("check", "req.gold.jsonl"),
    ("eval", "legal.gold.json", "legal.pred.json"),
    ("compare", "req.gold.jsonl", "req.pred.jsonl", "req.new.jsonl", "--html", "out/x.html"),
    ("agree", "req.gold.jsonl", "req.pred.jsonl"),
    ("plot", "labels", "req.gold.jsonl", "req.pred.jsonl", "-o", "out/x.svg"),
    ("eval", "req.plain.parquet", "req.new.parquet"),
)  # commands that load what most cases need


def record(folder: Path, data: Path, *, only: str = "", slow: int = 0) -> int:
    """Run the cases whose names hold `only`, and write what they print and return to a folder."""
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder}: is there already, and not empty")
    folder.mkdir(parents=True, exist_ok=True)
    folder, data, start = folder.resolve(), data.resolve(), time.perf_counter()
    print(f"recording {Path(spanscope.__file__).parent}", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="recording") as temporary:
        place = Path(temporary).resolve()
        inputs.prepare(place, data)
        runner = Runner(place, folder, _hidden(place, data))
        _warm(runner)
        for case in cases.every(place, data):
            if only in case.name:
                runner.record(case)
            elif case.needed:
                runner.run(case)
    for name, seconds in sorted(runner.seconds.items(), key=lambda one: -one[1])[:slow]:
        print(f"{seconds:7.2f} s  {name}", file=sys.stderr)
    took = time.perf_counter() - start
    print(f"{len(runner.seconds)} cases, {runner.written} files, {took:.0f} seconds", file=sys.stderr)
    return 0


def _hidden(place: Path, data: Path) -> dict[str, str]:
    """Return what varies from run to run and tree to tree, and what is written in its place."""
    package = str(Path(spanscope.__file__).parent)
    return {
        str(place): "<tmp>",
        str(data): "<data>",
        package: "<package>",
        f"spanscope:{spanscope.__version__}": "spanscope:<version>",
        f"spanscope {spanscope.__version__}": "spanscope <version>",
        f'"spanscope": "{spanscope.__version__}"': '"spanscope": "<version>"',
        f'\\"spanscope\\": \\"{spanscope.__version__}\\"': '\\"spanscope\\": \\"<version>\\"',  # in pages
    }


def _warm(runner: Runner) -> None:
    """Load the modules that commands load, once, in this process: which they are, copies of it tell."""
    found: set[str] = set()
    for args in WARMING:
        done = runner.run(Case("warming", args, tell=True))
        found.update(done.files.get("modules", b"").decode().split())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(found - sys.modules.keys()):
            if not name.endswith("__main__"):
                _import(name)
    gc.collect()
    gc.freeze()  # copies of this process then share its objects for longer


def _import(name: str) -> None:
    with suppress(Exception):  # some modules can only be loaded by others
        importlib.import_module(name)
