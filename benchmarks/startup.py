"""How long the command line takes to start: `--help`, and the evaluation of a small corpus, beside `import numpy`.

    python benchmarks/startup.py
    python benchmarks/startup.py --other ../other/src    # in turns with another tree

Every run is a process of its own, as it is for a user, who has the program compiled: installing it does that, and
the first runs here do, aside and unmeasured. The best of several counts: other work only adds time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clock import environment, load_average, table
from corpus import span_corpus

DOCUMENTS = 50
START = "import sys; from spanscope.cli import main; sys.argv = ['spanscope', *sys.argv[1:]]; main()"


def commands(folder: Path) -> dict[str, list[str]]:
    """Return what is run, by name; the first is what the others are divided by."""
    files = [str(folder / f"{side}.jsonl") for side in ("gold", "pred")]
    return {
        "import numpy": ["-c", "import numpy"],
        "spanscope --help": ["-c", START, "--help"],
        f"spanscope eval, {DOCUMENTS} documents": ["-c", START, "eval", *files],
        f"spanscope eval --no-ci, {DOCUMENTS} documents": ["-c", START, "eval", *files, "--no-ci"],
    }


class Best(NamedTuple):
    """The least seconds on the clock, and of the processor, that a command took."""

    seconds: float = float("inf")
    processor: float = float("inf")


def measured(asked: Mapping[str, Sequence[str]], repeat: int, others: Mapping[str, Path]) -> dict[str, Best]:
    """Run all commands in turn, so that a busy moment falls on all of them, and return the best times of each.

    `others` has the source trees of those that are not run from the tree that is installed or in PYTHONPATH.
    """
    best = dict.fromkeys(asked, Best())
    with tempfile.TemporaryDirectory() as room:
        own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        own["PYTHONPYCACHEPREFIX"] = room
        given = [str(Path(one).resolve()) for one in own.get("PYTHONPATH", "").split(os.pathsep) if one]
        for number in range(repeat + 1):
            for name, arguments in asked.items():
                paths = [str(others[name].resolve()), *given] if name in others else given  # not from room
                env = own | {"PYTHONPATH": os.pathsep.join(paths)}
                start, before = time.perf_counter(), _processor_seconds()
                subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=room, env=env)
                took = time.perf_counter() - start, _processor_seconds() - before
                if number:  # before, modules are compiled
                    best[name] = Best(*map(min, best[name], took))
    return best


def _processor_seconds() -> float:
    """Return what processes that have ended took of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Print the times, and what they are beside importing NumPy."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=10, metavar="N", help="the best of N runs counts (10)")
    parser.add_argument("--other", type=Path, metavar="FOLDER", help="measure the tree in this folder as well")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to FILE")
    args = parser.parse_args()
    facts = environment(["spanscope", "numpy"])
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    asked, others = commands(span_corpus(DOCUMENTS).folder), {}
    if args.other is not None:
        others = {f"{name}: other tree": args.other for name in asked if name.startswith("spanscope")}
        asked |= {name: asked[name.removesuffix(": other tree")] for name in others}
    best = measured(asked, args.repeat, others)
    base = next(iter(best.values())).seconds
    rows: list[dict[str, Any]] = [
        {"tool": name, **one._asdict(), "ratio": one.seconds / base} for name, one in best.items()
    ]
    cells = [
        [row["tool"], f"{row['seconds']:.3f}", f"{row['processor']:.3f}", f"{row['ratio']:.2f}"] for row in rows
    ]
    print(table(["command", "seconds", "of the processor", "time / import numpy"], cells, words=1))
    facts["load after"] = load_average()
    print(f"load after {facts['load after']}")
    if args.json:
        args.json.write_text(json.dumps({"environment": facts, "rows": rows}, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
