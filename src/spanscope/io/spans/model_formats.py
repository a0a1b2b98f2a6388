"""The formats of labelled spans that libraries and models write, in the order in which they are tried."""

from __future__ import annotations

from spanscope.io.fields import KNOWN
from spanscope.io.format import Format, when_called
from spanscope.io.spans.recognise_models import (
    holds_rows,
    is_ai4privacy,
    is_extracted,
    is_gliner2,
    is_pipeline_row,
    is_presidio,
    is_sample,
    is_spacy,
    is_spacy_json,
    is_spacy_object,
)

FORMATS = (
    Format(
        "spacy",
        "spans",
        "spaCy's DocBin, objects, or documents with groups of spans",
        when_called("spans.spacy_documents", "read_spacy"),
        lambda head, _: is_spacy(head),
        lambda one, _, options: is_spacy_object(one) or is_spacy_json(one, options.fields),
        keys=("spans", "doc_annotation"),
        reads=("layer",),
        several=True,  # Examples hold gold and predictions
    ),
    Format(
        "pipeline",
        "spans",
        "lists of entities as Hugging Face's token classification returns them",
        when_called("spans.pipeline", "read_pipeline"),
        lambda head, _: is_pipeline_row(head.value),
        lambda one, *_: holds_rows(one, is_pipeline_row),
        keys=(*KNOWN["spans"], "entity_group", "entity"),
    ),
    Format(
        "presidio",
        "spans",
        "lists of results of Presidio's analyzer: entity_type, start, end and score",
        when_called("spans.presidio", "read_presidio"),
        lambda head, _: is_sample(head.value),
        lambda one, *_: is_presidio(one),
        keys=(*KNOWN["spans"], "entity_type"),
        reads=("offsets",),
    ),
    Format(
        "gliner2",
        "spans",
        "GLiNER2's entities by label: lists of text, confidence, start and end",
        when_called("spans.gliner2", "read_gliner2"),
        lambda head, _: is_gliner2(head.value),
        lambda one, *_: is_gliner2(one),
        keys=("entities",),
        reads=("offsets", "ends"),
    ),
    Format(
        "langextract",
        "spans",
        "LangExtract's documents: extractions with extraction_class",
        when_called("spans.langextract", "read_langextract"),
        lambda head, _: not head.is_file and is_extracted(head.source),
        lambda one, *_: is_extracted(one),
        keys=("extractions",),
        reads=("offsets",),
    ),
    Format(
        "ai4privacy",
        "spans",
        "rows of ai4privacy with privacy_mask",
        when_called("spans.ai4privacy", "read_ai4privacy"),
        record=lambda one, *_: is_ai4privacy(one),
        keys=("privacy_mask",),
        reads=("offsets", "ends"),
    ),
)
