"""BioC: documents of passages, whose annotations have an offset in the document and a length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spanscope.arguments import as_whole
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.documents import Documents
from spanscope.io.offsets import OFFSETS
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.fitting import SIZES, count_fitting, translate_quoting
from spanscope.io.spans.one_file_each import note_left_aside

TYPES = ("type", "semantic_type")  # the keys of infons that are labels
SCORES = ("score", "confidence", "prob", "probability")
Infons = Mapping[str, Any]


@dataclass
class Annotation:
    """An annotation: what is known of it, its pieces as (offset, length), and its text."""

    infons: Infons
    pieces: list[tuple[int, int]]
    text: str | None


@dataclass
class Article:
    """A document: its id, the texts of its passages at their offsets, its annotations, and how many relations."""

    id: str | None
    infons: Infons
    texts: list[tuple[int, str]]
    annotations: list[Annotation]
    relations: int


def try_reading(read: Callable[[Any, str], Article], value: Any, where: str) -> Article | InputError:
    """Return a document, or in its place the error that says why it cannot be read."""
    try:
        return read(value, where)
    except InputError as error:
        return error


def whole_number(value: Any, name: str, where: str) -> int:
    """Return an offset or a length, which XML has as a string."""
    number = as_whole(int(value) if isinstance(value, str) and value.strip().isdecimal() else value)
    if number is None or number < 0:
        raise InputError(f"the {name} is {shown(value)}", where=where, expected="a whole number")
    return number


def piece_of(place: Mapping[str, Any], where: str) -> tuple[int, int]:
    """Return the offset and the length of a location."""
    return whole_number(place.get("offset"), "offset", where), whole_number(place.get("length"), "length", where)


def corpus_of(found: Documents, options: ReadOptions, others: Mapping[str, int]) -> Corpus:
    """Return the corpus, read in the unit that was said, else in the one in which most annotations fit."""
    unit = options.offsets or _unit([one for one in found.values if isinstance(one, Article)])
    aside: Counter[str] = Counter(others)

    def translate(article: Article | InputError, where: str) -> dict[str, Any]:
        if isinstance(article, InputError):
            raise article
        aside["relations"] += article.relations
        aside["annotations without a place"] += sum(not one.pieces for one in article.annotations)
        return _document(article, unit, where)

    corpus = translate_quoting(found, translate, options, unit)
    note_left_aside(corpus, aside, options)
    return corpus


def _unit(articles: Sequence[Article]) -> str:
    """Return the unit of a file: its definition says bytes, most files count code points.

    Code points, unless the texts of more annotations stand at their offsets in another unit.
    """

    def fitting(unit: str) -> int:
        out = 0
        for article in articles:
            try:
                out += count_fitting([_document(article, unit, "")], unit)
            except InputError:  # passages that lie over each other in this unit
                continue
        return out

    if all(text.isascii() for article in articles for _, text in article.texts):
        return "codepoints"
    return max(SIZES, key=fitting)


def _document(article: Article, unit: str, where: str) -> dict[str, Any]:
    spans = [_span(one, where) for one in article.annotations if one.pieces]
    return {
        "id": article.id,
        "text": _text(article.texts, unit, where),
        "spans": spans,
        "meta": dict(article.infons),
    }


def _text(texts: Sequence[tuple[int, str]], unit: str, where: str) -> str:
    """Return the passages at their offsets; of what is between them only the length is known."""
    out, at = "", 0
    for offset, text in sorted(texts, key=lambda one: one[0]):
        if offset < at:
            raise InputError(
                f"a passage starts at {offset}, and the one before it ends at {at} {OFFSETS[unit]}",
                where=where,
                expected="passages that do not overlap",
                hint="[[offsets=codepoints]]   or utf8, where another unit was counted",
            )
        out += " " * (offset - at) + text
        at = offset + SIZES[unit](text)
    return out


def _span(one: Annotation, where: str) -> dict[str, Any]:
    key = next((key for key in TYPES if key in one.infons), None)
    if key is None:
        names = ", ".join(map(shown, one.infons)) or "none"
        raise InputError(f"an annotation has the infons {names}", where=where, expected=" or ".join(TYPES))
    pieces = [[offset, offset + length] for offset, length in one.pieces]
    place: dict[str, Any] = {"fragments": pieces}
    if len(pieces) == 1:
        place = {"start": pieces[0][0], "end": pieces[0][1]}
    sure = next((name for name in SCORES if _number(one.infons.get(name)) is not None), None)
    meta = {name: own for name, own in one.infons.items() if name not in (key, sure)}
    out = {**place, "label": one.infons[key], "meta": meta}
    out |= {} if one.text is None else {"text": one.text}
    return out if sure is None else out | {"score": _number(one.infons[sure])}


def _number(value: Any) -> float | None:
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None
