"""What LangChain, LlamaIndex and Haystack retrieve: a query with documents or nodes, as JSON or as objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.data.problems import problem_at
from spanscope.errors import shown
from spanscope.io.passages.names import CONTAINERS, QUESTION, chunks_of
from spanscope.io.passages.queries import read_translated
from spanscope.io.passages.rows import PassageRows, Sides, wrong
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import is_object_of

SOURCE = "1"  # what a node was cut from, among LlamaIndex's relationships
LANGCHAIN = ("source", "file_path", "path")  # where metadata have the file
LLAMAINDEX = ("file_path", "file_name")
HAYSTACK = ("file_path", "file_name", "source")
DOCUMENT_IDS = ("doc_id", "document_id", "id")
HAYSTACK_IDS = ("source_id", *DOCUMENT_IDS)
NOT_FOUND = "the tool that cut the texts did not find them"
NOT_SAID = object()  # for a start that nobody asked the tool for


# ---------------------------------------------------------------- what each is known by


def is_langchain(one: Any) -> bool:
    """Tell a document of LangChain, perhaps with its score: as JSON, as it serialises itself, or as an object."""
    return _kwargs(_without_score(one)) is not None


def is_llamaindex(one: Any) -> bool:
    """Tell a node of LlamaIndex, with its score or without one."""
    node = _node(one)
    return node is not None and ("start_char_idx" in node or "relationships" in node)


def is_haystack(one: Any) -> bool:
    """Tell a document of Haystack that says where it was cut."""
    own = _haystack(one)
    return own is not None and "split_idx_start" in (own.get("meta") or {})


def _without_score(one: Any) -> Any:
    """Return a document without the score that stands beside it."""
    return one[0] if isinstance(one, (list, tuple)) and len(one) == 2 and _is_number(one[1]) else one


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _kwargs(one: Any) -> Mapping[str, Any] | None:
    """Return the fields of LangChain's document; None where it is none."""
    if is_object_of(one, "langchain_core", "Document"):
        return {"id": one.id, "metadata": one.metadata, "page_content": one.page_content}
    if not isinstance(one, Mapping):
        return None
    own = one.get("kwargs") if one.get("lc") == 1 else one
    return own if isinstance(own, Mapping) and "page_content" in own else None


def _node(one: Any) -> Mapping[str, Any] | None:
    """Return the fields of LlamaIndex's node, and `score` where it has one; None where it is none."""
    if is_object_of(one, "llama_index"):
        node = getattr(one, "node", one)
        parents = {key: {"node_id": own.node_id} for key, own in _relationships(node).items()}
        names = ("id_", "text", "metadata", "start_char_idx", "end_char_idx")
        fields = {name: getattr(node, name, None) for name in names}
        return {**fields, "relationships": parents, "score": getattr(one, "score", None)}
    if not isinstance(one, Mapping):
        return None
    node = one["node"] if isinstance(one.get("node"), Mapping) else one
    return {**node, "score": one.get("score")}


def _relationships(node: Any) -> dict[str, Any]:
    found = getattr(node, "relationships", {}).items()
    return {str(getattr(key, "value", key)): own for key, own in found if not isinstance(own, list)}


def _haystack(one: Any) -> Mapping[str, Any] | None:
    if is_object_of(one, "haystack", "Document"):
        return {"id": one.id, "content": one.content, "meta": one.meta, "score": one.score}
    return one if isinstance(one, Mapping) and "content" in one and isinstance(one.get("meta"), Mapping) else None


# ---------------------------------------------------------------- readers


def read_langchain(source: Any, options: ReadOptions) -> Sides:
    """Return queries with LangChain's documents: the end of each is its start and the length of its text."""
    return _read(source, options, langchain_passage)


def read_llamaindex(source: Any, options: ReadOptions) -> Sides:
    """Return queries with LlamaIndex's nodes: each belongs to the document that it was cut from."""
    return _read(source, options, llamaindex_passage)


def read_haystack(source: Any, options: ReadOptions) -> Sides:
    """Return queries with Haystack's documents: `split_idx_start` is where each was cut."""
    return _read(source, options, haystack_passage)


def _read(source: Any, options: ReadOptions, passage: Any) -> Sides:
    lost: list[str] = []

    def unwrap(value: Any, name: str) -> list[Any]:
        if isinstance(value, (list, tuple)):
            return list(value)
        if chunks_of(value, options.fields) is not None:
            return [value]
        own = value if isinstance(value, Mapping) else {}
        listed = next((own[key] for key in CONTAINERS if isinstance(own.get(key), list)), None)
        if listed is None:
            wrong(name, f"the input is {shown(value)}", "a query with its documents, or a list of them")
        return list(listed)

    def translate(one: Any, where: str) -> dict[str, dict[str, Any]]:
        chunks = chunks_of(one, options.fields)
        if chunks is None:
            wrong(where, f"a query is {shown(one)}", "a query, and the documents that were retrieved for it")
        names = (options.fields["query"],) if "query" in options.fields else QUESTION
        query = next((one[name] for name in names if isinstance(one.get(name), str)), None)
        named = {"id": one.get(options.fields.get("id", "id"), one.get("query_id")), "query": query}
        passages = [passage(chunk, where, lost) for chunk in chunks]
        return {"pred": {**named, "retrieved_passages": passages, "meta": one.get("meta")}}

    out = read_translated(source, options, translate, unwrap)
    for rows in out.values():
        if lost and isinstance(rows, PassageRows):
            number = len(lost) if rows.library is None else sum(span is None for span in rows.span)
            if number:
                rows.problems.append(problem_at("no place", lost[0], {"why": NOT_FOUND}, number=number))
    return out


def langchain_passage(one: Any, where: str, lost: list[str]) -> dict[str, Any]:
    """Return a document of LangChain as a passage; where a place was not found is added to `lost`."""
    score = one[1] if isinstance(one, (list, tuple)) and len(one) == 2 else None
    own = _kwargs(_without_score(one))
    if own is None:
        wrong(where, f"a document is {shown(one)}", "LangChain's: page_content and metadata")
    meta = own.get("metadata") or {}
    name = _first(meta, DOCUMENT_IDS)
    file = _first(meta, LANGCHAIN)
    known = {"text": own["page_content"], "file_path": file, "score": score, "meta": dict(meta)}
    known["id"] = next((value for value in (name, own.get("id"), file) if value is not None), None)
    return known | _place_of(own["page_content"], meta.get("start_index", NOT_SAID), None, where, lost)


def llamaindex_passage(one: Any, where: str, lost: list[str]) -> dict[str, Any]:
    """Return a node of LlamaIndex as a passage; where a place was not found is added to `lost`."""
    own = _node(one)
    if own is None:
        wrong(where, f"a node is {shown(one)}", "LlamaIndex's: a node with text, or one with its score")
    meta = own.get("metadata") or {}
    parent = (own.get("relationships") or {}).get(SOURCE)
    name = parent.get("node_id") if isinstance(parent, Mapping) else None
    file = _first(meta, LLAMAINDEX)
    known = {"text": own.get("text"), "file_path": name if file is None else file, "score": own.get("score")}
    known |= {"id": own.get("id_") if name is None else name, "meta": dict(meta)}
    return known | _place_of(own.get("text"), own.get("start_char_idx"), own.get("end_char_idx"), where, lost)


def haystack_passage(one: Any, where: str, lost: list[str]) -> dict[str, Any]:
    """Return a document of Haystack as a passage; where a place was not found is added to `lost`."""
    own = _haystack(one)
    if own is None:
        wrong(where, f"a document is {shown(one)}", "Haystack's: content and meta")
    meta = own.get("meta") or {}
    name, file = _first(meta, HAYSTACK_IDS), _first(meta, HAYSTACK)
    known = {"text": own.get("content"), "file_path": file, "score": own.get("score"), "meta": dict(meta)}
    known["id"] = own.get("id") if name is None else name
    return known | _place_of(own.get("content"), meta.get("split_idx_start", NOT_SAID), None, where, lost)


def _first(meta: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((meta[name] for name in names if meta.get(name) is not None), None)


def _place_of(text: Any, start: Any, end: Any, where: str, lost: list[str]) -> dict[str, Any]:
    """Return the place of a text; -1 and null say that it was not found, and are no place."""
    if not isinstance(text, str):
        wrong(where, f"the text of a document is {shown(text)}", "a string")
    if start is NOT_SAID:
        return {"sought": True}
    if start is None or start == -1:
        lost.append(where)
        return {"sought": True}
    if type(start) is not int or start < 0:
        wrong(where, f"the start of a document is {shown(start)}", "a whole number, or -1 where it was not found")
    if end is not None and end != start + len(text):
        lost.append(where)
        return {"sought": True}
    return {"span": [start, start + len(text)]}
