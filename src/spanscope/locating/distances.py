"""Edit distances of a pattern to stretches of a text: Myers' bit vectors on Python's whole numbers.

One run costs a few operations for every character of the text, whatever the pattern's length up to a machine word
and in proportion to it beyond. `WORK` counts the characters times words, for tests of how the work grows.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, repeat

WORK = [0]
WORD = 64
PIECE = 4  # characters that are looked for at first


@lru_cache(256)  # a quote is held against many stretches
def masks_of(pattern: str) -> dict[str, int]:
    """Return for every character of a pattern the places it stands at, as bits; bit 0 is for the row above it."""
    out: dict[str, int] = {}
    bit = 2
    for character in pattern:
        out[character] = out.get(character, 0) | bit
        bit <<= 1
    return out


def distances(pattern: str, text: str, *, anywhere: bool, most: int | None = None) -> list[int]:
    """Return the distance of a pattern to a stretch of the text that ends behind each of its characters.

    The stretch begins at the start of the text, or `anywhere` in it. The first entry is for the empty stretch.
    Distances that must be more than `most`, because the text up to there is too short, are given as `most + 1`.
    """
    if anywhere:
        return _scan(pattern, text, len(pattern) if most is None else most, anywhere=True)
    same = _same_start(pattern, text)  # costs nothing, and what follows it is as far apart as without it
    short = range(len(pattern), len(pattern) - same, -1)
    rest = len(pattern) - same
    return [*short, *_scan(pattern[same:], text[same:], rest if most is None else most, anywhere=False)]


def breaks(pattern: str, text: str, most: int) -> int:
    """Return into how many pieces a pattern falls that are not in a text, each as short as can be.

    Each takes an edit of its own, so the pattern is as far at least from anything in the text; beyond `most`
    nothing is counted.
    Source: Ukkonen (1992), Approximate string-matching with q-grams and maximal matches.
    """
    WORK[0] += len(text)
    found = at = 0
    while found <= most:
        inside, size = 0, PIECE
        while pattern[at : at + size] in text:
            if at + size >= len(pattern):
                return found
            inside, size = size, 2 * size
        while size - inside > 1:
            middle = (inside + size) // 2
            if pattern[at : at + middle] in text:
                inside = middle
            else:
                size = middle
        found, at = found + 1, at + size
    return found


def _same_start(pattern: str, text: str) -> int:
    """Return how many characters two texts begin with alike."""
    low, high = 0, min(len(pattern), len(text))
    if pattern[:high] == text[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if pattern[low:middle] == text[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _scan(pattern: str, text: str, most: int, *, anywhere: bool) -> list[int]:
    """Return the distances by Myers' bit vectors: the differences between rows as bits of `plus` and `minus`."""
    size = len(pattern)
    WORK[0] += len(text) * (size // WORD + 1)
    if not size:
        return [0] * (len(text) + 1) if anywhere else list(range(len(text) + 1))
    every, last = (2 << size) - 1, 1 << size
    kept = every if anywhere else every - 1  # bit 0 is set where no row above the pattern grows with the text
    plus, minus = kept, 0
    skipped = min(max(size - most - 1, 0), len(text))
    equals = map(masks_of(pattern).get, text, repeat(0))
    for equal in islice(equals, skipped):  # as below, without the distance
        diagonal = (((equal & plus) + plus) ^ plus) | equal | minus
        up = (minus | ((diagonal | plus) ^ every)) << 1
        plus = ((diagonal & plus) << 1 | ((diagonal | up) ^ every)) & kept
        minus = up & diagonal
    score = (plus & (every - 1)).bit_count() - (minus & (every - 1)).bit_count() + (0 if anywhere else skipped)
    out = [most + 1] * skipped + [score]
    add = out.append
    for equal in equals:
        diagonal = (((equal & plus) + plus) ^ plus) | equal | minus
        up = minus | ((diagonal | plus) ^ every)
        down = diagonal & plus
        if up & last:
            score += 1
        elif down & last:
            score -= 1
        add(score)
        up <<= 1
        plus = (down << 1 | ((diagonal | up) ^ every)) & kept
        minus = up & diagonal
    return out


@lru_cache(1 << 16)
def distance(first: str, second: str) -> int:
    """Return how many insertions, deletions and replacements turn one text into the other."""
    return distances(first, second, anywhere=False)[-1] if second else len(first)
