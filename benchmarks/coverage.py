"""How often 95 % intervals hold the truth, and how often tests see differences that are not there.

    python benchmarks/coverage.py                              # everything: 4,000 corpora a row, about 15 minutes
    python benchmarks/coverage.py intervals --corpora 200      # one part, with fewer corpora
    python benchmarks/coverage.py groups tests

Corpora are drawn from the populations of `populations.py`, as counts; intervals and p-values come from the
functions that make those of `spanscope eval` and `spanscope compare`, with their defaults, but for 1,000 trials
of a test.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from populations import (
    POPULATIONS,
    RATES,
    USUAL,
    Population,
    corpus,
    counts_of,
    documents_of,
    found,
    truth,
)

from spanscope.arithmetic import Ints, Keys
from spanscope.counts import Counts
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import Interval, Method, bounds
from spanscope.stats.significance import randomisation
from spanscope.stats.sums import resampled_sums, statistic
from spanscope.stats.table import Row, table

SIZES = (20, 50, 100)
NAMES = ("F1 .98", "F1 .83", "F1 .07")
METHODS: tuple[Method, ...] = ("wilson", "percentile")
SHOWN = {"micro": "micro F1", "macro": "macro F1", "document": "mean over documents of F1"}
MANY = 10  # documents with gold of a label from which its figures are to be trusted
RESAMPLES, TRIALS = 1_000, 1_000
EACH = 10  # documents in a group
APART = 0.7  # standard deviation of what a group is easier for one system than for another, in log odds
Rows = dict[Row, Interval]


def random_keys(draw: np.random.Generator, number: int) -> Keys:
    """Return keys as those of documents are: no two corpora have the same weights."""
    return np.sort(draw.integers(0, 2**63, number).astype(np.uint64))


def intervals_by(counts: Counts, keys: Keys, methods: tuple[Method, ...]) -> dict[Method, Rows]:
    """Return the intervals of every method from the same resamples."""
    held = table([counts], RATES, COUNTED, Policy(), keys)
    drawn = np.concatenate([statistic(held, part) for part in resampled_sums(held, RESAMPLES, 0)], axis=1)
    rows = held.rows()
    return {method: dict(zip(rows, bounds([held], drawn, 0.95, method), strict=True)) for method in methods}


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


def part_tests(seed: int, corpora: int, names: Sequence[str]) -> Iterator[str]:
    """Print how often a paired test finds two equal systems different at 5 %."""
    yield "| two equal systems | score | units | documents drawn | groups drawn |"
    yield "| --- | --- | --: | --: | --: |"
    draw = np.random.default_rng(seed)
    for name in names:
        for size in SIZES:
            made = partial(equal_systems, draw, size, POPULATIONS[name])
            seen = rejected(draw, corpora, made, {"documents"})
            for score in SHOWN.values():
                yield f"| {name} | {score} | {size} documents | {seen[score, 'documents']} | |"
    for groups in SIZES:
        group = np.repeat(np.arange(groups), EACH)
        made = partial(equal_systems, draw, len(group), USUAL, group)
        seen = rejected(draw, corpora, made, {"documents", "groups"}, group)
        for score in SHOWN.values():
            both = f"{seen[score, 'documents']} | {seen[score, 'groups']}"
            yield f"| F1 .78, in groups | {score} | {groups} groups | {both} |"


def equal_systems(
    draw: np.random.Generator, size: int, of: Population, group: Ints | None = None
) -> tuple[Counts, Counts]:
    """Return the counts of two systems that are equally good; groups suit one or the other."""
    drawn = documents_of(draw, size, of, group)
    out = []
    for _ in range(2):
        apart = 0.0 if group is None else draw.normal(0, APART, int(group.max()) + 1)[group][:, None]
        out.append(found(draw, drawn, apart))
    both = sum(predicted for _, predicted in out)
    doc, label = np.nonzero(drawn.gold + both)
    pairs = []
    for right, predicted in out:
        every = counts_of(drawn.gold, right, predicted)
        values = np.stack([side[doc, label] for side in (right, predicted, drawn.gold)])
        pairs.append(Counts(size, every.labels, every.columns, doc, label, values))
    return pairs[0], pairs[1]


def rejected(
    draw: np.random.Generator,
    corpora: int,
    made: Callable[[], tuple[Counts, Counts]],
    ways: set[str],
    group: Ints | None = None,
) -> dict[tuple[str, str], str]:
    """Return how often p is below 5 %, by score and by what changes sides."""
    below = {(score, by): 0 for score in SHOWN.values() for by in ways}
    for _ in range(corpora):
        one, other = made()
        for by in ways:
            keys = random_keys(draw, one.documents)
            keys = keys if by == "documents" or group is None else keys[: int(group.max()) + 1][group]
            tested = randomisation(one, other, RATES[1:], COUNTED, Policy(), keys, trials=TRIALS)
            for verdict in tested.verdicts:
                if verdict.row.average in SHOWN:
                    below[SHOWN[verdict.row.average], by] += verdict.p < 0.05
    out = {}
    for key, number in below.items():
        share = number / corpora
        out[key] = f"{100 * share:.1f} ± {100 * (share * (1 - share) / corpora) ** 0.5:.1f}"
    return out


PARTS = {"intervals": part_intervals, "groups": part_groups, "tests": part_tests}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all of them unless given")
    parser.add_argument("--corpora", type=int, default=4_000, metavar="N", help="corpora a row")
    parser.add_argument("--population", action="append", choices=NAMES, help="all of them unless given")
    parser.add_argument("--seed", type=int, default=20261118, metavar="N")
    args = parser.parse_args()
    for name in args.parts or PARTS:
        start = time.perf_counter()
        print(f"\n{name}: per cent ± standard error (mean width); {args.corpora:,} corpora a row\n")
        for line in PARTS[name](args.seed, args.corpora, args.population or NAMES):
            print(line, flush=True)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
