"""Segmentations compared through a window that slides over the text."""

from __future__ import annotations

import numpy as np

from spanscope.match import boundaries as line
from spanscope.match.boundaries import Auto, Edges, cuts, windows
from spanscope.measures.registry import Outcome, Whole, measure
from spanscope.measures.segments.boundaries import BOUNDARIES, by_document
from spanscope.rates import NamedRates, share
from spanscope.sides.comparison import Comparison


@measure("segments.pk", NamedRates((share("pk", "errors", "windows", best=0.0),)), matches=False)
def pk(c: Comparison, *, window: Whole = 0, auto: Auto = "half", edges: Edges = "inside") -> Outcome:
    """Count windows whose ends are in the same segment on one side only.

        Pk = share of windows i with [f_gold(i) > 0] != [f_pred(i) > 0]
        f_X(i) = number of boundaries b of X with i < b <= i + k,   i = 0 .. N-k-1

    k is `window`; if this is 0, k is computed from gold. auto=half is max(1, N / segments / 2) rounded half to
    even; auto=segeval is the same, but at least 2; auto=nltk is round((N-1) / (2 boundaries)), which uses one
    segment too few. edges=nltk adds the window i = N-k (0/1 strings of units in NLTK). edges=lamprier moves the
    window from before the start of the text past its end (i = -k .. N-1), so that boundaries near the edges have
    the same weight as those in the middle; edges=segeval does the same, but divides by one more.

    Counts     errors, windows, by document.
    Undefined  if the window is not shorter than the text; a text without boundaries on either side counts as 0.
    Source     Beeferman, Berger and Lafferty (1999); RT-SEG's P_k is auto=half, segeval's pk auto=segeval.
    Differs    NLTK's own default k is auto=nltk (its issue 3102); segeval gives 0 if there is no window.
    Checked    segeval and NLTK live; tests/oracles/segeval_random200.json, rtseg_random.json; twins.
    """
    swept = windows(c, window, auto, edges)
    errors = swept.summed((swept.gold > 0) != (swept.pred > 0))
    return by_document(c, {"errors": np.where(swept.number > 0, errors, 0), "windows": swept.number})


@measure("segments.window_diff", NamedRates((share("window_diff", "errors", "windows", best=0.0),)), matches=False)
def window_diff(
    c: Comparison, *, window: Whole = 0, auto: Auto = "half", edges: Edges = "inside", weighted: bool = False
) -> Outcome:
    """Count windows in which the two sides have different numbers of boundaries.

        WindowDiff = share of windows i with f_gold(i) != f_pred(i);   weighted: mean of |f_gold(i) - f_pred(i)|

    `window`, `auto` and `edges` are those of segments.pk.

    Counts     errors (weighted: the sum of differences), windows, by document.
    Undefined  if the window is not shorter than the text; a text without boundaries on either side counts as 0.
    Source     Pevzner and Hearst (2002); edges after Lamprier et al. (2007).
    Differs    segeval fails for windows of 256 or more, and if N = k; NLTK's docstring has one window fewer.
    Checked    segeval and NLTK live; tests/oracles/segeval_random200.json, rtseg_random.json; twins.
    """
    swept = windows(c, window, auto, edges)
    errors = swept.summed(np.abs(swept.gold - swept.pred) if weighted else swept.gold != swept.pred)
    return by_document(c, {"errors": np.where(swept.number > 0, errors, 0), "windows": swept.number})


@measure("segments.win_pr", BOUNDARIES, matches=False)
def win_pr(c: Comparison, *, window: Whole = 0, auto: Auto = "half") -> Outcome:
    """Count boundaries found, missed and invented in every window that touches the text.

        tp = sum over windows of min(f_gold, f_pred),   gold = k * gold boundaries,   pred = k * predicted ones

    Windows are i = 1-k .. N-2, so that each boundary is in exactly k of them; k is set by `window`
    and `auto` as in segments.pk, but is at least 1.

    Counts     tp, pred, gold, by document.
    Undefined  precision without predicted, recall without gold boundaries; F if there are neither,
               in which case the document counts as 1 in the mean over documents.
    Source     Scaiano and Inkpen (2012), WinPR.
    Differs    no maintained tool has it: segeval removed it, and the authors' patch never became part of NLTK.
    Checked    tests/twins/segments.py; cases worked by hand.
    """
    size = np.maximum(line.window(c, window, auto), 1)
    swept = windows(c, window, auto, "touching")
    both = swept.summed(np.minimum(swept.gold, swept.pred))
    return by_document(c, {"tp": both, **{side: size * cuts(c, side).number for side in ("pred", "gold")}})
