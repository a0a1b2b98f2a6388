"""What a format cannot hold, found and taken out of documents before they are written in it.

Each `Feature` is one such thing: how it is called, how many of it a document has, and the document without it.
A writer says which features its format lacks, so that what is refused, what is counted as lost, and what
`spanscope formats` says of the format are one list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, pairwise
from typing import Any, NamedTuple

from spanscope.errors import plural

Document = dict[str, Any]  # as Corpus.to_dicts makes them


SINGULAR = {"queries": "query"}


class Loss(NamedTuple):
    """What a target could not hold: its name in the plural, how many there were, and what became of it."""

    what: str
    number: int
    became: str

    def __str__(self) -> str:
        return f"{self.counted}: {self.became}"

    @property
    def counted(self) -> str:
        """Return how many there were: `1 span in several pieces`."""
        noun, _, of_which = self.what.partition(" ")
        return f"{plural(self.number, SINGULAR.get(noun) or noun.removesuffix('s'))} {of_which}".rstrip()


class Feature(NamedTuple):
    """Something that a format may lack: its name in the plural, what becomes of it, how many, and without it."""

    what: str
    became: str
    count: Callable[[Document], int]
    without: Callable[[Document], Document | None]


def _spans(document: Document) -> list[Document]:
    spans: list[Document] = document.get("spans", [])
    return spans


def without_field(what: str, name: str) -> Feature:
    """Return the feature that is a field of documents."""
    return Feature(
        what,
        "left out",
        lambda one: int(one.get(name) is not None),
        lambda one: {key: value for key, value in one.items() if key != name},
    )


def without_field_of_spans(what: str, name: str, became: str = "left out") -> Feature:
    """Return the feature that is a field of spans."""

    def without(one: Document) -> Document:
        return {**one, "spans": [{key: own for key, own in span.items() if key != name} for span in _spans(one)]}

    return Feature(what, became, lambda one: sum(span.get(name) is not None for span in _spans(one)), without)


def without_spans(what: str, wrong: Callable[[Document, Document], bool]) -> Feature:
    """Return the feature that is spans of some kind, which are left out: `wrong` tells them in their document."""
    return Feature(
        what,
        "left out",
        lambda one: sum(wrong(span, one) for span in _spans(one)),
        lambda one: {**one, "spans": [span for span in _spans(one) if not wrong(span, one)]},
    )


def changed_field(what: str, became: str, name: str, change: Callable[[str], str]) -> Feature:
    """Return the feature that is a field of documents that must be written otherwise."""

    def count(one: Document) -> int:
        return int(name in one and change(one[name]) != one[name])

    return Feature(what, became, count, lambda one: {**one, name: change(one[name])} if name in one else one)


def changed_labels(what: str, became: str, change: Callable[[str], str]) -> Feature:
    """Return the feature that is labels that must be written otherwise."""
    return Feature(
        what,
        became,
        lambda one: sum(change(span["label"]) != span["label"] for span in _spans(one)),
        lambda one: {**one, "spans": [{**span, "label": change(span["label"])} for span in _spans(one)]},
    )


def meta_where(what: str, holds: Callable[[str, Any], bool], *, of_spans: bool) -> Feature:
    """Return the feature that is metadata, of documents or of spans, that a format has no place for."""

    def kept(one: Document) -> Document:
        own = {key: value for key, value in one.get("meta", {}).items() if holds(key, value)}
        rest = {key: value for key, value in one.items() if key != "meta"}
        return {**rest, "meta": own} if own else rest

    if not of_spans:
        return Feature(what, "left out", lambda one: int(kept(one) != one), kept)
    return Feature(
        what,
        "left out",
        lambda one: sum(kept(span) != span for span in _spans(one)),
        lambda one: {**one, "spans": [kept(span) for span in _spans(one)]},
    )


def only_meta_keys(known: frozenset[str]) -> Feature:
    """Return the feature that is metadata of spans under other names than some."""
    what = f"spans with metadata other than {', '.join(sorted(known))}" if known else "spans with metadata"
    return meta_where(what, lambda key, own: key in known and isinstance(own, str), of_spans=True)


def meta_names(what: str, names: frozenset[str], *, of_spans: bool) -> Feature:
    """Return the feature that is metadata under names that mean something else in a format."""
    return meta_where(what, lambda key, _: key not in names, of_spans=of_spans)


def _differs(span: Document, document: Document) -> bool:
    """Tell a span with a place in a text and another text of its own."""
    return "text" in span and "start" in span and document.get("text") is not None


def _without_quote(span: Document) -> Document:
    return {key: own for key, own in span.items() if key != "text"}


def _quote_spans(document: Document) -> Document:
    """Return a document without its text, the spans with theirs."""
    text = document["text"]
    cut = [(span, text[span["start"] : span["end"]]) for span in _spans(document)]
    spans = [{**span, "text": own} if own else span for span, own in cut]
    return {**{key: own for key, own in document.items() if key != "text"}, "spans": spans}


def _in_one_piece(document: Document) -> Document:
    return {
        **document,
        "spans": [{k: own for k, own in span.items() if k != "fragments"} for span in _spans(document)],
    }


def _places(document: Document) -> list[tuple[int, int]]:
    return [(span["start"], span["end"]) for span in _spans(document) if "start" in span]


def _overlapping_spans(document: Document) -> list[Document]:
    """Return the spans that share a character with one that begins before them, or is longer."""
    end, out = 0, []
    for span in sorted(_spans(document), key=lambda one: (one["start"], -one["end"])):
        if span["start"] < end:
            out.append(span)
        else:
            end = max(end, span["end"])
    return out


def _flat(document: Document) -> Document:
    gone = set(map(id, _overlapping_spans(document)))
    return {**document, "spans": [span for span in _spans(document) if id(span) not in gone]}


NO_TEXT = Feature(
    "documents without a text",
    "left out",
    lambda one: int(one.get("text") is None),
    lambda one: None if one.get("text") is None else one,
)
NO_SPANS = Feature(
    "documents without spans",
    "left out",
    lambda one: int(not _spans(one)),
    lambda one: one if _spans(one) else None,
)
TEXTS = without_field("texts of documents", "text")
TEXTS_BUT_QUOTES = Feature(
    "texts of documents",
    "left out but for those of spans",
    lambda one: int("text" in one),
    lambda one: _quote_spans(one) if "text" in one else one,
)
IDS = without_field("ids of documents", "id")
META = without_field("documents with metadata", "meta")
SCORES = without_field_of_spans("scores of spans", "score")
OWN_TEXTS = Feature(
    "texts of spans that are not the document's",
    "left out",
    lambda one: sum(_differs(span, one) for span in _spans(one)),
    lambda one: {**one, "spans": [_without_quote(span) if _differs(span, one) else span for span in _spans(one)]},
)
SPAN_META = only_meta_keys(frozenset())
FRAGMENTS = Feature(
    "spans in several pieces",
    "written from their first to their last character",
    lambda one: sum("fragments" in span for span in _spans(one)),
    _in_one_piece,
)
UNLOCATED = without_spans("spans without offsets", lambda span, _: "start" not in span)
EMPTY = without_spans("spans without a character", lambda span, _: span.get("start", -1) == span.get("end", -2))
OVERLAPS = Feature("spans that overlap another", "left out", lambda one: len(_overlapping_spans(one)), _flat)
BLANK_EDGES = without_spans(
    "spans that begin or end with a blank",
    lambda span, one: (
        span["start"] < span["end"]
        and one["text"][span["start"] : span["end"]] != one["text"][span["start"] : span["end"]].strip()
    ),
)
TAGS = Feature(
    "documents with tokens and tags",
    "left without them, with their spans",
    lambda one: int("tags" in one),
    lambda one: {key: own for key, own in one.items() if key not in ("tokens", "tags", "start_indices")},
)
FEW_IDS = "documents without an id"


def fit(documents: Sequence[Document], lacks: Sequence[Feature]) -> tuple[list[Document], list[Loss]]:
    """Return documents without what a target lacks, and what that was."""
    losses: list[Loss] = []
    kept: list[Document] = list(documents)
    for feature in lacks:
        if number := sum(map(feature.count, kept)):
            losses.append(Loss(feature.what, number, feature.became))
            kept = [one for one in map(feature.without, kept) if one is not None]
    return kept, losses


def with_ids(documents: Sequence[Document], change: Callable[[str], str]) -> tuple[list[Document], list[Loss]]:
    """Return documents that all have an id of their own, in the form needed, and what changed."""
    lacking = sum("id" not in one for one in documents)
    out, changed = [], 0
    taken = {one["id"] for one in documents if "id" in one and change(one["id"]) == one["id"]}
    met: set[str] = set()
    for number, one in enumerate(documents, start=1):
        given = one.get("id", str(number))
        own = change(given)
        if own in met or (own != given and own in taken):
            others = (f"{own}-{again}" for again in count(2))
            own = next(name for name in others if name not in met and name not in taken)
        met.add(own)
        changed += "id" in one and own != given
        out.append({**one, "id": own})
    found = [Loss(FEW_IDS, lacking, "numbered"), Loss("ids that cannot be written, or repeat", changed, "changed")]
    return out, [one for one in found if one.number]


def tokens_of(text: str, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return words and signs of a text, cut wherever a span begins or ends; blanks belong to none.

    >>> tokens_of("Anna, 30km", [(8, 10)])
    [(0, 4), (4, 5), (6, 8), (8, 10)]
    """
    import re

    edges = {edge for place in places for edge in place}
    out = []
    for found in re.finditer(r"\w+|[^\w\s]", text):
        cuts = [found.start(), *sorted(edge for edge in edges if found.start() < edge < found.end()), found.end()]
        out += list(pairwise(cuts))
    return out


def places_of(document: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return the places of all spans of a document."""
    return _places(dict(document))
