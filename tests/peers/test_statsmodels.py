"""Live comparison with statsmodels: Fleiss' kappa, Holm's adjustment, Wilson's interval, sizes of samples."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from spanscope.measures.agreement import coefficients as co
from spanscope.stats.boundary_safe import wilson
from spanscope.stats.power import documents_needed, smallest_difference
from spanscope.stats.significance import holm
from tests.peers.test_agreement_peers import LABELS, Codes, codings, tables
from tests.support import needs

needs("statsmodels")
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa  # noqa: E402
from statsmodels.stats.multitest import multipletests  # noqa: E402
from statsmodels.stats.power import NormalIndPower  # noqa: E402
from statsmodels.stats.proportion import proportion_confint  # noqa: E402


@given(codings(4))
def test_fleiss_is_statsmodels(codes: Codes) -> None:
    counted, _ = aggregate_raters(np.array(codes).T, n_cat=LABELS + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 0/0, which is NaN on both sides
        theirs = fleiss_kappa(counted, method="fleiss")
    theirs = math.nan if len({code for own in codes for code in own}) == 1 else theirs
    assert co.fleiss(co.pool_margins(co.margins(tables(codes)))) == pytest.approx(theirs, abs=1e-12, nan_ok=True)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_statsmodels(p: list[float]) -> None:
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist(), abs=1e-12)


@given(st.integers(1, 5_000), st.floats(0, 1), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_is_statsmodels(trials: int, share: float, level: float) -> None:
    good = round(share * trials)
    ours = wilson(*(np.array([one]) for one in (good / trials, float(trials), norm.ppf((1 + level) / 2))))
    theirs = proportion_confint(good, trials, 1 - level, method="wilson")
    assert [float(end[0]) for end in ours] == pytest.approx(list(theirs), abs=1e-9)


@given(st.floats(0.01, 0.5), st.integers(10, 500), st.floats(0.02, 0.2), st.sampled_from([0.8, 0.9]))
def test_sizes_of_samples_are_statsmodels(error: float, pilot: int, detect: float, power: float) -> None:
    """The other tail, which statsmodels counts and the formula does not, has no weight at such a power."""
    spread = error * math.sqrt(pilot)
    theirs = NormalIndPower(ddof=0).solve_power(detect / spread, alpha=0.05, power=power, ratio=0)
    ours = documents_needed(error, pilot, detect, power=power)
    assert ours == pytest.approx(max(6.0, float(np.squeeze(theirs))), rel=1e-3, abs=1)


def test_the_smallest_difference_is_statsmodels() -> None:
    theirs = NormalIndPower(ddof=0).solve_power(None, nobs1=100, alpha=0.05, power=0.8, ratio=0)
    assert smallest_difference(0.1) == pytest.approx(float(np.squeeze(theirs)), rel=1e-4)
