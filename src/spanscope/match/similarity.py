"""How alike two spans are: by the characters they share, by how they read."""

from __future__ import annotations

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.data.corpus import Texts


def iou(shared: Ints, union: Ints) -> Floats:
    """Return |a & b| / |a | b|; two identical zero-length spans (0/0) are the same span: 1."""
    return ratio(shared, union, empty=1.0)


def longest_ratio(size_a: Ints, size_b: Ints) -> Floats:
    """Return what `text_ratio` is at most for texts of these lengths: all of the shorter one is in the other."""
    return ratio(2.0 * np.minimum(size_a, size_b), size_a + size_b, empty=1.0)


def text_ratio(first: Texts, second: Texts, *, autojunk: bool = False) -> Floats:
    """Return difflib's `SequenceMatcher(None, a, b).ratio()` of each pair of texts.

    Computed by cydifflib. `autojunk` is difflib's default heuristic, which ignores characters frequent in a
    second text of 200 or more and can turn .95 into .02; it is off unless a tool's figures must be copied.
    Where one text contains the other the longest matching block is the whole shorter text, so without the
    heuristic the ratio is exactly 2 * short / (short + long) and nothing needs to be aligned.
    """
    out = np.ones(len(first))
    different = np.flatnonzero(first != second)
    if not len(different):
        return out
    from cydifflib import SequenceMatcher

    values = []
    matcher = SequenceMatcher(None, "", "", autojunk=autojunk)
    for a, b in zip(first[different].tolist(), second[different].tolist(), strict=True):
        short, long = (a, b) if len(a) <= len(b) else (b, a)
        if not autojunk and short in long:
            values.append(2.0 * len(short) / (len(a) + len(b)))
        else:
            matcher.set_seq1(a)
            matcher.set_seq2(b)  # which costs nothing where it is the very text of the pair before
            values.append(matcher.ratio())
    out[different] = values
    return out
