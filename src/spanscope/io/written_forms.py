"""The table of forms in which documents are written, by family; those of spans hold the spans of tokens too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from spanscope.errors import InputError, MeasureError, did_you_mean, named
from spanscope.io.passages.writers import WRITERS as PASSAGES
from spanscope.io.segments.writers import WRITERS as SEGMENTS
from spanscope.io.spans.writers import WRITERS as SPANS
from spanscope.io.tokens.writers import WRITERS as TOKENS
from spanscope.io.writer import Writer

WRITERS: dict[str, Sequence[Writer]] = {
    "spans": SPANS,
    "tokens": (*TOKENS, *(one for one in SPANS if one.name != "conll")),
    "segments": SEGMENTS,
    "passages": PASSAGES,
}
NAMES = frozenset(one.name for family in WRITERS for one in WRITERS[family])


def writer_of(family: str, name: str | None, path: str) -> Writer:
    """Return the form in which documents are written: the one named, else by the ending of the path."""
    known = WRITERS[family]
    names = [one.name for one in known]
    if name is not None:
        found = next((one for one in known if one.name == name), None) or _plugged_form(family, name)
        if found is None:
            what = f"{family} cannot be written as {named(name)}{did_you_mean(name, names)}"
            raise MeasureError(what, expected=", ".join(names))
        return found
    suffix = PurePath(path).suffix
    by_suffix = next((one for one in known if suffix and suffix in one.suffixes), None)
    if by_suffix is None and suffix:
        by_suffix = _plugged_by_suffix(family, path, suffix)
    if by_suffix is None:
        what = f"nothing shows in which form to write it: no form of {family} ends with {suffix or 'no suffix'}"
        raise InputError(what, where=path, expected=", ".join(names), hint="[[to=NAME]]   to say which")
    return by_suffix


def _plugged_form(family: str, name: str) -> Writer | None:
    from spanscope.io.plugged import plugged_writer  # what other runs need not wait for

    found = plugged_writer(name, NAMES)
    return found if found is not None and _holds(found, family) else None


def _plugged_by_suffix(family: str, path: str, suffix: str) -> Writer | None:
    """Return the only form of a package that is chosen by the ending of a path."""
    from spanscope.io.plugged import plugged_writers

    found = [one for one in plugged_writers(NAMES)[0] if suffix in one.suffixes and _holds(one, family)]
    if len(found) > 1:
        what = f"several forms end with {suffix}: {', '.join(f'{one.name} of {one.origin}' for one in found)}"
        raise InputError(what, where=path, hint="[[to=NAME]]   to say which")
    return found[0] if found else None


def _holds(form: Writer, family: str) -> bool:
    """Tell whether a form can hold documents of a family: those of spans hold the spans of tokens too."""
    return form.family == family or (form.family, family) == ("spans", "tokens")


def every_writer() -> list[Writer]:
    """Return all forms of our own, each once."""
    return [one for family in WRITERS for one in WRITERS[family] if one.family == family]
