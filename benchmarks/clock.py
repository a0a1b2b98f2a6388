"""Timing that the benchmarks share: one process per tool, the data ready before the clock starts.

A process of its own keeps the garbage, the memory and the imports of one tool from slowing the next. The
garbage collector is left as users have it, because its passes over many small objects are part of the cost.
Works where Python has `resource` (Linux, macOS).
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import platform
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
if Path(sys.path[0]).resolve() == HERE:
    sys.path.append(sys.path.pop(0))  # last: statistics.py in this folder must not hide Python's own


@dataclass(frozen=True)
class Job:
    """What the clock runs over, and how the figures are read from its result afterwards."""

    work: Callable[[], Any]
    figures: Callable[[Any], dict[str, float]]


@dataclass(frozen=True)
class Timing:
    """Every repetition, so that the spread is seen; CPU seconds show waiting, and more than one core."""

    wall: list[float]
    cpu: list[float]
    peak_mb: float
    figures: dict[str, float]

    @property
    def best(self) -> float:
        """The least disturbed repetition: noise on a shared machine only ever adds time."""
        return min(self.wall)


Prepare = Callable[[Path], Job]


@dataclass(frozen=True)
class Tool:
    """What one row of a benchmark runs; `base` names the tool that its time is divided by."""

    name: str
    package: str
    did: str
    prepare: Prepare
    base: str
    peer: bool = False


@dataclass(frozen=True)
class Row:
    """A tool's outcome: a timing, or the reason why there is none."""

    tool: Tool
    timing: Timing | None = None
    note: str = ""
    failed: bool = False


def run(tool: Tool, folder: Path, expected: Mapping[str, float], repeat: int) -> Row:
    """Time one tool and check its figures; a failure becomes a row, so that the others still run."""
    if find_spec(tool.package) is None:
        source = "-e ." if tool.package == "spanscope" else tool.package
        return Row(tool, note=f"not installed: pip install {source}")
    print(f"{tool.name} ...", file=sys.stderr, flush=True)
    try:
        timing = timed_in_child(tool.prepare, folder, repeat)
        wrong = [
            f"{key} is {value!r}, expected {expected[key]!r}"
            for key, value in timing.figures.items()
            if not math.isclose(value, expected[key], rel_tol=0, abs_tol=1e-9)
        ]
    except Exception as error:
        traceback.print_exception(error)
        return Row(tool, note=f"failed: {type(error).__name__}: {error}", failed=True)
    return Row(tool, timing, "; ".join(wrong), failed=bool(wrong))


def better(one: Row | None, other: Row) -> Row:
    """Put two rounds of a tool together; a round that failed stays."""
    if one is None or one.timing is None or other.timing is None or other.failed:
        return other if one is None or not one.failed else one
    a, b = one.timing, other.timing
    both = Timing([*a.wall, *b.wall], [*a.cpu, *b.cpu], max(a.peak_mb, b.peak_mb), b.figures)
    return Row(one.tool, both, one.note, one.failed)


def timed(prepare: Prepare, folder: Path, repeat: int) -> Timing:
    """Load, then run `repeat` times, or as often as fits into a second: short runs are the noisy ones.

    Each result is let go before the next run, as a user's would be.
    """
    job = prepare(folder)
    wall: list[float] = []
    cpu: list[float] = []
    result: Any = None
    while len(wall) < repeat or sum(wall) < 1:
        result = None
        before, start = _cpu_seconds(), time.perf_counter()
        result = job.work()
        wall.append(time.perf_counter() - start)
        cpu.append(_cpu_seconds() - before)
    return Timing(wall, cpu, _peak_mb(), job.figures(result))


def timed_in_child(prepare: Prepare, folder: Path, repeat: int) -> Timing:
    """Do the same in a fresh interpreter; what goes wrong there is raised here."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(timed, prepare, folder, repeat).result()


def record(row: Row, documents: int, items: int, whole: int) -> dict[str, Any]:
    """Flatten a row for JSON; `seconds` is scaled to the whole when taken on a part, `wall` never is."""
    tool, timing = row.tool, row.timing
    facts: dict[str, Any] = {
        "tool": tool.name,
        "did": tool.did,
        "base": tool.base,
        "note": row.note,
        "failed": row.failed,
    }
    if timing is None:
        return facts
    facts |= {"documents": documents, "extrapolated": items != whole}
    facts |= {"seconds": timing.best * whole / items, "cpu_seconds": min(timing.cpu) * whole / items}
    facts |= {"per_second": items / timing.best}
    return facts | asdict(timing)


def add_ratios(records: Sequence[dict[str, Any]]) -> None:
    """Divide each time by that of its base, once all are known."""
    seconds = {facts["tool"]: facts["seconds"] for facts in records if "seconds" in facts}
    for facts in records:
        base = seconds.get(facts["base"])
        facts["ratio"] = facts["seconds"] / base if base and "seconds" in facts else None


def _cpu_seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


def load_average() -> str:
    """How busy the machine is: figures taken at a load above the number of cores mean little."""
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def environment(packages: Iterable[str]) -> dict[str, str]:
    """Say what a reader must know to compare these figures with others."""
    facts = {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count()),
        "load": load_average(),
    }
    for package in packages:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = "not installed" if find_spec(package) is None else "of unknown version"
    return facts


def table(header: Sequence[str], rows: Sequence[Sequence[str]], words: int = 2) -> str:
    """Lay out rows under a header: the first `words` columns to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = []
    for cells in (header, ["-" * width for width in widths], *rows):
        padded = [
            cell.ljust(width) if column < words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


@dataclass(frozen=True)
class Case:
    """A tool, and how many documents it gets at most: slow ones run on a part and are extrapolated."""

    tool: Tool
    most: int = 10**9


def run_part(case: Case, documents: int, repeat: int) -> tuple[Row, int]:
    """Time one tool on as many documents as it can take; `prepare` gets their number."""
    tool, number = case.tool, min(documents, case.most)
    if find_spec(tool.package) is None:
        return Row(tool, note=f"not installed: pip install {tool.package.replace('_', '-')}"), number
    print(f"{tool.name} ...", file=sys.stderr, flush=True)
    try:
        timing = timed_in_child(partial(tool.prepare, number), Path(), repeat)  # type: ignore[arg-type]
    except Exception as error:
        return Row(tool, note=f"failed: {type(error).__name__}: {error}", failed=True), number
    return Row(tool, timing), number


def run_all(cases: Sequence[Case], args: argparse.Namespace) -> list[dict[str, Any]]:
    """Run the chosen tools one after the other, and set their times in relation."""
    records = []
    for case in cases:
        if not args.only or case.tool.name in args.only:
            row, number = run_part(case, args.documents, args.repeat)
            records.append(record(row, number, number, args.documents))
    add_ratios(records)
    return records


def show_documents(records: Sequence[dict[str, Any]], base: str, title: str) -> None:
    """Print the rows that share a base, in documents a second; notes go below, where there is room for them."""
    chosen = [facts for facts in records if facts["base"] == base]
    header = ["tool", "what it did", "seconds", "CPU s", "documents/s", f"time / {base}"]
    rows = []
    for facts in chosen:
        cells = ["-"] * 4
        if "seconds" in facts:
            cells = [f"{facts['seconds']:.3f}" + "*" * facts["extrapolated"], f"{facts['cpu_seconds']:.3f}"]
            cells += [f"{facts['per_second']:,.0f}", f"{facts['ratio']:,.1f}" if facts["ratio"] else "-"]
        rows.append([facts["tool"], facts["did"], *cells])
    show_rows(title, header, rows, chosen)


def show_rows(title: str, header: list[str], rows: list[list[str]], chosen: Sequence[dict[str, Any]]) -> None:
    """Print a table, and below it what was extrapolated and noted."""
    if rows:
        print(f"\n{title}\n{table(header, rows)}")
    for facts in chosen:
        if facts.get("extrapolated"):
            print(f"* {facts['tool']}: seconds extrapolated from {facts['documents']:,} documents")
        if facts["note"]:
            print(f"{facts['tool']}: {facts['note']}")


def options(doc: str | None, cases: Sequence[Case], documents: int = 10_000) -> argparse.Namespace:
    """Read the command line that benchmarks of documents share."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    names = [case.tool.name for case in cases]
    parser.add_argument("--documents", type=int, default=documents, metavar="N")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="the best of N runs counts (3)")
    parser.add_argument("--only", action="append", choices=names, metavar="TOOL", help=", ".join(names))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to FILE")
    args = parser.parse_args()
    if min(args.documents, args.repeat) < 1:
        parser.error("numbers must be 1 or more")
    return args


def finish(
    args: argparse.Namespace, facts: dict[str, str], records: Sequence[dict[str, Any]], verdict: str
) -> int:
    """Print the verdict on the figures, write the JSON, and return the exit code."""
    facts["load after"] = load_average()
    print(f"\nload after {facts['load after']}; figures: {verdict}")
    if args.json:
        written = {"environment": facts, "documents": args.documents, "rows": records}
        args.json.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    return int(verdict.startswith("FAILURES"))
