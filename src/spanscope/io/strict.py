"""The reader that explains: one document at a time, from plain Python objects.

It says what a document is; `spans/values.py` says what its parts are. The fast ways in `spans/` accept a plain
subset of it and hand over whatever they do not like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from spanscope.arguments import as_whole, holds
from spanscope.data.corpus import NOWHERE
from spanscope.data.problems import Problem, problem_at
from spanscope.data.wording import quote
from spanscope.errors import InputError, fields_of, shown
from spanscope.io.column_names import ROWS, first_named, squashed
from spanscope.io.failed_calls import note_failed_call
from spanscope.io.fields import ERROR, FRAGMENTS, Fields, meta_name, name_of, value_of
from spanscope.io.metadata import Meta, meta_of
from spanscope.io.offsets import OFFSETS
from spanscope.io.source import OBJECTS
from spanscope.io.spans.batch import Batch
from spanscope.io.spans.values import (
    Fragments,
    Ruler,
    confidence_column,
    confidence_of,
    id_of,
    label_of,
    number_column,
    text_of,
)

if TYPE_CHECKING:
    from spanscope.io.document_texts import DocumentTexts

ANSWERS = ("accept", None)
REPLIES = ("output", "response", "completion", "choices", "candidates", "result")  # where a model's words stand


@dataclass
class Report:
    """What to do with something wrong: stop there, or (spanscope check) write it down and go on."""

    collect: bool = False
    problems: list[Problem] = field(default_factory=list)

    def bad(self, error: InputError, kind: str) -> None:
        """Raise the error, or keep it as a problem."""
        if not self.collect:
            raise error
        self.problems.append(problem_at(kind, error.where, {"what": error.what}))

    def left_aside(self, what: str, number: int, where: str, by: str = "spans") -> None:
        """Note what a source holds and its family cannot use: `what` names it in the plural, such as relations."""
        if number:
            self.problems.append(problem_at("left aside", where, {"kinds": what, "for": by}, number=number))


@dataclass(frozen=True)
class Rules:
    """How labelled spans are read: names of fields, unit of offsets, and what to do with something wrong."""

    names: Fields
    offsets: str
    report: Report
    inclusive: bool = False  # ends are those of the last characters
    keep: Sequence[str] = ()  # fields of documents that are kept as metadata
    texts: DocumentTexts | None = None  # of the documents, where spans stand in a table alone


class Span(NamedTuple):
    """A span as it is accepted."""

    start: int
    end: int
    label: str
    text: str | None
    fragments: Fragments | None  # where there are several
    score: float | None
    number: int  # in its document
    meta: Meta | None = None


class _Document(NamedTuple):
    """A document as it is accepted."""

    id: str | None
    text: str | None
    spans: list[Span]
    meta: Meta | None


@dataclass(frozen=True)
class Place:
    """Where in the input we are, for messages, and how to read."""

    where: str
    rules: Rules
    notes: list[Problem]  # what is odd, and stops nothing
    row: int  # of the document in its batch

    def get(self, record: Mapping[str, Any], key: str) -> Any:
        """Return what stands under the name of a field that counts."""
        return value_of(record, self.rules.names[key])

    def wrong(self, what: str, expected: str = "", hint: str = "") -> NoReturn:
        """Refuse a value here."""
        raise InputError(what, where=self.where, expected=expected, hint=hint)


def read_documents(
    documents: Iterable[object], where: Callable[[int], str], rules: Rules, first: int = 0
) -> Batch:
    """Return the columns of some documents; raises or reports the first thing wrong with each span."""
    rows: list[int] = []
    found: list[_Document] = []
    notes: list[Problem] = []
    for row, document in enumerate(documents, start=first):
        place = Place(where(row), rules, notes, len(rows))
        _refuse_unaccepted(document, place)
        try:
            found.append(_document(document, place))
        except InputError as error:
            rules.report.bad(error, "bad document")
            continue
        rows.append(row)
    spans = [span for one in found for span in one.spans]
    return Batch(
        [one.id for one in found],
        [one.text for one in found],
        np.array([len(one.spans) for one in found], dtype=np.int64),
        number_column([span.start for span in spans], typed=True),
        number_column([span.end for span in spans], typed=True),
        [span.label for span in spans],
        [span.text for span in spans],
        confidence_column([span.score for span in spans], typed=True),
        {at: span.fragments for at, span in enumerate(spans) if span.fragments is not None},
        rows,
        [span.number for span in spans],
        notes=notes,
        meta=[one.meta for one in found],
        span_meta=[span.meta for span in spans],
    )


def is_accepted(document: object) -> bool:
    """Tell examples that Prodigy's annotators rejected or ignored from all other documents."""
    return not (
        isinstance(document, OBJECTS) and document.get("answer") not in ANSWERS and "_task_hash" in document
    )


def _refuse_unaccepted(document: Any, place: Place) -> None:
    """Refuse such examples: they are neither gold nor predictions."""
    if not is_accepted(document):
        error = InputError(
            f"the answer is {shown(document['answer'])}",
            where=place.where,
            expected="accepted examples only",
            hint='grep \'"answer":"accept"\'   to keep those',
        )
        place.rules.report.bad(error, "not accepted")


def _document(document: object, place: Place) -> _Document:
    """Return id, text and spans of a document in any of the shapes people have."""
    if isinstance(document, (list, tuple)):
        if len(document) == 2 and isinstance(document[0], str) and isinstance(document[1], OBJECTS):
            document = {"text": document[0], **document[1]}  # spaCy's (text, {"entities": [...]})
        else:
            return _Document(None, None, _spans(list(document), None, place), None)  # nervaluate's list of spans
    if not isinstance(document, OBJECTS):
        place.wrong(f"a document is {shown(document)}", "an object with id, text and spans")
    name = id_of(place.get(document, "id"), place.where)
    text = text_of(place.get(document, "text"), place.rules.names["text"][0], place.where)
    found = _spans(_list_of_spans(document, place), text, place)
    if all(ERROR not in names for names in place.rules.names.values()):  # the user's own name of a field
        place.notes.extend(note_failed_call(document, place.where, place.row))
    own = document.get(named) if (named := meta_name(place.rules.names)) else None
    return _Document(name, text, found, meta_of(own, document, place.rules.keep))


def _hint_without_spans(document: Mapping[str, Any]) -> str:
    """Say what to try with a document that has no spans: it may be what a language model answered."""
    answer = next((key for key in REPLIES if document.get(key)), None)
    if answer is not None:
        return f"[[locate]]   if {answer} is what a language model answered: its quotes are found in gold's texts"
    return "[[fields=spans=NAME]]   if they stand under another name; are gold and predictions swapped?"


def _list_of_spans(document: Mapping[str, Any], place: Place) -> list[Any]:
    """Return the spans of a document, which may have them under one name only."""
    names = place.rules.names["spans"]
    full = [key for key in names if key in document and holds(document[key])]
    if len(full) > 1:
        hint = f"[[fields=spans={full[1]}]]   or [[fields=spans={full[0]}]]"
        place.wrong(f"a document has both {full[0]} and {full[1]}", "spans under one name", hint)
    key = full[0] if full else name_of(document, names)
    if key is None:
        place.wrong(
            f"a document has no spans (it has {fields_of(document)})",
            " or ".join(names) + ", an empty list if there are none",
            _hint_without_spans(document),
        )
    found = document[key]
    if isinstance(found, dict) and all(isinstance(group, list) for group in found.values()):
        found = _one_group(found, key, place, alone=len(names) == 1)
    if not isinstance(found, (list, tuple)):
        place.wrong(f"{key} is {shown(found)}", "a list of spans, empty if there are none")
    return list(found)


def _one_group(groups: dict[str, list[Any]], key: str, place: Place, *, alone: bool) -> list[Any]:
    """Return the only one of spaCy's groups of spans that has some; unless somebody named the field, none is."""
    full = [group for group in groups.values() if group]
    if len(full) > 1 or (full and not alone):
        quotes = all(isinstance(one, str) for group in full for one in group)
        hint = "[[locate]]   to place quotes of a language model" if quotes else ""
        hint = "[[input=spacy]]   which asks for the group" if key == "spans" else hint
        place.wrong(f"{key} has groups of spans", "one list of spans", hint)
    return full[0] if full else []


def _spans(found: list[object], text: str | None, place: Place) -> list[Span]:
    unit = place.rules.offsets
    if unit != "codepoints" and found and text is None:
        place.wrong(f"offsets in {OFFSETS[unit]} need the text of the document", "a text")
    ruler = Ruler(text, unit, place.where, place.rules.inclusive)
    out: list[Span] = []
    for number, span in enumerate(found):
        try:
            out.append(_span(span, number, ruler, place))
        except InputError as error:
            place.rules.report.bad(error, "bad span")
    return out


def _span(span: object, number: int, ruler: Ruler, place: Place) -> Span:
    at = f"spans[{number}]"
    if isinstance(span, (list, tuple)) and len(span) == 3:
        if isinstance(span[0], str) and not isinstance(span[2], str):
            hint = "[[input=seqeval-entities]]   for a type, the first and the last token"
            place.wrong(f"{at} is {shown(span)}", "start, end and label, in this order", hint)
        span = dict(zip((place.rules.names[key][0] for key in ("start", "end", "label")), span, strict=True))
    if not isinstance(span, OBJECTS):
        place.wrong(f"{at} is {shown(span)}", "an object with start, end and label")
    label = _label(span, at, place)
    own = text_of(place.get(span, "span_text"), f"{at}.text", place.where)
    score = _score(span, at, place)
    meta = meta_of(span.get(named)) if (named := meta_name(place.rules.names)) else None
    start, end, pieces = place.get(span, "start"), place.get(span, "end"), span.get(FRAGMENTS)
    none = isinstance(pieces, list) and not pieces and start is not None  # exporters write [] for one piece
    if pieces is not None and not none:
        fragments = ruler.fragments_of(pieces, at)
        _note_contradiction(start, end, pieces, at, place)
        several = fragments if len(fragments) > 1 else None
        return Span(fragments[0][0], fragments[-1][1], label, own, several, score, number, meta)
    if start is None and end is None and own is not None:
        _refuse_other_names(span, at, place)
        return Span(NOWHERE, NOWHERE, label, own, None, score, number, meta)
    ruler.quoted = own is not None
    return Span(*ruler.offsets_of(start, end, at), label, own, None, score, number, meta)


def _refuse_other_names(span: Mapping[str, Any], at: str, place: Place) -> None:
    """Refuse a quote that has its place under names that tables may have: it would seem to stand nowhere."""
    present = {squashed(str(key)): str(key) for key, own in span.items() if as_whole(own) is not None}
    first, last = (first_named(ROWS[field], present) for field in ("start", "end"))
    if first is not None and last is not None:
        what = f"{at} has no start and end, but {first} and {last}"
        place.wrong(what, "start and end", f"[[fields=start={first}]] and [[fields=end={last}]]")


def _note_contradiction(start: object, end: object, pieces: list[Any], at: str, place: Place) -> None:
    """Note a start and an end, where a span with fragments has them, that are not those of its fragments."""
    own = min(one[0] for one in pieces), max(one[1] for one in pieces)
    if any(one is not None and as_whole(one) != other for one, other in zip((start, end), own, strict=True)):
        values = {"at": at, "start": quote(start), "end": quote(end), "first": own[0], "last": own[1]}
        place.notes.append(problem_at("other place", place.where, values, row=place.row))


def _label(span: Mapping[str, Any], at: str, place: Place) -> str:
    names = place.rules.names["label"]
    key = name_of(span, names)
    if key is None:
        place.wrong(
            f"{at} has no label (it has {fields_of(span)})",
            " or ".join(names),
            "[[fields=label=NAME]]   if it stands under another name",
        )
    return label_of(span[key], f"{at}.{key}", place.where)


def _score(span: Mapping[str, Any], at: str, place: Place) -> float | None:
    """Return how sure a system is of a span, where it says so."""
    key = name_of(span, place.rules.names["span_score"])
    return None if key is None or span[key] is None else confidence_of(span[key], f"{at}.{key}", place.where)
