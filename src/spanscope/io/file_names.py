"""What the names of files say: whether one holds data, and which side it is."""

from __future__ import annotations

import re

ENDINGS = (
    ".json",
    ".jsonl",
    ".ndjson",
    ".conll",
    ".conllu",
    ".bio",
    ".iob",
    ".iob2",
    ".tsv",
    ".txt",
    ".qrels",
    ".run",
    ".trec",
)
NAMED = re.compile(
    r"(^|/)(qrels?|runs?|results?)\.[^/]+$", re.IGNORECASE
)  # qrels.test: TREC files end in anything
GOLD = re.compile(r"gold|truth|reference|annot|qrel|(^|[^a-z])(ref|key|labels?)([^a-z]|$)", re.IGNORECASE)
PRED = re.compile(
    r"pred|hyp|output|system|model|answers|(^|[^a-z])(run|results?|sys|out)([^a-z]|$)", re.IGNORECASE
)


def holds_data(name: str) -> bool:
    """Tell a file that holds data, by its ending; TREC files by their beginning."""
    return name.lower().removesuffix(".gz").endswith(ENDINGS) or NAMED.search(name) is not None


def guess_side(name: str) -> str:
    """Return which side the name of a file speaks of: gold, pred, or data where it does not say.

    >>> [guess_side(name) for name in ("requirements.gold.jsonl", "runs/pred.jsonl", "a.jsonl")]
    ['gold', 'pred', 'data']
    """
    last = name.rpartition("/")[2]
    return "gold" if GOLD.search(last) else "pred" if PRED.search(last) else "data"
