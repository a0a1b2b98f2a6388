"""How often a slice that is no different is called different: the tests of slices, simulated at 5 %.

Documents have difficulties of their own, so that spans of one document are not independent. Slices by a field deal
documents at random; slices of spans deal spans at random, or so that most of a document are in one slice.

    python benchmarks/slices.py [SIMULATIONS]
"""

from __future__ import annotations

import sys

import numpy as np

from spanscope.counts import make
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.cells import deal
from spanscope.stats.slices import Slicing, Sure, measure_slices

SURE = Sure(1000, 0.95, 0, "percentile")
RATE = next(one for one in COUNTED.rates() if one.name == "f1")


def p_of(random: np.random.Generator, documents: int, share: float, f1: float, how: str) -> float:
    """Return p of one corpus in which slice a is as good as the rest."""
    spans = 1 + random.poisson(7, documents)
    doc = np.repeat(np.arange(documents), spans)
    able = random.beta(8 * f1, 8 * (1 - f1), documents)[doc]
    if how == "field":
        own = (random.permutation(documents) < round(share * documents))[doc]
    else:
        often = np.full(documents, share) if how == "spans" else random.beta(share, 1 - share, documents)
        own = random.random(len(doc)) < often[doc]
    right = random.random(len(doc)) < able
    extra = random.random(len(doc)) < 1 - able
    place = doc * 2 + own
    used, at = np.unique(place, return_inverse=True)
    columns = {
        name: np.bincount(at, weights=values, minlength=len(used)).astype(np.int64)
        for name, values in (("tp", right), ("pred", right * 1 + extra), ("gold", np.ones(len(doc))))
    }
    counts = make(documents, ("rest", "a"), used // 2, used % 2, columns)
    dealt = deal(np.arange(documents, dtype=np.uint64) + np.uint64(int(random.integers(2**40))))
    found = measure_slices([Slicing("x", counts, counts)], (COUNTED.rates(), COUNTED, Policy()), RATE, dealt, SURE)
    return next((one.p for one in found if one.name == "a"), float("nan"))


def main(simulations: int) -> None:
    """Print the share of p below 5 % of every population."""
    print(f"{'slices':<22}{'documents':>10}{'share':>7}{'F1':>6}{'p < .05':>9}{'tested':>8}")
    for how in ("spans", "spans, by document", "field"):
        for documents, share in ((50, 0.2), (50, 0.5), (200, 0.1)):
            for f1 in (0.95, 0.8, 0.2):
                random = np.random.default_rng(20)
                p = np.array([p_of(random, documents, share, f1, how) for _ in range(simulations)])
                told = p[~np.isnan(p)]
                wrong = (told < 0.05).mean() if len(told) else float("nan")
                print(f"{how:<22}{documents:>10}{share:>7}{f1:>6}{wrong:>9.3f}{len(told):>8}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
