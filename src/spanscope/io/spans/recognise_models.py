"""What the outputs of libraries and models are known by: keys, the types of objects, the beginning of a DocBin."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from spanscope.io.column_names import columns_of_spans, is_row_a_span
from spanscope.io.fields import KNOWN
from spanscope.io.head import Head
from spanscope.io.source import OBJECTS, is_object_of
from spanscope.io.spans.objects import is_pair

SPACY = ("Doc", "Example", "SpanGroup", "Span")
ZLIB = (b"x\x01", b"x^", b"x\x9c", b"x\xda")  # first bytes, by how hard was tried
BEGINNING = 64  # unpacked bytes in which a DocBin names its version and then its attributes
ATTRS = b"\xa5attrs"  # as msgpack writes it
PREFIX = re.compile(r"([BIESULM])-(.+)", re.DOTALL)


# ---------------------------------------------------------------- spaCy


def is_spacy_object(one: Any) -> bool:
    """Tell spaCy's documents, examples and spans, and lists of spans, by their types."""
    if isinstance(one, OBJECTS):
        return False
    if isinstance(one, (list, tuple)):
        return bool(one) and is_object_of(one[0], "spacy", "Span")
    return is_object_of(one, "spacy", *SPACY)


def is_docbin(data: bytes) -> bool:
    """Tell a DocBin by its first bytes: zlib, and in it a map of msgpack with attributes."""
    if not data.startswith(ZLIB):
        return False
    try:
        begun = zlib.decompressobj().decompress(data, BEGINNING)
    except zlib.error:
        return False
    return begun[:1] >= b"\x80" and ATTRS in begun


def is_spacy(head: Head) -> bool:
    """Tell a DocBin, in a file or in memory, and one object of spaCy's."""
    if head.is_file:
        return is_docbin(head.data)
    one = head.source
    return is_object_of(one, "spacy", "DocBin") or is_spacy_object(one)


def is_spacy_json(one: Any, own: Mapping[str, str]) -> bool:
    """Tell documents with groups of spans by name, and examples; `own` are names of fields by somebody's word.

    A document with entities alone is read by the reader of plain documents, which is fast.
    """
    if not isinstance(one, OBJECTS) and is_pair(one):
        one = one[1]
    if not isinstance(one, OBJECTS) or "spans" in own:
        return False
    if "doc_annotation" in one and "token_annotation" in one:
        return True
    groups = one.get("spans")
    if not isinstance(groups, OBJECTS) or not groups:
        return False
    return all(isinstance(group, (list, tuple)) for group in groups.values())


def is_old_spacy(one: Any) -> bool:
    """Tell a document of the training data of spaCy 2, whose tokens have tags, three levels down."""
    paragraphs = one.get("paragraphs") if isinstance(one, OBJECTS) else None
    first = paragraphs[0] if paragraphs and isinstance(paragraphs, (list, tuple)) else None
    return isinstance(first, OBJECTS) and "sentences" in first and "qas" not in first


# ---------------------------------------------------------------- lists of spans by position


def is_pipeline_row(one: Any) -> bool:
    """Tell an entity, or a word piece, of Hugging Face's token classification."""
    return isinstance(one, OBJECTS) and ("entity_group" in one or ("entity" in one and "index" in one))


def is_presidio_row(one: Any) -> bool:
    """Tell a result of Presidio's analyzer, as an object or as it is written."""
    if not isinstance(one, OBJECTS):
        return _is_result(one)
    return "entity_type" in one and "start" in one and "end" in one and "score" in one and "text" not in one


def is_presidio(one: Any) -> bool:
    """Tell results of Presidio's analyzer, and samples of its evaluator, of which each document has spans.

    Documents with spans that are written as results are, and tables, are read as all of them are.
    """
    if not isinstance(one, OBJECTS):
        return is_sample(one) or holds_rows(one, is_presidio_row)
    if is_presidio_row(one):
        return not is_row_a_span(columns_of_spans(list(one), {}))
    rows = next((one[name] for name in KNOWN["spans"] if one.get(name)), None)
    return _is_result(rows[0] if rows and isinstance(rows, (list, tuple)) else rows)


def _is_result(one: Any) -> bool:
    return is_object_of(one, "", "RecognizerResult")


def is_sample(one: Any) -> bool:
    """Tell a sample of presidio-evaluator in memory."""
    return is_object_of(one, "", "InputSample")


def holds_rows(one: Any, is_row: Callable[[Any], bool]) -> bool:
    """Tell a row, a list of rows, and a document with rows for spans."""
    if isinstance(one, OBJECTS) and not is_row(one):
        one = next((one[name] for name in KNOWN["spans"] if one.get(name)), None)
    if isinstance(one, (list, tuple)):
        return bool(one) and is_row(one[0])
    return is_row(one)


# ---------------------------------------------------------------- documents


def is_gliner2(one: Any) -> bool:
    """Tell a result of GLiNER2: entities by label, with places; quotes alone are the output of any model."""
    groups = one.get("entities") if isinstance(one, OBJECTS) else None
    if not isinstance(groups, OBJECTS):
        return False
    first = next((own[0] for own in groups.values() if isinstance(own, (list, tuple)) and own), None)
    return isinstance(first, OBJECTS) and "start" in first and "end" in first and "label" not in first


def is_extracted(one: Any) -> bool:
    """Tell a document of LangExtract: its extractions have classes."""
    if not isinstance(one, OBJECTS):
        return is_object_of(one, "langextract", "AnnotatedDocument")
    found = one.get("extractions")
    if not isinstance(found, (list, tuple)):
        return False
    if not found:
        return "document_id" in one
    return isinstance(found[0], OBJECTS) and "extraction_class" in found[0]


def is_ai4privacy(one: Any) -> bool:
    """Tell a row of ai4privacy's data sets by the masks, which no other format has."""
    return isinstance(one, OBJECTS) and "privacy_mask" in one
