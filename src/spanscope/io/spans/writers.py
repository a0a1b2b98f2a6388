"""The forms in which labelled spans are written."""

from __future__ import annotations

import re
from urllib.parse import quote

from spanscope.io import losses as of
from spanscope.io.losses import Document, Feature
from spanscope.io.spans import write_json, write_spacy, write_text
from spanscope.io.writer import Writer

SAFE_NAME = re.compile(r"[\w%-]+(?:\.[\w%-]+)*")
TABLE = (of.NO_TEXT, of.UNLOCATED, of.FRAGMENTS, of.OWN_TEXTS)  # whatever stands in texts at offsets
WORDS = "spaces become low lines"
LINE_ENDS = re.compile(r"[\r\n\t]")


def _one_word(label: str) -> str:
    return re.sub(r"\s", "_", label)


def _file_name(name: str) -> str:
    """Return an id as the name of a file, other signs as their numbers.

    >>> _file_name("a/b c")
    'a%2Fb%20c'
    """
    return name if SAFE_NAME.fullmatch(name) and len(name) < 100 else quote(name, safe="")[:200] or "%"


def _column(name: str) -> str:
    return re.sub(r"[\s|]", "_", name) or "_"


def _as_conll(document: Document) -> Document:
    """Return a document with its tokens divided by single blanks, where they are not."""
    if write_text.is_divided(document):
        return document
    at = write_text.conll_tokens(document)
    moved, ends, start = {}, {}, 0
    for a, b in at:
        moved[a], ends[b] = start, start + b - a
        start += b - a + 1
    spans = [{**one, "start": moved[one["start"]], "end": ends[one["end"]]} for one in document["spans"]]
    return {**document, "text": " ".join(document["text"][a:b] for a, b in at), "spans": spans}


DIVIDED = Feature(
    "texts whose tokens are not divided by single blanks",
    "written as words and signs, which moves offsets",
    lambda one: int(not write_text.is_divided(one)),
    _as_conll,
)
NO_WORD = Feature(
    "documents without a word",
    "left out",
    lambda one: int(not one["text"].strip()),
    lambda one: one if one["text"].strip() else None,
)
RETURNS = of.changed_field(
    "texts with carriage returns", "these become blanks", "text", lambda text: text.replace("\r", " ")
)
ONE_LINE = of.changed_field(
    "texts of several lines", "line ends and tabs become blanks", "text", lambda text: LINE_ENDS.sub(" ", text)
)
ONE_WORD = of.changed_labels("labels of several words", WORDS, _one_word)
PLAIN_LABEL = of.changed_labels(
    "labels with tabs or line ends", "these become blanks", lambda label: LINE_ENDS.sub(" ", label)
)

WRITERS = (
    Writer(
        "spans", "spans", write_json.write_lines, (of.TAGS,), (".jsonl", ".ndjson"), ("spans",), holds_schema=False
    ),
    Writer(
        "brat",
        "spans",
        write_text.write_brat,
        (
            of.TAGS,
            *(one for one in TABLE if one is not of.FRAGMENTS),
            of.EMPTY,
            of.SCORES,
            of.META,
            of.SPAN_META,
            RETURNS,
            ONE_WORD,
        ),
        reads_as=("brat",),
        needs_ids=True,
        own_id=_file_name,
        folder=True,
    ),
    Writer(
        "doccano",
        "spans",
        write_json.write_doccano,
        (of.TAGS, *TABLE, of.SCORES, of.SPAN_META),
        reads_as=("doccano",),
    ),
    Writer(
        "label-studio",
        "spans",
        write_json.write_label_studio,
        (of.TAGS, *TABLE, of.meta_names("metadata called id or text", frozenset({"id", "text"}), of_spans=False)),
        reads_as=("labelstudio-spans",),
    ),
    Writer("prodigy", "spans", write_json.write_prodigy, (of.TAGS, *TABLE), reads_as=("spans",)),
    Writer(
        "spacy",
        "spans",
        write_spacy.write_docbin,
        (of.TAGS, *TABLE, of.EMPTY, of.SCORES, of.META, of.SPAN_META),
        (".spacy",),
        ("spacy",),
        extra="spacy",
    ),
    Writer(
        "spacy-json",
        "spans",
        write_spacy.write_spacy_json,
        (of.TAGS, *TABLE, of.EMPTY, of.SCORES, of.IDS, of.META, of.SPAN_META),
        reads_as=("spacy", "spans"),
    ),
    Writer(
        "csv",
        "spans",
        write_text.write_csv,
        (
            of.TAGS,
            of.NO_SPANS,
            of.UNLOCATED,
            of.FRAGMENTS,
            of.OWN_TEXTS,
            of.META,
            of.SPAN_META,
            of.TEXTS_BUT_QUOTES,
        ),
        (".csv",),
        ("spans-tsv",),
        needs_ids=True,
    ),
    Writer(
        "documents-csv",
        "spans",
        write_text.write_documents_csv,
        (of.TAGS, *TABLE[:2], of.OWN_TEXTS, of.META),
        reads_as=("documents-tsv",),
        needs_ids=True,
    ),
    Writer(
        "conll",
        "spans",
        write_text.write_conll,
        (
            of.TAGS,
            *TABLE,
            of.EMPTY,
            of.OVERLAPS,
            of.SCORES,
            of.META,
            of.SPAN_META,
            of.IDS,
            NO_WORD,
            of.BLANK_EDGES,
            ONE_WORD,
            DIVIDED,
        ),
        (".conll",),
        ("conll",),
    ),
    Writer(
        "bioc-json",
        "spans",
        write_json.write_bioc,
        (
            of.TAGS,
            of.NO_TEXT,
            of.UNLOCATED,
            of.OWN_TEXTS,
            of.meta_names(
                "metadata of spans called type or score",
                frozenset({"type", "semantic_type", "score", "confidence", "prob", "probability"}),
                of_spans=True,
            ),
        ),
        reads_as=("bioc-json",),
        needs_ids=True,
    ),
    Writer(
        "pubtator",
        "spans",
        write_text.write_pubtator,
        (of.TAGS, *TABLE, of.SCORES, of.META, of.only_meta_keys(frozenset({"identifier"})), ONE_LINE, PLAIN_LABEL),
        (".pubtator",),
        ("pubtator",),
        needs_ids=True,
        own_id=_column,
    ),
    Writer(
        "webanno",
        "spans",
        write_text.write_webanno,
        (of.TAGS, *TABLE, of.EMPTY, of.SCORES, of.META, of.SPAN_META, of.BLANK_EDGES, NO_WORD),
        reads_as=("webanno",),
        needs_ids=True,
        own_id=_file_name,
        folder=True,
    ),
    Writer("parquet", "spans", write_json.write_parquet, (of.TAGS,), (".parquet",), ("spans",), extra="pyarrow"),
    Writer(
        "langextract",
        "spans",
        write_json.write_langextract,
        (of.TAGS, of.NO_TEXT, of.FRAGMENTS, of.OWN_TEXTS, of.SCORES, of.META),
        reads_as=("langextract",),
    ),
)
