"""Labelled spans in lines of text: brat, PubTator, CSV, CoNLL and WebAnno TSV 3."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanscope.io.losses import Document, tokens_of
from spanscope.io.offsets import units_before

WEBANNO_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value"
CUTS = re.compile(r'[",\r\n]')
ESCAPED = {**{sign: f"\\{sign}" for sign in "\\[]|_;*"}, "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def write_brat(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return a text and a file of annotations for each document; a line end in an annotation is a blank there."""
    out = {}
    for document in documents:
        lines = []
        for number, span in enumerate(document["spans"], start=1):
            pieces = span.get("fragments", [[span["start"], span["end"]]])
            places = ";".join(f"{start} {end}" for start, end in pieces)
            quoted = " ".join(document["text"][start:end] for start, end in pieces).replace("\n", " ")
            lines.append(f"T{number}\t{span['label']} {places}\t{quoted}\n")
        out[f"{document['id']}.txt"] = document["text"].encode()
        out[f"{document['id']}.ann"] = "".join(lines).encode()
    return out


def write_pubtator(documents: Sequence[Document]) -> bytes:
    """Return PubTator's lines: the whole text is the title, because between title and abstract is one blank."""
    parts = []
    for document in documents:
        own = document["id"]
        lines = [f"{own}|t|{document['text']}", f"{own}|a|"]
        for span in document["spans"]:
            quoted = document["text"][span["start"] : span["end"]]
            row = [own, str(span["start"]), str(span["end"]), quoted, span["label"]]
            named = span.get("meta", {}).get("identifier")
            lines.append("\t".join([*row, *([named] if named else [])]))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts).encode()


def write_csv(documents: Sequence[Document]) -> bytes:
    """Return one row per span: doc, start, end, label, text and score."""
    return table(
        ["doc", "start", "end", "label", "text", "score"],
        [
            [one["id"], span["start"], span["end"], span["label"], span.get("text", ""), span.get("score", "")]
            for one in documents
            for span in one["spans"]
        ],
    )


def write_documents_csv(documents: Sequence[Document]) -> bytes:
    """Return one row per document: id, text, and the spans as JSON."""
    import json

    rows = [[one["id"], one["text"], json.dumps(one["spans"], ensure_ascii=False)] for one in documents]
    return table(["id", "text", "spans"], rows)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """Return CSV with a header row."""
    return "".join(",".join(map(_cell, row)) + "\n" for row in (head, *rows)).encode()


def _cell(value: object) -> str:
    """Return a cell, in quotes where a reader could cut it; Python's writer leaves lone carriage returns bare."""
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if CUTS.search(text) else text


def write_conll(documents: Sequence[Document]) -> bytes:
    """Return two columns, token and tag in IOB2, with an empty line behind each document.

    Tokens are what blanks divide where all spans begin and end there, else words and signs.
    """
    parts = []
    for document in documents:
        text = document["text"]
        tokens = conll_tokens(document)
        inside: dict[tuple[int, int], str] = {}
        for span in document["spans"]:
            own = [place for place in tokens if span["start"] <= place[0] and place[1] <= span["end"]]
            inside |= {place: f"{'I' if at else 'B'}-{span['label']}" for at, place in enumerate(own)}
        parts.append("".join(f"{text[a:b]}\t{inside.get((a, b), 'O')}\n" for a, b in tokens))
    return "\n".join(parts).encode()


def conll_tokens(document: Document) -> list[tuple[int, int]]:
    """Return the tokens of a document as CoNLL has them."""
    return _divide(document) or tokens_of(document["text"], _places(document))


def is_divided(document: Document) -> bool:
    """Tell whether single blanks divide the tokens of a text, and every span begins and ends at a token."""
    return bool(_divide(document))


def _divide(document: Document) -> list[tuple[int, int]]:
    out, at = [], 0
    for word in document["text"].split(" "):
        out.append((at, at + len(word)))
        at += len(word) + 1
    starts, ends = {start for start, _ in out}, {end for _, end in out}
    fits = all(start in starts and end in ends for start, end in _places(document))
    single = all(start < end and not any(map(str.isspace, document["text"][start:end])) for start, end in out)
    return out if fits and single else []


def _places(document: Document) -> list[tuple[int, int]]:
    return [(span["start"], span["end"]) for span in document["spans"]]


def write_webanno(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return a file for each document, with one layer and the label as its value; offsets are UTF-16 units."""
    return {f"{one['id']}.tsv": _sheet(one).encode() for one in documents}


def _sheet(document: Document) -> str:
    text, before = document["text"], units_before(document["text"], "utf16")
    lines = ["#FORMAT=WebAnno TSV 3.3", f"#T_SP={WEBANNO_LAYER}", "", "", f"#Text={_escape(text)}"]
    tokens = tokens_of(text, _places(document))
    cells: dict[tuple[int, int], list[str]] = {place: [] for place in tokens}
    for number, span in enumerate(document["spans"], start=1):
        for start, end in tokens:
            if span["start"] <= start and end <= span["end"]:
                cells[start, end].append(f"{_escape(span['label'])}[{number}]")
    for number, (start, end) in enumerate(tokens, start=1):
        place = f"{before(start)}-{before(end)}"
        lines.append(f"1-{number}\t{place}\t{_escape(text[start:end])}\t{'|'.join(cells[start, end]) or '_'}\t")
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return "".join(ESCAPED.get(sign, sign) for sign in text)
