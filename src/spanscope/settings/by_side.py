"""Gold and predictions that are read differently: other names of fields, another format, other offsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spanscope.errors import MeasureError
from spanscope.io.fields import fields as checked_fields
from spanscope.io.fields import own_names
from spanscope.io.offsets import unit_of
from spanscope.io.tokens.tag_rules import check_said
from spanscope.settings.options import Reading, about, declared
from spanscope.settings.settle import Settings, tag_rules

BY_SIDE = tuple(name for name, one in declared(Reading).items() if about(one).by_side)


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
) -> Sourced:
    """Return a source that is read in its own way, to be given as gold or as predictions.

    What is not said here is read as `read` says for both sides.

    >>> gold = source([{"id": 1, "marks": [[0, 4, "A"]]}], fields={"spans": "marks"})
    """
    given = {"input": input, "fields": fields, "offsets": offsets, "columns": columns, "scheme": scheme}
    return Sourced(path, {name: value for name, value in given.items() if value is not None})


def apart(value: Any) -> tuple[Any, Mapping[str, Any]]:
    """Return a source and the options that are its own."""
    return (value.source, value.given) if isinstance(value, Sourced) else (value, {})


def together(value: Any, given: Mapping[str, Any]) -> Any:
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
    sides = {}
    for side, own in (("gold", gold), ("pred", pred)):
        if not own:
            continue
        if settings.family.retrieves or settings.protocol.read is not None:
            what = settings.protocol.name if settings.protocol.read is not None else settings.family.name
            raise MeasureError(
                f"{min(own)} of one side means nothing for {what}", expected=f"no {min(own)} of one side"
            )
        read = reading_of(shared, own)
        checked_fields(read.fields, segments=settings.family.partitions)  # refuses names that are none
        said = tag_rules(read)
        if "scheme" in own and settings.protocol.tags is not None:
            raise MeasureError(
                f"{settings.protocol.name} reads tags by the rules of the tool it copies",
                expected="no scheme of one side",
            )
        scheme = said.scheme if "scheme" in own else settings.tags.scheme
        tags = replace(settings.tags, input=said.input, columns=said.columns, scheme=scheme)
        sides[side] = (dict(own), own_names(read.fields), unit_of(read.offsets), tags)
    return replace(settings, sides=sides) if sides else settings


def refuse_unread_of_sides(settings: Settings, sources: Sequence[Any], tagged: Sequence[bool]) -> None:
    """Refuse options of one side that nothing would read: what was said of tokens, of spans, or of no file."""
    for side, source, tokens in zip(("gold", "pred"), sources, tagged, strict=True):
        given = settings.sides[side][0] if side in settings.sides else {}
        if not given:
            continue
        if source is None:
            raise MeasureError(
                f"{min(given)} is for predictions of their own, and there are none",
                expected="a file of predictions, or options of gold alone",
            )
        lines = {"columns", "scheme"} | ({"input"} if given.get("input") == "conll" else set())
        unread = {"fields", "offsets"} if tokens else lines
        if odd := sorted(unread & given.keys()):
            no = "what is no CoNLL file" if odd[0] != "scheme" else "what are no tagged tokens"
            what = "tagged tokens" if tokens else no
            raise MeasureError(f"{odd[0]} of {side} means nothing for {what}", expected=f"no {odd[0]} of {side}")
        check_said(settings.of(side).tags, (source,))
