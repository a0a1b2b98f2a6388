"""The only division of counts and lengths, and the only randomness: draws keyed by seed and document."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Keys = NDArray[np.uint64]

# How many of the 65,536 draws give the weight 0, 1, 2, ...: the whole numbers nearest to Poisson(1) for which mean
# and variance are exactly 1.
POISSON = (24107, 24113, 12055, 4017, 1004, 201, 33, 5, 1)
LARGEST_WEIGHT = len(POISSON) - 1  # the largest weight
_WEIGHTS = np.repeat(np.arange(len(POISSON), dtype=np.uint8), POISSON)
_STEP = 0x9E3779B97F4A7C15  # 2**64 / golden ratio, the step of SplitMix64
_ALL = 2**64
CELLS = 4096  # into which more documents than that are dealt: docs/statistics.md has the widths of other numbers
FAR = 1000  # the exponent up to which a sum of such numbers is finite


def ratio(numerator: ArrayLike, denominator: ArrayLike, *, empty: float = float("nan")) -> Floats:
    """Return numerator / denominator elementwise; `empty` where the denominator is 0.

    >>> ratio([1, 0], [4, 0])
    array([0.25,  nan])
    """
    top = np.asarray(numerator, dtype=np.float64)
    bottom = np.asarray(denominator, dtype=np.float64)
    out = np.full(np.broadcast(top, bottom).shape, empty)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


def added_up(values: Iterable[float]) -> float:
    """Return a sum made one by one, as tools that are copied do: `sum` rounds otherwise from Python 3.12 on."""
    out = 0.0
    for value in values:
        out += value
    return out


def total(values: Floats) -> float:
    """Return the sum of numbers, rounded once: their order changes no digit.

    >>> total(np.array([1e20, 1.0, -1e20]))
    1.0
    """
    return math.fsum(summands(values))


def summands(values: Floats) -> list[float]:
    """Return a few numbers whose sum is exactly that of many.

    The leading bits of all values are cut off at one place; their sum needs no rounding, and the rest is cut
    again.
    Source: Rump, Ogita and Oishi (2008), Accurate floating-point summation, part I (ExtractVector).
    """
    out: list[float] = []
    rest = np.asarray(values, dtype=np.float64)
    while len(rest) and (top := float(np.abs(rest).max())) != 0:
        exponent = math.frexp(top)[1] + (len(rest) + 2).bit_length()
        if not math.isfinite(top) or exponent > FAR:  # nothing to cut off, or the sums could overflow
            return [*out, *rest.tolist()]
        place = math.ldexp(1.0, exponent)
        high = (rest + place) - place
        out.append(float(high.sum()))
        rest = rest - high
    return out


def keys_of(names: Sequence[str]) -> Keys:
    """Return a 64-bit key for each document name: BLAKE2b, so the same on any machine and Python.

    A name that occurs again gets a key of its own (name and occurrence are hashed), else its documents would be
    drawn together and an interval would be too wide.

    >>> keys_of(["a", "b", "a"])
    array([3405396810240292928, 8453121595177857668, 7089030453299531561],
          dtype=uint64)
    """
    digests = [blake2b(name, digest_size=8).digest() for name in _bytes_of(names)]
    if len(set(names)) < len(names):
        seen: dict[str, int] = {}
        for i, name in enumerate(names):
            again = seen[name] = seen.get(name, -1) + 1
            if again:
                person = again.to_bytes(16, "little")  # a hash of its own for every occurrence
                digests[i] = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8, person=person).digest()
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def _bytes_of(names: Sequence[str]) -> list[bytes]:
    """Return names as UTF-8, encoded all at once unless one of them has the character that separates them."""
    out = "\0".join(names).encode("utf-8", "surrogatepass").split(b"\0")
    return out if len(out) == len(names) else [name.encode("utf-8", "surrogatepass") for name in names]


def cell_numbers(keys: Keys, cells: int) -> Keys:
    """Return the number of the cell that a document or group with this key is dealt into."""
    return np.asarray(scramble(np.array(keys, dtype=np.uint64)) % np.uint64(cells))


def draws(seed: int, keys: Keys, number: int, stream: int = 0, first: int = 0) -> NDArray[np.uint16]:
    """Return draws first ... first + number - 1 of each key, uniform over 0 ... 65,535: one row per key.

    A draw is a function of (seed, stream, key, its number) and of nothing else, so order, partition and blocks
    cannot change it. Each hash of `_hashes` gives four draws, its lowest bits first.
    """
    return _parts(seed, keys, number, stream, first, 4).view("<u2")[:, first % 4 :][:, :number]


def coins(seed: int, keys: Keys, number: int, stream: int = 1, first: int = 0) -> NDArray[np.uint8]:
    """Return fair coins first ... first + number - 1 of each key, 0 or 1: one row per key, 64 coins from one hash.

    Keyed as `draws` are; the other stream keeps them independent of the weights of intervals.
    """
    bits = np.unpackbits(_parts(seed, keys, number, stream, first, 64).view(np.uint8), axis=1, bitorder="little")
    return bits[:, first % 64 :][:, :number]


def poisson(drawn: NDArray[np.uint16]) -> NDArray[np.uint8]:
    """Return Poisson(1) weights, 0 to 8, for draws: by a table whose mean and variance are exactly 1.

    Source: Hanley and MacGibbon (2006), Creating non-parametric bootstrap samples using Poisson frequencies.
    """
    return _WEIGHTS.take(drawn)


def _parts(seed: int, keys: Keys, number: int, stream: int, first: int, each: int) -> NDArray[np.uint64]:
    """Return the hashes, little-endian, that hold the parts first ... first + number - 1, `each` in a hash."""
    start = first // each
    hashes = _hashes(seed, keys, stream, start, -(-(first + number) // each) - start)
    return np.ascontiguousarray(hashes.astype("<u8", copy=False))


def _hashes(seed: int, keys: Keys, stream: int, first: int, number: int) -> Keys:
    """Return SplitMix64 from a start made of seed, stream and key, one row per key.

    Source: Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators; mixer of Stafford (2011).
    """
    salt = scramble(np.array([seed % _ALL], dtype=np.uint64))
    salt = scramble(salt + np.uint64(stream % _ALL))
    start = scramble(np.asarray(keys, dtype=np.uint64) ^ salt)
    counter = (np.arange(first, first + number, dtype=np.uint64) + np.uint64(1)) * np.uint64(_STEP)
    return scramble(start[:, None] + counter)


def scramble(z: Keys) -> Keys:
    """Scramble 64-bit numbers in place: each bit of the input changes each bit of the output half of the time."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z ^= z >> np.uint64(shift)
        z *= np.uint64(factor)
    z ^= z >> np.uint64(31)
    return z
