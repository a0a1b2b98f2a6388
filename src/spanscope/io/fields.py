"""Under which names a file may keep a document's and a span's fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

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
FORMS = ("segmentations", "segments", "boundaries", "masses", "string")  # in which a segmentation may come


def fields(given: Mapping[str, str] | None, *, segments: bool = False) -> Fields:
    """Return the accepted names, with the user's own in place of the usual ones."""
    out = {**KNOWN, **SEGMENTS, "text": ("text", "trace", "full_text")} if segments else dict(KNOWN)
    renamed = own_names(given)
    for name, own in renamed.items():
        if name not in out:
            raise InputError(
                f"no field is called {shown(name)}{did_you_mean(name, out)}",
                expected=", ".join(out),
                hint="--field label=category",
            )
        out[name] = (own,)
    for one, other in (*combinations(("id", "text", "spans"), 2), *combinations(OF_SPANS, 2)):
        if both := set(out[one]) & set(out[other]):
            raise InputError(
                f"the fields {one} and {other} are both called {min(both)!r}",
                expected="a name each",
                hint=f"--field {other}=NAME   besides, if there is such a field",
            )
    if "span_score" not in renamed:  # a label that stands under score is no confidence
        taken = {own for name, own in renamed.items() if name in OF_SPANS}
        out["span_score"] = tuple(own for own in KNOWN["span_score"] if own not in taken)
    return out


def own_names(given: Mapping[str, str] | None) -> dict[str, str]:
    """Return the names that fields have by the user's word, refused where they are none."""
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"field is {shown(given)}", expected='names by name, e.g. {"label": "category"}')
    for name, own in (given or {}).items():
        if not isinstance(own, str):
            raise InputError(f"the field {shown(name)} is {shown(own)}", expected="the name under which it stands")
        refuse_half("field", own)
    return dict(given or {})


Names = dict[str, str]


def chosen(names: Fields, documents: Sequence[object]) -> Names:
    """Return the name of each field that the first documents use: the one the fast readers look for.

    Which name counts where there are several is fixed (the first of `KNOWN`) and decided span by span, by the
    careful reader; the fast ones hand over whatever has another name that may count.
    """
    first = [document for document in documents if isinstance(document, dict)]
    out = {key: _used(names[key], first) for key in ("id", "text", "spans")}
    spans: list[dict[str, object]] = []
    for document in first:
        found = document.get(out["spans"])
        if isinstance(found, list) and found and isinstance(found[0], dict):
            spans = found[:1]
            break
    return out | {key: _used(names[key], spans) for key in OF_SPANS}


FRAGMENTS = "fragments"  # the pieces of a span, in place of its start and end


def strangers(names: Fields, used: Names) -> tuple[str, ...]:
    """Return the names of a document's fields that the fast readers do not look for.

    A document that has one of them is for the careful reader: which of several names counts is said there.
    """
    keys = ("id", "text", "spans")
    taken = {used[key] for key in keys}
    return tuple(name for key in keys for name in names[key] if name not in taken)


def span_strangers(names: Fields, used: Names) -> tuple[str, ...]:
    """Return the names of a span's fields that the fast readers do not look for, though they may count.

    Start, end and label must be there, so only names that come before the ones used can count in their place; a
    text need not be there, and any of its names may stand for it. Fragments count in place of start and end.
    """
    first = [name for key in ("start", "end", "label") for name in names[key][: names[key].index(used[key])]]
    texts = [name for name in names["span_text"] if name != used["span_text"]]
    taken = {used[key] for key in OF_SPANS}
    return tuple(dict.fromkeys(name for name in (FRAGMENTS, *first, *texts) if name not in taken))


def _used(names: tuple[str, ...], documents: Sequence[dict[str, object]]) -> str:
    return next((name for name in names if any(name in document for document in documents)), names[0])
