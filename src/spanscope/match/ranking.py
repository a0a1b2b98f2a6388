"""Ranked lists of identifiers and what they are worth: the figures of trec_eval 9.0.8 exactly.

A run maps documents to scores and the judgements map documents to grades: above 0
relevant, 0 judged and not relevant, below 0 in the pool but not judged. What looks odd is what trec_eval does:

* equal scores are ordered by identifier, the last first; scores are equal when they are as single-precision
  numbers, which is all that trec_eval keeps of them;
* a level makes grades below it not relevant, but nDCG takes no notice of it;
* precision at k divides by k and average precision by all relevant documents, however short the list is.

A figure is 0 where there is nothing to find or nothing was retrieved.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import exp, inf, isnan, log, log2
from sys import maxsize
from typing import Literal, NamedTuple

import numpy as np

from spanscope.errors import InputError, MeasureError, did_you_mean, shown

Gain = Literal["linear", "exponential"]

CLOSE = 2.0**-22  # doubles further apart than this share of their size are not equal in single precision
SMALLEST = 3e-45  # likewise, for those next to 0
FEW_JUDGED = 12  # judged documents in a ranking up to which counting larger scores is faster than sorting
QUERIES_AT_ONCE = 5_000  # queries that are ranked together
SCORES_AT_ONCE = 1_000_000  # scores that are looked at together
LARGEST = 3e38  # what lies beyond can be infinite in single precision
STEEPEST = 1000  # grades above it have no exponential gain that is a number
LEAST_AP = 1e-5  # what trec_eval takes for an average precision below it in geometric means
EPSILON = 1e-5  # what trec_eval smooths infAP with
RECALLS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def share_of(part: float, whole: float) -> float:
    """Return part / whole, 0 if there is no whole: an array operation would cost more than all else of a query."""
    return part / whole if whole else 0.0


# ---------------------------------------------------------------- order


def trec_order(scores: Mapping[str, float]) -> list[str]:
    """Return the documents as trec_eval orders them: by score, equal ones by identifier, both descending.

    >>> trec_order({"a": 0.5, "b": 0.5, "c": 0.9})
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
    scores.append(inf)  # so that the last one has a neighbour too
    out = []
    for name in wanted:
        score = run[name]
        place = bisect_left(scores, score)
        near = abs(score) * CLOSE + SMALLEST
        if (place and score - scores[place - 1] <= near) or scores[place + 1] - score <= near:
            return _ranks_by_name(wanted, run)
        out.append(size - place)
    return out


def many_ranks(found: Sequence[Sequence[str]], runs: Sequence[Mapping[str, float]]) -> list[list[int]] | None:
    """Return `_ranks` of many queries at once: a document's rank is the number of larger scores, and 1.

    None where that would cost more than sorting (many documents are judged, or runs differ much in length), and
    where a score is no number of single precision.
    """
    number, size = (np.fromiter(map(len, own), dtype=np.int64, count=len(own)) for own in (found, runs))
    longest, total = int(size.max(initial=0)), int(size.sum())
    if not total or int(number.sum()) * longest > FEW_JUDGED * total or longest * len(runs) > 2 * total:
        return None
    values = np.fromiter(chain.from_iterable(run.values() for run in runs), dtype=np.float64, count=total)
    if not bool((np.abs(values) <= LARGEST).all()):
        return None
    table = np.full(
        (len(runs), longest), -inf
    )  # one row per query, filled up with scores that are larger than none
    table[np.arange(longest) < size[:, None]] = values
    pairs = ((run, names) for run, names in zip(runs, found, strict=True) if names)
    scores = np.fromiter((run[name] for run, names in pairs for name in names), dtype=np.float64)[:, None]
    row = np.repeat(np.arange(len(runs)), number)
    places, tied = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    step = max(SCORES_AT_ONCE // longest, 1)
    for first in range(0, len(row), step):
        own, others = scores[first : first + step], table[row[first : first + step]]
        close = np.abs(others - own) <= np.abs(own) * CLOSE + SMALLEST
        places.append((others > own).sum(axis=1) + 1)
        tied.append(row[first : first + step][close.sum(axis=1) > 1])  # every score is close to itself
    ranks, edges = np.concatenate(places).tolist(), np.append(0, np.cumsum(number)).tolist()
    by_name = set(np.concatenate(tied).tolist())
    return [
        _ranks_by_name(names, run) if query in by_name else ranks[edges[query] : edges[query + 1]]
        for query, (names, run) in enumerate(zip(found, runs, strict=True))
    ]


def _ranks_by_name(wanted: Sequence[str], run: Mapping[str, float]) -> list[int]:
    place = {name: rank for rank, name in enumerate(trec_order(run), start=1)}
    return [place[name] for name in wanted]


class Judged(NamedTuple):
    """A ranking beside its judgements."""

    seen: list[tuple[int, float]]  # rank and grade of the documents retrieved and judged, in order
    hits: list[int]  # the ranks of the relevant ones
    ideal: list[float]  # all grades above 0, the highest first
    relevant: int  # documents judged relevant, retrieved or not
    nonrelevant: int  # documents judged not relevant
    retrieved: int


def judge(qrels: Mapping[str, float], run: Mapping[str, float], level: int = 1, *, pool: bool = True) -> Judged:
    """Return where the judged documents of a query stand in a run; those graded at least `level` are relevant.

    Without `pool` only those with grades above 0 are looked up, enough for all measures but bpref and infAP.

    >>> judge({"a": 1, "b": 0, "x": 2}, {"a": 0.1, "b": 0.2, "c": 0.3})
    Judged(seen=[(2, 0), (3, 1)], hits=[3], ideal=[2, 1], relevant=2, nonrelevant=1, retrieved=3)
    """
    found = [name for name in qrels if name in run]
    if not pool:
        found = [name for name in found if qrels[name] > 0]
    return _judge_ranks(qrels, found, _ranks(found, run) if found else [], len(run), level)


def judge_all(
    qrels: Sequence[Mapping[str, float]], runs: Sequence[Mapping[str, float]], level: int = 1
) -> list[Judged]:
    """Return `judge` of many queries, faster where few documents of each are judged."""
    if len(runs) > QUERIES_AT_ONCE:  # in parts: a table of all scores takes room
        starts = range(0, len(runs), QUERIES_AT_ONCE)
        parts = (
            judge_all(qrels[at : at + QUERIES_AT_ONCE], runs[at : at + QUERIES_AT_ONCE], level) for at in starts
        )
        return [one for part in parts for one in part]
    found = [[name for name in own if name in run] for own, run in zip(qrels, runs, strict=True)]
    places = many_ranks(found, runs)
    if places is None:
        places = [_ranks(names, run) if names else [] for names, run in zip(found, runs, strict=True)]
    rows = zip(qrels, found, places, map(len, runs), strict=True)
    return [_judge_ranks(own, names, at, size, level) for own, names, at, size in rows]


def _judge_ranks(
    qrels: Mapping[str, float], found: list[str], at: list[int], retrieved: int, level: int
) -> Judged:
    """Return a ranking beside its judgements, from the ranks of the documents that are in both."""
    if level == 1 and set(qrels.values()) == {1}:  # as most judgements are
        hits = sorted(at)
        return Judged([(rank, 1) for rank in hits], hits, [1] * len(qrels), len(qrels), 0, retrieved)
    if level < 1:
        raise MeasureError(f"the level of relevance is {level}", expected="1 or more: grade 0 is not relevant")
    grades = sorted(qrels.values(), reverse=True)
    ideal = grades if grades and grades[-1] > 0 else [grade for grade in grades if grade > 0]
    relevant = len(ideal) if level == 1 else sum(grade >= level for grade in ideal)
    nonrelevant = len(ideal) - relevant
    if len(ideal) < len(qrels):
        nonrelevant += sum(grade == 0 for grade in grades)
    seen = sorted(zip(at, map(qrels.__getitem__, found), strict=True))
    hits = [rank for rank, grade in seen if grade >= level]
    return Judged(seen, hits, ideal, relevant, nonrelevant, retrieved)


# ---------------------------------------------------------------- gains and precisions, of both worlds


def ndcg(
    seen: Iterable[tuple[int, float]], ideal: Sequence[float], k: int | None = None, gain: Gain = "linear"
) -> float:
    """Return the discounted gain down to rank k over the best there can be, from ranks with grades in order.

    >>> ndcg([(1, 1), (2, 3)], [3, 1]), ndcg([(1, 1), (2, 3)], [3, 1], gain="exponential")
    (0.7967075809905066, 0.7098097413968655)
    """
    return share_of(_dcg(seen, cutoff_rank(k), gain), _ideal(tuple(ideal), cutoff_rank(k), gain))


def _dcg(seen: Iterable[tuple[int, float]], k: int, gain: Gain = "linear") -> float:
    total = 0.0  # added up one by one: sum() rounds differently from Python 3.12 on
    for rank, grade in seen:
        if rank > k:
            break
        if grade > 0:
            total += (grade if gain == "linear" else _steep(grade)) / log2(rank + 1)
    return total


@lru_cache(maxsize=4096)  # few different ones come back with nearly every query
def _ideal(grades: tuple[float, ...], k: int, gain: Gain) -> float:
    return _dcg(enumerate(grades, start=1), k, gain)


def _steep(grade: float) -> float:
    if grade > STEEPEST:
        raise InputError(f"grade {shown(grade)} has no exponential gain", expected=f"at most {STEEPEST}")
    return float(2.0**grade - 1.0)


def precisions(hits: Iterable[int], k: int = maxsize) -> float:
    """Return the sum of the precisions at the ranks of the hits, down to rank k."""
    total = 0.0
    for number, rank in enumerate(hits, start=1):
        if rank > k:
            break
        total += number / rank
    return total


def cutoff_rank(k: int | None) -> int:
    """Return a cutoff as a number, checked: without one, beyond every rank."""
    if k is None:
        return maxsize
    if k < 1:
        raise MeasureError(f"the cut-off k is {shown(k)}", expected="1 or more")
    return k


# ---------------------------------------------------------------- trec_eval


def trec(
    qrels: Mapping[str, float], run: Mapping[str, float], measures: Sequence[str], level: int = 1
) -> dict[str, float]:
    """Return the figures of one query by trec_eval's names, such as `map`, `ndcg_cut_10` or `P_5`.

    The one difference: iprec_at_recall_0.00 and 11pt_avg of an empty run are 0, not NaN.

    >>> trec({"a": 1, "b": 1}, {"c": 0.9, "a": 0.5}, ["recip_rank", "recall_10"])
    {'recip_rank': 0.5, 'recall_10': 0.5}
    """
    own = judge(qrels, run, level, pool=not _POOLED.isdisjoint(measures))
    return {name: figure(name)(own) for name in measures}


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
    means = {name: total if name in _SUMMED else share_of(total, size) for name, total in totals.items()}
    return {name: exp(mean) if name == "gm_map" else mean for name, mean in means.items()}


def _average_precision(own: Judged, k: int = maxsize) -> float:
    return share_of(precisions(own.hits, k), own.relevant)


def _relevant_found(own: Judged, k: int) -> int:
    return bisect_right(own.hits, k)


def _set_f(own: Judged) -> float:
    precision, recall = share_of(len(own.hits), own.retrieved), share_of(len(own.hits), own.relevant)
    return share_of(2.0 * precision * recall, precision + recall)


def _bpref(own: Judged) -> float:
    """Return how few of the documents judged not relevant stand above the relevant ones."""
    if not own.nonrelevant:
        return share_of(float(len(own.hits)), own.relevant)
    total, above, hits = 0.0, 0, set(own.hits)
    for rank, grade in own.seen:
        if rank in hits:
            most = min(own.nonrelevant, own.relevant)
            total += 1.0 - share_of(min(above, own.relevant), most)
        elif grade >= 0:
            above += 1
    return share_of(total, own.relevant)


def _inferred_ap(own: Judged) -> float:
    """Return infAP: the precision expected where only some of the pool is judged."""
    total, relevant, other, unjudged, hits = 0.0, 0, 0, 0, set(own.hits)
    for rank, grade in own.seen:
        if rank in hits:
            above = rank - 1
            pooled = share_of(relevant + other + unjudged, above)
            good = share_of(relevant + EPSILON, relevant + other + 2 * EPSILON)
            total += share_of(1.0, rank) + share_of(above, rank) * pooled * good
            relevant += 1
        elif grade >= 0:
            other += 1
        else:
            unjudged += 1
    return share_of(total, own.relevant)


def _interpolate(own: Judged, recall: float) -> float:
    """Return the highest precision at or below the rank where so much recall is reached."""
    needed = int(recall * own.relevant + 0.9)  # the rounding of trec_eval 9; version 10 rounds to the nearest
    numbers = range(max(needed, 1), len(own.hits) + 1)
    return max((share_of(number, own.hits[number - 1]) for number in numbers), default=0.0)


def _eleven_points(own: Judged) -> float:
    total = 0.0
    for recall in reversed(RECALLS):
        total += _interpolate(own, recall)
    return share_of(total, len(RECALLS))


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
    "recip_rank": lambda own: share_of(1.0, own.hits[0] if own.hits else 0),
    "Rprec": lambda own: share_of(_relevant_found(own, own.relevant), own.relevant),
    "bpref": _bpref,
    "infAP": _inferred_ap,
    "11pt_avg": _eleven_points,
    "set_P": lambda own: share_of(len(own.hits), own.retrieved),
    "set_recall": lambda own: share_of(len(own.hits), own.relevant),
    "set_F": _set_f,
    "set_map": lambda own: share_of(float(len(own.hits)) ** 2, float(own.retrieved) * float(own.relevant)),
}
_AT_K: dict[str, Callable[[Judged, int], float]] = {
    "P": lambda own, k: share_of(_relevant_found(own, k), k),
    "recall": lambda own, k: share_of(_relevant_found(own, k), own.relevant),
    "success": lambda own, k: float(_relevant_found(own, k) > 0),
    "map_cut": _average_precision,
    "ndcg_cut": lambda own, k: ndcg(own.seen, own.ideal, k),
}
_NAME = re.compile(r"(?:(\w+)_([1-9][0-9]{0,9})|iprec_at_recall_(0\.[0-9]+|1\.0+))", re.ASCII)


@lru_cache(maxsize=1024)
def figure(name: str) -> Callable[[Judged], float]:
    """Return what computes a measure of trec_eval, by its name, from a ranking beside its judgements."""
    if name in _WHOLE:
        return _WHOLE[name]
    found = _NAME.fullmatch(name)
    if found and found[3]:
        recall = float(found[3])
        return lambda own: _interpolate(own, recall)
    if found and found[1] in _AT_K:
        at_k, k = _AT_K[found[1]], int(found[2])
        return lambda own: at_k(own, k)
    known = [*_WHOLE, *(f"{prefix}_10" for prefix in _AT_K), "iprec_at_recall_0.10"]
    raise MeasureError(
        f"{shown(name)} is not a known measure of trec_eval{did_you_mean(name, known)}",
        expected=", ".join(known),
    )
