"""Which scheme tags are of, found from the tags themselves; gold and predictions may be of different ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spanscope.arithmetic import Ints
from spanscope.io.tokens.schemes import PREFIXES, faults_by_scheme

ENDING = frozenset("ESLUM")  # prefixes that not all schemes have
CLEAR = 5  # ill-formed tags that another scheme must explain, where both sides have the same prefixes
FEWER = 10  # and how many times fewer it must leave
Tags = tuple[Sequence[str], Sequence[int] | Ints]  # of a side, one sentence behind the other, and their sizes


def detect(tags: Sequence[str], sizes: Sequence[int] | Ints) -> str:
    """Return the scheme of tagged sentences: the one with the fewest faults, IO if no tag has a prefix.

    Where several fit equally well, the first in a fixed order is taken.

    >>> detect(["B-PER", "I-PER", "O"], [3]), detect(["U-PER", "O"], [2]), detect(["PERSON", "O"], [2])
    ('IOB2', 'BILOU', 'IO')
    """
    return _fittest(faults_by_scheme(tags, sizes))


def detect_both(gold: Tags, pred: Tags) -> tuple[str, str]:
    """Return the schemes of gold and of predictions: one for both, unless a side is clearly of another.

    The scheme that fits both best is that of each side, unless another one leaves at most a tenth of the side's
    ill-formed tags. It must explain five of them, for a system's ill-formed tags are no scheme, or only one where
    the sides have different prefixes for the ends of chunks and for chunks of one token.

    >>> gold, pred = (["B-PER", "I-PER", "O"], [3]), (["B-PER", "L-PER", "O"], [3])
    >>> detect_both(gold, pred), detect_both(gold, (["O", "I-PER", "O"], [3]))
    (('IOB2', 'BILOU'), ('IOB2', 'IOB2'))
    """
    together = faults_by_scheme([*gold[0], *pred[0]], [*gold[1], *pred[1]])
    common = _fittest(together)
    if not together[common]:
        return common, common
    endings = [_prefixes(tags) & ENDING for tags, _ in (gold, pred)]
    least = CLEAR if endings[0] == endings[1] else 1
    ours, theirs = (_scheme_of_side(side, common, least) for side in (gold, pred))
    return ours, theirs


def _scheme_of_side(side: Tags, common: str, least: int) -> str:
    """Return the scheme of a side: the common one, unless its own tags clearly say otherwise."""
    found = faults_by_scheme(*side)
    if common not in found:  # plain types, where the other side has prefixes; O alone says nothing
        return _fittest(found) if any(tag != "O" for tag in side[0]) else common
    best = _fittest(found, common)
    better = found[common] - found[best] >= least and found[best] * FEWER <= found[common]
    foreign = _prefixes(side[0]) - set(PREFIXES.get(common, "")) and not _prefixes(side[0]) - set(PREFIXES[best])
    return best if better or foreign else common


def _fittest(faults: Mapping[str, int], common: str | None = None) -> str:
    """Return the scheme with the fewest faults; of equals the common one, else the first."""
    return min(faults, key=lambda scheme: (faults[scheme], scheme != common))


def _prefixes(tags: Sequence[str]) -> set[str]:
    return {tag[0] for tag in set(tags) if tag[1:2] == "-" and tag[0] != "O"}
