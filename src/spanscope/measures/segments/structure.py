"""Segmentations compared by their segments: which units stand together."""

from __future__ import annotations

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.match.boundaries import Stretches, cuts, lengths, stretches
from spanscope.measures.registry import Outcome, measure
from spanscope.measures.segments.boundaries import by_document
from spanscope.rates import FoundRates, NamedRates, Rate, Sums, mean, share
from spanscope.sides.comparison import Comparison

OVERLAP = NamedRates(
    (share("iou", "iou", "segments"), share("dice", "dice", "segments"), share("covering", "covered", "units"))
)


@measure("segments.overlap", OVERLAP, matches=False)
def overlap(c: Comparison) -> Outcome:
    """Find for each gold segment the predicted one that overlaps it best.

        iou  = mean over gold segments of the best |g ∩ p| / |g ∪ p|
        dice = mean over gold segments of the best 2 |g ∩ p| / (|g| + |p|)
        covering = mean of the best IoU weighted by the length of the gold segment

    A predicted segment may be the best for several gold ones. It is not symmetric: the mean is over gold only.

    Counts     iou, dice, covered (sums), segments (gold), units, by document.
    Undefined  only for empty texts.
    Source     RT-SEG's Mean_IoU and Mean_Dice; covering after Arbelaez et al. (2011).
    Checked    tests/oracles/rtseg_random.json; tests/twins/segments.py.
    """
    found = stretches(c)
    gold, pred = found.gold_length(), found.pred_length()
    both = gold[found.gold] + pred[found.pred]
    iou = _best(ratio(found.length, both - found.length), found.first_gold)
    dice = ratio(2 * iou, 1 + iou)  # grows with IoU, so the best pair is the same
    doc = found.doc_gold
    columns = {"iou": iou, "dice": dice, "covered": iou * gold}
    summed = {name: np.bincount(doc, weights=column, minlength=c.documents) for name, column in columns.items()}
    return by_document(c, {**summed, "segments": np.bincount(doc, minlength=c.documents), "units": lengths(c)})


def _f(name: str, one: str, other: str, whole: str) -> Rate:
    def of(s: Sums) -> Floats:
        p, r = ratio(s[one], s[whole]), ratio(s[other], s[whole])
        return ratio(2 * p * r, p + r)

    return Rate(name, of)


PURITY = NamedRates(
    (share("purity", "pure", "units"), share("coverage", "covered", "units"), _f("f1", "pure", "covered", "units"))
)


@measure("segments.purity", PURITY, matches=False)
def purity(c: Comparison) -> Outcome:
    """Measure how much of a segment is inside a single segment of the other side.

        purity   = sum over predicted segments of the largest overlap with a gold segment / N
        coverage = sum over gold segments of the largest overlap with a predicted segment / N

    f1 is their harmonic mean. A prediction with a boundary after every unit has a purity of 1, and one
    without boundaries a coverage of 1.

    Counts     pure, covered, units, by document.
    Undefined  only for empty texts.
    Source     Bredin (2017), pyannote.metrics: SegmentationPurity and SegmentationCoverage.
    Checked    tests/oracles/seg_mir_eval_pyannote_ruptures.json; tests/twins/segments.py.
    """
    found = stretches(c)
    columns = {
        name: np.bincount(doc, weights=_best(found.length, first), minlength=c.documents)
        for name, doc, first in (
            ("pure", found.doc_pred, found.first_pred),
            ("covered", found.doc_gold, found.first_gold),
        )
    }
    return by_document(c, {**columns, "units": lengths(c)})


TOGETHER = FoundRates(lambda s: s["both"], lambda s: s["together_pred"], lambda s: s["together_gold"])


def _rand(s: Sums) -> Floats:
    return ratio(s["pairs"] - s["together_gold"] - s["together_pred"] + 2 * s["both"], s["pairs"])


PAIRS = NamedRates((*TOGETHER.rates(), Rate("rand", _rand)))


@measure("segments.pairs", PAIRS, matches=False)
def pairs(c: Comparison) -> Outcome:
    """Check for every pair of units whether both are in the same segment.

        precision = pairs together on both sides / pairs together in the prediction,   recall = the same / gold
        rand      = share of pairs on which the two sides agree

    Counts     both, together_pred, together_gold, pairs (all), by document.
    Undefined  precision (recall) if no predicted (gold) segment has two units; rand below two units. A text
               without boundaries on either side counts as 1.
    Source     mir_eval.segment.pairwise and rand_index; ruptures' randindex; Rand (1971).
    Checked    tests/oracles/seg_mir_eval_pyannote_ruptures.json; tests/twins/segments.py.
    """
    found = stretches(c)
    columns = {
        "both": _pairs_of(found.length, found.doc, c.documents),
        "together_pred": _pairs_of(found.pred_length(), found.doc_pred, c.documents),
        "together_gold": _pairs_of(found.gold_length(), found.doc_gold, c.documents),
        "pairs": _choose(lengths(c)),
    }
    return by_document(c, columns)


CLUSTERS = NamedRates(
    tuple(
        (mean if name in ("ari", "mi") else share)(name, name, "documents", best=best)
        for name, best in (
            ("ari", 1.0),
            ("homogeneity", 1.0),
            ("completeness", 1.0),
            ("v", 1.0),
            ("mi", float("nan")),
            ("nmi", 1.0),
            ("nmi_geometric", 1.0),
            ("nce_over", 1.0),
            ("nce_under", 1.0),
            ("nce_f", 1.0),
        )
    )
)


@measure("segments.clusters", CLUSTERS, matches=False)
def clusters(c: Comparison) -> Outcome:
    """Compare segments as clusters of units, from the table of their overlaps.

        homogeneity = 1 - H(gold | pred) / H(gold),   completeness = 1 - H(pred | gold) / H(pred)
        nmi = mi / mean of both entropies,   nmi_geometric = mi / sqrt(H(gold) H(pred))
        nce_over = 1 - H(pred | gold) / log(predicted segments)
        nce_under = 1 - H(gold | pred) / log(gold segments)

    ari is the adjusted Rand index, mi the mutual information in nats; v is the harmonic mean of homogeneity and
    completeness, nce_f that of nce_over and nce_under. Each is the mean over documents in every average.

    Counts     a sum for each rate, and documents (with a boundary on either side).
    Undefined  only for texts without boundaries on either side, which count as 1 (mi is left out, because it
               has no best value). Homogeneity is 1 if gold is one segment, completeness if pred is one,
               as in scikit-learn; nce_over is 0 if pred is one segment, nce_under if gold is (mir_eval).
    Source     Hubert and Arabie (1985); Rosenberg and Hirschberg (2007); Lukashevich (2008).
    Differs    mir_eval calls completeness precision and homogeneity recall, gives 0 for both if one side is one
               segment, and samples frames, at quadratic cost.
    Checked    tests/oracles/seg_mir_eval_pyannote_ruptures.json (mir_eval and scikit-learn); twins.
    """
    found = stretches(c)
    units = lengths(c)
    some = (cuts(c, "gold").number > 0) | (cuts(c, "pred").number > 0)
    gold, pred, both = (_entropy(*of, units) for of in _tables(found))
    mi = np.maximum(gold + pred - both, 0.0)
    homogeneity, completeness = (
        np.where(own > 0, 1 - ratio(np.maximum(both - other, 0.0), own), 1.0)
        for own, other in ((gold, pred), (pred, gold))
    )
    over, under = (
        np.where(n > 0, 1 - ratio(np.maximum(both - other, 0.0), np.log(n + 1)), 0.0)
        for n, other in ((cuts(c, "pred").number, gold), (cuts(c, "gold").number, pred))
    )
    columns = {
        "ari": _ari(found, units),
        "homogeneity": homogeneity,
        "completeness": completeness,
        "v": _harmonic(homogeneity, completeness),
        "mi": mi,
        "nmi": ratio(2 * mi, gold + pred, empty=0.0),
        "nmi_geometric": ratio(mi, np.sqrt(gold * pred), empty=0.0),
        "nce_over": over,
        "nce_under": under,
        "nce_f": _harmonic(over, under),
    }
    return by_document(
        c, {name: np.where(some, column, 0.0) for name, column in columns.items()} | {"documents": some}
    )


@measure("segments.ami", NamedRates((mean("ami", "ami", "documents"),)), matches=False)
def ami(c: Comparison) -> Outcome:
    """Compare segments as clusters of units by mutual information, adjusted for chance.

        ami = (MI - E[MI]) / (max(H(gold), H(pred)) - E[MI])

    E[MI] is the expected value over all permutations of the units. Its sum is over all overlaps that two segments
    could have, so the cost of this measure grows with the length of the segments. It is the mean over documents
    in every average.

    Counts     ami (sum), documents (with a boundary on either side).
    Undefined  only for texts without boundaries on either side, which count as 1.
    Source     Vinh, Epps and Bailey (2010), with the larger entropy as normaliser, as in mir_eval.
    Differs    scikit-learn's default normaliser is the mean of the entropies.
    Checked    tests/oracles/seg_mir_eval_pyannote_ruptures.json; tests/twins/segments.py.
    """
    found = stretches(c)
    units = lengths(c)
    some = (cuts(c, "gold").number > 0) | (cuts(c, "pred").number > 0)
    gold, pred, both = (_entropy(*of, units) for of in _tables(found))
    expected = np.zeros(c.documents)
    sizes = (found.gold_length(), found.pred_length())
    edges = [np.searchsorted(doc, np.arange(c.documents + 1)) for doc in (found.doc_gold, found.doc_pred)]
    for doc in np.flatnonzero(some).tolist():
        own, other = (size[edge[doc] : edge[doc + 1]] for size, edge in zip(sizes, edges, strict=True))
        expected[doc] = _expected_mi(own, other, int(units[doc]))
    value = ratio(gold + pred - both - expected, np.maximum(gold, pred) - expected, empty=1.0)
    return by_document(c, {"ami": np.where(some, value, 0.0), "documents": some})


def _best(values: Floats | Ints, first: Ints) -> Floats:
    """Return the largest value of each group of consecutive cells."""
    return np.maximum.reduceat(values, first) if len(values) else np.zeros(0)


def _choose(sizes: Ints) -> Ints | Floats:
    """Return how many pairs each number of units has; beyond whole numbers of 64 bits as near as floats come."""
    exact = sizes if int(sizes.max(initial=0)) < 1 << 31 else sizes.astype(np.float64)
    return np.asarray(exact * (exact - 1) // 2)


def _pairs_of(sizes: Ints, doc: Ints, documents: int) -> Floats:
    return np.asarray(np.bincount(doc, weights=_choose(sizes), minlength=documents), dtype=np.float64)


def _tables(found: Stretches) -> tuple[tuple[Ints, Ints], ...]:
    """Return the sizes of gold segments, of predicted ones and of their overlaps, with their documents."""
    return (found.gold_length(), found.doc_gold), (found.pred_length(), found.doc_pred), (found.length, found.doc)


def _entropy(sizes: Ints, doc: Ints, units: Ints) -> Floats:
    """Return the entropy of each document's table in nats."""
    shares = ratio(sizes, units[doc])
    return np.asarray(np.bincount(doc, weights=-shares * np.log(shares), minlength=len(units)), dtype=np.float64)


def _harmonic(one: Floats, other: Floats) -> Floats:
    return ratio(2 * one * other, one + other, empty=0.0)


def _ari(found: Stretches, units: Ints) -> Floats:
    gold, pred, both = (_pairs_of(*of, len(units)) for of in _tables(found))
    expected = ratio(gold * pred, _choose(units))
    return ratio(both - expected, (gold + pred) / 2 - expected, empty=1.0)


def _expected_mi(gold: Ints, pred: Ints, units: int) -> float:
    """Return the mutual information that segments of these sizes have by chance."""
    from scipy.special import gammaln

    total = 0.0
    fixed = gammaln(gold + 1)[:, None] + gammaln(units - gold + 1)[:, None] - gammaln(units + 1)
    for size in pred.tolist():
        for i, own in enumerate(gold.tolist()):
            n = np.arange(max(1, own + size - units), min(own, size) + 1, dtype=np.float64)
            log_p = (
                fixed[i, 0]
                + gammaln(size + 1)
                + gammaln(units - size + 1)
                - gammaln(n + 1)
                - gammaln(own - n + 1)
                - gammaln(size - n + 1)
                - gammaln(units - own - size + n + 1)
            )
            total += float((ratio(n, units) * np.log(ratio(units * n, own * size)) * np.exp(log_p)).sum())
    return total
