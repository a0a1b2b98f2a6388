r"""A format of our own, read and written: a line is a document, and its spans are marked in the text.

    #inline 1
    d1<TAB>[Anna](PER) met [Bob](PER)

A backslash stands before brackets and backslashes of the text; \n, \r and \t are line ends and tabs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from spanscope import Corpus, InputError
from spanscope.io import losses
from spanscope.io.documents import Documents
from spanscope.io.format import Format
from spanscope.io.head import Head
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.samples import About
from spanscope.io.spans.reading import translate_documents
from spanscope.io.writer import Writer

FIRST_LINE = "#inline 1"
SPECIAL = {"n": "\n", "r": "\r", "t": "\t"}
PIECES = re.compile(r"\\(?P<escaped>.)|(?P<open>\[)|\]\((?P<label>(?:\\.|[^)\\])*)\)")


def is_inline(head: Head, _: ReadOptions) -> bool:
    """Tell a file of this format by its first line."""
    return head.lines[:1] == [FIRST_LINE]


def read_inline(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the corpus of a file; ids, labels and offsets are checked by Spanscope's strict reader."""
    file = open_source(source)
    lines = [
        (number, line.removesuffix("\r"))
        for number, line in enumerate(file.data.decode("utf-8").split("\n"), start=1)
        if number > 1 and line.strip()
    ]
    found = Documents(lines, lambda row: f"{file.name}:{lines[row][0]}", file.name, file.sha256)
    return {"": translate_documents(found, document_of, options)}


def document_of(value: tuple[int, str], where: str) -> dict[str, Any]:
    """Return a line as a document in Spanscope's own form."""
    name, tab, marked = value[1].partition("\t")
    if not tab:
        raise InputError("a line without a tab", where=where, expected="an id, a tab and the text")
    parts, spans, begun, length, at = [""], [], [], 0, 0
    for piece in PIECES.finditer(marked):
        parts.append(marked[at : piece.start()])
        length, at = length + piece.start() - at, piece.end()
        if piece["escaped"] is not None:
            parts.append(SPECIAL.get(piece["escaped"], piece["escaped"]))
            length += 1
        elif piece["open"]:
            begun.append(length)
        elif begun:
            spans.append({"start": begun.pop(), "end": length, "label": unescape(piece["label"])})
        else:
            raise InputError("a span ends that has not begun", where=where, expected="[text](LABEL)")
    if begun:
        raise InputError("a span begins and does not end", where=where, expected="[text](LABEL)")
    return {"id": unescape(name), "text": "".join([*parts, marked[at:]]), "spans": spans}


def write_inline(documents: Sequence[dict[str, Any]]) -> bytes:
    """Return documents as a file of this format; what it cannot hold was taken out before."""
    lines = [FIRST_LINE]
    for one in documents:
        text, out, at = one["text"], "", 0
        for span in sorted(one["spans"], key=lambda span: int(span["start"])):
            inside = text[span["start"] : span["end"]]
            out += f"{escape(text[at : span['start']])}[{escape(inside)}]({escape(span['label'])})"
            at = span["end"]
        lines.append(f"{escape(one['id'])}\t{out}{escape(text[at:])}")
    return "".join(f"{line}\n" for line in lines).encode()


def escape(text: str) -> str:
    """Return a text in which nothing looks like a mark or ends a line."""
    text = re.sub(r"([\\\[\]()])", r"\\\1", text)
    return text.replace("\n", r"\n").replace("\r", r"\r").replace("\t", r"\t")


def unescape(text: str) -> str:
    """Return a text as it was before `escape`."""
    return re.sub(r"\\(.)", lambda found: SPECIAL.get(found[1], found[1]), text)


FORMAT = Format(
    "inline",
    "spans",
    f"texts whose spans are marked, below a line {FIRST_LINE}",
    read_inline,
    whole=is_inline,
    about=About(
        f"{FIRST_LINE}\nd1\t[Anna](PER) met [Bob](PER)", "scores, metadata, spans that overlap", ".inline"
    ),
)
WRITER = Writer(
    "inline",
    "spans",
    write_inline,
    lacks=(
        *(losses.TAGS, losses.NO_TEXT, losses.UNLOCATED, losses.FRAGMENTS, losses.OWN_TEXTS),
        *(losses.EMPTY, losses.OVERLAPS, losses.SCORES, losses.META, losses.SPAN_META),
    ),
    suffixes=(".inline",),
    reads_as=("inline",),
    needs_ids=True,
)
