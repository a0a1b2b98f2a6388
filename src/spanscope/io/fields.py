"""Under which names a file may keep a document's and a span's fields, and which of them counts.

The rule: of the names that a field may have, the first counts under which something stands, and null is nothing.
It is decided anew for every document and every span (`value_of`), because names may change within a file. The fast
readers look under one name for each field (`chosen_names`), and hand over whatever has something under another
name that would count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from spanscope.arguments import refuse_half
from spanscope.errors import InputError, did_you_mean, shown

Fields = dict[str, tuple[str, ...]]

KNOWN: Fields = {
    "id": ("id", "_input_hash"),  # the second is Prodigy's
    "text": ("text", "full_text"),  # the second, and those of start, end and the span's text, are Presidio's
    "spans": ("spans", "ents", "entities"),  # the second is spaCy's
    "start": ("start", "start_position"),
    "end": ("end", "end_position"),
    "label": ("label", "tag", "type", "entity_type"),
    "span_text": ("text", "entity_value"),
    "span_score": ("score", "confidence"),  # how sure a system is of the span
}
OF_SPANS = ("start", "end", "label", "span_text")
SEGMENTS: Fields = {  # fields that only segmentations have
    "segmentations": ("segmentations",),
    "segments": ("segments", "spans"),
    "boundaries": ("boundaries",),
    "masses": ("masses",),
    "string": ("string",),
    "length": ("length", "len"),
    "ptime": ("ptime",),
}
PASSAGES: Fields = {  # fields of queries and of what was retrieved for them
    "id": ("id", "query_id", "qid"),
    "query": ("query", "question", "user_input"),
    "answers": ("snippets", "answers", "gold"),
    "passages": ("retrieved_passages", "retrieved", "passages", "results"),
    "passage_text": ("answer", "text", "content"),
    "passage_id": ("id", "doc_id"),
    "file_path": ("file_path",),
    "span": ("span",),
    "score": ("score",),
    "relevance": ("relevance",),
}
OF_DOCUMENTS = ("id", "text", "spans")
ERROR = "error"  # why a model gave no answer: noted by the strict reader
FRAGMENTS = "fragments"  # the pieces of a span, in place of its start and end
DOCUMENT = ("doc", "id", "document")  # the column that names a span's document, where a row is a span
FORMS = ("segmentations", "segments", "boundaries", "masses", "string")  # in which a segmentation may come


def fields(given: Mapping[str, str] | None, *, segments: bool = False) -> Fields:
    """Return the accepted names, with the user's own in place of the usual ones."""
    out = {**KNOWN, **SEGMENTS, "text": ("text", "trace", "full_text")} if segments else dict(KNOWN)
    renamed = _rename(out, given, "label=category")
    _refuse_same(out, (*combinations(OF_DOCUMENTS, 2), *combinations(OF_SPANS, 2)))
    if "span_score" not in renamed:  # a label that stands under score is no confidence
        taken = {own for name, own in renamed.items() if name in OF_SPANS}
        out["span_score"] = tuple(own for own in KNOWN["span_score"] if own not in taken)
    return out


def passage_fields(given: Mapping[str, str] | None) -> Fields:
    """Return the accepted names of fields of queries, with the user's own in place of the usual ones."""
    out = dict(PASSAGES)
    _rename(out, given, "passages=chunks")
    _refuse_same(out, (("id", "query"), ("answers", "passages"), ("query", "passages")))
    return out


def check_fields(given: Mapping[str, str] | None, family: str) -> None:
    """Refuse names that no field of a family has."""
    if family == "passages":
        passage_fields(given)
    else:
        fields(given, segments=family == "segments")


def _rename(out: Fields, given: Mapping[str, str] | None, example: str) -> dict[str, str]:
    """Put the user's own names in the place of the usual ones, and return them."""
    renamed = own_names(given)
    for name, own in renamed.items():
        if name not in out:
            raise _no_field(name, out, example)
        out[name] = (own,)
    return renamed


def refuse_unknown_field(given: Mapping[str, str]) -> None:
    """Refuse names that no field of any family has."""
    known = {**KNOWN, **SEGMENTS, **PASSAGES}
    if (name := next((name for name in given if name not in known), None)) is not None:
        raise _no_field(name, known, "label=category")


def _no_field(name: str, known: Fields, example: str) -> InputError:
    """Return the refusal of a field's name; one that a field usually has in files leads to that field."""
    field = next((field for field, names in known.items() if name in names), None)
    near = f"; did you mean {field!r}?" if field else did_you_mean(name, known)
    hint = f"[[fields={example}]]"
    return InputError(f"no field is called {shown(name)}{near}", expected=", ".join(known), hint=hint)


def _refuse_same(out: Fields, pairs: Iterable[tuple[str, str]]) -> None:
    """Refuse two fields that would be looked for under one name."""
    for one, other in pairs:
        if both := set(out[one]) & set(out[other]):
            raise InputError(
                f"the fields {one} and {other} are both called {min(both)!r}",
                expected="a name each",
                hint=f"[[fields={other}=NAME]]   besides, if there is such a field",
            )


def own_names(given: Mapping[str, str] | None) -> dict[str, str]:
    """Return the names that fields have by the user's word, refused where they are none."""
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"field is {shown(given)}", expected='names by name, e.g. {"label": "category"}')
    for name, own in (given or {}).items():
        if not isinstance(own, str):
            raise InputError(
                f"the field {shown(name)} is {shown(own)}", expected="the name of the field in the file"
            )
        refuse_half("field", own)
    return dict(given or {})


# ---------------------------------------------------------------- which of several names counts


def value_of(record: Mapping[str, Any], names: Iterable[str]) -> Any:
    """Return what stands under the first of a field's names under which something stands; None where nothing does.

    >>> value_of({"label": None, "tag": "A", "type": "B"}, KNOWN["label"])
    'A'
    """
    for name in names:  # a plain loop is twice as fast as a generator
        if (value := record.get(name)) is not None:
            return value
    return None


def name_of(record: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """Return the name of a field that counts; where nothing stands under any, the first that is there."""
    empty = None
    for name in names:
        if name in record:
            if record[name] is not None:
                return name
            empty = empty or name
    return empty


def first_values(columns: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Return what counts in every row, of columns in the order of their names; nothing where all of it is null.

    >>> first_values([[None, 1], [2, 3]])
    [2, 1]
    """
    full = [column for column in columns if any_there(column)]
    if len(full) < 2:
        return full[0] if full else ()
    return [next((value for value in row if value is not None), None) for row in zip(*full, strict=True)]


def any_there(values: Sequence[object]) -> bool:
    """Tell whether a value is not null; stops at the first that is not."""
    return bool(values) and (values[0] is not None or values.count(None) < len(values))


# ---------------------------------------------------------------- the names of plain documents


class Names(NamedTuple):
    """The one name under which a fast reader looks for each field, and the names where nothing may stand."""

    id: str
    text: str
    spans: str
    start: str
    end: str
    label: str
    span_text: str
    scores: tuple[str, ...]  # all names of a confidence: a span need not have one
    meta: str  # of documents and of spans; "" where another field has that name
    others: tuple[str, ...]  # of documents
    span_others: tuple[str, ...]


def chosen_names(known: Fields, documents: Sequence[object]) -> Names:
    """Return the names that the first documents use."""
    first = [document for document in documents if isinstance(document, dict)]
    spans = _name_used(known["spans"], first)
    found = (document.get(spans) for document in first)
    span = next((one[:1] for one in found if isinstance(one, list) and one and isinstance(one[0], dict)), [])
    return _names(known, first, spans, span)


def chosen_columns(known: Fields, present: Collection[str]) -> Names:
    """Return the names that a table with one row per span uses."""
    return _names(known, (), known["spans"][0], [dict.fromkeys(present)])


def _names(
    known: Fields, documents: Sequence[Collection[str]], spans: str, span: Sequence[Collection[str]]
) -> Names:
    """Return the names used, and those that would count before them or in their place.

    Start, end and label must be there, so only names that come before the ones used can count in their place; a
    text need not be there, and any of its names may stand for it. Fragments count in place of start and end.
    """
    own = {key: _name_used(known[key], documents) for key in ("id", "text")} | {"spans": spans}
    of_span = {key: _name_used(known[key], span) for key in OF_SPANS}
    others = [ERROR, *(name for key in OF_DOCUMENTS for name in known[key])]
    before = [name for key in ("start", "end", "label") for name in known[key][: known[key].index(of_span[key])]]
    return Names(
        **own,
        **of_span,
        scores=known["span_score"],
        meta=meta_name(known),
        others=_names_without(others, own.values()),
        span_others=_names_without((FRAGMENTS, *before, *known["span_text"]), of_span.values()),
    )


def meta_name(known: Fields) -> str:
    """Return the name under which metadata stands; "" where somebody gave that name to another field."""
    return "" if any("meta" in names for names in known.values()) else "meta"


def _name_used(names: Sequence[str], records: Sequence[Collection[str]]) -> str:
    return next((name for name in names if any(name in record for record in records)), names[0])


def _names_without(names: Iterable[str], taken: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name not in taken))


# ---------------------------------------------------------------- tables with one row per span


def has_row_a_span(present: Collection[str], known: Fields) -> bool:
    """Tell a table with one row per span: there are columns of offsets, and none of lists of spans."""
    return not any(name in present for name in known["spans"]) and all(
        any(name in present for name in known[key]) for key in ("start", "end")
    )


def document_names(known: Fields) -> tuple[str, ...]:
    """Return the names of the column that names a span's document; the first that is there counts."""
    return DOCUMENT if known["id"] == KNOWN["id"] else known["id"]
