"""How fast the page is: written by Python, opened in Chromium, its slider moved.

    python benchmarks/viewer.py                        # 1,000, 10,000 and 100,000 documents
    python benchmarks/viewer.py --documents 10000 --force

Documents of 46 words with about seven spans a side, nested and overlapping, eight labels; predictions are moved,
relabelled, missed and added. The page is written without intervals, opened from a file at 1280 x 900 and told to
show the errors. "ready" is from the start of navigation until the page has drawn itself, "slider" from a key press
to the frame after the figures changed, "task" the longest task while it opened. Needs playwright and chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from clock import load_average, table

import spanscope
from spanscope import viewer

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


def documents(number: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Make documents, gold and predicted; a small corpus is the beginning of every larger one."""
    rng = Random(SEED)
    for at in range(number):
        words = rng.choices(VOCABULARY, k=WORDS)
        starts = [0]
        for word in words:
            starts.append(starts[-1] + len(word) + 1)
        gold, pred = [], []
        for _ in range(SPANS):
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


def write(number: int, folder: Path) -> list[Path]:
    """Write the two files of a corpus."""
    paths = [folder / "gold.jsonl", folder / "pred.jsonl"]
    with paths[0].open("w", encoding="utf-8") as gold, paths[1].open("w", encoding="utf-8") as pred:
        for pair in documents(number):
            for file, one in zip((gold, pred), pair, strict=True):
                file.write(json.dumps(one) + "\n")
    return paths


def page(number: int, folder: Path, force: bool) -> dict[str, Any]:
    """Write the page of a corpus, and say what it took."""
    gold, pred = write(number, folder)
    start = time.perf_counter()
    result = spanscope.evaluate(gold, pred, "spans.relaxed", ci=False)
    scored = time.perf_counter()
    size = viewer.write(result, folder / "report.html", force=force)
    spans = sum(len(side) for side in result.comparison.sides.values())
    return {
        "documents": number,
        "spans": spans,
        "bytes": size,
        "scored": scored - start,
        "written": time.perf_counter() - scored,
    }


def opened(path: Path, repeat: int, steps: int) -> dict[str, Any]:
    """Open the page some times, move the slider in the last one; the best of the openings counts."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        ready, tasks = [], []
        for _ in range(repeat):
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            tab.set_default_timeout(300_000)
            tab.add_init_script(WATCH)
            tab.goto(path.as_uri() + "#/errors", wait_until="commit")
            tab.wait_for_function("() => performance.getEntriesByName('spanscope:ready').length")
            ready.append(tab.evaluate("performance.getEntriesByName('spanscope:ready')[0].startTime"))
            tab.wait_for_timeout(400)
            tasks.append(max(tab.evaluate("window.tasks") or [0]))
            if len(ready) < repeat:
                tab.close()
        for _ in range(10):
            tab.evaluate(STEP, True)  # to the left end, and the code is warm, as after a second of use
        times = []
        for at in range(steps):
            times.append(tab.evaluate(STEP, at % 20 >= 10))
            tab.wait_for_timeout(30)
        memory = tab.evaluate("performance.memory?.usedJSHeapSize ?? 0")
        browser.close()
    times.sort()
    share = {"median": times[steps // 2], "p90": times[steps * 9 // 10], "max": times[-1]}
    return {"ready": min(ready), "task": min(tasks), **share, "heap": memory}


def line(facts: dict[str, Any]) -> list[str]:
    """Return one row of the table."""
    return [
        f"{facts['documents']:,}",
        f"{facts['spans']:,}",
        f"{facts['bytes'] / 1e6:.1f}",
        f"{facts['scored']:.1f}",
        f"{facts['written']:.1f}",
        f"{facts['ready'] / 1000:.2f}",
        f"{facts['task']:.0f}",
        *(f"{facts[key]:.0f}" for key in ("median", "p90", "max")),
        f"{facts['heap'] / 1e6:.0f}",
        load_average().split()[0],
    ]


def main() -> int:
    """Measure each size and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--force", action="store_true", help="put every document into the page")
    parser.add_argument("--repeat", type=int, default=3, help="how often each page is opened")
    parser.add_argument("--steps", type=int, default=60, help="how often the slider is moved")
    parser.add_argument("--keep", type=Path, help="a folder for the pages, which are else thrown away")
    args = parser.parse_args()
    rows = []
    for number in args.documents:
        with tempfile.TemporaryDirectory() as aside:
            folder = Path(aside) if args.keep is None else args.keep / f"{number}{'-all' * args.force}"
            folder.mkdir(parents=True, exist_ok=True)
            facts = page(number, folder, args.force)
            facts |= opened(folder / "report.html", args.repeat, args.steps)
        rows.append(line(facts))
        print(f"{number:,} documents: {' '.join(rows[-1][2:])}", file=sys.stderr, flush=True)
    print(f"{os.cpu_count()} cores")
    heads = ["documents", "spans", "MB", "scored s", "written s", "ready s", "task ms"]
    print(table([*heads, "slider median ms", "p90", "max", "heap MB", "load"], rows, words=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
