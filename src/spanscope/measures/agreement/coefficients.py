"""Coefficients of agreement from tables of label pairs, corrected for chance.

A table has the shape (..., K, K): cell (a, b) holds how much one annotator called a and the other b, in
characters, tokens or any other weight. Every leading axis is kept, so a thousand resampled tables cost one call.
The last category is "outside" (nobody's label) wherever a function speaks of it.

    coefficient = 1 - observed disagreement / disagreement expected by chance

The coefficients differ only in what chance is: each annotator's own habits (Cohen), the habits of all together
(Scott, Fleiss), or those of all without putting a value back (Krippendorff).
"""

from __future__ import annotations

import numpy as np

from spanscope.arithmetic import Floats, ratio


def cohen(table: Floats) -> Floats:
    """Return Cohen's kappa of contingency tables, rows the first annotator, columns the second.

        kappa = 1 - (1 - p_o) / (1 - p_e),   p_e = sum over k of row share(k) * column share(k)

    Undefined (NaN) for an empty table, and where both annotators use one and the same category only: nothing can
    then be told from chance. scikit-learn gives NaN there too. Source: Cohen (1960).
    """
    total = _total(table)
    expected = (table.sum(-1) * table.sum(-2)).sum(-1)
    return _correct_for_chance(ratio(total - _diagonal(table), total), 1 - ratio(expected, total**2))


def scott(table: Floats) -> Floats:
    """Return Scott's pi of contingency tables: as Cohen's kappa, with the shares of both annotators together.

        p_e = sum over k of ((row share(k) + column share(k)) / 2)^2

    Undefined as Cohen's kappa. Source: Scott (1955). Two annotators only; `fleiss` of `coincidences` for more,
    which is the same figure for two.
    """
    return fleiss(coincidences(table[..., None, :, :]))


def coincidences(tables: Floats) -> Floats:
    """Return the coincidence table of n annotators from the contingency tables of all their pairs.

    `tables` is (..., pairs, K, K) with n(n - 1)/2 pairs; the answer is (..., K, K), symmetric, and adds up to n
    times the weight of all units: every unit gives n(n - 1) ordered pairs of values, each with weight 1/(n - 1).
    """
    pairs = tables.shape[-3]
    annotators = (1 + np.sqrt(1 + 8 * pairs)) / 2
    summed = tables.sum(-3)
    return ratio(summed + np.swapaxes(summed, -1, -2), annotators - 1)


def fleiss(table: Floats) -> Floats:
    """Return Fleiss' kappa of coincidence tables.

        kappa = 1 - (1 - P) / (1 - P_e),   P_e = sum over k of share(k)^2

    P is the share of agreeing pairs of values, which is the mean over units of n_k(n_k - 1)/(n(n - 1)) summed over
    k, because every unit here has the same number of values; share(k) is that of all values. Undefined (NaN)
    without units, and where only one category occurs. Source: Fleiss (1971).
    """
    total = _total(table)
    expected = (table.sum(-1) ** 2).sum(-1)
    return _correct_for_chance(ratio(total - _diagonal(table), total), 1 - ratio(expected, total**2))


def alpha(table: Floats) -> Floats:
    """Return Krippendorff's alpha for nominal values of coincidence tables.

        alpha = 1 - D_o / D_e,   D_e = 1 - sum over k of n_k(n_k - 1) / (n(n - 1))

    n_k is a row sum and n the sum of all. Undefined (NaN) with at most one value, and where one category only
    occurs. Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability; the `krippendorff` package
    refuses a single category.
    """
    total = _total(table)
    own = table.sum(-1)
    expected = 1 - ratio((own * (own - 1)).sum(-1), total * (total - 1))
    return _correct_for_chance(ratio(total - _diagonal(table), total), expected)


def without_silent_units(table: Floats, silent: Floats | None = None) -> Floats:
    """Return tables without the units that everybody left outside.

    Only the cell (outside, outside) shrinks: a unit that one annotator labelled and another did not is a
    disagreement and stays, and so does "outside" as a category. That is how people mean "without O tokens": the
    units that at least one annotator labelled. Two annotators leave a unit to nobody only in that cell, which goes
    whole. Of three and more give `silent`, what all-silent units add to the cell: their weight for a contingency
    table, n times their weight for the coincidences of n annotators.
    """
    out = np.array(table, dtype=np.float64)
    out[..., -1, -1] = 0 if silent is None else out[..., -1, -1] - silent
    return out


def one_against_rest(table: Floats, label: int) -> Floats:
    """Return 2 x 2 tables: the label, and everything else together."""
    whole = _total(table)
    row, column, both = table[..., label, :].sum(-1), table[..., :, label].sum(-1), table[..., label, label]
    cells = [both, row - both, column - both, whole - row - column + both]
    return np.stack(cells, axis=-1).reshape(*table.shape[:-2], 2, 2)


def _total(table: Floats) -> Floats:
    return np.asarray(np.sum(table, axis=(-2, -1), dtype=np.float64))


def _diagonal(table: Floats) -> Floats:
    return np.asarray(np.trace(table, axis1=-2, axis2=-1))


def _correct_for_chance(observed: Floats, expected: Floats) -> Floats:
    """Return 1 - observed / expected; chance that leaves next to nothing to disagree on is none at all."""
    return np.asarray(1 - ratio(observed, np.where(expected > 1e-12, expected, 0.0)))
