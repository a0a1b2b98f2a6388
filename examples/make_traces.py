"""Write the second demo data set: reasoning traces cut into segments, gold and three methods.

traces.txt holds a block a trace: its id, then a line a gold segment, `Label| text`. The methods are rules: a
segment a sentence, a segment a line of at most 90 characters, and all of it in one. Run
``python examples/make_traces.py`` to rewrite the file.
"""

import json
import re
import textwrap
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "src" / "spanscope" / "examples" / "traces.jsonl"
SENTENCE = re.compile(r"(?<=[.?!])\s+")


def between(text: str, cuts: list[int]) -> list[list[int]]:
    """Return the segments between cuts."""
    return [[a, b] for a, b in pairwise([0, *sorted(set(cuts)), len(text)]) if a < b]


def lines(text: str) -> list[int]:
    """Cut before each line of a text wrapped at 90 characters."""
    wrapped, at = [], 0
    for line in textwrap.wrap(text, 90)[:-1]:
        at = text.index(line, at) + len(line)
        wrapped.append(at + 1)
    return wrapped


def trace(block: str) -> dict[str, Any]:
    """Return one document."""
    head, *rows = block.strip("\n").split("\n")
    parts = [row.split("| ", 1) for row in rows]
    words = [(label, segment.strip() + " ") for label, segment in parts]
    text = "".join(segment for _, segment in words)[:-1]
    gold, at = [], 0
    for label, segment in words:
        end = min(at + len(segment), len(text))
        gold.append([at, end, label])
        at = end
    methods = {
        "Gold": gold,
        "Sentences": between(text, [found.end() for found in SENTENCE.finditer(text)]),
        "Lines": between(text, lines(text)),
        "Whole": [[0, len(text)]],
    }
    return {"id": head.removeprefix("id: "), "text": text, "segmentations": methods}


def main() -> None:
    """Write the file."""
    blocks = (HERE / "traces.txt").read_text(encoding="utf-8").strip().split("\n\n")
    OUT.write_text("".join(json.dumps(trace(block)) + "\n" for block in blocks), encoding="utf-8")


if __name__ == "__main__":
    main()
