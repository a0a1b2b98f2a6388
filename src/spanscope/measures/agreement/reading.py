"""How coefficients are read from the sums of counts: of all labels, and of all pairs of annotators, at once.

What chance would give depends on all labels together, so the overall figure of a coefficient is no function of one
row of sums, as a rate of scores is: it sees the sums of every label beside each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from spanscope.arithmetic import Bools, Floats, ratio
from spanscope.rates import Rate, Sums


class Coefficient(NamedTuple):
    """A rate of columns (..., labels, all of them), which gives the figures (..., labels, overall).

    A pairwise one is of two annotators, with a line of columns a pair (..., pairs, labels, all of them); of
    several it is the mean over their pairs. `labelled` says that its figures by label mean something.
    """

    rate: Rate
    pairwise: bool = False
    labelled: bool = True

    @property
    def name(self) -> str:
        """Return the name of the rate."""
        return self.rate.name

    def __call__(self, sums: Sums) -> Floats:
        return self.rate(sums)


@dataclass(frozen=True)
class Together:
    """A reading for measures of agreement: the columns of their counts, and the coefficients.

    There are such columns once, or several times: `by` says whether for every pair of annotators, or for documents
    that two, three, ... of them have.
    """

    columns: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    by: Literal["", "pair", "number"] = ""

    def of_pairs(self) -> Together:
        """Return the reading of the same coefficients as means over pairs, with columns for every pair."""
        own = tuple(one._replace(pairwise=True) for one in self.coefficients)
        return replace(self, coefficients=own, by="pair")

    def rates(self, beta: float = 1.0, *, harmonic: bool = False) -> tuple[Rate, ...]:  # noqa: ARG002
        """Return the rates of the coefficients, in the order of a report."""
        return tuple(one.rate for one in self.coefficients)

    def weight(self, sums: Sums) -> Floats:
        """Return 1 for every label: none weighs more."""
        return np.ones_like(sums[self.columns[0]])

    def empty(self, sums: Sums) -> Bools:
        """Tell that no document counts as perfect because nobody marked anything in it."""
        return np.zeros_like(sums[self.columns[0]], dtype=bool)


def of_scores(columns: Sequence[str], rate: Rate) -> Together:
    """Return the reading of a measure of two sides, whose rate is read for every pair of annotators."""
    return Together(tuple(columns), (Coefficient(rate, pairwise=True),), by="pair")


def mean_over_pairs(each: Floats) -> Floats:
    """Return the mean over pairs (..., pairs, figures) of what is defined."""
    known = ~np.isnan(each)
    return np.asarray(ratio(np.where(known, each, 0.0).sum(-2), known.sum(-2)))
