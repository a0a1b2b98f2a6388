"""Coefficients of agreement from tables of label pairs, corrected for chance.

A table has the shape (..., K, K): cell (a, b) holds how much one annotator called a and the other b, in
characters, tokens or any other weight. Of a table only three numbers of each category matter, its `Margins`: how
much both called by it, the first one, and the second one. Every leading axis is kept, so a thousand resampled
tables cost one call. The last category is "outside" (nobody's label) wherever a function speaks of it.

    coefficient = 1 - observed disagreement / disagreement expected by chance

The coefficients differ only in what chance is: each annotator's own habits (Cohen), the habits of all together
(Scott, Fleiss), or those of all without putting a value back (Krippendorff).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio


class Margins(NamedTuple):
    """Of every category (..., K): what both annotators called by it, what the first did, and what the second did.

    Of a coincidence table the last two are the same.
    """

    both: Floats
    first: Floats
    second: Floats

    def inside(self, silent: Floats | None = None) -> Margins:
        """Return the margins without the units that everybody left outside.

        Only the cell (outside, outside) shrinks: a unit that one annotator labelled and another did not is a
        disagreement and stays, and so does "outside" as a category. That is how people mean "without O tokens":
        the units that at least one annotator labelled. Two annotators leave a unit to nobody only in that cell,
        which goes whole. Of three and more give `silent`, what all-silent units add to the cell: their weight for
        a contingency table, n times their weight for the coincidences of n annotators.
        """
        gone = np.zeros_like(self.both)
        gone[..., -1] = self.both[..., -1] if silent is None else silent
        return Margins(*(column - gone for column in self))


def margins(table: Floats) -> Margins:
    """Return the margins of tables (..., K, K), rows the first annotator, columns the second."""
    both = np.asarray(np.diagonal(table, axis1=-2, axis2=-1), dtype=np.float64)
    return Margins(both, table.sum(-1, dtype=np.float64), table.sum(-2, dtype=np.float64))


def pool_margins(parts: Margins, annotators: Ints | None = None) -> Margins:
    """Return the margins of the coincidence table of several annotators, from those of parts (..., parts, K).

    Every position with n annotators gives n(n - 1) ordered pairs of values, each with weight 1/(n - 1), so that it
    adds n to the table. A part is the sum over all pairs of those annotators who were n at a position, and
    `annotators` says n for each part. Without it the parts are the n(n - 1)/2 pairs of the same n annotators.
    """
    if annotators is None:
        annotators = np.array([(1 + math.isqrt(1 + 8 * parts.both.shape[-2])) // 2])
        parts = Margins(*(column.sum(-2, keepdims=True) for column in parts))
    others = (annotators - 1)[:, None]
    own = np.asarray(ratio(parts.first + parts.second, others).sum(-2))
    return Margins(np.asarray(ratio(2 * parts.both, others).sum(-2)), own, own)


def cohen(found: Margins) -> Floats:
    """Return Cohen's kappa of contingency tables.

        kappa = 1 - (1 - p_o) / (1 - p_e),   p_e = sum over k of row share(k) * column share(k)

    Undefined (NaN) for an empty table, and where both annotators use one and the same category only: nothing can
    then be told from chance. scikit-learn gives NaN there too. Source: Cohen (1960).
    """
    total = found.first.sum(-1)
    expected = (found.first * found.second).sum(-1)
    return _correct_for_chance(ratio(total - found.both.sum(-1), total), 1 - ratio(expected, total**2))


def fleiss(found: Margins) -> Floats:
    """Return Fleiss' kappa of coincidence tables.

        kappa = 1 - (1 - P) / (1 - P_e),   P_e = sum over k of share(k)^2

    P is the share of agreeing pairs of values, which is the mean over units of n_k(n_k - 1)/(n(n - 1)) summed over
    k, because every unit here has the same number of values; share(k) is that of all values. So it is Cohen's
    formula on a table whose rows and columns are alike; for two annotators it is Scott's pi. Undefined (NaN)
    without units, and where only one category occurs. Sources: Fleiss (1971), Scott (1955).
    """
    return cohen(found)


def alpha(found: Margins) -> Floats:
    """Return Krippendorff's alpha for nominal values of coincidence tables.

        alpha = 1 - D_o / D_e,   D_e = 1 - sum over k of n_k(n_k - 1) / (n(n - 1))

    n_k is a row sum and n the sum of all. Undefined (NaN) with at most one value, and where one category only
    occurs. Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability; the `krippendorff` package
    refuses a single category.
    """
    own, total = found.first, found.first.sum(-1)
    expected = 1 - ratio((own * (own - 1)).sum(-1), total * (total - 1))
    return _correct_for_chance(ratio(total - found.both.sum(-1), total), expected)


def _correct_for_chance(observed: Floats, expected: Floats) -> Floats:
    """Return 1 - observed / expected; chance that leaves next to nothing to disagree on is none at all."""
    return np.asarray(1 - ratio(observed, np.where(expected > 1e-12, expected, 0.0)))
