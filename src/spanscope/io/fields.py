"""Under which names a file may keep a document's and a span's fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spanscope.errors import InputError, did_you_mean

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
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"field is {given!r}", expected='names by name, e.g. {"label": "category"}')
    for name, own in (given or {}).items():
        if not isinstance(own, str):
            raise InputError(f"the field {name!r} is {own!r}", expected="the name under which it stands")
        if name not in out:
            raise InputError(
                f"no field is called {name!r}{did_you_mean(name, out)}",
                expected=", ".join(out),
                hint="--field label=category",
            )
        out[name] = (own,)
    if "span_score" not in (given or {}):  # a label that stands under score is no confidence
        taken = {own for name, own in (given or {}).items() if name in OF_SPANS}
        out["span_score"] = tuple(own for own in KNOWN["span_score"] if own not in taken)
    return out


Names = dict[str, str]


def chosen(names: Fields, documents: Sequence[object]) -> Names:
    """Return the name of each field that the first documents use: the one the fast readers look for.

    Which name counts where there are several is fixed (the first of `KNOWN`) and decided span by span, by the
    careful reader; the fast ones hand over whatever has a name that comes before theirs.
    """
    first = [document for document in documents if isinstance(document, dict)]
    out = {key: _used(names[key], first) for key in ("id", "text", "spans")}
    spans: list[dict[str, object]] = []
    for document in first:
        found = document.get(out["spans"])
        if isinstance(found, list) and found and isinstance(found[0], dict):
            spans = found[:1]
            break
    return out | {key: _used(names[key], spans) for key in ("start", "end", "label", "span_text")}


def before(names: Fields, used: Names, *keys: str) -> tuple[str, ...]:
    """Return the names of fields that come before the ones that are used."""
    return tuple(name for key in keys for name in names[key][: names[key].index(used[key])])


OF_SPANS = ("start", "end", "label", "span_text")


def _used(names: tuple[str, ...], documents: Sequence[dict[str, object]]) -> str:
    return next((name for name in names if any(name in document for document in documents)), names[0])
