"""Queries with passages as retrieval libraries and their data sets write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spanscope.errors import InputError
from spanscope.io.losses import Document, Feature
from spanscope.io.passages import chunks
from spanscope.io.passages.lacks import FOUND, GOLD, UNSURE, changed, is_worded, only, passages_where
from spanscope.io.writer import Writer, json_lines

Chunk = Callable[[Document], Any]  # a passage as a library writes it


# ---------------------------------------------------------------- LangChain, LlamaIndex, Haystack


def _rows(documents: Sequence[Document], key: str, chunk: Chunk) -> bytes:
    """Return a line for each query, with what was retrieved for it under a key."""
    return json_lines(
        [
            {
                **{name: one[name] for name in ("id", "query") if name in one},
                key: [chunk(item) for item in one[FOUND]],
                **{name: one[name] for name in ("meta",) if name in one},
            }
            for one in documents
        ]
    )


def _meta(item: Document, files: tuple[str, ...], start: str = "") -> Document:
    """Return metadata of a passage with its file and its start, where they do not say these already."""
    meta = dict(item.get("meta", {}))
    if "file_path" in item and all(meta.get(name) is None for name in files):
        meta[files[0]] = item["file_path"]
    if start and "span" in item:
        meta.setdefault(start, item["span"][0])
    return meta


def _of_langchain(item: Document) -> Any:
    meta = _meta(item, chunks.LANGCHAIN, "start_index")
    known = item.get("id") in (item.get("file_path"), *(meta.get(name) for name in chunks.DOCUMENT_IDS))
    name = None if known else item.get("id")
    document = {"id": name, "metadata": meta, "page_content": item["text"], "type": "Document"}
    return [document, item["score"]] if "score" in item else document


def write_langchain(documents: Sequence[Document]) -> bytes:
    """Return queries with LangChain's documents; one with a score stands in a pair with it."""
    return _rows(documents, "documents", _of_langchain)


def _of_haystack(item: Document) -> Any:
    """Return a document of Haystack; one with a place was cut from the document that its id names."""
    meta = _meta(item, chunks.HAYSTACK, "split_idx_start")
    known = any(meta.get(name) is not None for name in chunks.HAYSTACK_IDS)
    if "span" in item and "id" in item and not known:
        meta["source_id"], known = item["id"], True
    named = {"id": item["id"]} if "id" in item and not known else {}
    return {**named, "content": item["text"], "meta": meta, "score": item.get("score")}


def write_haystack(documents: Sequence[Document]) -> bytes:
    """Return queries with Haystack's documents."""
    return _rows(documents, "documents", _of_haystack)


def _of_llamaindex(item: Document) -> Any:
    """Return a node with its score; its document is what it was cut from, if a file shows that it was.

    Other nodes are known by an identifier of their own, which LlamaIndex makes for those that have none.
    """
    cut = "id" in item and "file_path" in item
    named = {"id_": item["id"]} if "id" in item and not cut else {}
    own = {name: value for name, value in item.items() if name != "file_path" or value != item.get("id")}
    start, end = item.get("span", (None, None))
    parent: Document = {"node_id": item.get("id"), "node_type": None, "metadata": {}, "hash": None}
    node = {
        **named,
        "embedding": None,
        "metadata": _meta(own, chunks.LLAMAINDEX),
        "excluded_embed_metadata_keys": [],
        "excluded_llm_metadata_keys": [],
        "relationships": {chunks.SOURCE: {**parent, "class_name": "RelatedNodeInfo"}} if cut else {},
        "metadata_template": "{key}: {value}",
        "metadata_separator": "\n",
        "text": item["text"],
        "mimetype": "text/plain",
        "start_char_idx": start,
        "end_char_idx": end,
        "text_template": "{metadata_str}\n\n{content}",
        "class_name": "TextNode",
    }
    return {"node": node, "score": item.get("score"), "class_name": "NodeWithScore"}


def write_llamaindex(documents: Sequence[Document]) -> bytes:
    """Return queries with LlamaIndex's nodes."""
    return _rows(documents, "source_nodes", _of_llamaindex)


def _place_fits(item: Document) -> Document:
    """Return a passage without a place that is not as long as its text."""
    start, end = item.get("span", (0, len(item["text"])))
    return item if end - start == len(item["text"]) else _but(item, "span")


def _but(item: Document, *names: str) -> Document:
    return {name: own for name, own in item.items() if name not in names}


def _otherwise(chunk: Chunk, read: Callable[..., Document], reserved: tuple[str, ...]) -> Feature:
    """Return the feature that is metadata that would be read as another file, place or identifier."""

    def without(item: Document) -> Document:
        if "meta" not in item or _reads_as(item, chunk, read):
            return item
        meta = _but(item["meta"], *reserved)
        return {**_but(item, "meta"), **({"meta": meta} if meta else {})}

    what = "passages with metadata that name another file, place or identifier"
    return changed(what, "left without these", without, FOUND)


def _reads_as(item: Document, chunk: Chunk, read: Callable[..., Document]) -> bool:
    """Tell a passage that is read as what it is."""
    try:
        found = read(chunk(item), "", [])
    except InputError:
        return False
    file, name = (None if found[key] is None else str(found[key]) for key in ("file_path", "id"))
    same = (file, found.get("span")) == (item.get("file_path"), item.get("span"))
    return same and name in (item.get("id"), *([file] if "id" not in item else []))


def _writer_of_chunks(name: str, write: Callable[[Sequence[Document]], bytes], otherwise: Feature) -> Writer:
    lacks = (
        only(FOUND, GOLD, "queries with gold answers"),
        passages_where("passages without a text", is_worded),
        changed("passages with a place that is not as long as the text", "left without it", _place_fits, FOUND),
        otherwise,
        UNSURE,
    )
    return Writer(name, "passages", write, lacks, reads_as=(name,))


OF_LIBRARIES = (
    _writer_of_chunks(
        "langchain",
        write_langchain,
        _otherwise(
            _of_langchain,
            chunks.langchain_passage,
            (*chunks.DOCUMENT_IDS, *chunks.LANGCHAIN, "start_index"),
        ),
    ),
    _writer_of_chunks(
        "haystack",
        write_haystack,
        _otherwise(
            _of_haystack,
            chunks.haystack_passage,
            (*chunks.HAYSTACK_IDS, *chunks.HAYSTACK, "split_idx_start"),
        ),
    ),
    _writer_of_chunks(
        "llamaindex",
        write_llamaindex,
        _otherwise(_of_llamaindex, chunks.llamaindex_passage, chunks.LLAMAINDEX),
    ),
)
