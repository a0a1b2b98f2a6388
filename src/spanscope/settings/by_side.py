"""Sources that are read differently: other names of fields, another format, other offsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spanscope.errors import MeasureError
from spanscope.families import TOKENS
from spanscope.io.detect import check_said
from spanscope.io.fields import check_fields, own_names
from spanscope.io.format import Format
from spanscope.io.offsets import unit_of
from spanscope.io.read_options import LEFT_OPEN
from spanscope.io.tokens.tag_rules import TagRules
from spanscope.settings.left_open import left_open
from spanscope.settings.options import about, options_of
from spanscope.settings.reading import Reading
from spanscope.settings.run_settings import Settings, Side
from spanscope.settings.settle import refuse_given, tag_rules

BY_SIDE = tuple(name for name, one in options_of(Reading).items() if about(one).by_side)


@dataclass(frozen=True)
class Sourced:
    """A source with the options by which it is read, where they are its own."""

    source: Any
    given: Mapping[str, Any]


def source(
    path: Any,
    *,
    input: str | None = None,
    fields: Mapping[str, str] | None = None,
    offsets: str | None = None,
    columns: Mapping[str, int | str] | None = None,
    scheme: str | None = None,
    ends: str | None = None,
    annotator: str | None = None,
    layer: str | None = None,
    split: str | None = None,
    label_names: Mapping[str, str] | None = None,
    texts: Any = None,
    keep_fields: Sequence[str] | None = None,
) -> Sourced:
    """Return a source that is read in its own way, to be given as gold, as predictions or as an annotator.

    What is not said here is read as `read` says for all sources.

    >>> gold = source([{"id": 1, "marks": [[0, 4, "A"]]}], fields={"spans": "marks"})
    """
    given = {
        "input": input,
        "fields": fields,
        "offsets": offsets,
        "columns": columns,
        "scheme": scheme,
        "ends": ends,
        "annotator": annotator,
        "layer": layer,
        "split": split,
        "label_names": label_names,
        "texts": texts,
        "keep_fields": keep_fields,
    }
    return Sourced(path, {name: value for name, value in given.items() if value is not None})


def split_source(value: Any) -> tuple[Any, Mapping[str, Any]]:
    """Return a source and the options that are its own."""
    return (value.source, value.given) if isinstance(value, Sourced) else (value, {})


def join_source(value: Any, given: Mapping[str, Any]) -> Any:
    """Return a source with the options that are its own, where it has some."""
    return Sourced(value, given) if given else value


def reading_of(shared: Reading, own: Mapping[str, Any]) -> Reading:
    """Return how a side is read: by its own options before those of both; names of fields add up."""
    if "fields" in own:
        own = {**own, "fields": {**own_names(shared.fields), **own_names(own["fields"])}}
    return replace(shared, **own)


def with_sides(
    settings: Settings, shared: Reading, *, gold: Mapping[str, Any], pred: Mapping[str, Any]
) -> Settings:
    """Return settings that know how each side is read, everything checked as for both."""
    given = {"gold": gold, "pred": pred}
    sides = {side: _side(settings, shared, own) for side, own in given.items() if own}
    return replace(settings, sides=sides) if sides else settings


def _side(settings: Settings, shared: Reading, own: Mapping[str, Any]) -> Side:
    """Return how a side is read by options of its own, everything checked."""
    if settings.protocol.read is not None:
        what = settings.protocol.name
        raise MeasureError(
            f"{min(own)} of one side has no effect on {what}", expected=f"no {min(own)} of one side"
        )
    read = reading_of(shared, own)
    check_fields(read.fields, settings.family.name)
    said = tag_rules(read)
    if "scheme" in own and settings.protocol.tags is not None:
        raise MeasureError(
            f"{settings.protocol.name} reads tags by the rules of the tool it copies",
            expected="no scheme of one side",
        )
    scheme = said.scheme if "scheme" in own else settings.tags.scheme
    tags = replace(settings.tags, input=said.input, columns=said.columns, scheme=scheme)
    unit = None if read.offsets is None else unit_of(read.offsets)
    return dict(own), own_names(read.fields), unit, tags, left_open(read)


def refuse_unread_of_sides(settings: Settings, sources: Sequence[Any], formats: Sequence[Format]) -> None:
    """Refuse options of one side that nothing would read."""
    for side, source, known in zip(("gold", "pred"), sources, formats, strict=True):
        given = settings.sides[side][0] if side in settings.sides else {}
        if given and source is None:
            raise MeasureError(
                f"{min(given)} is for predictions of their own, and there are none",
                expected="a file of predictions, or options of gold alone",
            )
        if given:
            refuse_unread_of_source(side, source, known, given, settings.of(side).tags)


def refuse_unread_of_source(
    side: str, source: Any, known: Format, given: Mapping[str, Any], tags: TagRules
) -> None:
    """Refuse options of one source that its format does not read: they would seem to have been heeded."""
    tagged = known.family == TOKENS.name
    said_lines = given.get("input") == "conll" and not tagged
    unread = {*BY_SIDE} - {"input", "annotator", *known.reads} | ({"input"} if said_lines else set())
    if odd := sorted(unread & given.keys()):
        no = {"columns": "a file that is not CoNLL", "scheme": "data without tagged tokens"}
        what = {**no, "input": no["columns"]}.get(odd[0]) or _name_of(known)
        raise MeasureError(f"{odd[0]} of {side} has no effect on {what}", expected=f"no {odd[0]} of {side}")
    check_said(tags, (source,))


def refuse_unread_of_formats(settings: Settings, formats: Sequence[Format]) -> None:
    """Refuse options for all sources that none of their formats reads."""
    own = tuple(name for name in LEFT_OPEN if name != "annotator")  # any source may have several
    names = [name for name in ("offsets", "fields", *own) if not any(name in one.reads for one in formats)]
    refuse_given(settings, _name_of(formats[0]), [{"fields": "field"}.get(name, name) for name in names])


def _name_of(known: Format) -> str:
    return "tagged tokens" if known.family == TOKENS.name else f"sources in the format {known.name}"
