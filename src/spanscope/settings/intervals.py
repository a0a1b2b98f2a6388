"""How intervals are made, as somebody asked for it, everything checked."""

from __future__ import annotations

from typing import get_args

from spanscope.arguments import MOST_RESAMPLES, level_of, one_of, whole
from spanscope.errors import MeasureError, shown
from spanscope.settings.options import Ci
from spanscope.stats.bootstrap import Method


def interval_settings(given: bool | Ci) -> Ci | None:
    """Return how intervals are made, everything checked."""
    if not isinstance(given, (bool, Ci)):
        raise MeasureError(f"ci is {shown(given)}", expected="True, False or a Ci")
    ci = Ci() if given is True else given or None
    return None if ci is None else checked_ci(ci)


def checked_ci(ci: Ci) -> Ci:
    """Return how intervals are made, everything checked."""
    return Ci(
        whole("resamples", ci.resamples, 2, MOST_RESAMPLES),
        level_of(ci.level),
        whole("seed", ci.seed, 0, 2**63 - 1),
        one_of("method", ci.method, get_args(Method)),
    )
