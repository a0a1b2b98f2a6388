"""Simulated populations of documents whose true figures are known, to a corpus of 4 million documents.

Documents differ in length (gamma) and in how easy they are (beta), so that errors cluster in them; five labels
share the spans 50 : 25 : 15 : 7 : 3, six in a mean document, and the rarer a label the harder it is. Where there
are groups, documents of one are about equally easy. Counts are drawn, not texts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, Keys
from spanscope.counts import Counts
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy, scores
from spanscope.stats.table import Row

MIX = np.array([0.5, 0.25, 0.15, 0.07, 0.03])
HARD = np.array([0.7, 1.0, 1.2, 1.5, 2.0])  # powers of a document's ease: the rarer a label, the harder
SPANS, SHAPE = 6.0, 1.5  # mean and shape of the spans in a document
SPURIOUS = 0.8
WITHIN = 20.0  # how alike documents of a group are: the sum of the shapes of their beta distribution
LABELS = tuple("ABCDE")
COLUMNS = ("tp", "pred", "gold")
RATES = COUNTED.rates()[1:]  # recall and F1


class Population(NamedTuple):
    """How easy its documents are: the shapes of a beta distribution."""

    easy: float
    hard: float


POPULATIONS = {
    "F1 .98": Population(50.0, 1.15),
    "F1 .83": Population(8.0, 1.9),
    "F1 .78": Population(6.0, 2.0),
    "F1 .07": Population(0.25, 4.8),
}
USUAL = POPULATIONS["F1 .78"]


def corpus(
    draw: np.random.Generator,
    documents: int,
    of: Population = USUAL,
    group: Ints | None = None,
    better: float | Floats = 0.0,
) -> Counts:
    """Return the counts of a simulated corpus; `group` is the number of the group of every document."""
    drawn = documents_of(draw, documents, of, group)
    return counts_of(drawn.gold, *found(draw, drawn, better))


class Documents(NamedTuple):
    """Documents before a system reads them: expected and true gold spans by label, and how easy they are."""

    expected: Floats
    gold: Ints
    ease: Floats


def documents_of(draw: np.random.Generator, number: int, of: Population, group: Ints | None = None) -> Documents:
    """Return simulated documents."""
    expected = draw.gamma(SHAPE, SPANS / SHAPE, number)[:, None] * MIX
    if group is None:
        ease = draw.beta(*of, number)[:, None]
    else:
        mean = np.clip(draw.beta(*of, int(group.max()) + 1)[group], 1e-6, 1 - 1e-6)
        ease = draw.beta(mean * WITHIN, (1 - mean) * WITHIN)[:, None]
    gold = draw.poisson(expected)
    return Documents(expected, gold, ease)


def found(draw: np.random.Generator, drawn: Documents, better: float | Floats = 0.0) -> tuple[Ints, Ints]:
    """Return what a system finds, and what it predicts, in every document by label.

    `better` is by how much it is better than others: added to the log odds of the ease of every document.
    """
    odds = drawn.ease / np.maximum(1 - drawn.ease, 1e-12) * np.exp(better)
    ease = np.where(better == 0, drawn.ease, odds / (1 + odds))
    right = draw.binomial(drawn.gold, ease**HARD)
    return right, right + draw.poisson(drawn.expected * (1 - ease) * SPURIOUS)


def counts_of(gold: Ints, right: Ints, predicted: Ints) -> Counts:
    """Return counts from arrays, documents by labels."""
    doc, label = np.nonzero(gold + predicted)
    values = np.stack([side[doc, label] for side in (right, predicted, gold)]).astype(np.int64)
    return Counts(len(gold), LABELS, COLUMNS, doc, label, values)


def random_keys(draw: np.random.Generator, number: int) -> Keys:
    """Return keys as those of documents are: no two corpora have the same weights."""
    return np.sort(draw.integers(0, 2**63, number).astype(np.uint64))


def truth(
    draw: np.random.Generator,
    of: Population,
    group: Ints | None = None,
    parts: int = 20,
    size: int = 200_000,
    better: float | Floats = 0.0,
) -> dict[Row, float]:
    """Return the figures of a corpus so large that its own error does not matter."""
    every = [
        scores("", corpus(draw, size, of, group, better), RATES, COUNTED, Policy(LABELS)) for _ in range(parts)
    ]
    each = zip(*every, strict=True)
    return {Row(own[0].rate, own[0].average, own[0].label): float(np.mean([s.value for s in own])) for own in each}
