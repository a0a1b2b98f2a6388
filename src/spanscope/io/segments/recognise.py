"""Segmentations told from labelled spans, by the fields of a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.io.fields import FORMS, KNOWN

CONTAINERS = ("items", "data", "documents", "examples", "traces")


def is_segmented(document: Any, own: Mapping[str, str]) -> bool:
    """Tell a document with a segmentation by its fields; `own` gives other names of them, as for the reader."""
    if not isinstance(document, Mapping):
        return False
    names = [own.get(form, form) for form in FORMS]
    spans = (own["spans"],) if "spans" in own else KNOWN["spans"]
    return any(name in document for name in names) and not any(
        name in document for name in spans if name not in names
    )
