"""Simulated counts (benchmarks/populations.py) give the figures of the same corpora as spans, scored in full."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from benchmarks import slices
from benchmarks.populations import LABELS, RATES, USUAL, counts_of, documents_of, found
from spanscope.arithmetic import Ints, Keys, keys_of
from spanscope.counts import Counts
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import intervals
from spanscope.stats.repeats import judge, variation_of
from spanscope.stats.significance import randomisation
from spanscope.stats.slices import TRIALS
from spanscope.stats.slicings import slice_documents
from spanscope.stats.table import table

DOCUMENTS = 40
Documents = list[dict[str, Any]]


def spans_of(counts: Ints, first: int, label: str) -> list[dict[str, Any]]:
    return [{"start": first + n, "end": first + n + 1, "label": label} for n in range(counts)]


def documents_with(spans: list[list[dict[str, Any]]]) -> Documents:
    return [{"id": f"d{n}", "spans": own} for n, own in enumerate(spans)]


def files_of(name: str, systems: list[Documents], tmp_path: Path) -> tuple[str, list[str]]:
    """Return a system with several files."""
    paths = [tmp_path / f"{name}{n}.jsonl" for n in range(len(systems))]
    for path, documents in zip(paths, systems, strict=True):
        path.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    return name, [str(path) for path in paths]


@pytest.fixture(scope="module")
def drawn() -> tuple[Documents, list[Documents], list[Counts], Keys]:
    """Return gold and four systems as documents, and the counts of the systems."""
    draw = np.random.default_rng(5)
    corpus = documents_of(draw, DOCUMENTS, USUAL)
    gold: list[list[dict[str, Any]]] = []
    for row in corpus.gold.tolist():
        gold.append([span for at, n in enumerate(row) for span in spans_of(n, 1000 * at, LABELS[at])])
    systems, counts = [], []
    for _ in range(4):
        right, predicted = found(draw, corpus, draw.normal(0, 0.7, (DOCUMENTS, 1)))
        pred = []
        for own, every in zip(right.tolist(), predicted.tolist(), strict=True):
            hits = [span for at, n in enumerate(own) for span in spans_of(n, 1000 * at, LABELS[at])]
            spurious = [n - r for n, r in zip(every, own, strict=True)]
            pred.append(
                [*hits, *(s for at, n in enumerate(spurious) for s in spans_of(n, 1000 * at + 500, LABELS[at]))]
            )
        systems.append(documents_with(pred))
        counts.append(counts_of(corpus.gold, right, predicted))
    return documents_with(gold), systems, counts, keys_of([f"d{n}" for n in range(DOCUMENTS)])


def test_intervals_of_counts_are_those_of_spans(
    drawn: tuple[Documents, list[Documents], list[Counts], Keys],
) -> None:
    gold, systems, counts, keys = drawn
    rows = spanscope.evaluate(gold, systems[0], "spans.exact").rows
    whole = {(row.rate, row.average, row.label): (row.low, row.high) for row in rows}
    held = table([counts[0]], RATES, COUNTED, Policy(), keys).rows()
    made = intervals(counts[0], RATES, COUNTED, Policy(), keys)
    assert len(made) == 2 * (4 + len(LABELS))
    for row, one in zip(held, made, strict=True):
        assert whole[tuple(row)] == (one.low, one.high), row


def test_p_of_counts_is_that_of_spans(
    drawn: tuple[Documents, list[Documents], list[Counts], Keys], tmp_path: Path
) -> None:
    gold, systems, counts, keys = drawn
    pairs = spanscope.compare(gold, ("a", systems[0]), ("b", systems[1]), measures="spans.exact")
    own = randomisation(counts[0], counts[1], RATES, COUNTED, Policy(), keys)
    assert {(one.row.rate, one.row.average): one.p for one in own.verdicts if one.row.label is None} == {
        (rate.name, average): pairs.value(rate.name, average=average).p
        for rate in RATES
        for average in ("micro", "macro", "weighted", "document")
    }
    several = files_of("a", systems[:2], tmp_path), files_of("b", systems[2:], tmp_path)
    files = spanscope.compare(gold, *several, measures="spans.exact")
    tables = [table([one], RATES, COUNTED, Policy(), keys) for one in counts]
    judged = judge(variation_of([tables[:2], tables[2:]], 1_000, 0), 0.95)
    micro = tables[0].rows().index(("f1", "micro", None))
    assert files.value("f1").p == judged.p[micro]


def test_p_of_a_slice_by_permutation_is_that_of_the_whole_way(
    drawn: tuple[Documents, list[Documents], list[Counts], Keys],
) -> None:
    _, _, counts, keys = drawn
    code = np.arange(DOCUMENTS) % 3 // 2
    sliced = slice_documents("x", counts[0], counts[0], ("rest", "a"), code)
    made = slices.p_of_slice(sliced.read, keys, slices.SURE)
    assert made == slices.p_by_permutation(sliced.read, keys, TRIALS) < 1
