"""All families beside all their peers in one run, and one table with the aims beside the figures.

    python benchmarks/run.py                 # about half an hour on two cores
    python benchmarks/run.py --quick         # small corpora, a few minutes: to see that everything runs
    python benchmarks/run.py --presidio PYTHON   # a Python that has presidio-evaluator, which needs 77 packages

Every benchmark is a process of its own. What is not installed is skipped, and said. The table is printed, and
written to `results.md` and `results.json` in the folder that --out names.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clock import HERE, environment, load_average

PEERS = ("nervaluate", "seqeval", "segeval", "nltk", "pytrec_eval-terrier", "ranx")
PACKAGES = ("spanscope", "numpy", "msgspec", *PEERS)
SMALL, LARGE, QUICK = 20_000, 200_000, 2_000
Found = dict[tuple[str, str], dict[str, Any]]


@dataclass(frozen=True)
class Aim:
    """A ratio of two times that were taken in one run, and what it should be: at least, or at most."""

    what: str
    run: str
    upper: str  # whose time is divided
    lower: str
    aim: float
    least: bool  # at least the aim; else at most

    def met(self, value: float) -> bool:
        """Tell whether the ratio is as it should be."""
        return value >= self.aim if self.least else value <= self.aim


AIMS = (
    Aim(
        "spans in memory, nervaluate's four modes, against it", "spans", "nervaluate", "spanscope-modes", 30, True
    ),
    Aim("the same, with exact and relaxed besides", "spans", "nervaluate", "spanscope", 30, True),
    Aim("spans in memory, seqeval's report, against it", "spans", "seqeval", "spanscope-exact", 50, True),
    Aim("exact, relaxed and four modes, against seqeval's report", "spans", "seqeval", "spanscope", 50, True),
    Aim("spans from files, exact and IoU, against decoding alone", "large", "spanscope-iou", "floor", 2.5, False),
    Aim(
        "spans from files, exact and relaxed, against decoding alone",
        "large",
        "spanscope-files",
        "floor",
        3,
        False,
    ),
    Aim("segments, against segeval", "segments", "segeval", "spanscope", 1000, True),
    Aim("segments, against NLTK", "segments", "nltk", "spanscope", 100, True),
    Aim("tokens, against presidio-evaluator", "presidio", "presidio-evaluator", "spanscope-columns", 500, True),
    Aim("tokens, against seqeval's report", "tokens", "seqeval", "spanscope-seqeval", 10, True),
    Aim("passages, against pytrec_eval", "passages", "pytrec_eval", "spanscope-four", 1, True),
    Aim("passages, against ranx", "passages", "ranx", "spanscope-four", 1, True),
    Aim("start of --help, against import numpy", "startup", "spanscope --help", "import numpy", 3, False),
    Aim(
        "start to result, 50 documents, against import numpy",
        "startup",
        "spanscope eval, 50 documents",
        "import numpy",
        3,
        False,
    ),
)


def plan(args: argparse.Namespace) -> dict[str, list[str]]:
    """Return the benchmarks and their options, by name."""
    small, large = (QUICK, 10 * QUICK) if args.quick else (SMALL, LARGE)
    number = ["--documents", str(500 if args.quick else 10_000)]
    files = [
        "--only",
        "floor",
        "--only",
        "spanscope-iou",
        "--only",
        "spanscope-files",
        "--rounds",
        str(args.rounds),
    ]
    tools = ("nervaluate", "seqeval", "spanscope", "spanscope-modes", "spanscope-exact")
    memory = [*(part for tool in tools for part in ("--only", tool)), "--rounds", "2"]
    return {
        "spans": ["spans.py", "--documents", str(small), *memory],
        "small": ["spans.py", "--documents", str(small), *files],
        "large": ["spans.py", "--documents", str(large), *files],
        "segments": ["segments.py", *number],
        "tokens": ["tokens.py", *number, "--only", "seqeval", "--only", "spanscope-seqeval"],
        "presidio": ["tokens.py", *number, "--only", "presidio-evaluator", "--only", "spanscope-columns"],
        "passages": ["passages.py", *number],
        "startup": ["startup.py", "--repeat", str(3 if args.quick else 10)],
    }


def run_one(arguments: Sequence[str], python: str, room: Path) -> list[dict[str, Any]]:
    """Run a benchmark and return its rows; none where it failed, which it says itself."""
    out = room / "rows.json"
    out.unlink(missing_ok=True)
    command = [python, str(HERE / arguments[0]), *arguments[1:], "--json", str(out)]
    subprocess.run(command, check=False, stdout=sys.stderr)
    rows: list[dict[str, Any]] = json.loads(out.read_text(encoding="utf-8"))["rows"] if out.exists() else []
    return rows


def measured(args: argparse.Namespace) -> tuple[Found, dict[str, str]]:
    """Run everything; the times by benchmark and tool, and the loads that they were taken at."""
    found: Found = {}
    loads = {}
    with tempfile.TemporaryDirectory() as room:
        for name, arguments in plan(args).items():
            if args.only and name not in args.only:
                continue
            loads[name] = load_average()
            python = args.presidio if name == "presidio" and args.presidio else sys.executable
            for row in run_one(arguments, python, Path(room)):
                found[name, row["tool"]] = row
    return found, loads


def lines(found: Found, ran: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row for every aim whose benchmark ran, and for growth."""
    out = [_line(aim, found) for aim in AIMS if aim.run in ran]
    both = [found.get((size, "spanscope-files"), {}).get("per_second") for size in ("small", "large")]
    if {"small", "large"} <= set(ran):
        value = both[0] / both[1] if both[0] and both[1] else None
        out.append(_row("growth: time a span, ten times the documents", "at most 1.1", value, "", value, 1.1))
    return out


def _line(aim: Aim, found: Found) -> dict[str, Any]:
    upper, lower = (found.get((aim.run, tool), {}) for tool in (aim.upper, aim.lower))
    value = upper["seconds"] / lower["seconds"] if "seconds" in upper and "seconds" in lower else None
    note = "" if value is not None else upper.get("note") or lower.get("note") or "did not run"
    row = _row(aim.what, f"at {'least' if aim.least else 'most'} {aim.aim:g}", value, note, value, aim.aim)
    return row | {"met": None if value is None else aim.met(value)}


def _row(
    what: str, aim: str, value: float | None, note: str, compared: float | None, limit: float
) -> dict[str, Any]:
    return {
        "what": what,
        "ratio": value,
        "aim": aim,
        "met": None if compared is None else compared <= limit,
        "note": note,
    }


def markdown(rows: Sequence[dict[str, Any]], facts: dict[str, str], command: str) -> str:
    """Return the table, and under it what a reader must know to compare it with another."""
    out = ["| what | times | aim | met |", "| --- | --: | --: | --- |"]
    for row in rows:
        value = "not measured" if row["ratio"] is None else f"{row['ratio']:,.2f}"
        met = {True: "yes", False: "no", None: row["note"]}[row["met"]]
        out.append(f"| {row['what']} | {value} | {row['aim']} | {met} |")
    about = ", ".join(f"{name} {value}" for name, value in facts.items())
    return "\n".join([*out, "", f"`{command}`: {about}.", ""])


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small corpora, to see that everything runs")
    parser.add_argument(
        "--rounds", type=int, default=4, metavar="N", help="go round the tools from files N times (4)"
    )
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="spans, small, large, segments, tokens, ..."
    )
    parser.add_argument("--presidio", metavar="PYTHON", help="a Python that has presidio-evaluator and spanscope")
    parser.add_argument("--out", type=Path, default=HERE.parent / "bench-data", metavar="FOLDER")
    return parser.parse_args()


def main() -> int:
    """Run everything, then print and write the table."""
    args = options()
    facts = {"date": datetime.now(UTC).date().isoformat()} | environment(PACKAGES)
    found, loads = measured(args)
    rows = lines(found, list(loads))
    facts["load after"] = load_average()
    command = "python " + " ".join([os.path.relpath(__file__), *sys.argv[1:]])
    text = markdown(rows, facts, command)
    args.out.mkdir(parents=True, exist_ok=True)
    written = {
        "command": command,
        "environment": facts,
        "loads": loads,
        "aims": rows,
        "rows": [row | {"benchmark": name} for (name, _), row in found.items()],
    }
    (args.out / "results.json").write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    (args.out / "results.md").write_text(text, encoding="utf-8")
    print(text)
    return int(any(row.get("failed") for row in found.values()))


if __name__ == "__main__":
    sys.exit(main())
