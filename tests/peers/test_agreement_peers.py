"""Live comparison with scikit-learn (Cohen's kappa) and the krippendorff package (alpha of nominal values)."""

import math
import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.measures.agreement import coefficients as co
from spanscope.measures.agreement.coding import Marks, coded_cells, label_pairs
from tests.support import needs

metrics = needs("sklearn.metrics")
krippendorff = needs("krippendorff")
LABELS = 3
Codes = list[list[int]]  # one row per annotator, a code a position; LABELS is outside


@st.composite
def codings(draw: st.DrawFn, most: int = 2) -> Codes:
    length = draw(st.integers(1, 30))
    raters = draw(st.integers(2, most))
    run = st.lists(st.integers(0, LABELS), min_size=length, max_size=length)
    return [draw(run) for _ in range(raters)]


def marked(codes: list[int]) -> Marks:
    """Return every labelled position as a mark of its own."""
    start = np.array([at for at, code in enumerate(codes) if code < LABELS], dtype=np.int64)
    label = np.array([code for code in codes if code < LABELS], dtype=np.int64)
    return Marks(np.zeros_like(start), start, start + 1, label)


def tables(codes: Codes) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the tables of all pairs, by way of boundaries and cells."""
    found = coded_cells([marked(own) for own in codes], np.array([len(codes[0])]))
    out = np.zeros((len(codes) * (len(codes) - 1) // 2, LABELS + 1, LABELS + 1))
    for at, (a, b) in enumerate(combinations(range(len(codes)), 2)):
        part = label_pairs(found, a, b, LABELS)
        np.add.at(out[at], (part.label, part.other), part.weight)
    return out


@given(codings())
def test_cohen_is_scikit_learns(codes: Codes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 0/0, which is NaN on both sides
        theirs = metrics.cohen_kappa_score(codes[0], codes[1])
    if len({*codes[0], *codes[1]}) == 1:
        theirs = math.nan  # newer versions may be told what to give instead
    assert co.cohen(co.margins(tables(codes)[0])) == pytest.approx(theirs, abs=1e-12, nan_ok=True)


@given(codings(4).filter(lambda codes: len({code for own in codes for code in own}) > 1))
def test_alpha_is_the_krippendorff_packages(codes: Codes) -> None:
    theirs = krippendorff.alpha(reliability_data=codes, level_of_measurement="nominal")
    assert co.alpha(co.pool_margins(co.margins(tables(codes)))) == pytest.approx(theirs, abs=1e-12)


@given(codings(4))
def test_alpha_of_marked_positions_is_the_krippendorff_packages(codes: Codes) -> None:
    """Without outside: the positions that somebody marked, outside still a value of those who did not."""
    kept = [unit for unit in zip(*codes, strict=True) if min(unit) < LABELS]
    whole = co.pool_margins(co.margins(tables(codes)))
    pairs = len(codes) * (len(codes) - 1) // 2
    silent = (len(codes[0]) - len(kept)) * 2 * pairs / (len(codes) - 1)
    ours = co.alpha(whole.inside(np.array(silent)))
    if len({code for unit in kept for code in unit}) < 2:
        assert math.isnan(ours)
    else:
        theirs = krippendorff.alpha(reliability_data=list(zip(*kept, strict=True)), level_of_measurement="nominal")
        assert ours == pytest.approx(theirs, abs=1e-12)
