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


def writer_of(family: str, name: str | None, path: str) -> Writer:
    """Return the form in which documents are written: the one named, else by the ending of the path."""
    known = WRITERS[family]
    names = [one.name for one in known]
    if name is not None:
        found = next((one for one in known if one.name == name), None)
        if found is None:
            what = f"{family} cannot be written as {named(name)}{did_you_mean(name, names)}"
            raise MeasureError(what, expected=", ".join(names))
        return found
    suffix = PurePath(path).suffix
    by_suffix = next((one for one in known if suffix and suffix in one.suffixes), None)
    if by_suffix is None:
        what = f"nothing shows in which form to write it: no form of {family} ends with {suffix or 'no suffix'}"
        raise InputError(what, where=path, expected=", ".join(names), hint="[[to=NAME]]   to say which")
    return by_suffix


def writers_read_as(name: str) -> list[Writer]:
    """Return the forms that are read back as a format."""
    return [one for family in WRITERS for one in WRITERS[family] if one.family == family and name in one.reads_as]
