"""The formats of labelled spans, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.io.column_names import columns_of_spans, is_row_a_span
from spanscope.io.fields import KNOWN
from spanscope.io.format import NAMED, Format, when_called
from spanscope.io.head import Head
from spanscope.io.label_studio import TASK, is_task
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.columns import has_named_columns, is_columns
from spanscope.io.spans.model_formats import FORMATS as OF_MODELS
from spanscope.io.spans.objects import is_labelled, is_without_spans
from spanscope.io.spans.reading import read_frame, read_plain
from spanscope.io.spans.recognise import (
    CAS_KEY,
    DOCCANO,
    holds_bioc,
    is_bdoc,
    is_bioc,
    is_bioc_xml,
    is_brat,
    is_cas,
    is_doccano,
    is_folder_of,
    is_gate_xml,
    is_gliner_train,
    is_label_studio_table,
    is_prodigy,
    is_pubtator,
    is_short_record,
    is_span_cells,
    is_span_rows,
    is_webanno,
    is_xmi,
)
from spanscope.io.tokens.recognise import is_frame, is_tagged, is_token


def _are_columns(head: Head, options: ReadOptions) -> bool:
    names = KNOWN | {key: (own,) for key, own in options.fields.items()}
    found = is_columns(head.source, names) or has_named_columns(head.source, options.fields)
    return not head.is_file and found and not is_frame(head.source)


def _is_labelled(one: Any, head: Head, options: ReadOptions) -> bool:
    """Tell a document with spans, or a row of a table that is a span under any of the names of columns."""
    if is_labelled(one, options.fields):
        return True
    return head.is_table and isinstance(one, Mapping) and is_row_a_span(columns_of_spans([*one], options.fields))


FORMATS = (
    *OF_MODELS,
    Format(
        "brat",
        "spans",
        "brat's .ann files, alone or in a folder with their .txt files",
        when_called("spans.brat", "read_brat"),
        lambda head, _: is_brat(head),
        reads=("offsets", "ends"),
        several=True,
    ),
    Format(
        "pubtator",
        "spans",
        "PubTator's titles and abstracts, with one line per annotation",
        when_called("spans.pubtator", "read_pubtator"),
        lambda head, _: is_pubtator(head),
        reads=("offsets", "ends"),
    ),
    Format(
        "bioc-xml",
        "spans",
        "BioC's collections in XML",
        when_called("spans.bioc_xml", "read_bioc_xml"),
        lambda head, _: is_bioc_xml(head),
        reads=("offsets",),
    ),
    Format(
        "bioc-json",
        "spans",
        "BioC's documents in JSON: passages with offsets",
        when_called("spans.bioc_json", "read_bioc_json"),
        lambda head, _: holds_bioc(head) or is_folder_of(head, is_bioc, ".json"),
        lambda one, *_: is_bioc(one),
        keys=("passages",),
        reads=("offsets",),
    ),
    Format(
        "webanno",
        "spans",
        "WebAnno TSV 3 of INCEpTION: a file, or the folder of an export",
        when_called("spans.webanno", "read_webanno"),
        lambda head, _: is_webanno(head),
        reads=("offsets", "layer"),
        several=True,
    ),
    Format(
        "uima-xmi",
        "spans",
        "UIMA's CAS in XMI: a file, or a folder of them",
        when_called("spans.uima", "read_xmi"),
        lambda head, _: is_xmi(head),
        reads=("offsets", "layer"),
    ),
    Format(
        "uima-json",
        "spans",
        "UIMA's CAS in JSON: a file, or a folder of them",
        when_called("spans.uima", "read_cas_json"),
        lambda head, _: is_folder_of(head, is_cas, ".json"),
        lambda one, *_: is_cas(one),
        keys=(CAS_KEY,),
        reads=("offsets", "layer"),
    ),
    Format(
        "gate",
        "spans",
        "GATE's documents in XML: a file, or a folder of them",
        when_called("spans.gate", "read_gate"),
        lambda head, _: is_gate_xml(head),
        reads=("layer",),
        several=True,
    ),
    Format(
        "bdoc",
        "spans",
        "GATE's documents in JSON: annotation_sets and offset_type",
        when_called("spans.gate", "read_bdoc"),
        lambda head, _: is_folder_of(head, is_bdoc, ".bdocjs", ".bdoc", ".json"),
        lambda one, *_: is_bdoc(one),
        keys=("annotation_sets",),
        reads=("offsets", "layer"),
        several=True,
    ),
    Format(
        "gliner-train",
        "spans",
        "GLiNER's training data: tokenized_text and ner",
        when_called("spans.token_spans", "read_gliner_train"),
        record=lambda one, *_: is_gliner_train(one),
        keys=("tokenized_text",),
    ),
    Format(
        "nervaluate",
        "spans",
        "nervaluate's spans: label, start and end as token numbers, the last one included",
        when_called("spans.token_spans", "read_nervaluate"),
        of_objects=True,
    ),
    Format(
        "seqeval-entities",
        "spans",
        "seqeval's get_entities: lists of a type, the first and the last token",
        when_called("spans.token_spans", "read_seqeval_entities"),
        of_objects=True,
    ),
    Format(
        "spans-tsv",
        "spans",
        "CSV or TSV with one row per span",
        when_called("spans.rows", "read_span_rows"),
        lambda head, options: head.is_file and is_span_rows(head, options.fields),
        reads=(*NAMED, "columns", "texts"),
    ),
    Format(
        "documents-tsv",
        "spans",
        "CSV or TSV with one row per document, and its spans in a cell",
        when_called("spans.cells", "read_span_cells"),
        lambda head, options: head.is_file and is_span_cells(head, options.fields),
        reads=NAMED,
    ),
    Format(
        "doccano",
        "spans",
        "doccano's documents: a text, and label, labels or entities with the places of spans",
        when_called("spans.doccano", "read_doccano"),
        record=lambda one, *_: is_doccano(one),
        keys=DOCCANO,
        reads=("fields", "offsets", "label_names", "keep_fields"),
        several=True,
    ),
    Format(
        "labelstudio-spans",
        "spans",
        "exports of Label Studio whose labels leave gaps or overlap",
        when_called("spans.label_studio", "read_label_studio"),
        lambda head, _: is_label_studio_table(head),
        lambda one, head, _: is_task(one, head.data) or is_short_record(one),
        keys=(*TASK, "annotation_id"),
        reads=("fields", "offsets", "keep_fields"),
        several=True,
        fits=when_called("coverage", "may_be_spans"),
    ),
    Format(
        "prodigy",
        "spans",
        "Prodigy's examples: _input_hash and _task_hash",
        when_called("spans.prodigy", "read_prodigy"),
        record=lambda one, *_: is_prodigy(one),
        keys=("_input_hash",),
        reads=("fields", "offsets", "keep_fields"),
        several=True,
    ),
    Format(
        "columns",
        "spans",
        "columns doc, start, end and label",
        read_frame,
        _are_columns,
        reads=(*NAMED, "texts"),
        in_files=False,
        in_blocks=True,
    ),
    Format(
        "spans",
        "spans",
        "documents with spans, ents or entities",
        read_plain,
        lambda head, options: is_without_spans(head.value) and not _are_columns(head, options),
        lambda one, head, options: _is_labelled(one, head, options) and not (is_tagged(one) or is_token(one)),
        reads=(*NAMED, "texts"),
        in_blocks=True,
        general=True,
    ),
)
