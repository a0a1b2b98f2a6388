"""Labelled spans in XML: BioC and GATE; UIMA's stands in `write_uima.py`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from spanscope.io.losses import Document
from spanscope.io.offsets import units_before

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # which XML 1.0 cannot even escape
SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
SIGNS |= {sign: f"&#{ord(sign)};" for sign in "\t\n\r"}  # which parsers would turn into others
HEAD = "<?xml version='1.0' encoding='UTF-8'?>\n"
STRING = "java.lang.String"


def for_xml(text: str) -> str:
    """Return a text whose characters XML can hold, of the same length.

    >>> for_xml("a\\x00b") == "a\\ufffdb"
    True
    """
    return NO_XML.sub("\ufffd", text)


def escape(text: str) -> str:
    """Return a text as XML writes it, between elements as in attributes."""
    return "".join(SIGNS.get(sign, sign) for sign in text)


# ---------------------------------------------------------------- BioC


def write_bioc_xml(documents: Sequence[Document]) -> bytes:
    """Return a collection of BioC: a passage a document, and what is known of a span as its infons."""
    parts = [HEAD, "<collection><source/><date/><key/>\n", *map(_article, documents), "</collection>\n"]
    return "".join(parts).encode()


def _article(document: Document) -> str:
    text = document["text"]
    marks = []
    for number, span in enumerate(document["spans"], start=1):
        pieces = span.get("fragments", [[span["start"], span["end"]]])
        score = {"score": repr(span["score"])} if "score" in span else {}
        places = "".join(f'<location offset="{start}" length="{end - start}"/>' for start, end in pieces)
        quoted = escape(" ".join(text[start:end] for start, end in pieces))
        infons = _infons({**span.get("meta", {}), "type": span["label"], **score})
        marks.append(f'<annotation id="{number}">{infons}{places}<text>{quoted}</text></annotation>\n')
    return (
        f"<document><id>{escape(document['id'])}</id>{_infons(document.get('meta', {}))}\n"
        f"<passage><offset>0</offset><text>{escape(text)}</text>\n{''.join(marks)}</passage></document>\n"
    )


def _infons(values: Mapping[str, str]) -> str:
    return "".join(f'<infon key="{escape(key)}">{escape(own)}</infon>' for key, own in values.items())


# ---------------------------------------------------------------- GATE


def write_gate(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return a file for each document, the spans in the default set; node numbers are UTF-16 units."""
    return {f"{one['id']}.xml": _gate(one).encode() for one in documents}


def _gate(document: Document) -> str:
    text, before = document["text"], units_before(document["text"], "utf16")
    edges = sorted({0, len(text), *(span[key] for span in document["spans"] for key in ("start", "end"))})
    nodes = [f'<Node id="{before(start)}"/>{escape(text[start:end])}' for start, end in pairwise(edges)]
    marks = [_mark(span, number, before) for number, span in enumerate(document["spans"])]
    return (
        f'{HEAD}<GateDocument version="3">\n'
        f"<GateDocumentFeatures>{_features(document.get('meta', {}).items())}</GateDocumentFeatures>\n"
        f'<TextWithNodes>{"".join(nodes)}<Node id="{before(len(text))}"/></TextWithNodes>\n'
        f"<AnnotationSet>\n{''.join(marks)}</AnnotationSet>\n</GateDocument>\n"
    )


def _mark(span: Document, number: int, before: Callable[[int], int]) -> str:
    own = [("score", span["score"])] if "score" in span else []
    return (
        f'<Annotation Id="{number}" Type="{escape(span["label"])}" StartNode="{before(span["start"])}" '
        f'EndNode="{before(span["end"])}">{_features([*span.get("meta", {}).items(), *own])}</Annotation>\n'
    )


def _features(values: Iterable[tuple[str, str | float]]) -> str:
    return "".join(
        f'<Feature><Name className="{STRING}">{escape(key)}</Name>'
        f'<Value className="{STRING if isinstance(own, str) else "java.lang.Double"}">{escape(str(own))}</Value>'
        "</Feature>"
        for key, own in values
    )
