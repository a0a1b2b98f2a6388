"""What segmentations are known by: fields of a document, first lines, and files in a folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spanscope.io.data_names import is_companion
from spanscope.io.fields import FORMS, KNOWN
from spanscope.io.head import Head

CONTAINERS = ("items", "data", "documents", "examples", "traces")
CHOI = "=========="  # alone on a line between segments, before the first and after the last
HEADING = re.compile(r"={8},(\d+),(.*)\.\s*")  # of wiki-727k: a level, and a heading that may have commas
SENTENCES = ("sentences", "utterances", "lines")
SECTIONS = ("section_ids", "sections", "section_labels")
LABELS = ("labels", *SECTIONS)
TABLES = (".tsv", ".csv", ".txt")  # of segeval, in a folder
CODERS = re.compile(r'"?Coder"?[\t,]"?(Masses|Positions)"?[\t,]*')


def is_segmented(document: Any, own: Mapping[str, str]) -> bool:
    """Tell a document with a segmentation by its fields; `own` gives other names of them, as for the reader."""
    if not isinstance(document, Mapping):
        return False
    names = [own.get(form, form) for form in FORMS]
    spans = (own["spans"],) if "spans" in own else KNOWN["spans"]
    return any(name in document for name in names) and not any(
        name in document for name in spans if name not in names
    )


def _first_lines(head: Head, suffix: str | tuple[str, ...] = "") -> list[str]:
    """Return the first lines of a file, or those of the first file in a folder."""
    if not head.names:
        return head.lines
    names = (name for name in head.names if not name.endswith("/") and not is_companion(name))
    first = next((name for name in names if name.endswith(suffix)), None)
    return [] if first is None else Head(Path(head.source).joinpath(first)).lines


def is_choi(head: Head) -> bool:
    """Tell Choi's files by their first line, and a folder by the first of its .ref files."""
    return [line.strip() for line in _first_lines(head, ".ref" if head.names else "")[:1]] == [CHOI]


def is_wiki(head: Head) -> bool:
    """Tell files of wiki-727k by the heading in their first line, and a folder by its first file."""
    return any(HEADING.fullmatch(line) for line in _first_lines(head)[:1])


def is_strings(head: Head) -> bool:
    """Tell lines of 0 and 1 alone."""
    lines = [line.strip() for line in head.lines if line.strip()]
    return bool(lines) and all(set(line) <= {"0", "1"} for line in lines)


def is_segeval(value: Any) -> bool:
    """Tell segeval's JSON by a key of its own."""
    return isinstance(value, Mapping) and "segmentation_type" in value and "items" in value


def is_segeval_table(head: Head) -> bool:
    """Tell segeval's tables by their header, and a folder by that of the first table."""
    return any(CODERS.fullmatch(line.strip()) for line in _first_lines(head, TABLES if head.names else "")[:1])


def is_sentences(one: Any) -> bool:
    """Tell a document of sentences with a label, or the number of a section, for each."""
    if not isinstance(one, Mapping) or "spans" in one or "tokens" in one:
        return False
    sentences = next((one[name] for name in SENTENCES if isinstance(one.get(name), list)), None)
    labels = next((one[name] for name in LABELS if isinstance(one.get(name), list)), None)
    return sentences is not None and labels is not None and all(isinstance(text, str) for text in sentences)


def is_reasoning_flow(one: Any) -> bool:
    """Tell a trace of ReasoningFlow, as RT-SEG's data have it: a response, and nodes that stand in it."""
    return isinstance(one, Mapping) and "nodes" in one and isinstance(one.get("raw_text"), Mapping)
