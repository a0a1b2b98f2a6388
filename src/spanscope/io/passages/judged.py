"""What judgements and runs are known by: first lines, numbers by query, one row per query and a document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from spanscope.io.head import CUT, Head
from spanscope.io.passages.names import FIELDS

FEW = 20  # queries that are looked at to tell what a mapping holds; the reader looks at every one
QUERY = ("q_id", "query_id", "query-id", "qid")
DOCUMENT = ("doc_id", "docno", "docid", "corpus_id", "corpus-id", "pid", "document_id")
NUMBER = ("score", "rel", "relevance", "grade", "label", "rating")

FIRST = re.compile(  # query, Q0 or a number, document, then a grade, or a rank, a score and perhaps more
    rb"\s*\S+[ \t]+(?:Q0|\d+(?:\.\d+)?)[ \t]+\S+[ \t]+"
    rb"(?:-?\d+(?:\.\d+)?|\S+[ \t]+[-+]?(?:inf|nan|[\d.][\d.eE+-]*)(?:[ \t]+\S+)*)[ \t]*(?:\r?\n|$)"
)
Q0 = re.compile(rb"\s*\S+[ \t]+Q0[ \t]")  # what only the lines of runs have
HEAD = re.compile(
    rb"(?:query[-_]id|q_?id)[\t ,](?:corpus[-_]id|cid|pid|docid|doc_id)[\t ,]\S+"
)  # BEIR's judgements


def is_trec(head: Head) -> bool:
    """Tell TREC's files, and the judgements of BEIR."""
    if head.is_json:  # whose words and numbers may stand in columns by chance
        return False
    return bool(FIRST.match(head.data)) or bool(HEAD.match(head.data))


def is_run(head: bytes) -> bool:
    """Tell a run by a word that only runs have, whatever the system that made it is called."""
    return bool(Q0.match(head) and FIRST.match(head))


def is_number(value: Any) -> bool:
    """Tell a number of any kind that is a grade or a score."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, (bool, np.bool_))


def is_judged(value: Any) -> bool:
    """Tell judgements or runs as dicts of dicts of numbers, or as lists of identifiers."""
    if not isinstance(value, Mapping) or not value:
        return False
    first = [own for own in islice(value.values(), FEW) if own is not CUT]
    if first and all(isinstance(own, Mapping) for own in first):
        own: Any = next((own for own in value.values() if own), {})
        return all(is_number(number) or number is CUT for number in own.values())
    return _are_lists(value, first)


def _are_lists(value: Mapping[Any, Any], first: Sequence[Any]) -> bool:
    """Tell lists of identifiers by query: strings without blanks, under names that are those of no field."""
    if not first or not all(isinstance(own, (list, tuple)) for own in first) or not any(first):
        return False
    words = all(
        isinstance(name, str) and name and not any(map(str.isspace, name)) for own in first for name in own
    )
    return words and FIELDS.isdisjoint(map(str, value))


def is_judged_row(one: Any) -> bool:
    """Tell a row of a table: a query, a document, and a grade or a score."""
    if not isinstance(one, Mapping) or len(one) > 6:
        return False
    return all(any(name in one for name in names) for names in (QUERY, DOCUMENT, NUMBER))


def is_judged_frame(head: Head) -> bool:
    """Tell columns in memory with one row per judgement."""
    return not head.is_file and is_judged_row(columns_of(head.source))


def columns_of(source: Any) -> Mapping[str, Any] | None:
    """Return the columns of a frame, or of a mapping of columns; None of everything else."""
    names = getattr(source, "columns", None)
    if names is not None:
        return {str(name): source[name] for name in names}
    sized = isinstance(source, Mapping) and all(hasattr(own, "__len__") for own in source.values())
    return source if sized and not any(isinstance(own, (str, Mapping)) for own in source.values()) else None
