"""How long the command line takes to start: `--help`, and the evaluation of a small corpus, beside `import numpy`.

    python benchmarks/startup.py

Every run is a process of its own, as it is for a user, who has the program compiled: installing it does that, and
the first runs here do, aside and unmeasured. The best of several counts: other work only adds time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

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


def measured(asked: dict[str, list[str]], repeat: int) -> dict[str, float]:
    """Run all commands in turn, so that a busy moment falls on all of them, and return the best time of each."""
    best = dict.fromkeys(asked, float("inf"))
    with tempfile.TemporaryDirectory() as room:
        own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        own["PYTHONPYCACHEPREFIX"] = room
        given = filter(None, own.get("PYTHONPATH", "").split(os.pathsep))
        own["PYTHONPATH"] = os.pathsep.join(
            map(os.path.abspath, given)
        )  # from where this was started, not from room
        for number in range(repeat + 1):
            for name, arguments in asked.items():
                start = time.perf_counter()
                subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=room, env=own)
                if number:  # before, modules are compiled
                    best[name] = min(best[name], time.perf_counter() - start)
    return best


def main() -> int:
    """Print the times, and what they are beside importing NumPy."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=10, metavar="N", help="the best of N runs counts (10)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to FILE")
    args = parser.parse_args()
    facts = environment(["spanscope", "numpy"])
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    best = measured(commands(span_corpus(DOCUMENTS).folder), args.repeat)
    base = next(iter(best.values()))
    rows: list[dict[str, Any]] = [
        {"tool": name, "seconds": seconds, "ratio": seconds / base} for name, seconds in best.items()
    ]
    cells = [[row["tool"], f"{row['seconds']:.3f}", f"{row['ratio']:.2f}"] for row in rows]
    print(table(["command", "seconds", "time / import numpy"], cells, words=1))
    facts["load after"] = load_average()
    print(f"load after {facts['load after']}")
    if args.json:
        args.json.write_text(json.dumps({"environment": facts, "rows": rows}, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
