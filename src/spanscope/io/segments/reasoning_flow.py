"""Traces of ReasoningFlow, which RT-SEG compares its annotators with: nodes that partition a response."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.documents import documents_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.segments.reading import read_documents
from spanscope.io.segments.recognise import CONTAINERS
from spanscope.io.spans.one_file_each import note_left_aside

RESPONSE = "response"


def read_reasoning_flow(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the nodes of every response as its segments; those of the question, and edges, are counted."""
    aside: Counter[str] = Counter()

    def unwrap(value: Any, name: str) -> list[Any]:
        if isinstance(value, (list, tuple)):
            return list(value)
        if not isinstance(value, Mapping):
            raise InputError(f"the input is {shown(value)}", where=name, expected="traces with nodes")
        return next((list(value[key]) for key in CONTAINERS if isinstance(value.get(key), list)), [value])

    found = documents_of(source, options.side or "documents", unwrap, CONTAINERS, options.report)
    documents = [_document(one, found.where(row), aside) for row, one in enumerate(found.values)]
    out = read_documents(found._replace(values=documents), options)
    note_left_aside(next(iter(out.values())), aside, options, "segments")
    return out


def _document(one: Any, where: str, aside: Counter[str]) -> dict[str, Any]:
    known = one if isinstance(one, Mapping) else {}
    texts, nodes = known.get("raw_text"), known.get("nodes")
    text = texts.get(RESPONSE) if isinstance(texts, Mapping) else None
    if not isinstance(text, str) or not isinstance(nodes, (list, tuple)):
        raise InputError(f"a trace is {shown(one)}", where=where, expected="raw_text with a response, and nodes")
    own = [node for node in nodes if isinstance(node, Mapping) and node.get("source", RESPONSE) == RESPONSE]
    aside["nodes outside the response"] += len(nodes) - len(own)
    aside["edges"] += len(known.get("edges") or ())
    segments = [{key: node.get(key) for key in ("start", "end", "label")} for node in own]
    meta = known.get("metadata")
    return {
        "id": known.get("doc_id"),
        "text": text,
        "segments": segments,
        "meta": dict(meta) if isinstance(meta, Mapping) else {},
    }
