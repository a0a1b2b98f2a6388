"""Ranked lists and what they are worth: the figures of trec_eval 9.0.8 exactly, and ours for passages.

With identifiers (`trec`), a run maps documents to scores and the judgements map documents to grades: above 0
relevant, 0 judged and not relevant, below 0 in the pool but not judged. What looks odd is what trec_eval does:

* equal scores are ordered by identifier, the last first; scores are equal when they are as single-precision
  numbers, which is all that trec_eval keeps of them;
* a level makes grades below it not relevant, but nDCG takes no notice of it;
* precision at k divides by k and average precision by all relevant documents, however short the list is.

With matches, `matched[i]` holds the numbers of the golds that the passage at rank i + 1 satisfies. A gold counts
once: later passages that satisfy it bring nothing new. `slots` turns the passages into a ranking of golds, on
which nDCG, average precision and R-precision are those of trec_eval and never above 1.

A figure is 0 where there is nothing to find or nothing was retrieved.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import exp, inf, isnan, log, log2
from sys import maxsize
from typing import Literal, NamedTuple

from spanscope.errors import InputError, MeasureError, did_you_mean, plural, shown

Gain = Literal["linear", "exponential"]

CLOSE = 2.0**-22  # doubles further apart than this share of their size are not equal in single precision
SMALLEST = 3e-45  # likewise, for those next to 0
LARGEST = 3e38  # what lies beyond can be infinite in single precision
STEEPEST = 1000  # grades above it have no exponential gain that is a number
LEAST_AP = 1e-5  # what trec_eval takes for an average precision below it in geometric means
EPSILON = 1e-5  # what trec_eval smooths infAP with
RECALLS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _share(part: float, whole: float) -> float:
    """Return part / whole, 0 if there is no whole: an array operation would cost more than all else of a query."""
    return part / whole if whole else 0.0


# ---------------------------------------------------------------- order


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Return the documents as trec_eval orders them: by score, equal ones by identifier, both descending.

    >>> ranked({"a": 0.5, "b": 0.5, "c": 0.9})
    ['c', 'b', 'a']
    """
    single = array("f", scores.values())
    if any(map(isnan, single)):
        name = next(name for name, score in scores.items() if isnan(score))
        raise InputError(f"the score of {shown(name)} is not a number", expected="scores that can be ordered")
    return [name for _, name in sorted(zip(single, scores, strict=True), reverse=True)]


def _ranks(wanted: Sequence[str], run: Mapping[str, float]) -> list[int]:
    """Return the ranks, from 1, of some of a run's documents, at least one.

    Numbers are sorted much faster than numbers with names, so names are looked at only where scores are close.
    """
    scores = sorted(run.values())
    size = len(scores)
    if isnan(sum(scores)) or scores[0] < -LARGEST or scores[-1] > LARGEST:
        return _ranks_by_name(wanted, run)
    scores = [-inf, *scores, inf]  # so that every score has neighbours
    out = []
    for name in wanted:
        score = run[name]
        place = bisect_left(scores, score)
        near = abs(score) * CLOSE + SMALLEST
        if score - scores[place - 1] <= near or scores[place + 1] - score <= near:
            return _ranks_by_name(wanted, run)
        out.append(size + 1 - place)
    return out


def _ranks_by_name(wanted: Sequence[str], run: Mapping[str, float]) -> list[int]:
    place = {name: rank for rank, name in enumerate(ranked(run), start=1)}
    return [place[name] for name in wanted]


class Judged(NamedTuple):
    """A ranking beside its judgements."""

    seen: list[tuple[int, int]]  # rank and grade of the documents retrieved and judged, in order
    hits: list[int]  # the ranks of the relevant ones
    ideal: list[int]  # all grades above 0, the highest first
    relevant: int  # documents judged relevant, retrieved or not
    nonrelevant: int  # documents judged not relevant
    retrieved: int


def judged(qrels: Mapping[str, int], run: Mapping[str, float], level: int = 1, *, pool: bool = True) -> Judged:
    """Return where the judged documents of a query stand in a run; those graded at least `level` are relevant.

    Without `pool` only those with grades above 0 are looked up, enough for all measures but bpref and infAP.

    >>> judged({"a": 1, "b": 0, "x": 2}, {"a": 0.1, "b": 0.2, "c": 0.3})
    Judged(seen=[(2, 0), (3, 1)], hits=[3], ideal=[2, 1], relevant=2, nonrelevant=1, retrieved=3)
    """
    if level < 1:
        raise MeasureError(f"the level of relevance is {level}", expected="1 or more: grade 0 is not relevant")
    grades = qrels.values()
    ideal = sorted([grade for grade in grades if grade > 0], reverse=True)
    relevant = len(ideal) if level == 1 else sum(grade >= level for grade in ideal)
    nonrelevant = len(ideal) - relevant
    if len(ideal) < len(qrels):
        nonrelevant += sum(grade == 0 for grade in grades)
    found = [name for name in qrels if name in run and (pool or qrels[name] > 0)]
    seen = [(rank, qrels[name]) for rank, name in zip(_ranks(found, run), found, strict=True)] if found else []
    seen.sort()
    hits = [rank for rank, grade in seen if grade >= level]
    return Judged(seen, hits, ideal, relevant, nonrelevant, len(run))


# ---------------------------------------------------------------- gains and precisions, of both worlds


def ndcg(
    seen: Iterable[tuple[int, int]], ideal: Sequence[int], k: int | None = None, gain: Gain = "linear"
) -> float:
    """Return the discounted gain down to rank k over the best there can be, from ranks with grades in order.

    >>> ndcg([(1, 1), (2, 3)], [3, 1]), ndcg([(1, 1), (2, 3)], [3, 1], gain="exponential")
    (0.7967075809905066, 0.7098097413968655)
    """
    return _share(_dcg(seen, _cut(k), gain), _dcg(enumerate(ideal, start=1), _cut(k), gain))


def _dcg(seen: Iterable[tuple[int, int]], k: int, gain: Gain = "linear") -> float:
    total = 0.0  # added up one by one: sum() rounds differently from Python 3.12 on
    for rank, grade in seen:
        if rank > k:
            break
        if grade > 0:
            total += _share(grade if gain == "linear" else _steep(grade), log2(rank + 1))
    return total


def _steep(grade: int) -> float:
    if grade > STEEPEST:
        raise InputError(f"grade {shown(grade)} has no exponential gain", expected=f"at most {STEEPEST}")
    return 2.0**grade - 1.0


def _precisions(hits: Iterable[int], k: int = maxsize) -> float:
    """Return the sum of the precisions at the ranks of the hits, down to rank k."""
    total = 0.0
    for number, rank in enumerate(hits, start=1):
        if rank > k:
            break
        total += _share(number, rank)
    return total


def _cut(k: int | None) -> int:
    if k is None:
        return maxsize
    if k < 1:
        raise MeasureError(f"the cut-off k is {shown(k)}", expected="1 or more")
    return k


# ---------------------------------------------------------------- trec_eval


def trec(
    qrels: Mapping[str, int], run: Mapping[str, float], measures: Sequence[str], level: int = 1
) -> dict[str, float]:
    """Return the figures of one query by trec_eval's names, such as `map`, `ndcg_cut_10` or `P_5`.

    The one difference: iprec_at_recall_0.00 and 11pt_avg of an empty run are 0, not NaN.

    >>> trec({"a": 1, "b": 1}, {"c": 0.9, "a": 0.5}, ["recip_rank", "recall_10"])
    {'recip_rank': 0.5, 'recall_10': 0.5}
    """
    own = judged(qrels, run, level, pool=not _POOLED.isdisjoint(measures))
    return {name: _figure(name)(own) for name in measures}


def trec_average(queries: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the figures of all queries from those of each: sums of numbers, means of the rest.

    A query without a run counts as one with an empty run, `trec(qrels, {}, ...)`: that is option -c of trec_eval.

    >>> trec_average([{"num_q": 1.0, "map": 0.5}, {"num_q": 1.0, "map": 0.0}])
    {'num_q': 2.0, 'map': 0.25}
    """
    totals: dict[str, float] = {}
    size = 0
    for figures in queries:
        size += 1
        for name, value in figures.items():
            totals[name] = totals.get(name, 0.0) + value
    means = {name: total if name in _SUMMED else _share(total, size) for name, total in totals.items()}
    return {name: exp(mean) if name == "gm_map" else mean for name, mean in means.items()}


def _average_precision(own: Judged, k: int = maxsize) -> float:
    return _share(_precisions(own.hits, k), own.relevant)


def _found(own: Judged, k: int) -> int:
    return bisect_right(own.hits, k)


def _set_f(own: Judged) -> float:
    precision, recall = _share(len(own.hits), own.retrieved), _share(len(own.hits), own.relevant)
    return _share(2.0 * precision * recall, precision + recall)


def _bpref(own: Judged) -> float:
    """Return how few of the documents judged not relevant stand above the relevant ones."""
    total, above, hits = 0.0, 0, set(own.hits)
    for rank, grade in own.seen:
        if rank in hits:
            most = min(own.nonrelevant, own.relevant)
            total += 1.0 - _share(min(above, own.relevant), most)
        elif grade >= 0:
            above += 1
    return _share(total, own.relevant)


def _inferred(own: Judged) -> float:
    """Return infAP: the precision expected where only some of the pool is judged."""
    total, relevant, other, unjudged, hits = 0.0, 0, 0, 0, set(own.hits)
    for rank, grade in own.seen:
        if rank in hits:
            above = rank - 1
            pooled = _share(relevant + other + unjudged, above)
            good = _share(relevant + EPSILON, relevant + other + 2 * EPSILON)
            total += _share(1.0, rank) + _share(above, rank) * pooled * good
            relevant += 1
        elif grade >= 0:
            other += 1
        else:
            unjudged += 1
    return _share(total, own.relevant)


def _interpolated(own: Judged, recall: float) -> float:
    """Return the highest precision at or below the rank where so much recall is reached."""
    needed = int(recall * own.relevant + 0.9)  # the rounding of trec_eval 9; version 10 rounds to the nearest
    numbers = range(max(needed, 1), len(own.hits) + 1)
    return max((_share(number, own.hits[number - 1]) for number in numbers), default=0.0)


def _eleven_points(own: Judged) -> float:
    total = 0.0
    for recall in reversed(RECALLS):
        total += _interpolated(own, recall)
    return _share(total, len(RECALLS))


_SUMMED = frozenset({"num_q", "num_ret", "num_rel", "num_rel_ret"})
_POOLED = frozenset({"bpref", "infAP"})
_WHOLE: dict[str, Callable[[Judged], float]] = {
    "num_q": lambda _: 1.0,
    "num_ret": lambda own: float(own.retrieved),
    "num_rel": lambda own: float(own.relevant),
    "num_rel_ret": lambda own: float(len(own.hits)),
    "map": _average_precision,
    "gm_map": lambda own: log(max(_average_precision(own), LEAST_AP)),
    "ndcg": lambda own: ndcg(own.seen, own.ideal),
    "recip_rank": lambda own: _share(1.0, own.hits[0] if own.hits else 0),
    "Rprec": lambda own: _share(_found(own, own.relevant), own.relevant),
    "bpref": _bpref,
    "infAP": _inferred,
    "11pt_avg": _eleven_points,
    "set_P": lambda own: _share(len(own.hits), own.retrieved),
    "set_recall": lambda own: _share(len(own.hits), own.relevant),
    "set_F": _set_f,
    "set_map": lambda own: _share(float(len(own.hits)) ** 2, float(own.retrieved) * float(own.relevant)),
}
_AT_K: dict[str, Callable[[Judged, int], float]] = {
    "P": lambda own, k: _share(_found(own, k), k),
    "recall": lambda own, k: _share(_found(own, k), own.relevant),
    "success": lambda own, k: float(_found(own, k) > 0),
    "map_cut": _average_precision,
    "ndcg_cut": lambda own, k: ndcg(own.seen, own.ideal, k),
}
_NAME = re.compile(r"(?:(\w+)_([1-9][0-9]{0,9})|iprec_at_recall_(0\.[0-9]+|1\.0+))", re.ASCII)


@lru_cache(maxsize=1024)
def _figure(name: str) -> Callable[[Judged], float]:
    """Return what computes a measure."""
    if name in _WHOLE:
        return _WHOLE[name]
    found = _NAME.fullmatch(name)
    if found and found[3]:
        recall = float(found[3])
        return lambda own: _interpolated(own, recall)
    if found and found[1] in _AT_K:
        at_k, k = _AT_K[found[1]], int(found[2])
        return lambda own: at_k(own, k)
    known = [*_WHOLE, *(f"{prefix}_10" for prefix in _AT_K), "iprec_at_recall_0.10"]
    raise MeasureError(
        f"{shown(name)} is no measure of trec_eval known here{did_you_mean(name, known)}",
        expected=", ".join(known),
    )


# ---------------------------------------------------------------- matches: a ranking of golds


def slots(matched: Sequence[Sequence[int]], golds: int, *, drop_repeats: bool = False) -> list[int]:
    """Return the ranking of golds: a 1 for each gold when first satisfied, a 0 for a passage without a new one.

    Passages that only satisfy golds satisfied before are a 0 too, or leave no trace with `drop_repeats`.

    >>> slots([[0, 1], [1], [], [2]], 3), slots([[0, 1], [1], [], [2]], 3, drop_repeats=True)
    ([1, 1, 0, 0, 1], [1, 1, 0, 1])
    """
    out: list[int] = []
    before: set[int] = set()
    for numbers in matched:
        new = set(numbers) - before
        if new:
            _check_golds(new, golds)
            before |= new
            out += [1] * len(new)
        elif not (drop_repeats and numbers):
            out.append(0)
    return out


def _check_golds(numbers: set[int], golds: int) -> None:
    if not 0 <= min(numbers) <= max(numbers) < golds:
        strange = next(number for number in sorted(numbers) if not 0 <= number < golds)
        raise InputError(
            f"a passage satisfies gold {shown(strange)} of {plural(golds, 'gold')}", expected="numbers from 0"
        )


def ndcg_slots(ranking: Sequence[int], golds: int, k: int | None = None) -> float:
    """Return nDCG over the first k slots: 1 if and only if golds are in as many of them as can be.

    >>> ndcg_slots([1, 1, 0], 2, 10), ndcg_slots([0, 1], 1, 10)
    (1.0, 0.6309297535714575)
    """
    return ndcg(enumerate(ranking, start=1), [1] * golds, k)


def average_precision_slots(ranking: Sequence[int], golds: int, k: int | None = None) -> float:
    """Return the precisions at the golds among the first k slots, over all golds, also those that k leaves out.

    >>> average_precision_slots([1, 0, 1], 2)
    0.8333333333333333
    """
    ones = (rank for rank, slot in enumerate(ranking, start=1) if slot)
    return _share(_precisions(ones, _cut(k)), golds)


def r_precision_slots(ranking: Sequence[int], golds: int) -> float:
    """Return the share of golds in as many slots as there are golds.

    >>> r_precision_slots([1, 0, 1], 2)
    0.5
    """
    return _share(sum(ranking[:golds]), golds)


# ---------------------------------------------------------------- matches: passages


def recall_at(matched: Sequence[Sequence[int]], golds: int, k: int | None = None) -> float:
    """Return the share of golds that the first k passages satisfy."""
    return _share(sum(slots(matched[: _cut(k)], golds)), golds)


def precision_at(matched: Sequence[Sequence[int]], k: int | None = None) -> float:
    """Return how many of the first k passages satisfy a gold, over k, also where fewer were retrieved.

    Without k: over all that were retrieved.
    """
    return _share(sum(map(bool, matched[: _cut(k)])), len(matched) if k is None else k)


def hit_at(matched: Sequence[Sequence[int]], k: int | None = None) -> float:
    """Return 1 if one of the first k passages satisfies a gold, else 0."""
    return float(any(matched[: _cut(k)]))


def reciprocal_rank(matched: Sequence[Sequence[int]], k: int | None = None) -> float:
    """Return 1 over the rank of the first passage that satisfies a gold, 0 if none of the first k does."""
    first = next((rank for rank, one in enumerate(islice(matched, _cut(k)), start=1) if one), 0)
    return _share(1.0, first)
