"""Cells and weights in plain Python: what is drawn for intervals, told without arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction

ALL = 2**64
STEP = 0x9E3779B97F4A7C15
POISSON = (24107, 24113, 12055, 4017, 1004, 201, 33, 5, 1)  # of 65,536 draws: how many give 0, 1, 2, ...
Number = int | float


def key_of(name: str) -> int:
    """Return the key of a document or a group: eight bytes of BLAKE2b, the lowest first."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


def scrambled(z: int) -> int:
    """Return the mixer of SplitMix64."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ (z >> shift)) * factor % ALL
    return z ^ (z >> 31)


def cells_of(names: Sequence[str], most: int) -> dict[int, list[int]]:
    """Return the rows of documents in each cell, by the key of the cell; names that are alike are one group.

    Up to `most` names are a cell each. More of them are dealt into `most` cells by a hash of their keys.
    """
    keys = [key_of(name) for name in names]
    if len(set(keys)) > most:
        keys = [scrambled(key) % most for key in keys]
    out: dict[int, list[int]] = {}
    for row, key in enumerate(keys):
        out.setdefault(key, []).append(row)
    return dict(sorted(out.items()))


def weight(seed: int, key: int, number: int) -> int:
    """Return the weight of a cell in a resample: Poisson(1), by 16 bits of a hash of seed, cell and number."""
    start = scrambled(key ^ scrambled(scrambled(seed)))  # the stream of weights is number 0
    drawn = scrambled((start + (number // 4 + 1) * STEP) % ALL) >> (16 * (number % 4)) & 0xFFFF
    for value, share in enumerate(POISSON):
        drawn -= share
        if drawn < 0:
            return value
    raise AssertionError("the shares add up to all draws")


def weighted_sums(
    values: Sequence[Mapping[str, Number]], names: Sequence[str], most: int, seed: int, resamples: int
) -> list[dict[str, Fraction]]:
    """Return the sums of the columns of all documents in every resample, without any rounding."""
    cells = cells_of(names, most)
    out = []
    for number in range(resamples):
        sums = dict.fromkeys(values[0], Fraction(0))
        for key, rows in cells.items():
            for column in sums:
                sums[column] += weight(seed, key, number) * sum(Fraction(values[row][column]) for row in rows)
        out.append(sums)
    return out
