"""Letters and ranks of systems in plain Python, by trying everything."""

from collections.abc import Collection, Sequence
from itertools import combinations


def alike_sets(systems: int, different: Collection[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the sets without a pair that differs which no such set contains: of all subsets."""
    unlike = {frozenset(pair) for pair in different}
    every = [set(own) for size in range(1, systems + 1) for own in combinations(range(systems), size)]
    sound = [own for own in every if not any(frozenset(pair) in unlike for pair in combinations(own, 2))]
    return sorted(tuple(sorted(own)) for own in sound if not any(own < other for other in sound))


def rank(values: Sequence[float | None], system: int, best: float) -> int:
    """Return 1 and how many systems are nearer to the best value; None is farther than everything."""
    away = [float("inf") if value is None else abs(value - best) for value in values]
    return 1 + sum(other < away[system] for other in away)


def rank_interval(
    draws: Sequence[Sequence[float | None]], system: int, best: float, level: float
) -> tuple[int, int]:
    """Return the ranks between which a system stands, without those beyond a tail at each end; draws by system."""
    found = sorted(rank([own[at] for own in draws], system, best) for at in range(len(draws[0])))
    last, low, high = len(found) - 1, 0, len(found) - 1
    while (low + 1) <= (1 - level) / 2 * last + 1e-9:
        low += 1
    while (high - 1) >= (1 + level) / 2 * last - 1e-9:
        high -= 1
    return found[low], found[high]
