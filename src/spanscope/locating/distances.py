"""Edit distances of a pattern to stretches of a text: Myers' bit vectors on Python's whole numbers.

One run costs a few operations for every character of the text, whatever the pattern's length up to a machine word
and in proportion to it beyond. `WORK` counts the characters times words, for tests of how the work grows.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import repeat

WORK = [0]
WORD = 64


@lru_cache(256)  # a quote is held against many stretches
def masks_of(pattern: str) -> dict[str, int]:
    """Return for every character of a pattern the places it stands at, as bits."""
    out: dict[str, int] = {}
    bit = 1
    for character in pattern:
        out[character] = out.get(character, 0) | bit
        bit <<= 1
    return out


def distances(pattern: str, text: str, *, anywhere: bool) -> list[int]:
    """Return the distance of a pattern to a stretch of the text that ends behind each of its characters.

    The stretch begins at the start of the text, or `anywhere` in it. The first entry is for the empty stretch.
    """
    size = len(pattern)
    WORK[0] += len(text) * (size // WORD + 1)
    if not size:
        return [0] * (len(text) + 1) if anywhere else list(range(len(text) + 1))
    masks = masks_of(pattern)
    every = (1 << size) - 1
    last = 1 << (size - 1)
    plus, minus, score = every, 0, size
    carry = 0 if anywhere else 1
    out = [score]
    for equal in map(masks.get, text, repeat(0)):
        vertical = equal | minus
        horizontal = ((((equal & plus) + plus) ^ plus) | equal) & every
        up = minus | (every ^ (horizontal | plus))
        down = plus & horizontal
        if up & last:
            score += 1
        elif down & last:
            score -= 1
        up = ((up << 1) | carry) & every
        plus = ((down << 1) & every) | (every ^ (vertical | up))
        minus = up & vertical
        out.append(score)
    return out


@lru_cache(1 << 16)
def distance(first: str, second: str) -> int:
    """Return how many insertions, deletions and replacements turn one text into the other."""
    return distances(first, second, anywhere=False)[-1] if second else len(first)
