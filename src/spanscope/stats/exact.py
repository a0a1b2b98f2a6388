"""Sums by group that are never rounded on the way: the same whatever the order, the portions and the machine.

A number is cut into digits of 30 bits at fixed places, and digits are added as whole numbers. A sum is rounded
once, when it is read.
Source: Neal (2015), Fast exact summation using small and large superaccumulators.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, summands
from spanscope.counts import Numbers

BITS = 30  # of a digit
ROWS = 1 << 22  # digits that are added at once, by way of floats: 2**52 at most
WHOLE = (0,)  # the only place of whole numbers
LOWEST = -1110  # the place below every float
PLAIN = 1000  # the power of two up to which it and its inverse are usual floats
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


def sum_by_group(columns: Sequence[Numbers], group: Ints, size: int) -> ExactSums:
    """Return the sums of columns by the group of every row."""
    found = [_sum_column(column, group, size) for column in columns]
    places = sorted({place for own, _ in found for place in own}) or [0]
    digits = np.zeros((len(places), len(found), size), dtype=np.int64)
    odd = np.zeros((len(found), size)) if any(more is not None for _, more in found) else None
    for number, (own, more) in enumerate(found):
        for place, line in own.items():
            digits[places.index(place), number] = line
        if odd is not None and more is not None:
            odd[number] = more
    return _carry(ExactSums(tuple(places), digits, odd))


def _sum_column(column: Numbers, group: Ints, size: int) -> tuple[dict[int, Ints], Floats | None]:
    """Return the sums of the digits at every place, and those of what is not finite."""
    if column.dtype.kind != "f":
        return {0: _sum_digits(column, group, size)}, None
    values = np.asarray(column, dtype=np.float64)
    usual = np.isfinite(values)
    odd = None
    if not usual.all():
        odd = np.zeros(size)
        np.add.at(odd, group, np.where(usual, 0.0, values))
        values = np.where(usual, values, 0.0)
    return {place: _sum_digits(own, group, size) for place, own in _cut(values)}, odd


def _cut(values: Floats) -> Iterator[tuple[int, Floats]]:
    """Return the places of the digits of all values, and the digits at each."""
    top = float(np.abs(values).max(initial=0.0))
    if top < 2.0**BITS and (values == np.rint(values)).all():
        yield 0, values
        return
    place = (math.frexp(top)[1] // BITS) * BITS
    rest = values
    while place > LOWEST and rest.any():
        own = np.trunc(_shift(rest, -place))
        yield place, own
        rest = rest - _shift(own, place)
        place -= BITS


def _shift(values: Floats, by: int) -> Floats:
    """Return values times a power of two, which rounds nothing."""
    return values * 2.0**by if abs(by) < PLAIN else np.ldexp(values, by)


def _sum_digits(digits: Numbers, group: Ints, size: int) -> Ints:
    """Return the sums of digits by group, of so many rows at a time that `bincount` adds them exactly."""
    out = np.zeros(size, dtype=np.int64)
    for first in range(0, len(digits), ROWS):
        own = slice(first, first + ROWS)
        out += np.bincount(group[own], weights=digits[own], minlength=size).astype(np.int64)
    return out


def _carry(sums: ExactSums) -> ExactSums:
    """Return the same sums, every digit but the highest from 0 to 2**30 - 1: they can be added to for ever."""
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


def round_sums(sums: ExactSums) -> Numbers:
    """Return the sums as columns x groups: whole numbers as they are, others rounded once."""
    if sums.places == WHOLE and sums.odd is None:
        return np.asarray(sums.digits[0])
    digits = sums.digits.reshape(len(sums.places), -1)
    lines = [np.ldexp(own.astype(np.float64), place) for place, own in zip(sums.places, digits, strict=True)]
    out = lines[0] if len(lines) == 1 else np.array([math.fsum(own) for own in zip(*lines, strict=True)])
    values = np.asarray(out, dtype=np.float64).reshape(sums.digits.shape[1:])
    return values if sums.odd is None else values + sums.odd


class Quotient(NamedTuple):
    """A number as it is, by two whole ones: every finite float is one over a power of two."""

    top: int
    bottom: int  # a power of two

    def plus(self, other: Quotient) -> Quotient:
        """Return the sum of both."""
        return _sum_quotients([self, other])


def _sum_quotients(parts: Sequence[tuple[int, int]]) -> Quotient:
    bottom = max((own for _, own in parts), default=1)
    return Quotient(sum(top * (bottom // own) for top, own in parts), bottom)


def column_total(sums: ExactSums, column: int) -> Quotient:
    """Return the sum of a column over all groups as it is."""
    low = min(0, *sums.places)
    digits = sums.digits[:, column].tolist()
    top = sum(sum(own) << (place - low) for place, own in zip(sums.places, digits, strict=True))
    return Quotient(top, 1 << -low)


def squares(values: Floats) -> tuple[Floats, Floats]:
    """Return two numbers for each value whose sum is exactly its square.

    Source: Dekker (1971), A floating-point technique for extending the available precision.
    """
    high = SPLIT * values - (SPLIT * values - values)
    low = values - high
    square = values * values
    return square, ((high * high - square) + 2 * high * low) + low * low


def deviation(number: int, total: Quotient, square: Quotient) -> float:
    """Return the standard deviation of a sample from its size, its sum and the sum of its squares."""
    rest = square.top * total.bottom**2 * number - total.top**2 * square.bottom
    rest = max(rest, 0)  # the squares of the smallest numbers underflow
    return math.sqrt(rest / (square.bottom * total.bottom**2 * number * (number - 1)))


def deviation_of(values: Floats) -> float:
    """Return the standard deviation of a sample of at least two finite values."""
    columns = (values, *squares(values))
    total, high, low = (_sum_quotients([one.as_integer_ratio() for one in summands(own)]) for own in columns)
    return deviation(len(values), total, high.plus(low))
