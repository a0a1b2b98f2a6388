"""RT-SEG's own figures, on segments as they are given: unsorted, with gaps, overlapping, past the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.counts import STAR, make
from spanscope.data.corpus import Spans
from spanscope.match.boundaries import lengths
from spanscope.measures.registry import Outcome, measure
from spanscope.rates import NamedRates, Rate, Sums
from spanscope.sides.comparison import Comparison

METRICS = {
    "P_k": 0.0,
    "WindowDiff": 0.0,
    "Boundary_Precision": 1.0,
    "Boundary_Recall": 1.0,
    "Boundary_F1": 1.0,
    "Soft_Precision": 1.0,
    "Soft_Recall": 1.0,
    "Soft_Boundary_F1": 1.0,
    "Boundary_Displacement": 0.0,
    "Mean_IoU": 1.0,
    "Mean_Dice": 1.0,
    "Segmentation_Bias": 0.0,
    "Boundary_Similarity": 1.0,
    "Boundary_Density_JSD": 0.0,
    "Boundary_Cover": 1.0,
}
BINS = 20


def _mean(name: str) -> Rate:
    """Return the mean over documents: undefined values left out, infinite as soon as one of them is."""

    def of(s: Sums) -> Floats:
        value = ratio(s[name], s[f"{name}_n"])
        return np.where(s[f"{name}_infinite"] > 0, np.inf, value)

    return Rate(name, of, METRICS[name])


@measure(
    "segments.rt_seg",
    NamedRates(tuple(map(_mean, METRICS)), perfect=False),
    matches=False,
    breaks={
        "perfect": "without boundaries F1 is 0 and the displacement infinite, even for a perfect prediction",
        "order": "boundaries are the ends of all spans but the last of the list",
    },
)
def rt_seg(c: Comparison, *, sigma: float = 5.0, window: int = 3, slack: int = 10) -> Outcome:
    """Give the figures of RT-SEG itself, to compare with published ones.

    All of its metrics under its own names, computed by its rules, defects included: boundaries are the ends of
    all spans but the last listed; uncovered text is a segment of its own, a later span overwrites an earlier
    one; matching within `window` and `slack` is many to one, soft credit falls off with `sigma`; F1 is 0 and the
    displacement infinite where both sides have no boundary; the JSD carries a factor of 20 / N and is undefined
    without boundaries. The average is the mean over documents; one infinite document makes it infinite.

    Counts     for each metric its sum, the number of documents with a finite value, and of infinite ones.
    Undefined  where RT-SEG gives NaN.
    Source     RT-SEG, seg_eval_utils.py (2026-03-04).
    Differs    from our own measures, which are segments.b_score, soft, displacement, bias, pk, window_diff,
               boundaries, overlap, density_jsd and cover; docs/differences.md has the list.
    Checked    tests/oracles/rtseg_random.json, rtseg_corner_cases.json, rtseg_aggregate.json.
    """
    gold, pred = _Side.of(c, "gold"), _Side.of(c, "pred")
    values = _windows(c, gold, pred) | _exact(gold, pred) | _near(gold, pred, sigma, window, slack)
    values |= _structure(gold, pred) | {"Boundary_Density_JSD": _jsd(gold, pred, lengths(c))}
    values["Segmentation_Bias"] = ratio(pred.spans - gold.spans, np.maximum(gold.spans, 1))
    columns: dict[str, Ints | Floats | Bools] = {}
    for name in METRICS:
        value = values[name]
        finite = np.isfinite(value)
        columns |= {name: np.where(finite, value, 0.0), f"{name}_n": finite, f"{name}_infinite": np.isinf(value)}
    columns |= {"gold": gold.number, "pred": pred.number}
    rows = np.arange(c.documents)
    return Outcome(make(c.documents, c.labels, rows, np.full(len(rows), STAR), columns))


@dataclass(frozen=True)
class _Side:
    """One side as RT-SEG sees it: the list of boundaries, and the runs of its label mask."""

    doc: Ints  # of the boundaries
    at: Ints
    number: Ints
    spans: Ints  # how many spans each document lists
    run_doc: Ints
    run_start: Ints
    run_label: Ints  # 0 where nothing covers the text
    run_length: Ints
    wide: int

    @classmethod
    def of(cls, c: Comparison, side: str) -> _Side:
        """Return a side of a comparison, in the order of the input."""
        spans = c.sides[side]
        order = np.lexsort((spans.position, spans.doc))
        listed = spans.take(order)
        last = np.append(np.diff(listed.doc) > 0, True)[: len(listed)]
        doc, at = listed.doc[~last], listed.end[~last]
        runs = _runs(listed, lengths(c))
        return cls(
            doc,
            at,
            np.bincount(doc, minlength=c.documents),
            np.bincount(listed.doc, minlength=c.documents),
            *runs,
            _wide(c),
        )

    def means(self, values: Floats | Ints) -> Floats:
        """Return the mean of a value of each boundary, by document; 0 without boundaries."""
        total = np.bincount(self.doc, weights=values, minlength=len(self.number))
        return ratio(total, self.number, empty=0.0)


def _wide(c: Comparison) -> int:
    """Return how far apart documents are laid out: beyond every offset, and every number of a span."""
    far = [int(np.abs(column).max(initial=0)) for side in c.sides.values() for column in (side.start, side.end)]
    spans = [int(np.bincount(side.doc).max(initial=0)) for side in c.sides.values()]
    return 4 * max(int(lengths(c).max(initial=0)), *far, *spans) + 4


def _runs(listed: Spans, units: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the runs of equal labels that writing the spans one after the other over the text leaves."""
    out: list[tuple[int, int, int, int]] = []
    first = np.searchsorted(listed.doc, np.arange(len(units) + 1)).tolist()
    starts, ends = listed.start.tolist(), listed.end.tolist()
    for doc, length in enumerate(units.tolist()):
        painted: list[tuple[int, int, int]] = [(0, length, 0)] if length else []
        for nth, row in enumerate(range(first[doc], first[doc + 1]), start=1):
            start, end, _ = slice(starts[row], ends[row]).indices(length)
            if start < end:
                painted = _paint(painted, start, end, nth)
        out += [(doc, start, label, end - start) for start, end, label in painted]
    table = np.array(out, dtype=np.int64).reshape(-1, 4)
    return table[:, 0], table[:, 1], table[:, 2], table[:, 3]


def _paint(runs: list[tuple[int, int, int]], start: int, end: int, label: int) -> list[tuple[int, int, int]]:
    """Write a label over a stretch of runs."""
    if start >= runs[-1][0]:  # in order, as almost always: only the last run is cut
        low, high, old = runs.pop()
        parts = [(low, start, old), (start, end, label), (end, high, old)]
        runs += [part for part in parts if part[0] < part[1]]
        return runs
    out = []
    for low, high, old in runs:
        out += [(low, min(high, start), old)] if low < start else []
        out += [(start, end, label)] if low <= start < high else []
        out += [(max(low, end), high, old)] if high > end else []
    return out


def _windows(c: Comparison, gold: _Side, pred: _Side) -> dict[str, Floats]:
    """Return P_k and WindowDiff, from the places where the label at either end of the window changes."""
    units = lengths(c)
    most = np.zeros(c.documents, dtype=np.int64)
    np.maximum.at(most, gold.run_doc, gold.run_label)
    half = ratio(units, np.maximum(most, 1)) / 2
    k = np.maximum(np.rint(half).astype(np.int64), 1)
    high = np.maximum(units - k, 0)
    base = np.arange(c.documents) * gold.wide
    places = [base, base + high]
    for side in (gold, pred):
        for shift in (k, 0 * k):
            places.append(
                base[side.run_doc] + np.clip(side.run_start - shift[side.run_doc], 0, high[side.run_doc])
            )
    line = np.unique(np.concatenate(places))
    doc = line // gold.wide
    run = np.append(np.diff(line), 0)[: len(line)]
    run[np.append(np.diff(doc), 1)[: len(line)] > 0] = 0
    same, changes = [], []
    for side in (gold, pred):
        keys = side.run_doc * side.wide + side.run_start
        here, there = (np.searchsorted(keys, place, "right") - 1 for place in (line, line + k[doc]))
        same.append(side.run_label[here] == side.run_label[there] if len(keys) else np.ones(len(line), dtype=bool))
        changes.append(there - here)
    wrong = {"P_k": same[0] != same[1], "WindowDiff": changes[0] != changes[1]}
    return {
        name: ratio(np.bincount(doc, weights=run * flags, minlength=c.documents), high)
        for name, flags in wrong.items()
    }


def _exact(gold: _Side, pred: _Side) -> dict[str, Floats]:
    """Return exact boundary precision, recall and F1, on sets."""
    own, other = (np.unique(side.doc * side.wide + side.at + (side.wide >> 2)) for side in (gold, pred))
    documents, wide = len(gold.number), gold.wide
    n_gold, n_pred, tp = (
        np.bincount(keys // wide, minlength=documents)[:documents]
        for keys in (own, other, np.intersect1d(own, other, assume_unique=True))
    )
    precision, recall = ratio(tp, n_pred, empty=0.0), ratio(tp, n_gold, empty=1.0)
    f1 = ratio(2 * precision * recall, precision + recall, empty=0.0)
    return {"Boundary_Precision": precision, "Boundary_Recall": recall, "Boundary_F1": f1}


def _near(gold: _Side, pred: _Side, sigma: float, window: int, slack: int) -> dict[str, Floats]:
    """Return everything that looks at the nearest boundary of the other side."""
    d_gold, d_pred = _nearest(gold, pred), _nearest(pred, gold)
    both, neither = (gold.number > 0) & (pred.number > 0), (gold.number == 0) & (pred.number == 0)
    credit_gold, credit_pred = (_credit(distance, sigma) for distance in (d_gold, d_pred))
    p, r = pred.means(credit_pred), gold.means(credit_gold)
    one, other = (_share_near(side, d <= window) for side, d in ((gold, d_gold), (pred, d_pred)))
    return {
        "Soft_Precision": np.where(neither, 1.0, p * both),
        "Soft_Recall": np.where(neither, 1.0, r * both),
        "Soft_Boundary_F1": np.where(neither, 1.0, np.where(both, ratio(2 * p * r, p + r, empty=0.0), 0.0)),
        "Boundary_Displacement": np.where(both, gold.means(np.where(both[gold.doc], d_gold, 0)), np.inf),
        "Boundary_Similarity": np.where(neither, 1.0, ratio(2 * one * other, one + other, empty=0.0) * both),
        "Boundary_Cover": np.where(pred.number > 0, pred.means((d_pred <= slack) * 1), 1.0),
    }


def _credit(distance: Floats, sigma: float) -> Floats:
    """Return exp(-distance / sigma) as the tool has it: for sigma 0 NaN where boundaries meet, 0 elsewhere."""
    if sigma == 0:
        return np.where(distance == 0, np.nan, 0.0)
    with np.errstate(over="ignore"):  # below 0 credits grow without bound
        return np.asarray(np.exp(-ratio(distance, sigma)))


def _nearest(own: _Side, other: _Side) -> Floats:
    """Return the distance of each boundary to the nearest of the other side, infinite where there is none."""
    far = int(max(np.abs(own.at).max(initial=0), np.abs(other.at).max(initial=0))) * 4 + 4
    line = np.sort(other.doc * far + other.at)
    if not len(line):
        return np.full(len(own.at), np.inf)
    mine = own.doc * far + own.at
    after = np.searchsorted(line, mine)
    low, high = line[np.maximum(after - 1, 0)], line[np.minimum(after, len(line) - 1)]
    distance = np.minimum(np.abs(mine - low), np.abs(high - mine)).astype(np.float64)
    return np.where(other.number[own.doc] > 0, distance, np.inf)


def _share_near(side: _Side, near: Bools) -> Floats:
    """Return the share of different boundaries that are near."""
    _, rows = np.unique(np.stack((side.doc, side.at)), axis=1, return_index=True)
    number, found = (np.bincount(side.doc[some], minlength=len(side.number)) for some in (rows, rows[near[rows]]))
    return ratio(found, number, empty=0.0)


def _structure(gold: _Side, pred: _Side) -> dict[str, Floats]:
    """Return Mean_IoU and Mean_Dice on the label masks; a label may have several runs, or none."""
    documents = len(gold.number)
    line = np.unique(np.concatenate([side.run_doc * side.wide + side.run_start for side in (gold, pred)]))
    doc = line // gold.wide
    ends = np.zeros(documents, dtype=np.int64)
    np.maximum.at(ends, gold.run_doc, gold.run_start + gold.run_length)
    last = np.append(np.diff(doc), 1)[: len(line)] > 0
    run = np.where(last, doc * gold.wide + ends[doc], np.append(line[1:], 0)[: len(line)]) - line
    labels = []
    for side in (gold, pred):
        at = np.searchsorted(side.run_doc * side.wide + side.run_start, line, "right") - 1
        labels.append(doc * side.wide + side.run_label[at])
    table, inverse = np.unique(np.stack(labels), axis=1, return_inverse=True)
    both = np.bincount(inverse.ravel(), weights=run, minlength=table.shape[1])
    sizes = [_size(side, keys) for side, keys in zip((gold, pred), table, strict=True)]
    real = (table[0] % gold.wide > 0) & (table[1] % gold.wide > 0)
    out = {}
    for name, top, bottom in (
        ("Mean_IoU", both, sizes[0] + sizes[1] - both),
        ("Mean_Dice", 2 * both, sizes[0] + sizes[1]),
    ):
        known, group = np.unique(table[0], return_inverse=True)
        best = np.zeros(len(known))
        np.maximum.at(best, group[real], ratio(top, bottom)[real])
        named = known % gold.wide > 0
        owner = known[named] // gold.wide
        total = np.bincount(owner, weights=best[named], minlength=documents)
        out[name] = ratio(total, np.bincount(owner, minlength=documents))
    return out


def _size(side: _Side, keys: Ints) -> Floats:
    """Return how much text each label covers."""
    own, inverse = np.unique(side.run_doc * side.wide + side.run_label, return_inverse=True)
    covered = np.bincount(inverse, weights=side.run_length, minlength=len(own))
    return np.asarray(covered[np.searchsorted(own, keys)])


def _bin(at: Ints, units: Ints) -> Ints:
    """Return the bin of each boundary as NumPy's histogram finds it, rounding of the edges included."""
    step = ratio(units, BINS)
    bin_ = np.minimum((at * ratio(BINS, units, empty=0.0)).astype(np.int64), BINS - 1)
    bin_ -= at < bin_ * step
    bin_ += (at >= (bin_ + 1) * step) & (bin_ < BINS - 1)
    return np.asarray(bin_)


def _jsd(gold: _Side, pred: _Side, units: Ints) -> Floats:
    """Return the divergence of the densities of boundaries, whose sum is 20 / N and not 1."""
    densities = []
    for side in (gold, pred):
        inside = (side.at >= 0) & (side.at <= units[side.doc])
        doc, at = side.doc[inside], side.at[inside]
        bin_ = _bin(at, units[doc])
        number = np.bincount(doc * BINS + bin_, minlength=len(units) * BINS).reshape(-1, BINS)
        densities.append(ratio(number * BINS, (number.sum(axis=1) * np.maximum(units, 1))[:, None]) + 1e-9)
    p, q = densities
    middle = (p + q) / 2
    terms = p * np.log(ratio(p, middle)) + q * np.log(ratio(q, middle))
    return np.asarray(terms.sum(axis=1) / 2)
