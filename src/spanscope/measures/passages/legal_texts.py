"""Texts of answers compared as the legal retrieval script `score.py` does, digit for digit.

NLTK's tokens, sets of them, and passages by their place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from spanscope.arithmetic import added_up, ratio
from spanscope.errors import InputError, MeasureError
from spanscope.measures.passages.answer_texts import NAN, Tokeniser, exact_match, normalise, token_f1


def legal_tokens(text: str, *, punkt: bool = True) -> list[str]:
    """Return the legal script's tokens: NLTK's of the normalised text, those of letters and digits only.

    Without `punkt` the text is one sentence, and words before a full stop inside it are dropped: no data are
    needed then, and figures differ a little from the script's. Tokens also depend on the version of NLTK.
    """
    try:
        from nltk.tokenize import word_tokenize
    except ImportError:
        raise ImportError("the legal script's tokens are NLTK's: pip install 'spanscope[legal]'") from None
    try:
        found = word_tokenize(normalise(text), preserve_line=not punkt)
    except TimeoutError:  # NLTK stops patterns that take long
        raise MeasureError(
            f"NLTK gave up on a text of {len(text):,} characters", hint="-p passages, whose own words need no NLTK"
        ) from None
    except LookupError:  # NLTK's own message has thirty lines
        raise MeasureError(
            "NLTK has no data for sentences (punkt_tab)",
            hint="python -m nltk.downloader punkt_tab, or tokens that do without: punkt=no",
        ) from None
    return [token for token in found if token.isalnum()]


def has_punkt() -> bool:
    """Tell whether NLTK and its data for sentences are installed."""
    try:
        from nltk.data import find
    except ImportError:
        return False
    try:
        find("tokenizers/punkt_tab/english/")
    except LookupError:
        return False
    return True


def legal_query(passages: Sequence[str], golds: Sequence[str], k: int, tokens: Tokeniser) -> dict[str, float]:
    """Return the legal script's four figures of one query; NaN without gold texts, which the script leaves out.

    Exact match and span F1 look at the first passage only, recall and nDCG at the first k.

    >>> from spanscope.measures.passages.answer_texts import words
    >>> legal_query(["Dogs bark.", "A cat sat."], ["cat sat"], 10, words)
    {'exact_match': 0.0, 'span_f1': 0.0, 'recall': 1.0, 'ndcg': 0.6309297535714575}
    """
    if not golds:
        return dict.fromkeys(("exact_match", "span_f1", "recall", "ndcg"), NAN)
    if not passages:
        return dict.fromkeys(("exact_match", "span_f1", "recall", "ndcg"), 0.0)
    found = [normalise(passage) for passage in passages[:k]]
    held = legal_matches(found, [normalise(gold) for gold in golds])
    return {
        "exact_match": float(exact_match(passages[0], golds)),
        "span_f1": token_f1(passages[0], golds, tokens=tokens),
        "recall": _legal_recall(held, len(golds)),
        "ndcg": _legal_ndcg(held, k),
    }


def legal_matches(found: Sequence[str], wanted: Sequence[str]) -> list[list[int]]:
    """Return for each passage the gold texts that are part of it or have it as part; an empty one has them all.

    >>> legal_matches(["a cat sat", "", "dog"], ["cat", "a dog"])
    [[0], [0, 1], [1]]
    """
    return [[at for at, gold in enumerate(wanted) if gold in text or text in gold] for text in found]


def _legal_recall(held: Sequence[Sequence[int]], golds: int) -> float:
    """Return the share of gold texts that some passage has."""
    return float(ratio(len({at for own in held for at in own}), golds))


def _legal_ndcg(held: Sequence[Sequence[int]], k: int) -> float:
    """Return nDCG over the matches that were retrieved: gold texts that were missed do not lower it."""
    hits = [rank for rank, own in enumerate(held, 1) if own]
    ideal = range(1, min(len(hits), k) + 1)
    return float(ratio(added_up(map(_discount, hits)), added_up(map(_discount, ideal)), empty=0.0))


def _discount(rank: int) -> float:
    return 1.0 / math.log2(rank + 1)


def legal_scores(
    retrieved: Sequence[Sequence[str]], golds: Sequence[Sequence[str]], *, k: int = 10, tokens: Tokeniser
) -> dict[str, float]:
    """Return what the legal script prints: means over the queries that have gold texts, and how many there are.

    Queries belong together by their place. `num_examples` counts those without gold texts too, as the script
    does; the means are NaN if there are no others.
    """
    if len(retrieved) != len(golds):
        raise InputError(
            f"{len(retrieved):,} lists of passages, {len(golds):,} of gold texts",
            expected="one of each for every query, in the same order",
        )

    @cache  # passages and gold texts come back with other queries, and NLTK takes most of the time
    def known(text: str) -> frozenset[str]:
        return frozenset(tokens(text))

    rows = [legal_query(own, gold, k, known) for own, gold in zip(retrieved, golds, strict=True) if gold]
    names = {"exact_match": "exact_match", "span_f1": "span_f1", f"recall@{k}": "recall", f"ndcg@{k}": "ndcg"}
    out: dict[str, float] = {
        name: float(ratio(np.sum([row[key] for row in rows]), len(rows))) for name, key in names.items()
    }
    return out | {"num_examples": len(retrieved)}
