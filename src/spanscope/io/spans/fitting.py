"""The texts that spans of a format bring along, held against their documents: in which unit they stand there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.io.documents import Documents
from spanscope.io.offsets import places
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.reading import translate_documents

Document = Mapping[str, Any]
SIZES: dict[str, Callable[[str], int]] = {  # how long a text is, by the unit of offsets
    "codepoints": len,
    "utf8": lambda text: len(text.encode()),
    "utf16": lambda text: len(text.encode("utf-16-le")) // 2,
}


def _bare(text: str) -> str:
    return "".join(text.split())


def translate_quoting(
    found: Documents,
    translate: Callable[[Any, str], Document],
    options: ReadOptions,
    unit: str = "codepoints",
    alike: Callable[[str], str] = _bare,
) -> Corpus:
    """Return the corpus of documents in another form, whose spans quote their texts; `unit` is the format's.

    A quote that differs from the document in white space alone is the document's: formats with one line per span
    cannot have line ends in it. `alike` makes equal what makes no difference to a format.
    """
    own = replace(options, offsets=options.unit(unit))
    behind = int(own.ends == "inclusive")

    def placed(value: Any, where: str) -> Document:
        document = translate(value, where)
        fits = _fits(document, own.unit(), behind, alike)
        spans = [
            {key: value for key, value in span.items() if key != "text"} if fit else span
            for span, fit in zip(document["spans"], fits, strict=True)
        ]
        return {**document, "spans": spans}

    return translate_documents(found, placed, own)


def count_fitting(documents: Sequence[Document], unit: str, behind: int = 0) -> int:
    """Return how many spans stand where the document has the text that they quote."""
    return sum(sum(_fits(one, unit, behind)) for one in documents)


def _fits(document: Document, unit: str, behind: int, alike: Callable[[str], str] = _bare) -> list[bool]:
    """Tell of each span whether it quotes what the document has there."""
    text, spans = document.get("text"), document["spans"]
    if text is None:
        return [False] * len(spans)
    place = places(text, unit)
    return [
        "text" in span and _has_place(span) and alike(_cut(text, span, place, behind)) == alike(span["text"])
        for span in spans
    ]


def _has_place(span: Document) -> bool:
    """Tell spans with offsets that can be looked up; what is wrong with others the strict reader says."""
    return "fragments" in span or all(type(span.get(name)) is int for name in ("start", "end"))


def _cut(text: str, span: Document, place: Callable[[int], int | None], behind: int) -> str:
    """Return what the document has where the span is; nothing where an offset is inside a character."""
    out = []
    for start, end in span.get("fragments") or [(span["start"], span["end"])]:
        first, last = place(start), place(end + behind)
        out.append(text[first:last] if first is not None and last is not None else "")
    return "".join(out)
