"""How often a slice that is no different is called different: the tests of slices, simulated at 5 %.

Documents have difficulties of their own, so that spans of one document are not independent. Slices by a field deal
documents at random; slices of spans deal spans at random, or so that most of a document are in one slice.

    python benchmarks/coverage.py slices
"""

from __future__ import annotations

import numpy as np

from spanscope.arithmetic import Floats, Keys
from spanscope.counts import Counts, make
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.cells import deal
from spanscope.stats.slices import Sure, measure_slices, permutation
from spanscope.stats.slicings import Slicing, sum_slices
from spanscope.stats.sums import total_sums
from spanscope.stats.table import table

SURE = Sure(2, 0.95, 0, "percentile")  # intervals have no part in p
TRIALS = 1_000  # of a permutation: a tenth of those of `eval --by`, for p has the same distribution
F1 = (0.95, 0.8, 0.2)
SIZES = ((50, 0.2), (50, 0.5), (200, 0.1))  # documents, and the share of the slice
WAYS = {
    "field": "a field (permutation)",
    "spans": "spans, at random (t)",
    "by document": "spans, most of a document in one slice (t)",
}
RATE = next(one for one in COUNTED.rates() if one.name == "f1")
HOW = ((RATE,), COUNTED, Policy())


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
    keys = np.arange(documents, dtype=np.uint64) + np.uint64(int(random.integers(2**40)))
    return p_by_permutation(counts, keys, TRIALS) if how == "field" else p_of_slice(counts, keys, SURE)


def p_of_slice(counts: Counts, keys: Keys, sure: Sure) -> float:
    """Return p of slice a, as `eval --by` has it."""
    sums = sum_slices(Slicing("x", counts, counts), HOW, deal(keys))
    found = measure_slices([sums], HOW, RATE, sure)
    return next((one.p for one in found if one.name == "a"), float("nan"))


def p_by_permutation(counts: Counts, keys: Keys, trials: int) -> float:
    """Return p of slice a, where documents are sliced: that of `p_of_slice` but for the number of trials."""
    held = table([counts], *HOW, keys)
    own = held.named(total_sums(held).labels[:, 0, :, 0], 1)
    value = RATE(own)
    return float(permutation(held, RATE, value - value[::-1], 0, trials)[held.names.index("a")])


def tested(
    random: np.random.Generator, simulations: int, documents: int, share: float, f1: float, how: str
) -> Floats:
    """Return p of the corpora in which the slice is tested."""
    p = np.array([p_of(random, documents, share, f1, how) for _ in range(simulations)])
    return np.asarray(p[~np.isnan(p)])
