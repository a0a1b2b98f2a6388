"""Draws keyed by seed, stream, document and number: what they are, and that they look random."""

from __future__ import annotations

from fractions import Fraction
from hashlib import blake2b

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from spanscope.arithmetic import LARGEST_WEIGHT, POISSON, Keys, coins, draws, keys_of, poisson, scramble

KEYS = keys_of([f"document {i}" for i in range(2_000)])
MASK = 2**64 - 1


def scrambled(z: int) -> int:
    """Plain-Python twin of the mixer of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def hashed(seed: int, stream: int, key: int, number: int) -> int:
    start = scrambled(key ^ scrambled((scrambled(seed & MASK) + stream) & MASK))
    return scrambled((start + (number + 1) * 0x9E3779B97F4A7C15) & MASK)


def correlation(one: NDArray[np.generic], other: NDArray[np.generic]) -> float:
    """Return the correlation in units of its standard error where there is none."""
    return float(np.corrcoef(one.ravel().astype(float), other.ravel().astype(float))[0, 1] * np.sqrt(one.size))


# ---------------------------------------------------------------- keys


def test_keys_are_blake2b() -> None:
    names = ["a", "", "größe", "\ud800", "a" * 1000]
    plain = [
        int.from_bytes(blake2b(n.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        for n in names
    ]
    assert keys_of(names).tolist() == plain
    for name in ("\0", "a\0b", "\0\0"):  # what separates names where all are encoded at once
        expected = int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")
        assert keys_of([*names, name]).tolist() == [*plain, expected]
    assert keys_of(["a"]).tolist() == [3405396810240292928]
    assert keys_of([]).tolist() == []
    assert keys_of(names).dtype == np.uint64


def test_a_repeated_name_gets_keys_of_its_own() -> None:
    keys = keys_of(["a", "b", "a", "a"])
    assert keys[:2].tolist() == keys_of(["a", "b"]).tolist()
    assert len(set(keys.tolist())) == 4
    assert keys_of(["a", "a", "b", "a"]).tolist() == keys[[0, 2, 1, 3]].tolist()


# ---------------------------------------------------------------- what they are


def test_mixer_gives_the_published_numbers() -> None:
    """SplitMix64 from 1234567, as printed on Rosetta Code (Pseudo-random numbers/Splitmix64)."""
    state = (1234567 + np.arange(1, 6, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    assert scramble(state).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [0, 1, -1, 2**70 + 5])
@pytest.mark.parametrize("stream", [0, 3])
def test_draws_and_coins_against_plain_python(seed: int, stream: int) -> None:
    keys = KEYS[:3]
    drawn, tossed = draws(seed, keys, 9, stream), coins(seed, keys, 130, stream)
    for k, key in enumerate(keys.tolist()):
        assert drawn[k].tolist() == [
            (hashed(seed, stream, key, r // 4) >> 16 * (r % 4)) & 0xFFFF for r in range(9)
        ]
        assert tossed[k].tolist() == [(hashed(seed, stream, key, r // 64) >> r % 64) & 1 for r in range(130)]


@pytest.mark.parametrize("first", [0, 1, 3, 4, 63, 64, 130])
@pytest.mark.parametrize("number", [1, 5, 200])
def test_any_piece_is_the_same(first: int, number: int) -> None:
    order = np.random.default_rng(0).permutation(50)
    piece = slice(first, first + number)
    assert (draws(7, KEYS[:50], 400)[order, piece] == draws(7, KEYS[order], number, first=first)).all()
    assert (coins(7, KEYS[:50], 400)[order, piece] == coins(7, KEYS[order], number, first=first)).all()


def test_keys_are_not_written_to() -> None:
    before = KEYS.copy()
    draws(1, KEYS, 10)
    coins(1, KEYS, 10)
    assert (before == KEYS).all()


# ---------------------------------------------------------------- Poisson weights


def test_poisson_table_has_mean_and_variance_one() -> None:
    assert sum(POISSON) == 2**16
    mean = Fraction(sum(k * n for k, n in enumerate(POISSON)), 2**16)
    square = Fraction(sum(k * k * n for k, n in enumerate(POISSON)), 2**16)
    assert (mean, square - mean**2) == (1, 1)


def test_poisson_table_is_near_poisson() -> None:
    share = np.array(POISSON) / 2**16
    assert np.abs(share - stats.poisson.pmf(np.arange(len(POISSON)), 1)).max() < 6e-5


def test_poisson_weights_of_all_draws() -> None:
    weights = poisson(np.arange(2**16, dtype=np.uint16))
    assert weights.dtype == np.uint8
    assert np.bincount(weights).tolist() == list(POISSON)
    assert (weights[0], weights[-1], LARGEST_WEIGHT) == (0, 8, 8)


# ---------------------------------------------------------------- how random they look


def several(seed: int = 0, stream: int = 0, keys: Keys = KEYS) -> NDArray[np.uint16]:
    return draws(seed, keys, 400, stream)


@pytest.mark.parametrize("keys", [KEYS, np.arange(2_000, dtype=np.uint64)], ids=["hashed", "counted"])
@pytest.mark.parametrize("shift", [0, 8])
def test_bytes_are_uniform(keys: Keys, shift: int) -> None:
    """Each byte at each of the four places of a hash, and along single keys and single numbers; fixed seed."""
    drawn = (several(keys=keys) >> shift) & 255
    for place in range(4):
        assert stats.chisquare(np.bincount(drawn[:, place::4].ravel(), minlength=256)).pvalue > 1e-4
    by_key = [stats.chisquare(np.bincount(line >> 4, minlength=16)).pvalue for line in drawn]
    by_number = [stats.chisquare(np.bincount(line >> 4, minlength=16)).pvalue for line in drawn.T]
    assert stats.kstest(by_key, "uniform").pvalue > 1e-3
    assert stats.kstest(by_number, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("keys", [KEYS, np.arange(2_000, dtype=np.uint64)], ids=["hashed", "counted"])
def test_neighbours_do_not_correlate(keys: Keys) -> None:
    drawn = several(keys=keys)
    assert abs(correlation(drawn[1:], drawn[:-1])) < 4  # keys
    for lag in (1, 2, 3, 4, 8):
        assert abs(correlation(drawn[:, lag:], drawn[:, :-lag])) < 4  # numbers
    assert abs(correlation(drawn, several(seed=1, keys=keys))) < 4
    assert abs(correlation(drawn, several(stream=1, keys=keys))) < 4
    assert abs(correlation(several(seed=1, keys=keys), several(stream=1, keys=keys))) < 4


def test_coins_are_fair_and_independent() -> None:
    tossed = coins(0, KEYS, 1_000)
    z = (tossed.mean() - 0.5) * 2 * np.sqrt(tossed.size)
    assert abs(z) < 4
    for place in range(64):
        z = (tossed[:, place::64].mean() - 0.5) * 2 * np.sqrt(tossed[:, place::64].size)
        assert abs(z) < 4.5
    assert abs(correlation(tossed[1:], tossed[:-1])) < 4
    assert abs(correlation(tossed[:, 1:], tossed[:, :-1])) < 4
    assert abs(correlation(tossed, coins(1, KEYS, 1_000))) < 4
    assert abs(correlation(tossed, poisson(draws(0, KEYS, 1_000)))) < 4


def test_sums_of_weights_vary_as_they_should() -> None:
    """The total weight of a resample has mean and variance n: between resamples weights are independent."""
    totals = poisson(draws(3, KEYS, 4_000)).sum(axis=0, dtype=np.int64)
    assert abs(totals.mean() - 2_000) < 4 * np.sqrt(2_000 / 4_000)
    assert 0.9 < totals.var() / 2_000 < 1.1
