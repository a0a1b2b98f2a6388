"""How often tests at 5 % see differences between equal systems: documents, groups, several files, slices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import slices
from populations import (
    LABELS,
    POPULATIONS,
    RATES,
    USUAL,
    Population,
    counts_of,
    documents_of,
    found,
    random_keys,
    truth,
)
from scipy.special import ndtri  # quantiles of the normal distribution

from spanscope.arithmetic import Ints
from spanscope.counts import Counts
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.cells import deal, fold
from spanscope.stats.power import Plan, documents_needed, plan
from spanscope.stats.repeats import intervals_of_mean, judge, variation_of
from spanscope.stats.significance import randomisation
from spanscope.stats.table import Row, table

SIZES = (20, 50, 100)
SHOWN = {"micro": "micro F1", "macro": "macro F1", "document": "mean over documents of F1"}
RESAMPLES, TRIALS = 1_000, 1_000
EACH = 10  # documents in a group
APART = 0.7  # standard deviation of what a group is easier for one system than for another, in log odds
F1 = RATES[1:]
PILOTS, DETECT = (30, 100, 300), 0.02
FILES = (  # documents, files of each system, what micro F1 varies by with the seed, do systems differ by document
    *((documents, files, 0.02, True) for files in ((3, 3), (5, 5)) for documents in (50, 100, 200)),
    *((100, files, 0.02, True) for files in ((2, 2), (3, 5))),
    *((100, (3, 3), deviation, True) for deviation in (0.0, 0.05)),
    *((documents, (3, 3), 0.02, False) for documents in (50, 100, 200)),
)


def share_of(number: int, of: int) -> str:
    """Return a share in per cent with its standard error."""
    share = number / of
    return f"{100 * share:.1f} ± {100 * (share * (1 - share) / of) ** 0.5:.1f}"


# ---------------------------------------------------------------- one file of each system


def part_tests(seed: int, corpora: int, names: Sequence[str]) -> Iterator[str]:
    """Print how often a paired test finds two equal systems different at 5 %."""
    yield "| two equal systems | score | units | documents drawn | groups drawn |"
    yield "| --- | --- | --: | --: | --: |"
    for name in names:
        for size in SIZES:
            made = partial(equal_systems, np.random.default_rng([seed, size]), size, POPULATIONS[name])
            seen = rejected(np.random.default_rng(seed), corpora, made, {"documents"})
            for score in SHOWN.values():
                yield f"| {name} | {score} | {size} documents | {seen[score, 'documents']} | |"
    for groups in SIZES:
        group = np.repeat(np.arange(groups), EACH)
        made = partial(equal_systems, np.random.default_rng([seed, groups]), len(group), USUAL, group)
        seen = rejected(np.random.default_rng(seed), corpora, made, {"documents", "groups"}, group)
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
            tested = randomisation(one, other, F1, COUNTED, Policy(), keys, trials=TRIALS)
            for verdict in tested.verdicts:
                if verdict.row.average in SHOWN:
                    below[SHOWN[verdict.row.average], by] += verdict.p < 0.05
    return {key: share_of(number, corpora) for key, number in below.items()}


# ---------------------------------------------------------------- several files of each system


class Process(NamedTuple):
    """How files of a system come about: by how much seeds differ, and systems on single documents, in log odds."""

    seeds: float
    apart: float


def part_files(seed: int, corpora: int, _: Sequence[str]) -> Iterator[str]:
    """Print how often two equal processes are told apart, and how often the interval of a mean holds the truth."""
    heads = ("documents", "files", "seeds vary by", "systems differ by document", "score", "one file of each")
    yield f"| {' | '.join((*heads, 'all files', 'interval of the mean'))} |"
    yield "| --: | --: | --: | --- | --- | --: | --: | --: |"
    known = np.random.default_rng(seed)
    slope = slope_of_micro(known, USUAL)
    processes = [Process(deviation / slope, APART if differ else 0.0) for _, _, deviation, differ in FILES]
    truths = {process: truth_of_process(known, process) for process in dict.fromkeys(processes)}
    for at, process in enumerate(processes):
        yield from lines_of_files(at, np.random.default_rng([seed, at]), corpora, process, truths[process])


def lines_of_files(
    at: int, draw: np.random.Generator, corpora: int, process: Process, true: dict[Row, float]
) -> Iterator[str]:
    """Return the lines of one entry of `FILES`."""
    documents, files, deviation, differ = FILES[at]
    single, several, held = (dict.fromkeys(SHOWN, 0) for _ in range(3))
    for _one in range(corpora):
        _try(draw, documents, files, process, true, (single, several, held))
    for average, score in SHOWN.items():
        told = " | ".join(share_of(own[average], corpora) for own in (single, several, held))
        head = f"{documents} | {files[0]}, {files[1]} | {deviation:g} | {'yes' if differ else 'no'}"
        yield f"| {head} | {score} | {told} |"


def slope_of_micro(draw: np.random.Generator, of: Population) -> float:
    """Return by how much micro F1 grows with the log odds of the ease of documents."""
    drawn = documents_of(draw, 400_000, of)

    def micro(better: float) -> float:
        right, predicted = found(draw, drawn, better)
        return float(2 * right.sum() / (predicted.sum() + drawn.gold.sum()))

    return (micro(0.1) - micro(-0.1)) / 0.2


def truth_of_process(draw: np.random.Generator, of: Process) -> dict[Row, float]:
    """Return the mean figures of a process, over its documents and over seeds that are as lucky as they come."""
    size, seeds = 20_000, of.seeds * ndtri((np.arange(100) + 0.5) / 100)
    each = [
        truth(draw, USUAL, parts=1, size=size, better=draw.normal(luck, of.apart, (size, 1))) for luck in seeds
    ]
    return {row: float(np.mean([one[row] for one in each])) for row in each[0]}


def _try(
    draw: np.random.Generator,
    documents: int,
    files: tuple[int, int],
    process: Process,
    true: dict[Row, float],
    into: tuple[dict[str, int], ...],
) -> None:
    """Draw a corpus and two equal systems, and count what tests and intervals say."""
    drawn, keys = documents_of(draw, documents, USUAL), random_keys(draw, documents)
    counts = []
    for number in files:
        own = draw.normal(0, process.apart, (documents, 1))
        each = [found(draw, drawn, own + draw.normal(0, process.seeds)) for _ in range(number)]
        counts.append([counts_of(drawn.gold, *one) for one in each])
    how = (F1, COUNTED, Policy(LABELS))
    tables = [[table([one], *how, keys) for one in own] for own in counts]
    alone = judge(variation_of([own[:1] for own in tables], RESAMPLES, 0), 0.95)
    together = judge(variation_of(tables, RESAMPLES, 0), 0.95)
    between = intervals_of_mean(variation_of(tables[:1], RESAMPLES, 0), tables[0], 0.95)
    single, several, held = into
    for at, row in enumerate(tables[0][0].rows()):
        if row.average in SHOWN:
            single[row.average] += int(alone.p[at] < 0.05)
            several[row.average] += int(together.p[at] < 0.05)
            held[row.average] += between[at].low <= true[row] <= between[at].high


# ---------------------------------------------------------------- slices


def part_slices(seed: int, corpora: int, _: Sequence[str]) -> Iterator[str]:
    """Print how often a slice that is as good as the rest is called different."""
    heads = [f"F1 {f1:g}".replace("0.", ".") for f1 in slices.F1]
    yield f"| slices | documents | share of the slice | {' | '.join(heads)} |"
    yield "| --- | --: | --: |" + " --: |" * len(heads)
    for how, words in slices.WAYS.items():
        for documents, share in slices.SIZES:
            cells = []
            for f1 in slices.F1:
                p = slices.tested(np.random.default_rng(seed), corpora, documents, share, f1, how)
                cells.append(share_of(int((p < 0.05).sum()), len(p)) if len(p) > corpora / 10 else "-")
            yield f"| {words} | {documents} | {100 * share:.0f} % | {' | '.join(cells)} |"


# ---------------------------------------------------------------- plans


def part_plans(seed: int, corpora: int, _: Sequence[str]) -> Iterator[str]:
    """Print how often the interval of a plan from two pilots holds the number of documents it truly takes."""
    yield "| documents of the pilots | score | interval holds | mean of bounds / truth |"
    yield "| --: | --- | --: | --: |"
    draw = np.random.default_rng(seed)
    shown = ("micro", "document")
    true = {average: _spread_of_differences(draw, average) for average in shown}
    for documents in PILOTS:
        for average in shown:
            held, ends = 0, np.zeros(2)
            for _one in range(corpora):
                found_ = _plan_of_pilots(draw, documents, average)
                low, high = (end or np.inf for end in (found_.low, found_.high))
                need = _needed(true[average])
                held += low <= need <= high
                ends += np.array([low, high]) / need / corpora
            yield f"| {documents} | {SHOWN[average]} | {share_of(held, corpora)} | {ends[0]:.2f}, {ends[1]:.2f} |"


def _plan_of_pilots(draw: np.random.Generator, documents: int, average: str) -> Plan:
    """Return the plan from two pilots that differ from document to document."""
    drawn, dealt = documents_of(draw, documents, USUAL), deal(random_keys(draw, documents))
    how = (F1, COUNTED, Policy(LABELS))
    sides = (found(draw, drawn, draw.normal(0, APART, (documents, 1))) for _ in range(2))
    cells = [fold(counts_of(drawn.gold, *side), *how, dealt) for side in sides]
    return plan(cells[0], documents, *how, rate="f1", detect=DETECT, other=cells[1], average=average)


def _spread_of_differences(draw: np.random.Generator, average: str) -> float:
    """Return the standard error of the difference times the root of the number of documents, of a large corpus."""
    each = [_plan_of_pilots(draw, 4_000, average).difference_error for _ in range(50)]
    return float(np.sqrt(np.mean(np.square(each)) * 4_000))


def _needed(spread: float) -> int:
    return documents_needed(spread, 1, DETECT)
