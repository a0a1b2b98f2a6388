"""How many documents a difference takes to be seen, and which difference so many documents show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from spanscope.arithmetic import ratio
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.rates import Rate, RateSet
from spanscope.stats.averages import Policy
from spanscope.stats.cells import CellSums, align
from spanscope.stats.jackknife import jackknife
from spanscope.stats.significance import FEWEST
from spanscope.stats.sums import observed_values
from spanscope.stats.table import Row, Table, table_of

MOST_SHARE = 1e9  # of the standard error in a difference: beyond it 10**18 documents would be needed


def smallest_difference(
    error: float, *, alpha: float = 0.05, power: float = 0.8, degrees: float = math.inf
) -> float:
    """Return the smallest true difference that a two-sided test would show with this power.

        (z(1 - alpha/2) + z(power)) x error        2.80 x error as it stands

    `error` is the standard error of the paired difference (`Interval.error`), on as many documents as gave it.
    Normal approximation; with few `degrees` of freedom quantiles of Student's t stand for those of the normal
    distribution. Source: Cohen (1988), Statistical power analysis for the behavioral sciences.
    """
    return _reach(alpha, power, degrees) * error


def documents_needed(
    error: float, documents: int, detect: float, *, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Return how many documents show a true difference of `detect` with this power, from a pilot.

        documents x ((z(1 - alpha/2) + z(power)) x error / detect)**2, rounded up, at least 6

    `error` is the standard error of the paired difference on the pilot's `documents`; it falls with the
    square root of their number.
    """
    if not (detect != 0 and math.isfinite(detect)):
        raise MeasureError(
            f"a difference of {shown(detect)} cannot be planned for", expected="a number that is not 0"
        )
    if not (error >= 0 and math.isfinite(error)):
        raise MeasureError(f"the standard error is {shown(error)}", expected="a number of 0 or more")
    reach = _reach(alpha, power) * error
    if reach > MOST_SHARE * abs(detect):
        raise MeasureError(
            f"a difference of {shown(detect)} would take more documents than there are",
            expected="a larger difference, such as 0.02",
        )
    need = documents * float(ratio(reach, detect)) ** 2
    return max(FEWEST, math.ceil(need - 1e-9 * need))  # a hair above a whole number is rounding


def _reach(alpha: float, power: float, degrees: float = math.inf) -> float:
    """Return how many standard errors a true difference must span."""
    if not (0 < alpha < 1 and 0 < power < 1):
        what = f"alpha is {shown(alpha)} and power {shown(power)}"
        raise MeasureError(what, expected="both between 0 and 1, such as 0.05 and 0.8")
    from scipy.special import ndtri, stdtrit  # the inverses of the normal distribution and of Student's t

    if math.isfinite(degrees):
        return float(stdtrit(degrees, 1 - alpha / 2) + stdtrit(degrees, power))
    return float(ndtri(1 - alpha / 2) + ndtri(power))


class Plan(NamedTuple):
    """How many documents it takes, and what that rests on."""

    documents: int
    low: (
        int | None
    )  # between these documents are with 95 %, for how well the pilot knows its error; None: it does not
    high: int | None
    pilot: int  # documents of the pilot
    value: float  # of the pilot; of two pilots that of the first
    error: float  # standard error of the pilot's value, by the jackknife
    scale: float  # by which the error was multiplied for a rate of `expect` instead of `value`
    difference_error: float  # standard error of a difference on as many documents as the pilot
    correlation: float  # between the two runs: their own, or the one that was assumed
    other: tuple[float, float] | None = None  # value and standard error of the second pilot


class _Spread(NamedTuple):
    """What is known of a figure of the pilot, or of a difference of two."""

    value: float
    error: float
    degrees: float  # of freedom of the error


def plan(
    pilot: CellSums,
    documents: int,
    rates: Sequence[Rate],
    rate_set: RateSet,
    policy: Policy,
    *,
    rate: str,
    detect: float,
    other: CellSums | None = None,
    expect: float | None = None,
    average: str = "micro",
    label: str | None = None,
    correlation: float = 0.5,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Plan:
    """Return how many documents it would take to tell two runs apart that differ by `detect`.

    From two pilot runs on the same n documents: the standard error of their paired difference (jackknife over
    cells), which knows how far they agree from document to document,

        correlation = (s1**2 + s2**2 - error of the difference**2) / (2 s1 s2)

    From one pilot run: its standard error s, and two assumptions that the result repeats. Both runs vary as the
    pilot does, and their values on a document correlate by `correlation`, so that

        error of the difference = s x sqrt(2 (1 - correlation))

    A rate between 0 and 1 varies most in the middle: with `expect`, the error is multiplied by
    sqrt(expect (1 - expect) / (value (1 - value))), as for a proportion; of two pilots, value is their mean.

    The number of documents grows with the square of the error, which a pilot knows only so well: low and high are
    the number at the bounds of the error's 95 % interval,

        documents x degrees / chi2(97.5 %, degrees)     documents x degrees / chi2(2.5 %, degrees)

    with the jackknife's degrees of freedom (`stats.jackknife`): n - 1 for normal values, fewer where few documents
    carry the figure. What is assumed of a single pilot is not in them.
    """
    how, row = (rates, rate_set, policy), Row(rate, average, label)
    both = [pilot] if other is None else align([pilot, other])
    each = [_spread_of(table_of([one], *how), row) for one in both]
    if other is None:
        between = _of_assumed(each[0], correlation)
    else:
        between = _spread_of(table_of(both, *how), row)
        correlation = _own_correlation(each, between.error)
    _refuse_alike(rate, each, between)
    scale = 1.0 if expect is None else _scale(_mean_value(each), expect)
    error = scale * between.error
    number = documents_needed(error, documents, detect, alpha=alpha, power=power)
    ends = _bounds(error, documents, detect, between.degrees, alpha, power)
    second = None if other is None else (each[1].value, each[1].error)
    return Plan(number, *ends, documents, each[0].value, each[0].error, scale, error, correlation, second)


def _of_assumed(pilot: _Spread, correlation: float) -> _Spread:
    """Return the spread of a difference of two runs that both vary as the pilot does."""
    if not -1 <= correlation < 1:
        raise MeasureError(
            f"a correlation of {shown(correlation)}", expected="from -1 to less than 1, such as 0.5"
        )
    return pilot._replace(error=pilot.error * math.sqrt(2 * (1 - correlation)))


def _own_correlation(each: Sequence[_Spread], error: float) -> float:
    one, other = (spread.error for spread in each)
    return float(ratio(one**2 + other**2 - error**2, 2 * one * other))


def _refuse_alike(rate: str, each: Sequence[_Spread], between: _Spread) -> None:
    """Refuse pilots whose figure, or its difference, is the same in all documents."""
    if between.error > 0:
        return
    value = each[0].value
    alone = f"the pilot's {rate} is {value:g} and does not vary from document to document"
    if math.isnan(value):
        alone = f"the pilot's {rate} is undefined"
    raise MeasureError(
        alone if len(each) == 1 else f"the runs' {rate} do not differ from document to document",
        expected="a pilot of several documents, some of them imperfect",
    )


def _mean_value(each: Sequence[_Spread]) -> float:
    """Return the mean figure of the pilots."""
    return float(ratio(math.fsum(one.value for one in each), len(each)))


def _spread_of(held: Table, row: Row) -> _Spread:
    place, found = _find(held.rows(), row), jackknife(held)
    return _Spread(float(observed_values(held)[place]), float(found.error[place]), float(found.degrees[place]))


def _bounds(
    error: float, documents: int, detect: float, degrees: float, alpha: float, power: float
) -> tuple[int | None, int | None]:
    """Return how many documents it takes at the bounds of the 95 % interval of the error; None without any."""
    from scipy.special import chdtri  # the inverse of the upper tail of the chi-squared distribution

    if not degrees >= 1:
        return None, None
    ends = (error * math.sqrt(float(ratio(degrees, chdtri(degrees, tail)))) for tail in (0.025, 0.975))
    low, high = (
        documents_needed(end, documents, detect, alpha=alpha, power=power)
        if _reach(alpha, power) * end <= MOST_SHARE * abs(detect)
        else None
        for end in ends
    )
    return low, high


def _scale(value: float, expect: float) -> float:
    """Return the ratio of the standard deviations of two proportions."""
    if not (0 < value < 1 and 0 < expect < 1):
        raise MeasureError(
            f"expect is {shown(expect)} and the pilot's value {value:g}",
            expected="both between 0 and 1",
            hint="leaving out expect: the pilot's own spread is taken as it is",
        )
    return math.sqrt(float(ratio(expect * (1 - expect), value * (1 - value))))


def _find(rows: Sequence[Row], wanted: Row) -> int:
    if wanted in rows:
        return rows.index(wanted)
    known = [" ".join(filter(None, row)) for row in rows]
    asked = " ".join(filter(None, wanted))
    raise MeasureError(f"no score {asked!r}{did_you_mean(asked, known)}", expected=", ".join(known[:8]))
