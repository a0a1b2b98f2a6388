"""What intervals add to the processor time of the default evaluation, measured in turns.

python benchmarks/interval_cost.py               # 200,000 documents, five turns with and without intervals
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from corpus import span_corpus

import spanscope


def seconds(gold: str, pred: str, *, ci: bool) -> float:
    """Return the processor time of an evaluation."""
    start = time.process_time()
    spanscope.evaluate(gold, pred, ci=ci)
    return time.process_time() - start


def main() -> None:
    """Print the medians, and how they compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--turns", type=int, default=5)
    given = parser.parse_args()
    made = span_corpus(given.documents)
    paths = str(made.folder / "gold.jsonl"), str(made.folder / "pred.jsonl")
    seconds(*paths, ci=True)  # not counted: modules are loaded
    turns = [(seconds(*paths, ci=False), seconds(*paths, ci=True)) for _ in range(given.turns)]
    without, with_them = np.median(turns, axis=0).tolist()
    ratio = float(np.median([b / a for a, b in turns]))
    print(f"without {without:.2f} s, with intervals {with_them:.2f} s, in turns {ratio:.2f} times")


if __name__ == "__main__":
    main()
