"""From counts to scores: micro, macro, weighted, by label, by document; and the curve over thresholds."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.counts import STAR, Counts
from spanscope.rates import Rate, Reading, Sums

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


@dataclass(frozen=True)
class Policy:
    """Which labels a macro average runs over, and what 0/0 is."""

    labels: tuple[str, ...] | None = None  # None: those seen
    undefined: float = float("nan")


def scores(measure: str, counts: Counts, rates: Sequence[Rate], reading: Reading, policy: Policy) -> list[Score]:
    """Return the score rows of one measure."""
    whole = tables.overall(counts)
    names, sums = label_sums(counts, policy)
    documents = _documents_by_label(counts, names)
    each = document_sums(counts)
    out = []
    for rate in rates:
        by_label = _filled(rate(_named(counts, sums)), policy) if names else np.zeros(0)
        out.append(
            _score(measure, rate, "micro", _filled(rate(_named(counts, whole[None])), policy), counts, policy)
        )
        if names:
            weights = np.asarray(reading.weight(_named(counts, sums)), dtype=np.float64)
            out.append(_score(measure, rate, "macro", by_label, counts, policy))
            out.append(_score(measure, rate, "weighted", by_label, counts, policy, weights))
        out.append(_score(measure, rate, "document", document_values(each, rate, reading, policy), counts, policy))
        out += [
            Score(
                measure,
                rate.name,
                "label",
                name,
                float(value),
                None,
                None,
                documents[name],
                int(np.isnan(value)),
            )
            for name, value in zip(names, by_label, strict=True)
        ]
    return out


def label_sums(counts: Counts, policy: Policy) -> tuple[list[str], Floats]:
    """Return the labels of the macro average and their column sums; none for families without labels."""
    codes, sums = tables.by_label(counts)
    seen = {tables.name_of(counts, int(code)): row for code, row in zip(codes, sums, strict=True) if code != STAR}
    if (not seen and policy.labels is None) or (len(codes) and not seen):
        return [], np.zeros((0, len(counts.columns)))
    names = sorted(seen) if policy.labels is None else list(policy.labels)
    zero = np.zeros(len(counts.columns))
    return names, np.array([seen.get(name, zero) for name in names])


def document_sums(counts: Counts) -> Sums:
    """Return the overall sums of every document, by column."""
    return _named(counts, tables.by_document(counts))


def document_values(sums: Sums, rate: Rate, reading: Reading, policy: Policy) -> Floats:
    """Return the rate of every document; its best value (or the policy's) where both sides are empty."""
    values = np.array(rate(sums), dtype=np.float64)
    values[reading.empty(sums)] = rate.best if np.isnan(policy.undefined) else policy.undefined
    return _filled(values, policy)


def _score(
    measure: str,
    rate: Rate,
    average: str,
    values: Floats,
    counts: Counts,
    policy: Policy,
    weights: Floats | None = None,
) -> Score:
    """Return the mean of the defined values (of one value: the value)."""
    defined = ~np.isnan(values)
    value = float("nan")
    if weights is None and defined.any():
        value = float(ratio(_sum(values[defined], average), defined.sum()))
    elif weights is not None:
        value = float(ratio((weights * values)[defined].sum(), weights[defined].sum(), empty=policy.undefined))
    missing = int((~defined).sum())
    std = _std(values[defined]) if average == "document" else None
    return Score(measure, rate.name, average, None, value, None, None, counts.documents, missing, std)


def _sum(values: Floats, average: str) -> float:
    """Return the sum: over documents rounded once, so that their order changes no digit; over labels in order.

    Labels are added one by one, as people and tools do.
    """
    if average == "document" and np.isfinite(values).all():
        return math.fsum(values.tolist())
    return float(np.cumsum(values)[-1])


def _std(values: Floats) -> float | None:
    """Return the sample standard deviation; None for fewer than two values, or infinite ones."""
    if len(values) < 2 or not np.isfinite(values).all():
        return None
    mean = float(ratio(math.fsum(values.tolist()), len(values)))
    return float(np.sqrt(ratio(math.fsum(((values - mean) ** 2).tolist()), len(values) - 1)))


def _named(counts: Counts, sums: Floats | Ints) -> dict[str, Floats]:
    return {name: np.asarray(sums[:, i], dtype=np.float64) for i, name in enumerate(counts.columns)}


def _filled(values: Floats, policy: Policy) -> Floats:
    return np.where(np.isnan(values), policy.undefined, values)


def _documents_by_label(counts: Counts, names: Sequence[str]) -> Mapping[str, int]:
    number = dict(zip(counts.labels, tables.rows_by_label(counts)[1:].tolist(), strict=True))
    return {name: number.get(name, 0) for name in names}


@dataclass(frozen=True)
class Ladder:
    """The scores of accepted pairs by label, from which the counts at any threshold are read."""

    label: Ints
    score: Floats


@dataclass(frozen=True)
class Point:
    """One threshold of a curve."""

    threshold: float
    tp: int
    pred: int
    gold: int
    precision: float
    recall: float
    f1: float
    macro_f1: float


def merge_ladders(parts: Sequence[Ladder]) -> Ladder:
    """Join the ladders of batches."""
    return Ladder(np.concatenate([part.label for part in parts]), np.concatenate([part.score for part in parts]))


def breakpoints(ladder: Ladder) -> list[float]:
    """Return the thresholds at which the curve really changes: the distinct scores."""
    return [float(score) for score in np.unique(ladder.score)]


def curve(
    ladder: Ladder, counts: Counts, rates: Sequence[Rate], policy: Policy, grid: Sequence[float] = GRID
) -> list[Point]:
    """Return the counts and rates at every threshold of the grid, from one matching."""
    order = np.argsort(ladder.score, kind="stable")
    score, label = ladder.score[order], ladder.label[order]
    points = []
    for threshold in grid:
        reached = label[np.searchsorted(score, threshold, "left") :]
        points.append(at_threshold(threshold, by_code(reached, counts), counts, rates, policy))
    return points


def by_code(labels: Ints, counts: Counts) -> Ints:
    """Return how often each label code occurs."""
    return np.bincount(labels, minlength=len(counts.labels))


def labels_at(found: Ints, counts: Counts, rates: Sequence[Rate], policy: Policy) -> dict[str, tuple[float, ...]]:
    """Return tp, predicted, gold and the first three rates of every label, so many spans of each being found."""
    names, sums = label_sums(counts, policy)
    own = _named(counts, sums)
    per_label = dict(zip(counts.labels, found.tolist(), strict=True))
    own["tp"] = np.array([per_label.get(name, 0) for name in names], dtype=np.float64)
    columns = [own["tp"], own["pred"], own["gold"], *(_filled(rate(own), policy) for rate in rates[:3])]
    return (
        dict(zip(names, zip(*(column.tolist() for column in columns), strict=True), strict=True)) if names else {}
    )


def at_threshold(threshold: float, found: Ints, counts: Counts, rates: Sequence[Rate], policy: Policy) -> Point:
    """Return the point of a curve at which so many spans of each label were found."""
    names, sums = label_sums(counts, policy)
    sums = sums.astype(np.float64)
    tp = counts.columns.index("tp")
    per_label = dict(zip(counts.labels, found.tolist(), strict=True))
    sums[:, tp] = [per_label.get(name, 0) for name in names]
    whole = tables.overall(counts).astype(np.float64)
    whole[tp] = found.sum()
    precision, recall, f1 = (float(_filled(rate(_named(counts, whole[None])), policy)[0]) for rate in rates[:3])
    macro = _filled(rates[2](_named(counts, sums)), policy) if names else np.zeros(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # mean of no defined label: undefined, as it should be
        macro_f1 = float(np.nanmean(macro)) if len(macro) else float("nan")
    pred, gold = (int(whole[counts.columns.index(name)]) for name in ("pred", "gold"))
    return Point(float(threshold), int(found.sum()), pred, gold, precision, recall, f1, macro_f1)
