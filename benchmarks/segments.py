"""How fast segmentations are scored: Spanscope beside segeval, NLTK and mir_eval.

    python benchmarks/segments.py                       # 10,000 documents x 2,000 characters x about 20 segments
    python benchmarks/segments.py --documents 2000 --only nltk --only spanscope

Every tool starts from what its users hold: segeval from masses, NLTK from gap strings, mir_eval from intervals,
Spanscope from its columns (read before the clock starts), and once more from lists of documents, reading included.
Slow tools run on the first documents and are extrapolated; so is said. The exit code is 1 when a tool failed or
its mean figures are not those of the plain sweep over windows that this file contains.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clock import Case, Job, Tool, environment, finish, options, run_all, show_documents

from spanscope import Scoring

UNITS = 2_000
SEED = 20261116
Cuts = list[int]


@dataclass(frozen=True)
class Pair:
    """One document: gold and predicted boundaries."""

    gold: Cuts
    pred: Cuts


def corpus(documents: int) -> list[Pair]:
    """Make segmentations with about 20 segments: most boundaries found, some a little off, some missed or new."""
    draw = random.Random(SEED)
    pairs = []
    for _ in range(documents):
        gold = sorted(draw.sample(range(1, UNITS), draw.randint(14, 24)))
        kept = [b for b in gold if draw.random() < 0.6]
        moved = [min(max(b + draw.randint(-8, 8), 1), UNITS - 1) for b in gold if draw.random() < 0.25]
        new = draw.sample(range(1, UNITS), draw.randint(0, 6))
        pairs.append(Pair(gold, sorted({*kept, *moved, *new})))
    return pairs


def masses(cuts: Cuts) -> tuple[int, ...]:
    """Return the lengths of the segments."""
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, UNITS], strict=True))


def window(gold: Cuts) -> int:
    """Return half the mean gold segment, rounded half to even."""
    return max(2, round(UNITS / (len(gold) + 1) / 2))


def swept(pair: Pair) -> tuple[float, float]:
    """Return Pk and WindowDiff by a plain walk over all windows: slow, and right."""
    k = window(pair.gold)
    counts = []
    for cuts in (pair.gold, pair.pred):
        before = [0] * (UNITS + 1)
        for b in cuts:
            before[b] += 1
        for i in range(1, UNITS + 1):
            before[i] += before[i - 1]
        counts.append(before)
    gold, pred = counts
    pk = wd = 0
    for i in range(UNITS - k):
        a, b = gold[i + k] - gold[i], pred[i + k] - pred[i]
        pk += (a > 0) != (b > 0)
        wd += a != b
    return pk / (UNITS - k), wd / (UNITS - k)


def mean(values: Sequence[float]) -> float:
    """Return the mean."""
    return float(sum(values) / len(values))


def segeval(number: int, _: Path) -> Job:
    """Do what its users do: Pk, WindowDiff and boundary similarity of masses."""
    import segeval

    given = [(masses(pair.pred), masses(pair.gold)) for pair in corpus(number)]

    def work() -> list[tuple[float, float]]:
        out = []
        for pred, gold in given:
            out.append((float(segeval.pk(pred, gold)), float(segeval.window_diff(pred, gold))))
            segeval.boundary_similarity(pred, gold)
        return out

    return Job(work, _figures)


def nltk(number: int, _: Path) -> Job:
    """Give Pk and WindowDiff the window: the default is wrong. Strings are made before the clock starts."""
    from nltk.metrics.segmentation import pk, windowdiff

    given = []
    for pair in corpus(number):
        strings = []
        for cuts in (pair.gold, pair.pred):
            at = set(cuts)
            strings.append("".join("1" if i in at else "0" for i in range(1, UNITS)))
        given.append((strings[0], strings[1], window(pair.gold)))
    return Job(lambda: [(pk(g, p, k=k), windowdiff(g, p, k)) for g, p, k in given], _figures)


def mir_eval(number: int, _: Path) -> Job:
    """Find boundaries within 3 units, one for one."""
    import numpy as np
    from mir_eval.segment import detection

    given = []
    for pair in corpus(number):
        edges = [np.array([0, *cuts, UNITS], dtype=float) for cuts in (pair.gold, pair.pred)]
        given.append([np.stack((e[:-1], e[1:]), axis=1) for e in edges])
    return Job(lambda: [detection(g, p, window=3, trim=True) for g, p in given], lambda _: {})


def documents_of(number: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return gold and predictions as lists of documents."""
    pairs = corpus(number)
    gold, pred = (
        [{"id": i, "length": UNITS, "boundaries": getattr(pair, side)} for i, pair in enumerate(pairs)]
        for side in ("gold", "pred")
    )
    return gold, pred


def spanscope(number: int, _: Path) -> Job:
    """Run all measures of the default protocol on columns: join, count, rates and means."""
    from spanscope.commands.evaluate import score_sides
    from spanscope.engines.load import load_sides
    from spanscope.settings.run_settings import Input
    from spanscope.settings.settle import settle

    settings = settle(None, "segments")
    sides = [load_sides(source, "side", settings)[""] for source in documents_of(number)]
    about = (Input.of(None, sides[0]), Input.of(None, sides[1]))
    return Job(lambda: score_sides(sides[0], sides[1], settings, about, errors=False), _means)


def spanscope_lists(number: int, _: Path) -> Job:
    """Do the same from lists of documents, checking and reading included."""
    from spanscope import evaluate

    gold, pred = documents_of(number)
    return Job(lambda: evaluate(gold, pred, protocol="segments", score=Scoring(errors=False), ci=False), _means)


def _figures(values: list[tuple[float, float]]) -> dict[str, float]:
    return {"pk": mean([pk for pk, _ in values]), "window_diff": mean([wd for _, wd in values])}


def _means(result: Any) -> dict[str, float]:
    return {
        name: result.value(rate=name, measure=f"segments.{name}", average="document")
        for name in ("pk", "window_diff")
    }


def _case(name: str, package: str, did: str, prepare: Callable[[int, Path], Job], most: int = 10**9) -> Case:
    return Case(Tool(name, package, did, prepare, "spanscope", peer=most < 10**9), most)  # type: ignore[arg-type]


CASES = [
    _case("segeval", "segeval", "masses: Pk, WindowDiff, B", segeval, 40),
    _case("nltk", "nltk", "gap strings: Pk, WindowDiff", nltk, 1_000),
    _case("mir_eval", "mir_eval", "intervals: detection within 3", mir_eval, 2_000),
    _case("spanscope", "spanscope", "columns: all 11 measures of the protocol", spanscope),
    _case("spanscope-lists", "spanscope", "lists of documents: the same, and reading", spanscope_lists),
]


def agree(records: Sequence[dict[str, Any]], documents: int) -> str:
    """Hold what tools gave against ours on the same documents, and ours against the sweep on a few hundred."""
    small = min(documents, 300)
    right = _figures([swept(pair) for pair in corpus(small)])
    wrong = [facts["tool"] for facts in records if facts["failed"]]
    ours = {number: _ours(number) for number in {small, *(facts.get("documents", small) for facts in records)}}
    wrong += [key for key in right if abs(ours[small][key] - right[key]) > 1e-9]
    for facts in records:
        for key, value in (facts.get("figures") or {}).items():
            if abs(value - ours[facts["documents"]][key]) > 1e-9:
                wrong.append(f"{facts['tool']} {key}")
    return f"FAILURES: {', '.join(wrong)}" if wrong else "Pk and WindowDiff as a plain sweep gives them, to 1e-9"


def _ours(number: int) -> dict[str, float]:
    job = spanscope(number, Path())
    return job.figures(job.work())


def main() -> int:
    """Run the chosen tools one after the other, then print."""
    args = options(__doc__, CASES)
    pairs = corpus(args.documents)
    boundaries = sum(len(pair.gold) for pair in pairs), sum(len(pair.pred) for pair in pairs)
    print(f"{args.documents:,} documents of {UNITS:,} characters")
    print(f"{boundaries[0]:,} gold and {boundaries[1]:,} predicted boundaries")
    print(f"best of {args.repeat} runs, or of as many as fit into a second")
    facts = environment(dict.fromkeys([*(case.tool.package for case in CASES), "numpy"]))
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    records = run_all(CASES, args)
    show_documents(records, "spanscope", "Segmentations")
    return finish(args, facts, records, agree(records, args.documents))


if __name__ == "__main__":
    sys.exit(main())
