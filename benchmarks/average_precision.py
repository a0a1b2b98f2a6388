"""How often intervals of average precision hold the figure of the population: simulated, seeded, some minutes.

    python benchmarks/average_precision.py [CORPORA]

Documents differ in how hard they are, so their spans succeed and fail together; scores are informative and not
calibrated, with two decimals, so that many are equal.
"""

import sys

import numpy as np

from spanscope.arithmetic import ratio
from spanscope.measures.spans.average_precision import Ranked, average_precision
from spanscope.stats.weighed import intervals_of_weighed

POPULATION = 300_000  # documents from which the true figure is read
SIZES = (20, 50, 100)


def corpus(rng: np.random.Generator, documents: int) -> Ranked:
    """Return the predictions of a random corpus, about four gold spans a document."""
    ease = rng.beta(4, 1.5, documents)
    gold = np.repeat(np.arange(documents), rng.poisson(4, documents))
    found = gold[rng.random(len(gold)) < ease[gold]]
    wrong = np.repeat(np.arange(documents), rng.poisson(4.8 * (1 - ease)))
    hit = np.arange(len(found) + len(wrong)) < len(found)
    score = np.round(np.clip(rng.normal(np.where(hit, 0.75, 0.5), 0.2), 0, 1), 2).astype(np.float64)
    none = np.zeros(len(hit), dtype=np.int64)
    return Ranked(np.concatenate((found, wrong)), none, score, hit, gold, np.zeros_like(gold))


def covers(rng: np.random.Generator, documents: int, truth: float) -> bool:
    """Tell whether the interval of one corpus holds the true figure."""
    found = corpus(rng, documents)
    value = average_precision(found)
    keys = rng.integers(0, 2**63, documents).astype(np.uint64)
    (interval,) = intervals_of_weighed(
        value,
        lambda weights: average_precision(found, weights)[None],
        keys,
        np.array([documents]),
        len(found.score),
        resamples=500,
        level=0.95,
        seed=0,
        method="percentile",
    )
    return interval.low <= truth <= interval.high


def main(corpora: int = 1000) -> None:
    """Print the coverage by number of documents."""
    truth = float(average_precision(corpus(np.random.default_rng(0), POPULATION))[0])
    print(f"average precision of the population: {truth:.4f}")
    for documents in SIZES:
        rng = np.random.default_rng(documents)
        share = ratio(sum(covers(rng, documents, truth) for _ in range(corpora)), corpora)
        print(f"{documents:4} documents   {100 * float(share):.1f} % of {corpora:,} intervals hold it", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
