"""Results with less of the documents in them: without their spans, or without their counts too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spanscope.counts import Counts, sums_by_label
from spanscope.results.result import KEEPING, Keeping, Result
from spanscope.sides.emptied import without_spans
from spanscope.sides.fingerprint import fingerprint


def reduced(result: Result, kept: Keeping) -> Result:
    """Return a result that keeps no more than asked for: the figures stay, what is listed from the rest goes."""
    if KEEPING.index(kept) <= KEEPING.index(result.kept):
        return result
    gold = fingerprint(result.comparison) if result.gold is None else result.gold
    found = result.found
    if kept == "totals":
        found = replace(found, counts=tuple(map(_sums, found.counts)))
    found = replace(found, verdicts=None)
    return replace(result, found=found, comparison=without_spans(result.comparison), kept=kept, gold=gold)


def _sums(counts: Counts) -> Counts:
    """Return the sums by label, as if they were all of one document."""
    codes, sums = sums_by_label(counts)
    return replace(counts, doc=np.zeros(len(codes), dtype=np.int64), label=codes, values=sums.T.copy())
