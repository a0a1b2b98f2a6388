"""Sums by group that are never rounded on the way: the same whatever the order, the portions and the machine.

A number is cut into digits of 24 bits at fixed places, and digits are added as whole numbers. A sum is rounded
once, when it is read.
Source: Neal (2015), Fast exact summation using small and large superaccumulators.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, summands
from spanscope.counts import Numbers

BITS = 24  # of a digit: sums of half a billion of them are exact as floats, in which `bincount` adds
WHOLE = (0,)  # the only place of whole numbers
LOWEST = -1104  # the place below every float
SPLIT = 2.0**27 + 1


class ExactSums(NamedTuple):
    """Sums of columns by group: each is the sum of its digits times 2**place."""

    places: tuple[int, ...]  # ascending
    digits: Ints  # places x columns x groups
    odd: Floats | None = None  # columns x groups: sums of what is not finite, where there is any

    @property
    def groups(self) -> int:
        """Return the number of groups."""
        return int(self.digits.shape[2])


def sum_by_group(values: Numbers, group: Ints, size: int) -> ExactSums:
    """Return the sums of columns (columns x rows) by the group of every row."""
    if values.dtype == np.int64:
        return ExactSums(WHOLE, _sum_digits([np.asarray(values, dtype=np.int64)], group, size))
    values = np.asarray(values, dtype=np.float64)
    usual = np.isfinite(values)
    odd = None
    if not usual.all():
        odd = np.zeros((len(values), size))
        for number, column in enumerate(np.where(usual, 0.0, values)):
            np.add.at(odd[number], group, column)
        values = np.where(usual, values, 0.0)
    places, digits = _cut(values)
    return _carry(ExactSums(places, _sum_digits(digits, group, size), odd))


def _cut(values: Floats) -> tuple[tuple[int, ...], list[Ints]]:
    """Return the places of the digits of all values, and the digits at each: columns x rows."""
    rest = np.asarray(values, dtype=np.float64)
    if not rest.size or ((rest == np.rint(rest)).all() and np.abs(rest).max() < 2.0**BITS):
        return WHOLE, [rest.astype(np.int64)]
    place = (math.frexp(float(np.abs(rest).max()))[1] // BITS) * BITS
    places, digits = [], []
    while place > LOWEST and rest.any():
        own = np.trunc(np.ldexp(rest, -place))
        rest = rest - np.ldexp(own, place)
        places.append(place)
        digits.append(own.astype(np.int64))
        place -= BITS
    return tuple(places[::-1]), digits[::-1]


def _sum_digits(digits: Sequence[Ints], group: Ints, size: int) -> Ints:
    out = np.zeros((len(digits), len(digits[0]), size), dtype=np.int64)
    for lines, own in zip(out, digits, strict=True):
        for line, column in zip(lines, own, strict=True):
            if column.any():
                line[:] = np.bincount(group, weights=column, minlength=size)
    return out


def _carry(sums: ExactSums) -> ExactSums:
    """Return the same sums, every digit but the highest from 0 to 2**24 - 1: they can be added to for ever."""
    if sums.places == WHOLE:
        return sums
    places = range(min(sums.places), max(sums.places) + 1, BITS)
    known = dict(zip(sums.places, sums.digits, strict=True))
    over = np.zeros(sums.digits.shape[1:], dtype=np.int64)
    out = []
    for place in places:
        own = known.get(place, 0) + over
        last = place == places[-1]
        over = np.zeros_like(over) if last else own >> BITS
        out.append(own if last else own & ((1 << BITS) - 1))
    used = [at for at, own in enumerate(out) if own.any()] or [0]
    return ExactSums(tuple(places[at] for at in used), np.stack([out[at] for at in used]), sums.odd)


def add_into(parts: Sequence[tuple[ExactSums, Ints]], size: int) -> ExactSums:
    """Return the sums of several parts, whose groups stand at the given places among `size` groups."""
    places = sorted({place for own, _ in parts for place in own.places})
    columns = parts[0][0].digits.shape[1]
    digits = np.zeros((len(places), columns, size), dtype=np.int64)
    odd = None
    for own, at in parts:
        for place, lines in zip(own.places, own.digits, strict=True):
            for to, line in zip(digits[places.index(place)], lines, strict=True):
                np.add.at(to, at, line)
        if own.odd is not None:
            odd = np.zeros((columns, size)) if odd is None else odd
            for to, line in zip(odd, own.odd, strict=True):
                np.add.at(to, at, line)
    return _carry(ExactSums(tuple(places), digits, odd))


def take(sums: ExactSums, groups: Ints) -> ExactSums:
    """Return the sums of some groups."""
    odd = None if sums.odd is None else sums.odd[:, groups]
    return ExactSums(sums.places, sums.digits[:, :, groups], odd)


def rounded(sums: ExactSums) -> Numbers:
    """Return the sums as columns x groups: whole numbers as they are, others rounded once."""
    if sums.places == WHOLE and sums.odd is None:
        return np.asarray(sums.digits[0])
    digits = sums.digits.reshape(len(sums.places), -1)
    lines = [np.ldexp(own.astype(np.float64), place) for place, own in zip(sums.places, digits, strict=True)]
    out = lines[0] if len(lines) == 1 else np.array([math.fsum(own) for own in zip(*lines, strict=True)])
    values = np.asarray(out, dtype=np.float64).reshape(sums.digits.shape[1:])
    return values if sums.odd is None else values + sums.odd


def fraction(sums: ExactSums, column: int) -> Fraction:
    """Return the sum of a column over all groups as it is."""
    digits = sums.digits[:, column].tolist()
    return sum(
        (sum(own) * Fraction(2) ** place for place, own in zip(sums.places, digits, strict=True)), Fraction()
    )


def squares(values: Floats) -> tuple[Floats, Floats]:
    """Return two numbers for each value whose sum is exactly its square.

    Source: Dekker (1971), A floating-point technique for extending the available precision.
    """
    high = SPLIT * values - (SPLIT * values - values)
    low = values - high
    square = values * values
    return square, ((high * high - square) + 2 * high * low) + low * low


def deviation(number: int, total: Fraction, square: Fraction) -> float:
    """Return the standard deviation of a sample from its size, its sum and the sum of its squares."""
    return math.sqrt((square - total * total / number) / (number - 1))


def deviation_of(values: Floats) -> float:
    """Return the standard deviation of a sample of at least two finite values."""
    parts = (sum(map(Fraction, summands(column)), Fraction()) for column in (values, *squares(values)))
    total, high, low = parts
    return deviation(len(values), total, high + low)
