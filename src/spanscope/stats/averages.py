"""From counts to scores: micro, macro, weighted, by label, by document; and the curve over thresholds."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Floats, Ints, ratio, total
from spanscope.counts import STAR, Counts
from spanscope.rates import Rate, RateSet, Sums
from spanscope.stats.exact import deviation_of

NUMBERS_AT_ONCE = 1_000_000  # numbers of a curve that are made at once
GRID = tuple(round(step / 20, 2) for step in range(21))


@dataclass(frozen=True)
class Score:
    """A rate's value with its average and label; `undefined` counts the labels or documents left out of it."""

    measure: str
    rate: str
    average: str
    label: str | None
    value: float
    low: float | None
    high: float | None
    documents: int
    undefined: int
    std: float | None = None  # of the documents' values, where the average is over documents
    infinite: int | None = None  # documents whose value is infinite, where a measure counts them

    def plain(self) -> dict[str, Any]:
        """Return the row by names, `infinite` only where it is counted."""
        return {name: value for name, value in vars(self).items() if name != "infinite" or value is not None}


@dataclass(frozen=True)
class Policy:
    """Which labels a macro average runs over, and what 0/0 is."""

    labels: tuple[str, ...] | None = None  # None: those seen
    undefined: float = float("nan")


class Mean(NamedTuple):
    """The mean of a rate over documents; sums are rounded once: the order of documents changes no digit."""

    number: int  # documents whose value is defined
    undefined: int
    sum: float  # infinite where a value is
    std: float | None  # of a sample of two values or more, all finite


@dataclass(frozen=True, eq=False)
class Summary:
    """What scores are read from: of the counts only the sums by label, and what means over documents need."""

    sums: Counts
    having: Mapping[str, int]  # documents by label
    means: tuple[Mean, ...]  # a rate each

    @property
    def documents(self) -> int:
        """Return the number of documents."""
        return self.sums.documents


def summary(counts: Counts, values: Sequence[Floats]) -> Summary:
    """Return what scores are read from, from the counts and the values of every rate by document."""
    number = tables.rows_by_label(counts)[1:].tolist()
    return Summary(counts, dict(zip(counts.labels, number, strict=True)), tuple(map(mean_over, values)))


def values_of(counts: Counts, rates: Sequence[Rate], rate_set: RateSet, policy: Policy) -> list[Floats]:
    """Return the values of every rate by document."""
    each = document_sums(counts)
    return [document_values(each, rate, rate_set, policy) for rate in rates]


def mean_over(values: Floats) -> Mean:
    """Return the mean of values, NaN left out."""
    known = values[~np.isnan(values)]
    usual = np.isfinite(known)
    lost = len(values) - len(known)
    if not usual.all():
        return Mean(len(known), lost, sum(known[~usual].tolist()), None)
    return Mean(len(known), lost, total(known), deviation_of(known) if len(known) > 1 else None)


def scores(measure: str, counts: Counts, rates: Sequence[Rate], rate_set: RateSet, policy: Policy) -> list[Score]:
    """Return the score rows of one measure."""
    own = summary(counts, values_of(counts, rates, rate_set, policy))
    return scores_of_summary(measure, own, rates, rate_set, policy)


def scores_of_summary(
    measure: str, of: Summary, rates: Sequence[Rate], rate_set: RateSet, policy: Policy
) -> list[Score]:
    """Return the score rows of one measure, from the sums of its counts."""
    counts = of.sums
    whole = _sums_by_name(counts, tables.overall_sums(counts)[None])
    names, sums = label_sums(counts, policy)
    each = _sums_by_name(counts, sums)
    weights = np.asarray(rate_set.weight(each), dtype=np.float64) if names else None
    out = []
    for rate, mean in zip(rates, of.means, strict=True):
        by_label = _fill_undefined(rate(each), policy) if names else np.zeros(0)
        out.append(_score(measure, rate, "micro", _fill_undefined(rate(whole), policy), counts, policy))
        if names:
            out.append(_score(measure, rate, "macro", by_label, counts, policy))
            out.append(_score(measure, rate, "weighted", by_label, counts, policy, weights))
        out.append(_over_documents(measure, rate, mean, counts.documents))
        if (endless := _infinite(whole, rate)) is not None:
            out = [replace(row, infinite=endless) if row.rate == rate.name else row for row in out]
        out += [
            Score(
                measure,
                rate.name,
                "label",
                name,
                float(value),
                None,
                None,
                of.having.get(name, 0),
                int(np.isnan(value)),
            )
            for name, value in zip(names, by_label, strict=True)
        ]
    return out


def _infinite(whole: Sums, rate: Rate) -> int | None:
    """Return in how many documents a rate is infinite, by the column that counts them; None without one."""
    column = next((name for name in (f"{rate.name}_infinite", "infinite") if name in whole), None)
    return None if column is None else int(whole[column][0])


def _over_documents(measure: str, rate: Rate, mean: Mean, documents: int) -> Score:
    """Return the mean over documents, with the sample standard deviation of their values where it has one."""
    value = float(ratio(mean.sum, mean.number))
    return Score(measure, rate.name, "document", None, value, None, None, documents, mean.undefined, mean.std)


def label_sums(counts: Counts, policy: Policy) -> tuple[list[str], Floats]:
    """Return the labels of the macro average and their column sums; none for families without labels."""
    codes, sums = counts.label_sums
    seen = {counts.labels[code]: row for code, row in zip(codes.tolist(), sums, strict=True) if code != STAR}
    if (not seen and policy.labels is None) or (len(codes) and not seen):
        return [], np.zeros((0, len(counts.columns)))
    names = sorted(seen) if policy.labels is None else list(policy.labels)
    zero = np.zeros(len(counts.columns))
    return names, np.array([seen.get(name, zero) for name in names]).reshape(len(names), len(zero))


def document_sums(counts: Counts) -> Sums:
    """Return the overall sums of every document, by column."""
    return _sums_by_name(counts, tables.sums_by_document(counts))


def document_values(sums: Sums, rate: Rate, rate_set: RateSet, policy: Policy) -> Floats:
    """Return the rate of every document; its best value (or the policy's) where both sides are empty."""
    values = np.array(rate(sums), dtype=np.float64)
    values[rate_set.empty(sums)] = rate.best if np.isnan(policy.undefined) else policy.undefined
    return _fill_undefined(values, policy)


def _score(
    measure: str,
    rate: Rate,
    average: str,
    values: Floats,
    counts: Counts,
    policy: Policy,
    weights: Floats | None = None,
) -> Score:
    """Return the mean of the defined values (of one value: the value), added one by one, as people do."""
    defined = ~np.isnan(values)
    value = float("nan")
    if weights is None and defined.any():
        value = float(ratio(np.cumsum(values[defined])[-1], defined.sum()))
    elif weights is not None:
        value = float(ratio((weights * values)[defined].sum(), weights[defined].sum(), empty=policy.undefined))
    return Score(
        measure, rate.name, average, None, value, None, None, counts.documents, int((~defined).sum()), None
    )


def _sums_by_name(counts: Counts, sums: Floats | Ints) -> dict[str, Floats]:
    return {name: np.asarray(sums[:, i], dtype=np.float64) for i, name in enumerate(counts.columns)}


def _fill_undefined(values: Floats, policy: Policy) -> Floats:
    return np.where(np.isnan(values), policy.undefined, values)


class Ladder(NamedTuple):
    """The scores of accepted pairs by label, from which the counts at any threshold are read."""

    label: Ints
    score: Floats


class Rungs(NamedTuple):
    """How many accepted pairs of each label reach each step of a grid: what totals keep of a ladder."""

    grid: tuple[float, ...]
    found: Ints  # steps x labels


@dataclass(frozen=True)
class Point:
    """One threshold of a curve; `value` and `macro` are of the rate that leads."""

    threshold: float
    tp: int
    pred: int
    gold: int
    precision: float
    recall: float
    f1: float
    macro_f1: float
    value: float
    macro: float


def merge_ladders(parts: Sequence[Ladder]) -> Ladder:
    """Join the ladders of batches."""
    return Ladder(np.concatenate([part.label for part in parts]), np.concatenate([part.score for part in parts]))


def breakpoints(ladder: Ladder) -> list[float]:
    """Return the thresholds at which the curve really changes: the distinct scores."""
    return [float(score) for score in np.unique(ladder.score)]


def curve(
    ladder: Ladder | Rungs,
    counts: Counts,
    rates: Sequence[Rate],
    policy: Policy,
    grid: Sequence[float] = GRID,
) -> list[Point]:
    """Return the counts and rates at every threshold of the grid, from one matching.

    `rates` are precision, recall, F1, and the rate that leads.
    """
    labels = label_sums(counts, policy)
    if isinstance(ladder, Ladder):
        parts = _climb(ladder, len(counts.labels), grid)
    else:
        wanted = set(grid)
        rows = [row for row, step in enumerate(ladder.grid) if step in wanted]
        parts = iter([([ladder.grid[row] for row in rows], ladder.found[rows])])
    return [point for steps, found in parts for point in _points(steps, found, counts, labels, rates, policy)]


def rungs_of(ladder: Ladder, labels: int, grid: Sequence[float]) -> Rungs:
    """Return how many pairs of each label reach each step."""
    found = [number for _, number in _climb(ladder, labels, grid)]
    return Rungs(tuple(grid), np.concatenate(found) if found else np.zeros((0, labels), dtype=np.int64))


def _climb(ladder: Ladder, labels: int, grid: Sequence[float]) -> Iterator[tuple[Sequence[float], Ints]]:
    """Return the steps, some at a time, with how many pairs of each label reach each: steps x labels."""
    order = np.argsort(ladder.score, kind="stable")
    score, label = ladder.score[order], ladder.label[order]
    size = max(1, NUMBERS_AT_ONCE // max(labels, 1))
    for first in range(0, len(grid), size):
        steps = grid[first : first + size]
        low, at = np.unique(
            np.searchsorted(score, np.asarray(steps, dtype=np.float64), "left"), return_inverse=True
        )
        own = label[low[0] :]
        between = np.searchsorted(low, np.arange(low[0], len(label)), "right") - 1  # the last step that is reached
        found = np.bincount(between * labels + own, minlength=len(low) * labels).reshape(len(low), labels)
        yield steps, found[::-1].cumsum(axis=0)[::-1][at]


def count_codes(labels: Ints, counts: Counts) -> Ints:
    """Return how often each label code occurs."""
    return np.bincount(labels, minlength=len(counts.labels))


def label_figures(
    found: Ints, counts: Counts, rates: Sequence[Rate], policy: Policy
) -> dict[str, tuple[float, ...]]:
    """Return tp, predicted, gold and the rates of every label, so many spans of each being found."""
    names, sums = label_sums(counts, policy)
    own = _sums_by_name(counts, sums)
    per_label = dict(zip(counts.labels, found.tolist(), strict=True))
    own["tp"] = np.array([per_label.get(name, 0) for name in names], dtype=np.float64)
    columns = [own["tp"], own["pred"], own["gold"], *(_fill_undefined(rate(own), policy) for rate in rates)]
    return (
        dict(zip(names, zip(*(column.tolist() for column in columns), strict=True), strict=True)) if names else {}
    )


def point_at(threshold: float, found: Ints, counts: Counts, rates: Sequence[Rate], policy: Policy) -> Point:
    """Return the point of a curve at which so many spans of each label were found."""
    return _points([threshold], found[None], counts, label_sums(counts, policy), rates, policy)[0]


def _points(
    steps: Sequence[float],
    found: Ints,
    counts: Counts,
    labels: tuple[list[str], Floats],
    rates: Sequence[Rate],
    policy: Policy,
) -> list[Point]:
    """Return the points at which so many spans of each label (steps x labels) were found."""
    names, sums = labels
    number = len(steps)
    whole = {
        name: np.full(number, float(value))
        for name, value in zip(counts.columns, tables.overall_sums(counts), strict=True)
    }
    whole["tp"] = found.sum(axis=1).astype(np.float64)
    lines = [_fill_undefined(rate(whole), policy) for rate in rates]
    macros = [np.full(number, np.nan)] * 2
    if names:
        code = {name: at for at, name in enumerate(counts.labels)}
        wide = np.concatenate((found, np.zeros((number, 1), dtype=found.dtype)), axis=1)  # for labels not seen
        own = {name: np.tile(column, number) for name, column in _sums_by_name(counts, sums).items()}
        own["tp"] = wide[:, [code.get(name, -1) for name in names]].astype(np.float64).ravel()
        each = [_fill_undefined(rate(own), policy).reshape(number, len(names)) for rate in rates[2:]]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # mean of no defined label: undefined, as it should be
            macros = [np.nanmean(values, axis=1) for values in each]
    lines = [*lines[:3], macros[0], lines[3], macros[1]]
    whole_numbers = (found.sum(axis=1), whole["pred"], whole["gold"])
    return [
        Point(float(step), int(tp), int(pred), int(gold), *values)
        for step, tp, pred, gold, *values in zip(
            steps, *(column.tolist() for column in (*whole_numbers, *lines)), strict=True
        )
    ]
