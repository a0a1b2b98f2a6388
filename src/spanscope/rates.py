"""Rates: numbers read from sums of counts, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import itemgetter
from typing import NamedTuple, Protocol

import numpy as np

from spanscope.arithmetic import Bools, Floats, ratio

Sums = Mapping[str, Floats]


class Rate(NamedTuple):
    """A named function of column sums, with its best value.

    `trials` says of how many trials the rate is a share; it is None for rates that may be below 0 or above 1.
    """

    name: str
    of: Callable[[Sums], Floats]
    best: float = 1.0
    trials: Callable[[Sums], Floats] | None = None

    def __call__(self, sums: Sums) -> Floats:
        return self.of(sums)


class RateSet(Protocol):
    """The rates of a measure, read from the sums of its columns. Families with other counts bring their own."""

    def rates(self, beta: float = 1.0, *, harmonic: bool = False) -> tuple[Rate, ...]:
        """Return the rates, in the order of a report."""

    def weight(self, sums: Sums) -> Floats:
        """Return what a label weighs in a weighted average."""

    def empty(self, sums: Sums) -> Bools:
        """Tell where both sides were empty: there a mean over documents takes a rate's best value."""


class FoundRates(NamedTuple):
    """Precision, recall and F from what was found, among what was predicted, among gold."""

    tp: Callable[[Sums], Floats]
    pred: Callable[[Sums], Floats]
    gold: Callable[[Sums], Floats]

    def rates(self, beta: float = 1.0, *, harmonic: bool = False) -> tuple[Rate, ...]:
        """Return precision, recall, F1, and F-beta where beta is not 1."""
        return _rates_found(self, beta, harmonic)

    def weight(self, sums: Sums) -> Floats:
        """Return the gold support."""
        return self.gold(sums)

    def empty(self, sums: Sums) -> Bools:
        """Tell where there is neither gold nor a prediction."""
        return np.asarray((self.gold(sums) == 0) & (self.pred(sums) == 0))


@cache  # rates are asked for again and again
def _rates_found(found: FoundRates, beta: float, harmonic: bool) -> tuple[Rate, ...]:
    f = f_harmonic if harmonic else f_beta
    rates = (precision(found), recall(found), f(found))
    return rates if beta == 1.0 else (*rates, f(found, beta))


class TwoSidedRates(NamedTuple):
    """Precision and recall with a count of their own each, where one item may answer for several others.

    Columns `found`_pred among `pred`, `found`_gold among `gold`; F is the harmonic mean of the two.
    """

    found: str = "near"

    def rates(self, beta: float = 1.0, *, harmonic: bool = False) -> tuple[Rate, ...]:  # noqa: ARG002
        """Return precision, recall, F1, and F-beta where beta is not 1."""
        found_pred, found_gold = f"{self.found}_pred", f"{self.found}_gold"
        rates = (
            share("precision", found_pred, "pred"),
            share("recall", found_gold, "gold"),
            _f_two_sided(self.found, 1.0),
        )
        return rates if beta == 1.0 else (*rates, _f_two_sided(self.found, beta))

    def weight(self, sums: Sums) -> Floats:
        """Return the gold support."""
        return sums["gold"]

    def empty(self, sums: Sums) -> Bools:
        """Tell where there is neither gold nor a prediction."""
        return no_boundary(sums)


class NamedRates(NamedTuple):
    """Rates given one by one, over columns among which are `gold` and `pred`: how much each side has.

    `perfect` says that a document with nothing on both sides counts as perfect in a mean over documents; `f` makes
    the F of a beta, where a measure has one.
    """

    named: tuple[Rate, ...]
    perfect: bool = True
    f: Callable[[float], Rate] | None = None

    def rates(self, beta: float = 1.0, *, harmonic: bool = False) -> tuple[Rate, ...]:  # noqa: ARG002
        """Return the rates."""
        return self.named if self.f is None else (*self.named, self.f(beta))

    def weight(self, sums: Sums) -> Floats:
        """Return the gold support."""
        return sums["gold"]

    def empty(self, sums: Sums) -> Bools:
        """Tell where both sides are empty."""
        return no_boundary(sums) & self.perfect


def no_boundary(sums: Sums) -> Bools:
    """Tell where both sides have nothing: in the segments family, no boundary."""
    return np.asarray((sums["gold"] == 0) & (sums["pred"] == 0))


def hits_and_errors(rate_set: RateSet, counts: Mapping[str, float]) -> tuple[float, float, float] | None:
    """Return true positives, false positives and false negatives, where counts have them.

    Where precision and recall count what they found apart, true positives are the gold items that were found.
    """
    sums = {name: np.array([float(number)]) for name, number in counts.items()}
    if isinstance(rate_set, FoundRates):
        tp, pred, gold = (float(of(sums)[0]) for of in (rate_set.tp, rate_set.pred, rate_set.gold))
        return tp, pred - tp, gold - tp
    if isinstance(rate_set, TwoSidedRates):
        found, right = counts[f"{rate_set.found}_gold"], counts[f"{rate_set.found}_pred"]
        return found, counts["pred"] - right, counts["gold"] - found
    return (counts["tp"], counts["fp"], counts["fn"]) if {"tp", "fp", "fn"} <= counts.keys() else None


def share(name: str, part: str, whole: str, best: float = 1.0) -> Rate:
    """Return the rate part / whole of two columns, where part is never more than whole, nor below 0."""
    return Rate(name, lambda s: ratio(s[part], s[whole]), best, itemgetter(whole))


def mean(name: str, total: str, number: str, best: float = 1.0) -> Rate:
    """Return the rate total / number of two columns, which may be of any size."""
    return Rate(name, lambda s: ratio(s[total], s[number]), best)


Column = Callable[[Sums], Floats]


def both_sides(square: float, tp: Column, gold: Column, pred: Column) -> Column:
    """Return the trials of F, with S = (b² gold + predicted) / (1 + b²), of which what was found is the share.

    Gold that is found and predictions that are right are the same spans: F varies as the share of 2 S / (2 - F)
    trials does, as one sees from tp / (gold + predicted - tp), which is a share of different spans.
    """

    def of(s: Sums) -> Floats:
        both = ratio(square * gold(s) + pred(s), 1 + square)
        return ratio(2 * both**2, 2 * both - np.minimum(tp(s), both), empty=0.0)

    return of


def _f_two_sided(found: str, beta: float) -> Rate:
    square = beta * beta

    def of(s: Sums) -> Floats:
        p = ratio(s[f"{found}_pred"], s["pred"], empty=0.0)
        r = ratio(s[f"{found}_gold"], s["gold"], empty=0.0)
        f = ratio((1 + square) * p * r, square * p + r, empty=0.0)
        return np.where(no_boundary(s), np.nan, f)

    return Rate(
        f"f{beta:g}",
        of,
        trials=both_sides(square, itemgetter(f"{found}_gold"), itemgetter("gold"), itemgetter("pred")),
    )


def precision(found: FoundRates) -> Rate:
    """Return found / predicted; undefined without predictions."""
    return Rate("precision", lambda s: ratio(found.tp(s), found.pred(s)), trials=found.pred)


def recall(found: FoundRates) -> Rate:
    """Return found / gold; undefined without gold."""
    return Rate("recall", lambda s: ratio(found.tp(s), found.gold(s)), trials=found.gold)


def f_beta(found: FoundRates, beta: float = 1.0) -> Rate:
    """Return (1 + b²) found / (b² gold + predicted); undefined only when gold and predictions are both empty.

    The same as the harmonic form wherever precision and recall are defined, and 0 when nothing matches, so
    that a label never predicted cannot drop out of a macro average.
    """
    square = beta * beta
    return Rate(
        f"f{beta:g}",
        lambda s: ratio((1 + square) * found.tp(s), square * found.gold(s) + found.pred(s)),
        trials=both_sides(square, found.tp, found.gold, found.pred),
    )


def f_harmonic(found: FoundRates, beta: float = 1.0) -> Rate:
    """Return (1 + b²) P R / (b² P + R), 0 for 0/0: the same number but for its last bit, as tools print it."""
    square = beta * beta

    def of(s: Sums) -> Floats:
        p, r = (ratio(found.tp(s), whole(s), empty=0.0) for whole in (found.pred, found.gold))
        return ratio((1 + square) * p * r, square * p + r, empty=0.0)

    return Rate(f"f{beta:g}", of, trials=both_sides(square, found.tp, found.gold, found.pred))


def percentages(tp: float, pred: float, gold: float) -> tuple[float, float, float]:
    """Return precision, recall and F1 in percent, multiplied before they are divided and 0 for 0/0.

    As the conlleval script does it: in the last digit it prints, the order shows.
    """
    p, r = (float(ratio(100 * tp, whole, empty=0.0)) for whole in (pred, gold))
    return p, r, float(ratio(2 * p * r, p + r, empty=0.0))


COUNTED = FoundRates(itemgetter("tp"), itemgetter("pred"), itemgetter("gold"))


def _whole(s: Sums) -> Floats:
    return s["cor"] + s["inc"] + s["par"]


SEMEVAL = FoundRates(
    lambda s: s["cor"] + s["par"] / 2,
    lambda s: _whole(s) + s["spu"],
    lambda s: _whole(s) + s["mis"],
)
