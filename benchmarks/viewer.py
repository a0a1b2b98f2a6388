"""How fast the page is: written by Python, opened in Chromium, its slider moved.

    python benchmarks/viewer.py                        # 1,000, 10,000 and 100,000 documents
    python benchmarks/viewer.py --documents 10000 --force
    python benchmarks/viewer.py --documents 10000 --spans 13.44 --against ../before

Documents of 46 words with about seven spans a side (`--spans`), nested and overlapping, eight labels;
predictions are moved, relabelled, missed and added. The page is written without intervals, opened from a file
at 1280 x 900 and told to show the errors. "ready" is from the start of navigation until the page has drawn
itself, "slider" from a key press to the frame after the figures changed, "task" the longest task while it
opened. Both have processor time of the page's own thread beside them ("CPU"), which a busy machine moves less.
`--against` takes the tree of another version (`git worktree add ../before REVISION`): it writes a page of the
same files, and the two are opened and moved in turns. Needs playwright and chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from clock import load_average, table

HERE = Path(__file__).parents[1]
WRITE = """import json, sys, time
import spanscope
from spanscope import viewer
gold, pred, out, force = sys.argv[1:]
start = time.perf_counter()
result = spanscope.evaluate(gold, pred, "spans.relaxed", ci=False)
scored = time.perf_counter()
size = viewer.write(result, out, force=force == "force")
written = time.perf_counter()
spans = sum(len(side) for side in result.comparison.sides.values())
print(json.dumps({"spans": spans, "bytes": size, "scored": scored - start, "written": written - scored}))"""
WORDS, SPANS, SEED = 46, 7, 20261116
LABELS = ("Action", "Actor", "Condition", "Constraint", "Entity", "Exception", "Precondition", "Response")
HEADS, TAILS = ("ser", "mon", "ac", "dev", "re", "café"), ("vice", "itor", "count", "port", "ject", "store")
VOCABULARY = [head + tail for head in HEADS for tail in TAILS]
STEP = """down => new Promise(done => {
    const shown = document.querySelector('[data-testid=f1]').textContent
        + document.querySelector('[data-testid=step]').textContent;
    const from = performance.now();
    dispatchEvent(new KeyboardEvent('keydown', {key: down ? '[' : ']', bubbles: true}));
    const look = () => requestAnimationFrame(() => {
        const now = document.querySelector('[data-testid=f1]').textContent
            + document.querySelector('[data-testid=step]').textContent;
        if (now === shown) return look();
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - from);
        channel.port2.postMessage(0);
    });
    look();
})"""
WATCH = """window.tasks = [];
new PerformanceObserver(list => list.getEntries().forEach(one => window.tasks.push(one.duration)))
    .observe({entryTypes: ['longtask']});"""


def documents(number: int, spans: float) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Make documents, gold and predicted; a small corpus is the beginning of every larger one."""
    rng = Random(SEED)
    for at in range(number):
        words = rng.choices(VOCABULARY, k=WORDS)
        starts = [0]
        for word in words:
            starts.append(starts[-1] + len(word) + 1)
        gold, pred = [], []
        for _ in range(int(spans * (at + 1)) - int(spans * at)):
            first = rng.randrange(WORDS - 5)
            last, label, draw = first + rng.randint(1, 5), rng.choice(LABELS), rng.random()
            gold.append(_span(starts, first, last, label))
            if draw < 0.7:
                move = rng.choice((0, 0, 0, 1, -1)) if last - first > 1 else 0
                own = label if rng.random() < 0.88 else rng.choice(LABELS)
                pred.append(_span(starts, first, min(WORDS, last + move), own))
            if draw > 0.72:
                first = rng.randrange(WORDS - 5)
                pred.append(_span(starts, first, first + rng.randint(1, 3), label))
        text = " ".join(words)
        yield ({"id": f"d{at}", "text": text, "spans": gold}, {"id": f"d{at}", "text": text, "spans": pred})


def _span(starts: list[int], first: int, last: int, label: str) -> dict[str, Any]:
    return {"start": starts[first], "end": starts[last] - 1, "label": label}


def write(number: int, spans: float, folder: Path) -> list[Path]:
    """Write the two files of a corpus."""
    paths = [folder / "gold.jsonl", folder / "pred.jsonl"]
    with paths[0].open("w", encoding="utf-8") as gold, paths[1].open("w", encoding="utf-8") as pred:
        for pair in documents(number, spans):
            for file, one in zip((gold, pred), pair, strict=True):
                file.write(json.dumps(one) + "\n")
    return paths


def page(tree: Path, files: list[Path], out: Path, force: bool) -> dict[str, Any]:
    """Let a version write the page of a corpus, and say what it took."""
    told = subprocess.run(
        [sys.executable, "-c", WRITE, *map(str, files), str(out), "force" if force else ""],
        env={**os.environ, "PYTHONPATH": str(tree / "src")},
        stdout=subprocess.PIPE,
        check=True,
    )
    found: dict[str, Any] = json.loads(told.stdout)
    return found


class Tab:
    """A page that is open, and the processor time of its thread."""

    def __init__(self, browser: Any, path: Path) -> None:
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self.page.set_default_timeout(300_000)
        self.page.add_init_script(WATCH)
        self._asked = self.page.context.new_cdp_session(self.page)
        self._asked.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.page.goto(path.as_uri() + "#/errors", wait_until="commit")
        self.page.wait_for_function("() => performance.getEntriesByName('spanscope:ready').length")
        self.ready = self.page.evaluate("performance.getEntriesByName('spanscope:ready')[0].startTime")
        self.page.wait_for_timeout(400)
        self.cpu = self.worked()
        self.task = max(self.page.evaluate("window.tasks") or [0])

    def worked(self) -> float:
        """Return the milliseconds of processor time that the page has had."""
        metrics = self._asked.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration")) * 1000

    def step(self, down: bool) -> tuple[float, float]:
        """Move the slider; return the milliseconds until it is seen, and those of processor time."""
        before = self.worked()
        time_ = float(self.page.evaluate(STEP, down))
        self.page.wait_for_timeout(30)
        return time_, self.worked() - before


def opened(paths: list[Path], repeat: int, steps: int) -> list[dict[str, Any]]:
    """Open pages in turns, then move their sliders in turns; the best of the openings of each counts."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        opens: list[list[Tab]] = [[] for _ in paths]
        for _ in range(repeat):
            for path, own in zip(paths, opens, strict=True):
                if own:
                    own[-1].page.close()
                own.append(Tab(browser, path))
        tabs = [own[-1] for own in opens]
        for tab in tabs:
            tab.page.bring_to_front()
            for _ in range(10):
                tab.step(True)  # to the left end, and the code is warm, as after a second of use
        times: list[list[tuple[float, float]]] = [[] for _ in tabs]
        for at in range(0, steps, 10):  # ten steps of each in turn: a tab that is not in front draws nothing
            for tab, moved in zip(tabs, times, strict=True):
                tab.page.bring_to_front()
                moved.extend(tab.step(at % 20 >= 10) for _ in range(10))
        heaps = [tab.page.evaluate("performance.memory?.usedJSHeapSize ?? 0") for tab in tabs]
        browser.close()
    return [_facts(own, moved, heap) for own, moved, heap in zip(opens, times, heaps, strict=True)]


def _facts(tabs: list[Tab], moved: list[tuple[float, float]], heap: int) -> dict[str, Any]:
    seen, cpu = (sorted(column) for column in zip(*moved, strict=True))
    return {
        "ready": min(tab.ready for tab in tabs),
        "ready cpu": min(tab.cpu for tab in tabs),
        "task": min(tab.task for tab in tabs),
        "median": seen[len(seen) // 2],
        "p90": seen[len(seen) * 9 // 10],
        "max": seen[-1],
        "cpu": cpu[len(cpu) // 2],
        "cpu p90": cpu[len(cpu) * 9 // 10],
        "heap": heap,
    }


def line(version: str, number: int, facts: dict[str, Any]) -> list[str]:
    """Return one row of the table."""
    return [
        version,
        f"{number:,}",
        f"{facts['spans']:,}",
        f"{facts['bytes'] / 1e6:.1f}",
        f"{facts['scored']:.1f}",
        f"{facts['written']:.1f}",
        f"{facts['ready'] / 1000:.2f}",
        *(f"{facts[key]:.0f}" for key in ("ready cpu", "task", "median", "p90", "max", "cpu", "cpu p90")),
        f"{facts['heap'] / 1e6:.0f}",
        load_average().split()[0],
    ]


def main() -> int:
    """Measure each size and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--spans", type=float, default=SPANS, help="gold spans of a document, on average")
    parser.add_argument("--against", type=Path, help="the tree of a version to measure beside this one")
    parser.add_argument("--force", action="store_true", help="put every document into the page")
    parser.add_argument("--repeat", type=int, default=3, help="how often each page is opened")
    parser.add_argument("--steps", type=int, default=60, help="how often the slider is moved")
    parser.add_argument("--keep", type=Path, help="a folder for the pages, which are else thrown away")
    args = parser.parse_args()
    trees = {"this": HERE} if args.against is None else {"before": args.against, "this": HERE}
    rows = []
    for number in args.documents:
        with tempfile.TemporaryDirectory() as aside:
            folder = Path(aside) if args.keep is None else args.keep / f"{number}{'-all' * args.force}"
            folder.mkdir(parents=True, exist_ok=True)
            files = write(number, args.spans, folder)
            paths = [folder / f"{version}.html" for version in trees]
            made = [page(tree, files, path, args.force) for tree, path in zip(trees.values(), paths, strict=True)]
            seen = opened(paths, args.repeat, args.steps)
        for version, wrote, facts in zip(trees, made, seen, strict=True):
            rows.append(line(version, number, wrote | facts))
            print(f"{number:,} documents: {' '.join(rows[-1])}", file=sys.stderr, flush=True)
    print(f"{os.cpu_count()} cores")
    heads = ["version", "documents", "spans", "MB", "scored s", "written s", "ready s", "ready CPU ms", "task ms"]
    heads += ["slider median ms", "p90", "max", "slider CPU ms", "CPU p90", "heap MB", "load"]
    print(table(heads, rows, words=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
