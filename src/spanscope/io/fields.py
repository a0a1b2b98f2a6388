"""Under which names a file may keep a document's and a span's fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spanscope.errors import InputError, did_you_mean

Fields = dict[str, tuple[str, ...]]

KNOWN: Fields = {
    "id": ("id", "_input_hash"),  # the second is Prodigy's
    "text": ("text",),
    "spans": ("spans", "ents", "entities"),  # the second is spaCy's
    "start": ("start",),
    "end": ("end",),
    "label": ("label", "tag", "type", "entity_type"),
    "span_text": ("text",),
}


def fields(given: Mapping[str, str] | None) -> Fields:
    """Return the accepted names, with the user's own in place of the usual ones."""
    out = dict(KNOWN)
    for name, own in (given or {}).items():
        if name not in out:
            raise InputError(
                f"no field is called {name!r}{did_you_mean(name, out)}",
                expected=", ".join(out),
                hint="--field label=category",
            )
        out[name] = (own,)
    return out


def settled(names: Fields, documents: Sequence[object]) -> Fields:
    """Put the names that the first documents really use in front, so that both readers choose the same."""
    out = dict(names)
    first = [document for document in documents if isinstance(document, dict)]
    for key in ("id", "text", "spans"):
        out[key] = _used_first(out[key], first)
    if not any(name in document for name in out["id"] for document in first):
        out["id"] = out["id"][:1]
    for document in first:
        spans = document.get(out["spans"][0])
        if isinstance(spans, list) and spans and isinstance(spans[0], dict):
            for key in ("start", "end", "label", "span_text"):
                out[key] = _used_first(out[key], spans[:1])
            break
    return out


def _used_first(names: tuple[str, ...], documents: Sequence[dict[str, object]]) -> tuple[str, ...]:
    used = [name for name in names if any(name in document for document in documents)]
    return (*used, *(name for name in names if name not in used))
