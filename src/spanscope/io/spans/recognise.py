"""What files of annotation tools are known by: first lines, the root of an XML file, keys, names in folders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from spanscope.io.column_names import holds_span_rows
from spanscope.io.data_names import is_companion
from spanscope.io.folder import open_folder
from spanscope.io.head import TEXT, Head
from spanscope.io.xml_root import root_of

BRAT_LINE = re.compile(r"[TREAMN#]\d+\t|\*\t")
BRAT_SPAN = re.compile(r"T\d+\t\S+ \d+ \d+(;\d+ \d+)*(\t|$)")
PUBTATOR_TITLE = re.compile(r"[^|\t]+\|t\|")
PUBTATOR = (".pubtator", ".PubTator")  # endings of its files
WEBANNO = "#FORMAT=WebAnno TSV"
DOCCANO = ("label", "labels", "entities", "annotations")  # what doccano keeps the spans of a document under
CAS_KEY = "%FEATURE_STRUCTURES"


def inside(head: Head, *suffixes: str) -> Head:
    """Return the beginning of a file, or that of the first file in a folder that has one of these endings."""
    for name in head.names:
        if name.endswith(suffixes) and not is_companion(name):
            return Head(open_folder(head.source).source(name))
    return head


def is_brat(head: Head) -> bool:
    """Tell a brat file by its ids before tabs, and a folder by the names of such files."""
    if any(name.endswith(".ann") for name in head.names):
        return True
    lines = [line for line in head.lines if line]
    return bool(lines) and all(
        BRAT_LINE.match(line) and (line[0] != "T" or BRAT_SPAN.match(line)) for line in lines
    )


def is_pubtator(head: Head) -> bool:
    """Tell PubTator by the title of its first document."""
    first = next((line for line in inside(head, *PUBTATOR).lines if line.strip()), "")
    return PUBTATOR_TITLE.match(first) is not None


def is_webanno(head: Head) -> bool:
    """Tell WebAnno's TSV by its first line."""
    return inside(head, ".tsv").data.startswith(WEBANNO.encode())


def is_xmi(head: Head) -> bool:
    """Tell a CAS in XMI by its root and the namespace of what every CAS has."""
    own = inside(head, ".xmi")
    return root_of(own) == "XMI" and b"http:///uima/cas.ecore" in own.data[:TEXT]


def is_bioc_xml(head: Head) -> bool:
    """Tell BioC by its root, and by the documents that other collections have none of."""
    own = inside(head, ".xml")
    return root_of(own) == "collection" and b"<document>" in own.data


def is_gate_xml(head: Head) -> bool:
    """Tell GATE's XML by its root."""
    return root_of(inside(head, ".xml")) == "GateDocument"


def is_cas(one: Any) -> bool:
    """Tell a CAS in JSON by a key of its own."""
    return isinstance(one, Mapping) and CAS_KEY in one


def is_bdoc(one: Any) -> bool:
    """Tell a document of GATE in JSON by its keys."""
    return isinstance(one, Mapping) and "annotation_sets" in one and "offset_type" in one


def is_gliner_train(one: Any) -> bool:
    """Tell a sentence of GLiNER's training data by its keys."""
    return isinstance(one, Mapping) and isinstance(one.get("tokenized_text"), (list, tuple)) and "ner" in one


def is_bioc(one: Any) -> bool:
    """Tell a document of BioC in JSON: it has passages with offsets."""
    passages = one.get("passages") if isinstance(one, Mapping) else None
    if not isinstance(passages, (list, tuple)):
        return False
    if not passages:
        return "infons" in one
    return isinstance(passages[0], Mapping) and "offset" in passages[0] and "query" not in one


def holds_bioc(head: Head) -> bool:
    """Tell the documents of PubTator's API, in a list under a name of their own."""
    return isinstance(head.value, Mapping) and "PubTator3" in head.value


def is_prodigy(one: Any) -> bool:
    """Tell an example of Prodigy by the hashes that it is known by."""
    return isinstance(one, Mapping) and "_input_hash" in one and "_task_hash" in one


def is_short_record(one: Any) -> bool:
    """Tell a record of Label Studio's JSON-MIN, which is an annotation with the fields of its task."""
    return isinstance(one, Mapping) and "annotation_id" in one and "lead_time" in one


def is_label_studio_table(head: Head) -> bool:
    """Tell Label Studio's CSV and TSV by two columns in their header."""
    names = {name.strip('"') for name in re.split(r"[,;|\t]", head.lines[0])} if head.lines else set[str]()
    return {"annotation_id", "lead_time"} <= names


def is_doccano(one: Any) -> bool:
    """Tell a document of doccano: triples with a label, objects with start_offset, or the fields of an export."""
    if not isinstance(one, Mapping) or "text" not in one or "tokens" in one or "annotation_id" in one:
        return False
    lists = {key: one[key] for key in DOCCANO if isinstance(one.get(key), (list, tuple))}
    if any(_is_marked(span, key) for key, own in lists.items() for span in own[:1]):
        return True
    plain = "label" in lists or "Comments" in one or "annotation_approver" in one
    return plain and bool(lists) and not any(lists.values()) and "spans" not in one


def _is_marked(span: Any, key: str) -> bool:
    """Tell one of doccano's spans by what it is and what it stands under."""
    if isinstance(span, Mapping):
        return "start_offset" in span and "end_offset" in span
    return (
        key in ("label", "labels")
        and isinstance(span, (list, tuple))
        and len(span) == 3
        and [*map(type, span)] == [int, int, str]
    )


def is_folder_of(head: Head, test: Any, *suffixes: str) -> bool:
    """Tell a folder whose first file with one of these endings holds a document that the test accepts."""
    own = inside(head, *suffixes)
    return own is not head and any(test(record.value) for record in own.records())


def is_span_rows(head: Head, own: Mapping[str, str]) -> bool:
    """Tell CSV or TSV with one row per span by the names and the numbers in its columns."""
    return head.delimited is not None and holds_span_rows(head.delimited.header, head.delimited.rows, own)


def is_span_cells(head: Head, own: Mapping[str, str]) -> bool:
    """Tell CSV or TSV with one row per document by a column of lists of spans; Label Studio's is another."""
    known = head.delimited
    if known is None or not any("[" in cell for row in known.rows for cell in row):
        return False
    if {"annotation_id", "lead_time"} <= {*known.header}:
        return False
    from spanscope.io.spans.cells import column_of_spans  # which few files need

    return column_of_spans(known.header, known.rows, own) is not None


def is_headless_rows(head: Head) -> bool:
    """Tell rows of spans without the names of their columns: two whole numbers after the first of four cells."""
    if head.is_json or b"\0" in head.data or head.delimited is not None:
        return False
    from spanscope.io.delimited import headless  # which only tables need

    found = headless(head.data[:TEXT], cut=len(head.data) > TEXT)
    return found is not None and all(
        len(row) >= 4 and row[1].isdecimal() and row[2].isdecimal() and not row[3].isdecimal()
        for row in found.rows
    )


def is_marked_text(head: Head) -> bool:
    """Tell texts that have a mark of their own, and are no lines of tokens and tags."""
    marked = is_brat(head) or is_pubtator(head) or is_webanno(head)
    return (
        marked
        or is_span_rows(head, {})
        or is_span_cells(head, {})
        or is_label_studio_table(head)
        or is_headless_rows(head)
    )
