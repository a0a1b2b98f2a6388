"""Under which names tables keep the fields of spans: more than documents in JSON do, in any spelling.

`fields.py` says what a field of a document may be called; people who write tables call the same things by many
other names. Here a column gets our name, where no column has it, and readers know no other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

DOCUMENT = (
    "doc",
    "doc_id",
    "document",
    "document_id",
    "id",
    "file",
    "filename",
    "file_name",
    "note_id",
    "pmid",
    "text_id",
    "sent_id",
    "sample_id",
    "uid",
)
ROWS = {  # the columns of one row per span, by field, each name before those that count less
    "document": DOCUMENT,
    "start": (
        "start",
        "start_position",
        "begin",
        "start_offset",
        "start_char",
        "char_start",
        "start_idx",
        "start_pos",
        "begin_offset",
        "offset",
        "from",
    ),
    "end": (
        "end",
        "end_position",
        "stop",
        "end_offset",
        "end_char",
        "char_end",
        "end_idx",
        "end_pos",
        "finish",
        "to",
    ),
    "length": ("length", "len"),
    "label": (
        "label",
        "tag",
        "type",
        "entity_type",
        "entity",
        "entity_group",
        "category",
        "class",
        "ent_type",
        "annotation",
    ),
    "span_text": (
        "text",
        "entity_value",
        "span",
        "mention",
        "span_text",
        "entity_text",
        "value",
        "quote",
        "covered_text",
        "word",
    ),
    "span_score": ("score", "confidence", "prob", "probability"),
    "annotator": ("annotator", "user", "coder", "rater", "worker_id"),
}
TEXTS = ("text", "full_text", "document_text", "content", "sentence", "document")  # of a document
PIECES = re.compile(r"\s*[0-9]+\s*[-:]\s*[0-9]+(\s*[;,]\s*[0-9]+\s*[-:]\s*[0-9]+)*\s*")  # 0-4;15-38, of several
WHOLE = re.compile(r"\s*(-?[0-9]+)(?:[.,]0+)?\s*", re.ASCII)  # 12.0 where a column had gaps
NEEDED = ("document", "start", "label")  # and an end, or a length


@lru_cache(1024)  # every table is asked for the same names
def squashed(name: str) -> str:
    """Return a name as all its spellings have it: `Doc ID`, `doc-id` and `docId` are one.

    >>> squashed("Doc ID"), squashed("start-offset"), squashed("startOffset")
    ('docid', 'startoffset', 'startoffset')
    """
    return "".join(one for one in name.casefold() if one.isalnum())


def first_named(names: Sequence[str], present: Mapping[str, str]) -> str | None:
    """Return the column that has the first of the names that any has; `present` are columns by squashed names."""
    return next((present[own] for own in map(squashed, names) if own in present), None)


def columns_of_spans(header: Sequence[str], own: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the column of every field that a header with one row per span has; `own` names go before all others.

    >>> columns_of_spans(["filename", "Begin", "end", "Entity-Type", "mention"])
    {'document': 'filename', 'start': 'Begin', 'end': 'end', 'label': 'Entity-Type', 'span_text': 'mention'}
    """
    own = {"document" if key == "id" else key: name for key, name in (own or {}).items()}
    free = {squashed(name): name for name in header if name not in own.values()}
    out: dict[str, str] = {}
    for field, names in ROWS.items():
        found = own[field] if field in own and own[field] in header else first_named(names, free)
        if found is not None:
            out[field] = found
            free.pop(squashed(found), None)
    return out


def is_row_a_span(columns: Mapping[str, str]) -> bool:
    """Tell the columns of a table with one row per span."""
    return all(field in columns for field in NEEDED) and ("end" in columns or "length" in columns)


def holds_span_rows(header: Sequence[str], rows: Sequence[Sequence[str]], own: Mapping[str, str]) -> bool:
    """Tell text with one row per span: it has the columns, and mostly whole numbers in those of offsets.

    Spans of several pieces in a cell are offsets too: the reader says what becomes of them.
    """
    columns = columns_of_spans(header, own)
    if not is_row_a_span(columns):
        return False
    at = [header.index(columns[field]) for field in ("start", "end", "length") if field in columns]
    fit = sum(
        all(not row[number] or WHOLE.fullmatch(row[number]) or PIECES.fullmatch(row[number]) for number in at)
        for row in rows
    )
    return 2 * fit > len(rows) or not rows
