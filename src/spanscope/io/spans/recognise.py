"""What files of annotation tools are known by: first lines, the root of an XML file, keys, names in folders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from spanscope.io.head import TEXT, Head
from spanscope.io.xml_root import root_of

BRAT_LINE = re.compile(r"[TREAMN#]\d+\t|\*\t")
BRAT_SPAN = re.compile(r"T\d+\t\S+ \d+ \d+(;\d+ \d+)*(\t|$)")
PUBTATOR_TITLE = re.compile(r"[^|\t]+\|t\|")
PUBTATOR = (".pubtator", ".PubTator")  # endings of its files
WEBANNO = "#FORMAT=WebAnno TSV"
COMPANIONS = ("readme", "license", "_success", "typesystem.xml")  # beginnings of names of files that are no data
CAS_KEY = "%FEATURE_STRUCTURES"


def is_companion(name: str) -> bool:
    """Tell files that lie beside data and are none, by their names in a folder."""
    own = PurePosixPath(name).name.lower()
    return own.startswith(COMPANIONS) or own.endswith((".md", ".conf"))


def inside(head: Head, *suffixes: str) -> Head:
    """Return the beginning of a file, or that of the first file in a folder that has one of these endings."""
    for name in head.names:
        if name.endswith(suffixes) and not is_companion(name):
            return Head(Path(head.source).joinpath(name))
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


def is_folder_of(head: Head, test: Any, *suffixes: str) -> bool:
    """Tell a folder whose first file with one of these endings holds a document that the test accepts."""
    own = inside(head, *suffixes)
    return own is not head and any(test(record.value) for record in own.records())


def is_marked_text(head: Head) -> bool:
    """Tell texts that have a mark of their own, and are no lines of tokens and tags."""
    return is_brat(head) or is_pubtator(head) or is_webanno(head)
