"""Results with less of the documents in them: without their spans, or without their counts too."""

from __future__ import annotations

from dataclasses import replace

from spanscope.results.result import KEEPING, Keeping, Result
from spanscope.sides.emptied import without_spans
from spanscope.sides.fingerprint import fingerprint
from spanscope.stats.cells import deal
from spanscope.stats.counted import Totals, total_of


def reduce_to(result: Result, kept: Keeping) -> Result:
    """Return a result that keeps no more than asked for: the figures stay, what is listed from the rest goes."""
    if KEEPING.index(kept) <= KEEPING.index(result.kept):
        return result
    gold = fingerprint(result.comparison) if result.gold is None else result.gold
    found, left = replace(result.found, verdicts=None), None
    if kept == "totals":
        left = _totals(result)
        found = replace(found, counts=tuple(left.counts))
    comparison = without_spans(result.comparison)
    return replace(result, found=found, comparison=comparison, kept=kept, gold=gold, left=left)


def _totals(result: Result) -> Totals:
    """Return what scores, intervals and tests need, and nothing of single documents."""
    dealt = deal(result.comparison.drawn_keys())
    resamples = None if result.settings.ci is None else result.settings.ci.resamples
    pairs = zip(result.measures, result.tables, strict=True)
    return Totals([total_of(table, result.settings.how(one), dealt, resamples) for one, table in pairs])
