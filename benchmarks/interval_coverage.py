"""How often 95 % intervals hold the truth: percentile, basic and BCa on simulated corpora.

    python benchmarks/interval_coverage.py                       # 2,000 corpora for each number of documents
    python benchmarks/interval_coverage.py --corpora 200 --documents 10 --documents 100

Documents differ in length (gamma) and in difficulty (beta), so that counts cluster in documents; five labels share
the spans 50 : 25 : 15 : 7 : 3 and differ in difficulty. The truth is that of a corpus of 4 million documents. All
methods read the same resamples with Poisson weights; the yardstick has multinomial weights and percentile bounds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Keys, keys_of
from spanscope.counts import Counts
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import Interval, Method, bounds
from spanscope.stats.sums import observed_values, resampled_sums, statistic, sums_of
from spanscope.stats.table import Row, Table, table

MIX = np.array([0.5, 0.25, 0.15, 0.07, 0.03])
HARD = np.array([0.7, 1.0, 1.2, 1.5, 2.0])  # powers of a document's ease: the rarer a label, the harder
SPANS, SHAPE = 6.0, 1.5  # mean and shape of the spans in a document
EASE = (6.0, 2.0)  # of the beta distribution
SPURIOUS = 0.8
LABELS = tuple("ABCDE")
SIZES = (10, 30, 100, 1_000)
METHODS: tuple[Method, ...] = ("percentile", "basic", "bca")
YARDSTICK = "multinomial"
ROWS = {"micro F1": "micro", "macro F1": "macro", "mean over documents of F1": "document"}
RATES = COUNTED.rates()[2:3]


def corpus(draw: np.random.Generator, documents: int) -> Counts:
    """Return the counts of a simulated corpus."""
    length = draw.gamma(SHAPE, SPANS / SHAPE, documents)[:, None] * MIX
    ease = draw.beta(*EASE, documents)[:, None]
    gold = draw.poisson(length)
    tp = draw.binomial(gold, ease**HARD)
    pred = tp + draw.poisson(length * (1 - ease) * SPURIOUS)
    doc, label = np.nonzero(gold + pred)
    values = np.stack([side[doc, label] for side in (tp, pred, gold)]).astype(np.int64)
    return Counts(documents, LABELS, ("tp", "pred", "gold"), doc, label, values)


def prepared(counts: Counts, keys: Keys) -> Table:
    return table([counts], RATES, COUNTED, Policy(), keys)


def chosen(held: Table) -> list[int]:
    """Return the places of the scores that are looked at."""
    rows = held.rows()
    return [rows.index(Row("f1", average, None)) for average in ROWS.values()]


def truth(draw: np.random.Generator, parts: int = 20, size: int = 200_000) -> Floats:
    """Return the scores of a corpus so large that its own error does not matter."""
    keys = keys_of([str(i) for i in range(size)])
    found = []
    for _ in range(parts):
        held = prepared(corpus(draw, size), keys)
        found.append(observed_values(held)[chosen(held)])
    return np.asarray(np.mean(found, axis=0))


def multinomial(draw: np.random.Generator, held: Table, resamples: int) -> Floats:
    """Return the resampled values with weights that add up to the number of documents."""
    size = held.units
    picked = draw.integers(0, size, (resamples, size)) * resamples + np.arange(resamples)[:, None]
    drawn = np.bincount(picked.ravel(), minlength=size * resamples).reshape(size, resamples).astype(np.uint8)

    def weights(keys: Keys, number: int, first: int) -> NDArray[np.uint8]:
        return np.asarray(drawn[np.searchsorted(held.cells.keys, keys), first : first + number])

    parts = sums_of(held, held.cells, resamples, weights)
    return np.concatenate([statistic(held, part) for part in parts], axis=1)


def measured(
    draw: np.random.Generator, size: int, corpora: int, resamples: int
) -> Iterator[dict[str, list[Interval]]]:
    """Return the intervals of every method, corpus after corpus."""
    for number in range(corpora):
        keys = keys_of([f"{number}/{i}" for i in range(size)])
        held = prepared(corpus(draw, size), keys)
        drawn = np.concatenate([statistic(held, part) for part in resampled_sums(held, resamples, 0)], axis=1)
        found: dict[str, list[Interval]] = {method: bounds([held], drawn, 0.95, method) for method in METHODS}
        found[YARDSTICK] = bounds([held], multinomial(draw, held, resamples), 0.95, "percentile")
        places = chosen(held)
        yield {method: [lines[place] for place in places] for method, lines in found.items()}


def lines_of(size: int, corpora: Sequence[dict[str, list[Interval]]], true: Floats) -> Iterator[str]:
    """Return lines of a Markdown table: coverage with its standard error, and the mean width."""
    for i, name in enumerate(ROWS):
        cells = []
        for method in (*METHODS, YARDSTICK):
            lows, highs = np.array([found[method][i][:2] for found in corpora]).T
            held = float(np.mean((lows <= true[i]) & (true[i] <= highs)))
            error = float(np.sqrt(held * (1 - held) / len(corpora)))
            cells.append(f"{100 * held:.1f} ± {100 * error:.1f} ({np.mean(highs - lows):.3f})")
        yield f"| {name} | {size:,} | " + " | ".join(cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--corpora", type=int, default=2_000, metavar="N")
    parser.add_argument("--resamples", type=int, default=1_000, metavar="N")
    parser.add_argument("--documents", type=int, action="append", metavar="N", help=f"{SIZES} unless given")
    parser.add_argument("--seed", type=int, default=20261117, metavar="N")
    args = parser.parse_args()
    draw = np.random.default_rng(args.seed)
    true = truth(draw)
    print("truth:", ", ".join(f"{name} {value:.4f}" for name, value in zip(ROWS, true, strict=True)))
    print("\ncoverage in % ± its standard error (mean width);", end=" ")
    print(f"{args.corpora:,} corpora, {args.resamples:,} resamples\n")
    print(f"| score | documents | {' | '.join((*METHODS, YARDSTICK))} |")
    print("| --- | --: |" + " --: |" * (len(METHODS) + 1))
    for size in args.documents or SIZES:
        start = time.perf_counter()
        corpora = list(measured(draw, size, args.corpora, args.resamples))
        for line in lines_of(size, corpora, true):
            print(line, flush=True)
        print(f"{size:,} documents: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
