"""The reader that explains: one document at a time, from plain Python objects.

It says what is accepted. The fast ways in `objects` and `jsonl` accept a subset of it and hand over whatever
they do not like.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from numbers import Real
from typing import Any, NoReturn

from spanscope.arguments import as_whole, holds, identifier
from spanscope.data.corpus import FARTHEST, NOWHERE
from spanscope.data.problems import Problem, problem_at, quote
from spanscope.errors import InputError, fields_of, plural, shown
from spanscope.io.builder import places
from spanscope.io.fields import FRAGMENTS, Fields
from spanscope.io.spans.batch import Batch, Fragments
from spanscope.io.surrogates import refuse_half

ANSWERS = ("accept", None)
OFFSETS = {"codepoints": "code points", "utf16": "UTF-16 units", "utf8": "UTF-8 bytes"}


def unit_of(offsets: object) -> str:
    """Return the unit of start and end, refused where it is none."""
    if not isinstance(offsets, str) or offsets not in OFFSETS:
        raise InputError(f"offsets are in {shown(offsets)}", expected=" or ".join(OFFSETS))
    return offsets


Read = tuple[int, int, str, str | None, Fragments | None, float | None]  # the last is how sure a system is
Span = tuple[int, int, str, str | None, Fragments | None, float | None, int]  # and its number in the document


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


@dataclass(frozen=True)
class Place:
    """Where in the input we are, for messages, and the settings of the reader."""

    where: str
    names: Fields
    offsets: str
    report: Report
    notes: list[Problem]  # what is odd, and stops nothing
    row: int  # of the document in its batch

    def wrong(self, what: str, expected: str = "", hint: str = "") -> NoReturn:
        """Refuse a value here."""
        raise InputError(what, where=self.where, expected=expected, hint=hint)


def read_documents(
    documents: Iterable[object],
    where: Callable[[int], str],
    names: Fields,
    offsets: str,
    report: Report,
    first: int = 0,
) -> Batch:
    """Return the columns of some documents; raises or reports the first thing wrong with each span."""
    batch = Batch([], [], [], [], [], [], [], rows=[], scores=[])
    for row, document in enumerate(documents, start=first):
        place = Place(where(row), names, offsets, report, batch.notes, len(batch.ids))
        _refuse_unaccepted(document, place)
        try:
            name, text, spans = _document(document, place)
        except InputError as error:
            report.bad(error, "bad document")
            continue
        batch.rows.append(row)  # type: ignore[attr-defined]
        batch.ids.append(name)  # type: ignore[attr-defined]
        batch.texts.append(text)  # type: ignore[attr-defined]
        batch.sizes.append(len(spans))  # type: ignore[attr-defined]
        for start, end, label, own, fragments, score, number in spans:
            batch.numbers.append(number)
            if fragments is not None:
                batch.fragments[len(batch.starts)] = fragments
            for column, value in zip(
                (batch.starts, batch.ends, batch.labels, batch.given, batch.scores),
                (start, end, label, own, score),
                strict=True,
            ):
                column.append(value)
    return batch


def is_accepted(document: object) -> bool:
    """Tell examples that Prodigy's annotators rejected or ignored from all other documents."""
    return not (isinstance(document, dict) and document.get("answer") not in ANSWERS and "_task_hash" in document)


def _refuse_unaccepted(document: Any, place: Place) -> None:
    """Refuse such examples: they are neither gold nor predictions."""
    if not is_accepted(document):
        error = InputError(
            f"the answer is {shown(document['answer'])}",
            where=place.where,
            expected="accepted examples only",
            hint='grep \'"answer":"accept"\'   to keep those',
        )
        place.report.bad(error, "not accepted")


def _document(document: object, place: Place) -> tuple[str | None, str | None, list[Span]]:
    """Return id, text and spans of a document in any of the shapes people have."""
    if isinstance(document, (list, tuple)):
        if len(document) == 2 and isinstance(document[0], str) and isinstance(document[1], dict):
            document = {"text": document[0], **document[1]}  # spaCy's (text, {"entities": [...]})
        else:
            return None, None, _spans(list(document), None, place)  # nervaluate's list of spans
    if not isinstance(document, dict):
        place.wrong(f"a document is {shown(document)}", "an object with id, text and spans")
    name = _id(_get(document, "id", place), place)
    text = _get(document, "text", place)
    if text is not None and not isinstance(text, str):
        place.wrong(f"{place.names['text'][0]} is {shown(text)}", "a string")
    refuse_half(text, place.names["text"][0], place.where)
    keys = [key for key in place.names["spans"] if key in document]
    if not keys:
        _no_spans(document, place)
    full = [key for key in keys if holds(document[key])]
    if len(full) > 1:
        hint = f"[[fields=spans={full[1]}]]   or [[fields=spans={full[0]}]]"
        place.wrong(f"a document has both {full[0]} and {full[1]}", "spans under one name", hint)
    key = (full or keys)[0]
    found = document[key]
    if isinstance(found, dict) and all(isinstance(group, list) for group in found.values()):
        found = [span for group in found.values() for span in group]  # spaCy's groups of spans: {"sc": [...]}
    if isinstance(found, tuple):
        found = list(found)
    if not isinstance(found, list):
        place.wrong(f"{key} is {shown(found)}", "a list of spans, empty if there are none")
    return name, text, _spans(found, text, place)


def _no_spans(document: dict[str, object], place: Place) -> NoReturn:
    place.wrong(
        f"a document has no spans (it has {fields_of(document)})",
        " or ".join(place.names["spans"]) + ", an empty list if there are none",
        "[[fields=spans=NAME]]   if they stand under another name; are gold and predictions swapped?",
    )


def _get(document: dict[str, object], field_name: str, place: Place) -> object:
    """Return what stands under the first of a field's names that is not null."""
    return next((document[key] for key in place.names[field_name] if document.get(key) is not None), None)


def _id(value: object, place: Place) -> str | None:
    if value is None:
        return None
    name = identifier(value)
    if name is None:
        place.wrong(f"id is {shown(value)}", "a string or a whole number")
    refuse_half(name, "id", place.where)
    return name


def _spans(found: list[object], text: str | None, place: Place) -> list[Span]:
    convert = None
    if place.offsets != "codepoints" and found:
        if text is None:
            place.wrong(f"offsets in {OFFSETS[place.offsets]} need the text of the document", "a text")
        convert = places(text, place.offsets)
    out: list[Span] = []
    for number, span in enumerate(found):
        try:
            out.append((*_span(span, f"spans[{number}]", text, convert, place), number))
        except InputError as error:
            place.report.bad(error, "bad span")
    return out


def _span(
    span: object, at: str, text: str | None, convert: Callable[[int], int | None] | None, place: Place
) -> Read:
    if isinstance(span, (list, tuple)) and len(span) == 3:
        span = dict(zip((place.names[key][0] for key in ("start", "end", "label")), span, strict=True))
    if not isinstance(span, dict):
        place.wrong(f"{at} is {shown(span)}", "an object with start, end and label")
    label = _label(span, at, place)
    own = _get(span, "span_text", place)
    if own is not None and not isinstance(own, str):
        place.wrong(f"{at}.text is {shown(own)}", "a string")
    refuse_half(own, f"{at}.text", place.where)
    score = _score(span, at, place)
    pieces = span.get(FRAGMENTS)
    none = isinstance(pieces, list) and not pieces and _get(span, "start", place) is not None  # in one piece
    if pieces is not None and not none:
        fragments = _fragments(pieces, at, text, convert, place)
        _note_contradiction(span, at, place)
        return fragments[0][0], fragments[-1][1], label, own, fragments if len(fragments) > 1 else None, score
    start, end = _get(span, "start", place), _get(span, "end", place)
    if start is None and end is None and own is not None:
        return NOWHERE, NOWHERE, label, own, None, score
    return *_offsets(start, end, at, text, convert, place), label, own, None, score


def _note_contradiction(span: dict[str, Any], at: str, place: Place) -> None:
    """Note a start and an end, where a span with fragments has them, that are not those of its fragments."""
    start, end = _get(span, "start", place), _get(span, "end", place)
    own = min(one[0] for one in span[FRAGMENTS]), max(one[1] for one in span[FRAGMENTS])
    if any(one is not None and as_whole(one) != other for one, other in zip((start, end), own, strict=True)):
        values = {"at": at, "start": quote(start), "end": quote(end), "first": own[0], "last": own[1]}
        place.notes.append(problem_at("other place", place.where, values, row=place.row))


def _label(span: dict[str, object], at: str, place: Place) -> str:
    present = [key for key in place.names["label"] if key in span]
    key = next((key for key in present if span[key] is not None), present[0] if present else None)
    if key is None:
        place.wrong(
            f"{at} has no label (it has {fields_of(span)})",
            " or ".join(place.names["label"]),
            "[[fields=label=NAME]]   if it stands under another name",
        )
    label = span[key]
    if not isinstance(label, str):
        place.wrong(f"{at}.{key} is {shown(label)}", "a string")
    if label == "*":
        place.wrong(f"{at}.{key} is '*'", "another name: '*' stands for all labels together")
    refuse_half(label, f"{at}.{key}", place.where)
    return label


def _score(span: dict[str, object], at: str, place: Place) -> float | None:
    """Return how sure a system is of a span: what stands under the first of the names that is not null."""
    key = next((key for key in place.names["span_score"] if span.get(key) is not None), None)
    if key is None:
        return None
    value = span[key]
    try:
        score = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        score = math.inf
    if not math.isfinite(score):
        hint = "[[fields=span_score=NAME]]   if the confidence stands under another name"
        place.wrong(f"{at}.{key} is {shown(value)}", "a number", hint)
    return score


def _offsets(
    start: object,
    end: object,
    at: str,
    text: str | None,
    convert: Callable[[int], int | None] | None,
    place: Place,
) -> tuple[int, int]:
    """Return start and end in code points, checked against each other and the text."""
    numbers = []
    for name, value in (("start", start), ("end", end)):
        if value is None:
            place.wrong(f"{at} has no {name}", "start and end, or a text without them")
        whole = as_whole(value)
        if whole is None:
            place.wrong(f"{at}.{name} is {shown(value)}", "a whole number")
        limit = f"0 <= start <= end <= {len(text)}" if text is not None else "0 <= start <= end"
        if whole < 0:
            place.wrong(f"{at}.{name} is {shown(whole)}, before the start of the text", limit)
        moved = convert(whole) if convert else whole
        if moved is None:
            place.wrong(
                f"{at}.{name} is {shown(whole)}, inside a character or past the end of the text",
                f"an offset in {OFFSETS[place.offsets]} between two characters",
            )
        if text is not None and moved > len(text):
            place.wrong(
                f"{at}.{name} is {shown(whole)}, past the end of the text ({plural(len(text), 'character')})",
                limit,
                "[[offsets=utf16]]   if the offsets come from JavaScript or Java",
            )
        if moved > FARTHEST:
            place.wrong(f"{at}.{name} is {shown(whole)}", "an offset into a text")
        numbers.append(moved)
    if numbers[1] < numbers[0]:
        place.wrong(f"{at} ends at {end}, before it starts at {start}", limit)
    return numbers[0], numbers[1]


def _fragments(
    found: object, at: str, text: str | None, convert: Callable[[int], int | None] | None, place: Place
) -> Fragments:
    if not isinstance(found, list) or not found:
        place.wrong(f"{at}.fragments is {shown(found)}", "a list of [start, end], at least one")
    out = []
    for number, fragment in enumerate(found):
        if not isinstance(fragment, (list, tuple)) or len(fragment) != 2:
            place.wrong(f"{at}.fragments[{number}] is {shown(fragment)}", "[start, end]")
        out.append(_offsets(fragment[0], fragment[1], f"{at}.fragments[{number}]", text, convert, place))
    out.sort()
    if any(b[0] < a[1] for a, b in pairwise(out)):
        place.wrong(f"{at}.fragments overlap", "fragments that share no character")
    return _joined(out)


def _joined(fragments: Fragments) -> Fragments:
    """Join fragments that touch and drop empty ones, so that one set of characters has one form."""
    out: Fragments = []
    for start, end in fragments:
        if out and out[-1][1] == start and start < end:
            out[-1] = (out[-1][0], end)
        elif start < end:
            out.append((start, end))
    return out or fragments[:1]
