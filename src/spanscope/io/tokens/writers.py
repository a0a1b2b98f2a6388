"""The forms in which tagged tokens are written; `spans/writers.py` has those of the spans that they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from spanscope.io import losses as of
from spanscope.io.losses import Document, Feature
from spanscope.io.spans.write_text import table
from spanscope.io.writer import Writer, json_lines

NO_TOKENS = Feature(
    "documents of tags alone",
    "left out",
    lambda one: int("tokens" not in one),
    lambda one: one if "tokens" in one else None,
)


def _in_text(document: Document, *, tight: bool = False) -> bool:
    """Tell a text that is its tokens with single blanks between them, or with none where it may be `tight`."""
    if "text" not in document or "start_indices" not in document:
        return "text" not in document and "start_indices" not in document
    tokens, gaps = document["tokens"], _gaps(document)
    said = "".join(map("".join, zip(tokens, (" " * gap for gap in (*gaps, 0)), strict=True)))
    known = {0, 1} if tight else {1}
    return document["start_indices"][:1] == [0][: len(tokens)] and set(gaps) <= known and said == document["text"]


def _starts(tokens: Sequence[str]) -> list[int]:
    """Return where tokens start that have single blanks between them."""
    return [*accumulate((len(one) + 1 for one in tokens), initial=0)][: len(tokens)]


def _gaps(document: Document) -> list[int]:
    """Return how far tokens are from the one behind them."""
    starts = document.get("start_indices") or _starts(document["tokens"])
    return [b - a - len(one) for (a, b), one in zip(pairwise(starts), document["tokens"], strict=False)]


def _joined(document: Document) -> Document:
    tokens = document["tokens"]
    return {**document, "text": " ".join(tokens), "start_indices": _starts(tokens)}


BECOMES_JOINED = "tokens are joined by single blanks, which moves offsets"
JOINED = Feature(
    "texts whose tokens are not divided by single blanks",
    BECOMES_JOINED,
    lambda one: int(not _in_text(one)),
    lambda one: one if _in_text(one) else _joined(one),
)
CLOSE = Feature(
    "texts whose tokens are not divided by single blanks or nothing",
    BECOMES_JOINED,
    lambda one: int(not _in_text(one, tight=True)),
    lambda one: one if _in_text(one, tight=True) else _joined(one),
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


def _is_conllu(document: Document) -> bool:
    """Tell tokens that may have blanks inside, but no other white space, and tags that one value can be."""
    tokens = document["tokens"]
    fit = all(one and one == one.strip() and not ODD_SPACE.search(one) for one in tokens)
    return bool(tokens) and fit and not any(not tag or NO_VALUE.search(tag) for tag in document["tags"])


ODD_SPACE, NO_VALUE = re.compile(r"[^\S ]"), re.compile(r"[\s|]")
NO_WORD = Feature(
    "documents with a token or a tag that has tabs, line ends or bars, or without any",
    "left out",
    lambda one: int(not _is_conllu(one)),
    lambda one: one if _is_conllu(one) else None,
)
ID_OF_LINES = of.changed_field(
    "ids of several lines", "line ends become blanks", "id", lambda name: re.sub(r"[\r\n]", " ", name)
)


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


NO_ROWS = Feature(
    "documents without a token",
    "left out",
    lambda one: int(not one["tokens"]),
    lambda one: one if one["tokens"] else None,
)


def write_token_rows(documents: Sequence[Document]) -> bytes:
    """Return CSV with one row per token: the id of its document, as that of a sentence, the token and its tag."""
    rows = [
        [one["id"], token, tag] for one in documents for token, tag in zip(one["tokens"], one["tags"], strict=True)
    ]
    return table(["sentence_id", "token", "tag"], rows)


def write_conllu(documents: Sequence[Document]) -> bytes:
    """Return CoNLL-U: a sentence per document, its id and text in comments, tags as NER in the last column."""
    return "".join(map(_sentence, documents)).encode()


def _sentence(document: Document) -> str:
    tokens = document["tokens"]
    gaps = [*_gaps(document), 0]
    id_ = [f"# sent_id = {document['id']}"] if "id" in document else []
    text = document.get("text", " ".join(tokens))
    words = [
        f"{number}\t{token}{EMPTY_COLUMNS}NER={tag}{'' if gap else '|SpaceAfter=No'}"
        for number, (token, tag, gap) in enumerate(zip(tokens, document["tags"], gaps, strict=True), start=1)
    ]
    return "\n".join([*id_, f"# text = {text}", *words, "", ""])


EMPTY_COLUMNS = "\t_" * 7 + "\t"  # lemma, parts of speech, features and relations, of which nothing is known

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
    Writer(
        "conllu",
        "tokens",
        write_conllu,
        (NO_TOKENS, of.META, NO_WORD, ID_OF_LINES, CLOSE),
        (".conllu",),
        ("conllu",),
    ),
    Writer(
        "token-rows",
        "tokens",
        write_token_rows,
        (NO_TOKENS, of.META, NO_ROWS, JOINED),
        reads_as=("token-rows",),
        needs_ids=True,
    ),
)
