"""What forms of labelled spans lack beside what forms of other families do, and how ids are written in them."""

from __future__ import annotations

import re
from urllib.parse import quote

from spanscope.io import losses as of
from spanscope.io.data_names import COMPANIONS
from spanscope.io.losses import Document, Feature
from spanscope.io.spans import ai4privacy, write_text, write_xml

SAFE_NAME = re.compile(r"[\w%-]+(?:\.[\w%-]+)*")
TABLE = (of.NO_TEXT, of.UNLOCATED, of.FRAGMENTS, of.OWN_TEXTS)  # whatever stands in texts at offsets
WORDS = "spaces become underscores"
LINE_ENDS = re.compile(r"[\r\n\t]")


def _one_word(label: str) -> str:
    return re.sub(r"\s", "_", label)


def file_name(name: str) -> str:
    """Return an id as the name of a file that no reader skips, other signs as their numbers.

    >>> file_name("a/b c"), file_name("readme")
    ('a%2Fb%20c', '%72eadme')
    """
    own = name if SAFE_NAME.fullmatch(name) and len(name) < 100 else quote(name, safe="")[:200] or "%"
    return f"%{ord(own[0]):X}{own[1:]}" if own.lower().startswith(COMPANIONS) else own


def column_name(name: str) -> str:
    """Return an id as a cell between bars and tabs."""
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

SCORE_NAMES = frozenset({"score", "confidence", "prob", "probability"})
XML_TEXTS = of.changed_field(
    "texts with characters that XML cannot hold", "these become \ufffd", "text", write_xml.for_xml
)
XML_LABELS = of.changed_labels(
    "labels with characters that XML cannot hold", "these become \ufffd", write_xml.for_xml
)


def _is_text(key: str, own: object) -> bool:
    """Tell metadata that is text, and stays it in XML."""
    return bool(key) and isinstance(own, str) and write_xml.for_xml(key + own) == key + own


XML_META = of.meta_where("documents with metadata that is not text", _is_text, of_spans=False)
XML_SPAN_META = of.meta_where("spans with metadata that is not text", _is_text, of_spans=True)
INFON_NAMES = of.meta_names(
    "metadata of spans called type or score", SCORE_NAMES | {"type", "semantic_type"}, of_spans=True
)
FEATURE_NAMES = of.meta_names("metadata of spans called score", SCORE_NAMES, of_spans=True)
WORD_GAPS = (of.EMPTY, NO_WORD, of.BLANK_EDGES)  # where spans are whole tokens
O_LABELS = of.without_spans("spans labelled O", lambda span, _: span["label"] == "O")
IDENTIFIED = of.meta_where(
    "spans with metadata other than identifier",
    lambda key, own: key == "identifier" and _is_text(key, own),
    of_spans=True,
)


ONE_CELL = of.meta_where(
    "spans with metadata other than identifier",
    lambda key, own: key == "identifier" and isinstance(own, str) and bool(own) and not LINE_ENDS.search(own),
    of_spans=True,
)
PRIVACY_META = of.meta_where(
    f"metadata other than {', '.join(ai4privacy.META)}",
    lambda key, own: key in ai4privacy.META and own is not None,
    of_spans=False,
)
