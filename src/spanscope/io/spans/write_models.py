"""Labelled spans as models and their libraries give them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spanscope.io.losses import Document
from spanscope.io.spans.write_json import cut
from spanscope.io.spans.write_text import conll_tokens
from spanscope.io.writer import json_lines, json_value


def write_pipeline(documents: Sequence[Document]) -> bytes:
    """Return what Hugging Face's aggregated pipeline returns: one list per document, in their order."""
    return json_value([[_entity(span) for span in one["spans"]] for one in documents])


def _entity(span: Document) -> dict[str, Any]:
    place = {"start": span["start"], "end": span["end"]}
    return {
        "entity_group": span["label"],
        "score": span.get("score"),
        "word": span.get("text"),
        **place,
    }


def write_presidio(documents: Sequence[Document]) -> bytes:
    """Return what Presidio's analyzer returns: one list per document, in their order."""
    return json_value([[_result(span) for span in one["spans"]] for one in documents])


def _result(span: Document) -> dict[str, Any]:
    return {
        "entity_type": span["label"],
        "start": span["start"],
        "end": span["end"],
        "score": span.get("score"),
        "analysis_explanation": None,
        "recognition_metadata": {"recognizer_name": span["meta"]["recognizer"]} if "meta" in span else {},
    }


def write_gliner2(documents: Sequence[Document]) -> bytes:
    """Return what GLiNER2 returns with spans: entities by label for each document, in their order."""
    return json_value([{"entities": _by_label(one["spans"])} for one in documents])


def _by_label(spans: Sequence[Document]) -> dict[str, list[dict[str, Any]]]:
    out: dict[str, list[dict[str, Any]]] = {}
    for span in spans:
        own = {theirs: span[ours] for theirs, ours in GLINER2 if ours in span}
        out.setdefault(span["label"], []).append(own)
    return out


GLINER2 = (("text", "text"), ("confidence", "score"), ("start", "start"), ("end", "end"))  # its names, and ours


def write_ai4privacy(documents: Sequence[Document]) -> bytes:
    """Return rows as the later editions of ai4privacy have them."""
    return json_lines(
        [
            {
                **({"uid": one["id"]} if "id" in one else {}),
                **one.get("meta", {}),
                "source_text": one["text"],
                "privacy_mask": [
                    {"value": cut(one, span), **{key: span[key] for key in ("start", "end", "label")}}
                    for span in one["spans"]
                ],
            }
            for one in documents
        ]
    )


def write_langextract(documents: Sequence[Document]) -> bytes:
    """Return LangExtract's annotated documents: metadata of spans are attributes."""
    return json_lines(
        [
            {
                "extractions": [
                    _extraction(one, span, number) for number, span in enumerate(one["spans"], start=1)
                ],
                "text": one["text"],
                **({"document_id": one["id"]} if "id" in one else {}),
            }
            for one in documents
        ]
    )


def _extraction(document: Document, span: Document, number: int) -> dict[str, Any]:
    located = "start" in span
    return {
        "extraction_class": span["label"],
        "extraction_text": cut(document, span) if located else span["text"],
        "char_interval": {"start_pos": span["start"], "end_pos": span["end"]} if located else None,
        "alignment_status": "match_exact" if located else None,
        "extraction_index": number,
        "group_index": number - 1,
        "description": None,
        "attributes": span.get("meta"),
    }


def write_gliner_train(documents: Sequence[Document]) -> bytes:
    """Return GLiNER's training data: tokens, and spans by the numbers of their first and last one."""
    return json_lines([{**({"id": one["id"]} if "id" in one else {}), **_sentence(one)} for one in documents])


def _sentence(document: Document) -> dict[str, Any]:
    at = conll_tokens(document)
    first = {start: number for number, (start, _) in enumerate(at)}
    last = {end: number for number, (_, end) in enumerate(at)}
    spans = [[first[one["start"]], last[one["end"]], one["label"]] for one in document["spans"]]
    return {"tokenized_text": [document["text"][start:end] for start, end in at], "ner": spans}
