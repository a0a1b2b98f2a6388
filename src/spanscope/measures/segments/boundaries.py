"""Segmentations compared by their boundaries. A boundary is the end of every segment but the last.

One convention holds for every measure here (docs/conventions.md): a document without a boundary on both sides is
perfect; without boundaries on one side a share of them is undefined, F is 0, a distance is infinite and counted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.counts import STAR, Columns, make
from spanscope.errors import MeasureError
from spanscope.match.boundaries import (
    Cuts,
    cuts,
    distances,
    is_near,
    lengths,
    lines_by_label,
    no_distance,
    with_ends,
)
from spanscope.match.boundary_pairs import BoundaryMatch
from spanscope.measures.registry import Outcome, Positive, Range, Whole, measure
from spanscope.rates import FoundRates, NamedRates, TwoSidedRates, mean, share
from spanscope.sides.comparison import Comparison

BOUNDARIES = FoundRates(lambda s: s["tp"], lambda s: s["pred"], lambda s: s["gold"])
Bins = Annotated[int, Range(1, 100_000)]
CELLS_AT_ONCE = 1_000_000  # cells of a histogram held at once


def by_document(c: Comparison, columns: Columns) -> Outcome:
    """Return one row per document: the columns, and how many boundaries each side has."""
    own = dict(columns)
    for side in ("gold", "pred"):
        own.setdefault(side, cuts(c, side).number)
    return Outcome(make(c.documents, c.labels, np.arange(c.documents), np.full(c.documents, STAR), own))


@measure("segments.b_score", TwoSidedRates(), matches=False)
def b_score(c: Comparison, *, tolerance: Whole = 3) -> Outcome:
    """Count boundaries that have a boundary of the other side nearby.

        precision = share of predicted boundaries with a gold one within `tolerance` units
        recall    = share of gold boundaries with a predicted one within `tolerance` units

    F is their harmonic mean. It is lenient: one boundary may match several, so that several predicted boundaries
    around a single gold one cost nothing. segments.boundaries(tolerance=3) is the strict form, with one-to-one
    matching.

    Counts     near_pred, pred, near_gold, gold, by document.
    Undefined  precision without predicted, recall without gold boundaries; F if there are neither,
               in which case the document counts as 1 in the mean over documents.
    Source     RT-SEG's Boundary_Similarity (B-score), whose `window` is `tolerance`.
    Differs    it is not Fournier's B, which is segments.edit_distance, and in which each boundary counts once.
    Checked    tests/oracles/rtseg_random.json; tests/twins/segments.py.
    """
    columns = {}
    for side, other in (("pred", "gold"), ("gold", "pred")):
        close = is_near(distances(c, side, other), tolerance, c)
        columns[f"near_{side}"] = _count_by_document(cuts(c, side), close)
    return by_document(c, columns)


@measure("segments.soft", TwoSidedRates(), matches=False)
def soft(c: Comparison, *, sigma: Positive = 5.0) -> Outcome:
    """Credit each boundary by its distance to the nearest of the other side.

        precision = mean over predicted boundaries of exp(-distance / sigma),   recall = the same over gold

    F is their harmonic mean. It is lenient in the same way as segments.b_score: one boundary may match several.

    Counts     near_pred, near_gold (sums of credit), pred, gold, by document.
    Undefined  precision without predicted, recall without gold boundaries; F if there are neither,
               in which case the document counts as 1 in the mean over documents.
    Source     RT-SEG's Soft_Boundary_F1.
    Differs    RT-SEG takes any sigma; here it must be above 0 (0 leads to 0/0, below 0 credits exceed 1).
    Checked    tests/oracles/rtseg_random.json; tests/twins/segments.py.
    """
    columns = {}
    for side, other in (("pred", "gold"), ("gold", "pred")):
        distance = distances(c, side, other)
        credit = np.where(distance <= no_distance(c), np.exp(-ratio(distance, sigma)), 0.0)
        columns[f"near_{side}"] = cuts(c, side).per_document(credit)
    return by_document(c, columns)


DISTANCE = NamedRates(
    (
        mean("displacement", "gold_distance", "gold_measured", best=0.0),
        mean("displacement_pred", "pred_distance", "pred_measured", best=0.0),
        mean("median", "gold_median", "documents", best=0.0),
        mean("median_pred", "pred_median", "documents", best=0.0),
        mean("hausdorff", "hausdorff", "documents", best=0.0),
    )
)


@measure("segments.displacement", DISTANCE, matches=False)
def displacement(c: Comparison) -> Outcome:
    """Measure how far boundaries are from the nearest of the other side.

        displacement = mean over gold boundaries of the distance to the nearest predicted one
        displacement_pred, the other way; median and median_pred, the medians of each document;
        hausdorff = the largest distance of either way

    Medians and hausdorff are means over documents in every average.

    Counts     gold_distance, gold_measured, pred_distance, pred_measured, gold_median, pred_median, hausdorff,
               documents (with boundaries on both sides), infinite (documents with boundaries on one side only).
    Undefined  if only one side has boundaries: the distance is infinite, left out and counted in `infinite`;
               without boundaries on either side it is 0.
    Source     RT-SEG's Boundary_Displacement; mir_eval's segment deviation (medians); ruptures' hausdorff.
    Differs    RT-SEG gives infinity also if neither side has a boundary, and one infinite document makes
               its mean infinite.
    Checked    tests/oracles/rtseg_random.json, seg_mir_eval_pyannote_ruptures.json; tests/twins/segments.py.
    """
    gold, pred = cuts(c, "gold"), cuts(c, "pred")
    both, either = (gold.number > 0) & (pred.number > 0), (gold.number > 0) | (pred.number > 0)
    columns: dict[str, Ints | Floats | Bools] = {}
    farthest = np.zeros(c.documents, dtype=np.int64)
    for side, other, own in (("gold", "pred", gold), ("pred", "gold", pred)):
        distance = np.where(both[own.doc], distances(c, side, other), 0)
        columns[f"{side}_distance"] = own.per_document(distance)
        columns[f"{side}_measured"] = np.where(both, own.number, 0)
        columns[f"{side}_median"], most = _middle(own, distance)
        farthest = np.maximum(farthest, most)
    columns |= {"hausdorff": farthest, "documents": both, "infinite": either & ~both}
    return by_document(c, columns)


@measure("segments.bias", NamedRates((mean("bias", "more", "segments", best=0.0),)), matches=False)
def bias(c: Comparison) -> Outcome:
    """Compare the numbers of segments.

        bias = (predicted segments - gold segments) / gold segments

    It is above 0 if the text was divided into too many segments, and below 0 if into too few.

    Counts     more (predicted minus gold segments, may be negative), segments (gold), by document.
    Undefined  only for empty texts, which count as 0 in the mean over documents.
    Source     RT-SEG's Segmentation_Bias.
    Checked    tests/oracles/rtseg_random.json; tests/twins/segments.py.
    """
    gold, pred = (cuts(c, side).number for side in ("gold", "pred"))
    return by_document(c, {"more": pred - gold, "segments": np.where(lengths(c) > 0, gold + 1, 0)})


@measure("segments.boundaries", BOUNDARIES)
def boundaries(c: Comparison, *, tolerance: Whole = 0, labelled: bool = False, ends: bool = False) -> Outcome:
    """Match boundaries one for one, exactly or within a tolerance.

        tp = the most pairs of a gold and a predicted boundary at most `tolerance` units apart, each used once

    Pairs are found from left to right, each boundary with the first unpaired one within reach, which gives the
    largest possible number. Of all matchings with this number, the one with the smallest total distance is
    shown. tolerance=0 is exact boundary F1. labelled=true pairs only boundaries of the same type (the label of
    the segment that ends there) and counts by label. ends=true also counts the start and the end of the text as
    boundaries of both sides, which raises all figures.

    Counts     tp, pred, gold, by document (labelled: and label).
    Undefined  precision without predicted, recall without gold boundaries; F if there are neither,
               in which case the document counts as 1 in the mean over documents.
    Source     RT-SEG's Boundary_F1; mir_eval's segment detection (ends=true is trim=False).
    Differs    RT-SEG gives F 0 if neither side has a boundary; pyannote and chunkseg match greedily and find
               fewer pairs; mir_eval gives 0 if both sides are empty.
    Checked    mir_eval live; tests/oracles/rtseg_random.json, seg_mir_eval_pyannote_ruptures.json; twins.
    """
    if labelled and ends:
        raise MeasureError("ends=true goes with labelled=false: the ends of a text have no type")
    reach = min(tolerance, no_distance(c))
    gold, pred = (cuts(c, side, labelled=labelled) for side in ("gold", "pred"))
    if labelled:
        return _by_label(c, gold, pred, reach)
    if ends:
        gold, pred = with_ends(c, gold), with_ends(c, pred)
    match = BoundaryMatch(gold, pred, reach)
    columns = {"tp": _count_by_document(gold, match.found), "pred": pred.number, "gold": gold.number}
    return replace(by_document(c, columns), boundaries=match)


def _by_label(c: Comparison, gold: Cuts, pred: Cuts, reach: int) -> Outcome:
    """Match each label on its own, and count one row per document that has it."""
    lines = lines_by_label(c, gold, pred)
    match = BoundaryMatch(lines.gold, lines.pred, reach)
    rows = {"tp": lines.of_gold[match.found], "pred": lines.of_pred, "gold": lines.of_gold}
    columns = {name: np.bincount(own, minlength=len(lines.doc)) for name, own in rows.items()}
    return Outcome(make(c.documents, c.labels, lines.doc, lines.label, columns), boundaries=match)


@measure("segments.cover", NamedRates((share("cover", "near_pred", "pred"),)), matches=False)
def cover(c: Comparison, *, tolerance: Whole = 10) -> Outcome:
    """Compute the share of predicted boundaries that have a gold boundary nearby.

        cover = predicted boundaries with a gold one within `tolerance` units / predicted boundaries

    Use it for diagnosis, not as the main figure, because missed gold boundaries cost nothing. It is the
    precision of segments.b_score at this tolerance.

    Counts     near_pred, pred, gold, by document.
    Undefined  without predicted boundaries; without boundaries on either side the document counts as 1.
    Source     RT-SEG's Boundary_Cover, whose `slack` is `tolerance`.
    Differs    RT-SEG gives 1 for a prediction without boundaries, also if gold has some.
    Checked    tests/oracles/rtseg_random.json; tests/twins/segments.py.
    """
    close = is_near(distances(c, "pred", "gold"), tolerance, c)
    return by_document(c, {"near_pred": _count_by_document(cuts(c, "pred"), close)})


@measure("segments.density_jsd", NamedRates((share("jsd", "jsd", "documents", best=0.0),)), matches=False)
def density_jsd(c: Comparison, *, bins: Bins = 20) -> Outcome:
    """Compare where in the text boundaries lie, in a histogram.

        jsd = H((p + q) / 2) - (H(p) + H(q)) / 2,   in bits, from 0 (alike) to 1 (nothing in common)

    p and q are the shares of the boundaries of each side in `bins` equal parts of the text; boundary b of a text
    of N units is in part floor(b * bins / N). It is the mean over documents in every average.

    Counts     jsd (sum), documents (with a boundary on either side).
    Undefined  only for texts without boundaries on either side, which count as 0; with boundaries on only one
               side it is 1, the maximum.
    Source     Lin (1991); RT-SEG's Boundary_Density_JSD.
    Differs    RT-SEG's value is this one times (20 / N) ln 2, because it ignores the width of the bins, so that
               texts of different lengths cannot be compared; it is NaN without boundaries.
    Checked    tests/peers/test_difflib_scipy.py (the square of scipy's jensenshannon); tests/twins/segments.py.
    """
    gold, pred = cuts(c, "gold"), cuts(c, "pred")
    out = np.zeros(c.documents)
    size = max(CELLS_AT_ONCE // bins, 1)
    for first in range(0, c.documents, size):  # in blocks: a histogram of every document takes room
        last = min(first + size, c.documents)
        p, q = (_histogram(side, lengths(c), bins, first, last) for side in (gold, pred))
        out[first:last] = np.clip(_bits(_mean(p, q)) - _mean(_bits(p), _bits(q)), 0.0, 1.0)
    one, either = (gold.number > 0) != (pred.number > 0), (gold.number > 0) | (pred.number > 0)
    return by_document(c, {"jsd": np.where(one, 1.0, out * either), "documents": either})


def _histogram(side: Cuts, units: Ints, bins: int, first: int, last: int) -> Floats:
    """Return the share of each document's boundaries in each stretch, one row per document."""
    rows = slice(*np.searchsorted(side.doc, [first, last]).tolist())
    doc, at = side.doc[rows], side.at[rows]
    place = (doc - first) * bins + np.floor_divide(at * bins, units[doc])
    number = np.bincount(place, minlength=(last - first) * bins).reshape(last - first, bins)
    return ratio(number, side.number[first:last, None], empty=0.0)


def _bits(shares: Floats) -> Floats:
    """Return the entropy of each row in bits."""
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-np.einsum("ij,ij->i", shares, logs))


def _mean(one: Floats | Ints, other: Floats | Ints) -> Floats:
    return np.asarray((one + other) / 2)


def _count_by_document(side: Cuts, chosen: Bools | Ints) -> Ints:
    return np.bincount(side.doc[chosen], minlength=len(side.number))


def _middle(side: Cuts, distance: Ints) -> tuple[Floats, Ints]:
    """Return the median and the largest distance of each document; 0 without any."""
    far = int(distance.max(initial=0)) + 1
    ordered = np.append(np.sort(side.doc * far + distance) - side.doc * far, 0)
    first, number = side.first[:-1], side.number
    low, high = first + np.maximum(number - 1, 0) // 2, first + number // 2
    some = number > 0
    high = np.minimum(high, np.maximum(first + number - 1, 0))
    middle = np.where(some, _mean(ordered[low], ordered[high]), 0.0)
    return middle, np.where(some, ordered[np.maximum(first + number - 1, 0)], 0)
