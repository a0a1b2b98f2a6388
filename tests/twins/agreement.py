"""Agreement where not everyone annotated everything, in plain Python, position by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import nan

Values = Sequence[str]  # what those who annotated a position say of it


def alpha(positions: Sequence[Values]) -> float:
    """Return Krippendorff's alpha: every ordered pair of m values of a position weighs 1/(m - 1)."""
    met: Counter[tuple[str, str]] = Counter()
    weight: dict[tuple[str, str], Fraction] = {}
    for values in positions:
        for pair in permutations(values, 2):
            met[pair] += 1
            weight[pair] = weight.get(pair, Fraction(0)) + Fraction(1, len(values) - 1)
    own = {one: sum((w for (a, _), w in weight.items() if a == one), Fraction(0)) for one, _ in met}
    n = sum(own.values(), Fraction(0))
    expected = sum(own[a] * own[b] for a in own for b in own if a != b)
    if not expected:
        return nan
    observed = sum((w for (a, b), w in weight.items() if a != b), Fraction(0))
    return float(1 - (n - 1) * observed / expected)


def fleiss(positions: Sequence[Values]) -> float:
    """Return Fleiss' kappa of positions that all have the same number of values."""
    number = len(positions[0])
    shares = Counter(value for values in positions for value in values)
    every = sum(shares.values())
    chance = sum(Fraction(count, every) ** 2 for count in shares.values())
    agreed = [
        Fraction(sum(count * (count - 1) for count in Counter(values).values()), number * (number - 1))
        for values in positions
    ]
    return nan if chance == 1 else float((sum(agreed) / len(agreed) - chance) / (1 - chance))
