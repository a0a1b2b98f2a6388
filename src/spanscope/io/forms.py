"""The forms a segmentation comes in: segments, boundaries, masses, 0/1 strings, and levels of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any, NoReturn

from spanscope.data import FARTHEST
from spanscope.errors import InputError, did_you_mean, shown
from spanscope.io.build import places
from spanscope.io.careful import OFFSETS, Report
from spanscope.io.fields import Fields
from spanscope.io.partition import Segment

FORMS = ("segmentations", "segments", "boundaries", "masses", "string")
ONLY = ""  # the name of a document's one segmentation
UNLABELLED = "segment"


@dataclass(frozen=True)
class Rules:
    """How to read: names of fields, unit of offsets, and whether to check, repair or take everything as given."""

    names: Fields
    offsets: str = "codepoints"
    normalise: bool = False
    as_given: bool = False
    report: Report = field(default_factory=Report)
    only: frozenset[str] | None = None  # the segmentations to read; None: all


def get(document: Mapping[str, Any], key: str, names: Fields) -> Any:
    """Return a field under one of its names; None where it is missing or null."""
    return next((document[name] for name in names[key] if document.get(name) is not None), None)


class Place:
    """Where we are, for messages."""

    def __init__(self, where: str, text: str | None, length: int | None, rules: Rules) -> None:
        self.where, self.text, self.length, self.rules = where, text, length, rules

    def wrong(self, what: str, expected: str = "", hint: str = "") -> NoReturn:
        """Refuse a value here."""
        raise InputError(what, where=self.where, expected=expected, hint=hint)


def forms(document: Mapping[str, Any], place: Place) -> dict[str, tuple[Any, str]]:
    """Return the segmentations of a document by name, each with the word for it in messages."""
    names = place.rules.names
    several = get(document, "segmentations", names)
    if several is not None:
        if not isinstance(several, Mapping):
            place.wrong(f"segmentations is {shown(several)}", "an object of segmentations by name")
        chosen = {str(name): form for name, form in several.items() if _asked(str(name), place.rules)}
        return {name: (form, f"{names['segmentations'][0]}.{name}") for name, form in chosen.items()}
    found = [(key, name) for key in FORMS[1:] for name in names[key] if document.get(name) is not None]
    if len(found) > 1:
        place.wrong(
            f"a document has both {found[0][1]} and {found[1][1]}", "one segmentation, or segmentations by name"
        )
    if not found:
        keys = ", ".join(str(key)[:30] for key in list(document)[:8]) or "nothing"
        near = next(filter(None, (did_you_mean(str(key), FORMS) for key in document)), "")
        place.wrong(f"a document has no segmentation (it has {keys}){near}", ", ".join(FORMS[:-1]) + " or string")
    key, name = found[0]
    return {ONLY: ({key: document[name]}, name)}


def _asked(name: str, rules: Rules) -> bool:
    return rules.only is None or name in rules.only


def layers(form: Any, called: str, place: Place) -> list[tuple[str, list[Segment]]]:
    """Return the levels of a segmentation (mostly one), each a list of segments with its word for messages."""
    kind = "segments"
    if isinstance(form, str):
        kind = "string"
    elif isinstance(form, Mapping):
        kinds = [key for key in FORMS[1:] if key in form]
        if len(kinds) == 1 and len(form) == 1:
            kind, form = kinds[0], form[kinds[0]]
        elif not form or kinds:
            place.wrong(
                f"{called} is {shown(form)}", "a list of segments, or an object with boundaries, masses or string"
            )
    if isinstance(form, Mapping):  # levels by label
        return [
            (
                f"{called}.{label}",
                [(a, b, str(label), n) for a, b, _, n in _read(kind, own, f"{called}.{label}", place)],
            )
            for label, own in form.items()
        ]
    return [(called, _read(kind, form, called, place))]


def _read(kind: str, form: Any, called: str, place: Place) -> list[Segment]:
    """Return the segments that one form of a segmentation stands for."""
    if kind == "string":
        return _between(_string(form, called, place), called, place)
    if not isinstance(form, (list, tuple)):
        place.wrong(f"{called} is {shown(form)}", f"a list of {kind}")
    if kind == "boundaries":
        return _between(_boundaries(form, called, place), called, place)
    if kind == "masses":
        sizes = [whole_number(value, f"{called}[{n}]", place) for n, value in enumerate(form)]
        edges = [0, *accumulate(sizes)]
        if place.length not in (None, edges[-1]):
            place.wrong(
                f"{called} add up to {edges[-1]}, the text has {place.length} units", "masses of all of it"
            )
        return [(a, b, UNLABELLED, n) for n, (a, b) in enumerate(pairwise(edges))]
    if _are_plain(form, place):
        return [(start, end, UNLABELLED, n) for n, (start, end) in enumerate(form)]
    return [_segment(value, n, called, place) for n, value in enumerate(form)]


def _are_plain(form: Sequence[Any], place: Place) -> bool:
    """Tell pairs of whole numbers, which need no second look: they are checked against the text all at once."""
    if (
        place.rules.offsets != "codepoints"
        or not set(map(type, form)) <= {list, tuple}
        or set(map(len, form)) != {2}
    ):
        return False
    flat = [offset for pair in form for offset in pair]
    return set(map(type, flat)) == {int} and min(flat) >= -FARTHEST and max(flat) <= FARTHEST


def _boundaries(form: Sequence[Any], called: str, place: Place) -> list[int]:
    if place.rules.offsets == "codepoints" and set(map(type, form)) == {int} and max(map(abs, form)) <= FARTHEST:
        return list(form)
    return [_offset(value, f"{called}[{n}]", place) for n, value in enumerate(form)]


def _segment(value: Any, number: int, called: str, place: Place) -> Segment:
    label: Any = UNLABELLED
    names = place.rules.names
    if isinstance(value, Mapping):
        start, end = get(value, "start", names), get(value, "end", names)
        label = get(value, "label", names) or UNLABELLED
    elif isinstance(value, (list, tuple)) and len(value) in (2, 3):
        start, end, label = (*value, UNLABELLED)[:3] if len(value) == 2 else value
    else:
        hint = ""
        if isinstance(value, int):
            hint = f'"{called}": {{"boundaries": [...]}} or {{"masses": [...]}}   for a list of numbers'
        place.wrong(
            f"{called}[{number}] is {shown(value)}", "[start, end], [start, end, label] or an object", hint
        )
    if not isinstance(label, str) or label == "*":
        place.wrong(
            f"{called}[{number}].label is {shown(label)}", "a string (not '*', which stands for all labels)"
        )
    at = f"{called}[{number}]"
    return _offset(start, f"{at}.start", place), _offset(end, f"{at}.end", place), label, number


def _between(edges: list[int], called: str, place: Place) -> list[Segment]:
    """Return the segments between boundaries."""
    if place.length is None:
        place.wrong(f"{called} need the length of the text", "a text or a length beside them")
    if place.length == 0 and not edges:
        return []
    if not place.rules.as_given:
        if place.rules.normalise:
            edges = sorted(set(edges))
        for n, (one, other) in enumerate(pairwise([0, *edges, place.length])):
            if other <= one:
                at = f"{called}[{min(n, len(edges) - 1)}]"
                place.wrong(
                    f"{at} is {edges[min(n, len(edges) - 1)]}", f"growing boundaries, 0 < b < {place.length}"
                )
    return [(a, b, UNLABELLED, n) for n, (a, b) in enumerate(pairwise([0, *edges, place.length]))]


def _string(form: Any, called: str, place: Place) -> list[int]:
    """Return the boundaries of a 0/1 string: a character a gap, or a character a unit (1 on a segment's last)."""
    if not isinstance(form, str) or set(form) - {"0", "1"}:
        place.wrong(f"{called} is {shown(form)}", "a string of 0 and 1")
    if place.length is None:
        place.length = len(form) + 1
    if len(form) not in (max(place.length - 1, 0), place.length):
        place.wrong(
            f"{called} has {len(form)} characters, the text {place.length} units",
            f"{place.length - 1} characters (one a gap) or {place.length} (one a unit)",
        )
    return [n for n, c in enumerate(form, start=1) if c == "1" and n < place.length]


def whole_number(value: Any, called: str, place: Place) -> int:
    """Return a number of units."""
    whole = value.__index__() if hasattr(value, "__index__") and not isinstance(value, bool) else -1
    if not 0 <= whole <= FARTHEST:
        place.wrong(f"{called} is {shown(value)}", "a whole number, not negative")
    return int(whole)


def _offset(value: Any, called: str, place: Place) -> int:
    """Return an offset in code points."""
    if not hasattr(value, "__index__") or isinstance(value, bool):
        place.wrong(f"{called} is {shown(value)}", "a whole number")
    whole = int(value.__index__())
    if abs(whole) > FARTHEST:
        place.wrong(f"{called} is {shown(whole)}", "an offset into a text")
    if place.rules.offsets == "codepoints":
        return whole
    if place.text is None:
        place.wrong(f"offsets in {OFFSETS[place.rules.offsets]} need the text of the document", "a text")
    moved = places(place.text, place.rules.offsets)(whole)
    if moved is None:
        place.wrong(
            f"{called} is {whole}, inside a character or outside the text", "an offset between two characters"
        )
    return moved


def times(document: Mapping[str, Any], place: Place) -> dict[str, float]:
    """Return how long each method took on a document, where the document says so."""
    found = get(document, "ptime", place.rules.names)
    if found is None:
        return {}
    named = found if isinstance(found, Mapping) else {ONLY: found}
    for name, value in named.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
            place.wrong(f"ptime of {name!r} is {shown(value)}", "seconds, not negative")
    return {str(name): float(value) for name, value in named.items()}
