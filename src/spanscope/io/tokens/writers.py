"""The forms in which tagged tokens are written; `spans/writers.py` has those of the spans that they make."""

from __future__ import annotations

from collections.abc import Sequence

from spanscope.io import losses as of
from spanscope.io.losses import Document, Feature
from spanscope.io.writer import Writer, json_lines

NO_TOKENS = Feature(
    "documents of tags alone",
    "left out",
    lambda one: int("tokens" not in one),
    lambda one: one if "tokens" in one else None,
)


def _in_text(document: Document) -> bool:
    return document.get("text") == " ".join(document["tokens"])


JOINED = Feature(
    "texts whose tokens are not divided by single blanks",
    "tokens are joined by single blanks, which moves offsets",
    lambda one: int("text" in one and not _in_text(one)),
    lambda one: one,
)
NO_LINE = Feature(
    "documents with a token that has blanks, or without any",
    "left out",
    lambda one: int(not _fits(one)),
    lambda one: one if _fits(one) else None,
)


def _fits(document: Document) -> bool:
    words = [*document["tokens"], *document["tags"]]
    return bool(words) and all(word and not any(map(str.isspace, word)) for word in words)


def _as_read(document: Document) -> Document:
    """Return a document without the spans that its tags make."""
    return {key: value for key, value in document.items() if key != "spans"}


def write_lines(documents: Sequence[Document]) -> bytes:
    """Return a line for each document: id, text, tokens, tags and where tokens start."""
    return json_lines([_as_read(one) if "tokens" in one else one["tags"] for one in documents])


def write_rows(documents: Sequence[Document]) -> bytes:
    """Return rows as data sets on the Hugging Face hub have them: id, tokens and ner_tags, which are names."""
    return json_lines(
        [
            {**{key: one[key] for key in ("id", "tokens", "meta") if key in one}, "ner_tags": one["tags"]}
            for one in documents
        ]
    )


def write_conll(documents: Sequence[Document]) -> bytes:
    """Return two columns, token and tag as it came, with an empty line behind each document."""
    return "\n".join(
        "".join(f"{token}\t{tag}\n" for token, tag in zip(one["tokens"], one["tags"], strict=True))
        for one in documents
    ).encode()


WRITERS = (
    Writer("tokens", "tokens", write_lines, (), (".jsonl", ".ndjson"), ("tokens", "tags")),
    Writer("hugging-face", "tokens", write_rows, (NO_TOKENS, JOINED), reads_as=("tokens",)),
    Writer(
        "conll",
        "tokens",
        write_conll,
        (NO_TOKENS, of.META, of.IDS, NO_LINE, JOINED),
        (".conll", ".txt", ".bio", ".iob"),
        ("conll",),
    ),
)
