"""How often 95 % intervals hold the truth, and how often tests see differences that are not there.

    python benchmarks/coverage.py                              # everything: 4,000 corpora a row, half an hour
    python benchmarks/coverage.py intervals --corpora 200      # one part, with fewer corpora: minutes
    python benchmarks/coverage.py tests files slices           # type-I errors: `type_one.py`

Corpora are drawn from the populations of `populations.py`, as counts; intervals and p-values come from the
functions that make those of `spanscope eval` and `spanscope compare`, with their defaults, but for 1,000 trials
of a test by swaps or by permutation. `tests/stats/test_populations.py` holds such counts to the same corpora as
spans, scored and compared the whole way.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence

import numpy as np
from populations import POPULATIONS, RATES, USUAL, Population, corpus, random_keys, truth
from type_one import EACH, RESAMPLES, SHOWN, SIZES, part_files, part_plans, part_slices, part_tests

from spanscope.arithmetic import Keys
from spanscope.counts import Counts
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import Interval, Method, bounds
from spanscope.stats.sums import resampled_sums, statistic
from spanscope.stats.table import Row, table

NAMES = ("F1 .98", "F1 .83", "F1 .07")
METHODS: tuple[Method, ...] = ("wilson", "percentile")
MANY = 10  # documents with gold of a label from which its figures are to be trusted
Rows = dict[Row, Interval]


def intervals_by(counts: Counts, keys: Keys, methods: tuple[Method, ...]) -> dict[Method, Rows]:
    """Return the intervals of every method from the same resamples."""
    held = table([counts], RATES, COUNTED, Policy(), keys)
    drawn = np.concatenate([statistic(held, part) for part in resampled_sums(held, RESAMPLES, 0)], axis=1)
    rows = held.rows()
    return {method: dict(zip(rows, bounds(held, drawn, 0.95, method), strict=True)) for method in methods}


class Tally:
    """How many intervals hold the truth, how wide they are, and how many there are not."""

    def __init__(self) -> None:
        self.held, self.number, self.none, self.width = 0, 0, 0, 0.0

    def add(self, interval: Interval, true: float) -> None:
        """Count an interval."""
        if np.isnan(interval.low):
            self.none += 1
            return
        self.number += 1
        self.held += interval.low <= true <= interval.high
        self.width += interval.high - interval.low

    def __str__(self) -> str:
        if not self.number:
            return "-"
        share = self.held / self.number
        error = (share * (1 - share) / self.number) ** 0.5
        return f"{100 * share:.1f} ± {100 * error:.1f} ({self.width / self.number:.3f})"


def part_intervals(seed: int, corpora: int, names: Sequence[str]) -> Iterator[str]:
    """Print the coverage of every method, by population, size and figure."""
    yield f"| population | score | documents | {' | '.join(METHODS)} |"
    yield "| --- | --- | --: |" + " --: |" * len(METHODS)
    for name in names:
        draw = np.random.default_rng(seed)
        true = truth(draw, POPULATIONS[name])
        for size in SIZES:
            found_ = _tallied(draw, POPULATIONS[name], true, size, corpora)
            for score in dict.fromkeys(score for score, _ in found_):
                cells = [str(found_[score, method]) for method in METHODS]
                yield f"| {name} | {score} | {size} | {' | '.join(cells)} |"


def _tallied(
    draw: np.random.Generator, of: Population, true: dict[Row, float], size: int, corpora: int
) -> dict[tuple[str, Method], Tally]:
    scores = [*SHOWN.values(), "recall of labels, 10 documents or more", "F1 of labels, 10 documents or more"]
    scores += ["recall of labels, 3 to 9 documents", "F1 of labels, 3 to 9 documents"]
    out = {(score, method): Tally() for score in scores for method in METHODS}
    for _ in range(corpora):
        counts = corpus(draw, size, of)
        having = np.bincount(counts.label[counts.column("gold") > 0], minlength=len(counts.labels))
        for method, rows in intervals_by(counts, random_keys(draw, size), METHODS).items():
            for average, score in SHOWN.items():
                row = Row("f1", average, None)
                out[score, method].add(rows[row], true[row])
            for rate, word in (("recall", "recall"), ("f1", "F1")):
                for label, number in zip(counts.labels, having.tolist(), strict=True):
                    row = Row(rate, "label", label)
                    if number >= 3 and row in rows:
                        group = "10 documents or more" if number >= MANY else "3 to 9 documents"
                        out[f"{word} of labels, {group}", method].add(rows[row], true[row])
    return {key: tally for key, tally in out.items() if tally.number >= corpora / 10}


def part_groups(seed: int, corpora: int, _: Sequence[str]) -> Iterator[str]:
    """Print the coverage for documents in groups: where documents are drawn, and where groups are."""
    yield f"| groups of {EACH} documents | score | documents drawn | groups drawn |"
    yield "| --: | --- | --: | --: |"
    draw = np.random.default_rng(seed)
    true = truth(draw, USUAL, np.repeat(np.arange(20_000), EACH))
    for groups in SIZES:
        out = {(score, by): Tally() for score in SHOWN.values() for by in ("documents", "groups")}
        group = np.repeat(np.arange(groups), EACH)
        for _one in range(corpora):
            counts = corpus(draw, len(group), USUAL, group)
            keys = {"documents": random_keys(draw, len(group)), "groups": random_keys(draw, groups)[group]}
            for by, own in keys.items():
                rows = intervals_by(counts, own, ("wilson",))["wilson"]
                for average, score in SHOWN.items():
                    row = Row("f1", average, None)
                    out[score, by].add(rows[row], true[row])
        for score in SHOWN.values():
            yield f"| {groups} | {score} | {out[score, 'documents']} | {out[score, 'groups']} |"


PARTS = {
    "intervals": part_intervals,
    "groups": part_groups,
    "tests": part_tests,
    "files": part_files,
    "slices": part_slices,
    "plans": part_plans,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all of them unless given")
    parser.add_argument("--corpora", type=int, default=4_000, metavar="N", help="corpora a row")
    parser.add_argument("--population", action="append", choices=NAMES, help="all of them unless given")
    parser.add_argument("--seed", type=int, default=20261118, metavar="N")
    args = parser.parse_args()
    for name in args.parts or PARTS:
        start = time.process_time()
        print(f"\n{name}: per cent ± standard error (mean width); {args.corpora:,} corpora a row\n")
        for line in PARTS[name](args.seed, args.corpora, args.population or NAMES):
            print(line, flush=True)
        print(f"{name}: {time.process_time() - start:.0f} s of processor time", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
