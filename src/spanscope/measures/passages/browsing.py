"""Ranked passages as somebody looks through them: the first k, or each with less patience than the one before."""

from __future__ import annotations

from spanscope.arithmetic import added_up
from spanscope.match.gold_ranking import PassageMatch, precision_at, recall_at
from spanscope.match.ranking import share_of
from spanscope.measures.passages.answers import NOTHING, Cutoff
from spanscope.measures.passages.queries import (
    By,
    Item,
    Query,
    decide_by,
    has_gold,
    match_all,
    means_over_queries,
    per_query,
    queries,
    settle_by,
)
from spanscope.measures.passages.retrieval import ALL
from spanscope.measures.registry import Outcome, Share, measure
from spanscope.rates import NamedRates, share
from spanscope.sides.comparison import Comparison

NO_BEST = float("nan")
RBP = NamedRates(
    (share("rbp", "rbp", "queries", best=NO_BEST), share("residual", "residual", "queries", best=NO_BEST)),
    perfect=False,
)


@measure("passages.f1", means_over_queries("f1"), needs=NOTHING, settle=settle_by)
def f1(
    c: Comparison, *, k: Cutoff = 10, by: By = "auto", coverage: Share = 0.5, similarity: Share = 0.8
) -> Outcome:
    """Combine precision and recall of the first k passages.

        f1 = 2 precision recall / (precision + recall);   mean over queries

    Precision, recall, `by`, `coverage` and `similarity` are those of passages.ranking: precision divides by k,
    however few passages there are, so fewer than k gold answers keep F1 below 1.

    Counts     f1, queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     van Rijsbergen (1979); F1@k of ranx.
    Checked    tests/oracles/browsing.json (ranx 0.3.21); tests/twins/passages.py.
    """
    found = match_all(c, by, coverage, similarity)
    both = [
        (precision_at(own, k), recall_at(own, len(q.gold), k)) for q, own in zip(queries(c), found, strict=True)
    ]
    values = [share_of(2.0 * p * r, p + r) for p, r in both]
    match = PassageMatch(decide_by(c, by), c.documents, found.__getitem__)
    return per_query(c, {"f1": values, "queries": has_gold(c)}, match)


@measure("passages.rbp", RBP, needs=NOTHING, settle=settle_by)
def rbp(
    c: Comparison,
    *,
    p: Share = 0.8,
    k: Cutoff = ALL,
    by: By = "auto",
    coverage: Share = 0.5,
    similarity: Share = 0.8,
) -> Outcome:
    """Compute rank-biased precision, for a reader who continues with probability p.

        rbp      = (1 - p) sum over relevant ranks i of p^(i - 1)
        residual = p^n + (1 - p) sum over unjudged ranks i of p^(i - 1)

    n is the number of passages among the first k. A passage is relevant when it holds a gold answer, by the rules
    of passages.ranking (`by`, `coverage`, `similarity`), however relevant the answer is. The residual is what
    passages that were not judged, or not retrieved, could add at most; a gold answer with a relevance of 0 or more
    is a judgement. No finite list reaches 1, so there is no best value to compare with.

    Counts     rbp, residual, queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     Moffat and Zobel (2008).
    Differs    ranx adds up grades, and can exceed 1; trec_eval 10.0 scales grades, by numbers that it forgets to
               set; cwl_eval, by way of ir_measures, does the same as this with rel=1.
    Checked    tests/oracles/browsing.json (ir_measures 0.4.3 with cwl_eval 1.0.12, ranx 0.3.21);
               tests/twins/passages.py; the residual worked by hand in tests/measures/test_browsing.py.
    """
    found = match_all(c, by, coverage, similarity)
    known = match_all(c, by, coverage, similarity, of=_with_all_judged)
    ranks = [_sum_of_weights([bool(one) for one in own[:k]], p) for own in found]
    rest = [p ** len(own[:k]) + _sum_of_weights([not one for one in own[:k]], p) for own in known]
    match = PassageMatch(decide_by(c, by), c.documents, found.__getitem__)
    return per_query(c, {"rbp": ranks, "residual": rest, "queries": has_gold(c)}, match)


def _sum_of_weights(ranks: list[bool], p: float) -> float:
    """Return the weights of some ranks together."""
    return (1 - p) * added_up(p**at for at, counts in enumerate(ranks) if counts)


def _with_all_judged(query: Query) -> Query:
    """Return a query that has all that was judged for gold answers, relevant or not; below 0 is not judged."""
    groups: dict[int, list[Item]] = {}
    for one in query.judged:
        if one.grade >= 0:
            groups.setdefault(one.group, []).append(one)
    return query._replace(gold=list(groups.values()))


@measure("passages.judged", means_over_queries("judged"), needs=NOTHING, settle=settle_by, matches=False)
def judged(
    c: Comparison, *, k: Cutoff = 10, by: By = "auto", coverage: Share = 0.5, similarity: Share = 0.8
) -> Outcome:
    """Compute the share of the first k passages that were judged.

        judged = passages of the first k that hold something judged / passages of the first k;   mean over queries

    A gold answer with a relevance of 0 or more is a judgement: 0 is judged and not relevant, below 0 not judged.
    Passages hold answers by the rules of passages.ranking (`by`, `coverage`, `similarity`). Where few are judged,
    other figures may be too low.

    Counts     judged, queries (with something judged, and with passages).
    Undefined  for queries without judgements or without passages, which are left out.
    Source     OpenNIR; Judged@k of ir_measures; 1 - hole@k of BEIR.
    Differs    ir_measures takes grades below 0 for judgements too.
    Checked    tests/oracles/browsing.json (ir_measures 0.4.3); tests/twins/passages.py.
    """
    known = match_all(c, by, coverage, similarity, of=_with_all_judged)
    counted = [bool(q.passages and any(one.grade >= 0 for one in q.judged)) for q in queries(c)]
    values = [share_of(sum(map(bool, own[:k])), len(own[:k])) for own in known]
    shares = [value if counts else 0.0 for value, counts in zip(values, counted, strict=True)]
    return per_query(c, {"judged": shares, "queries": [float(counts) for counts in counted]})
