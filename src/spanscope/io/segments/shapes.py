"""The forms a segmentation comes in: segments, boundaries, masses, 0/1 strings, and levels of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any, NoReturn

from spanscope.arguments import as_whole
from spanscope.data.corpus import FARTHEST
from spanscope.data.dicts import UNLABELLED
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, did_you_mean, fields_of, may_quote_now, shown
from spanscope.io.fields import FORMS, Fields, value_of
from spanscope.io.offsets import OFFSETS, places
from spanscope.io.segments.partition import Segment
from spanscope.io.strict import Report
from spanscope.io.surrogates import refuse_half

ONLY = ""  # the name of a document's one segmentation
LONGEST = 1e15  # seconds: more is infinite, or a slip of the pen


@dataclass(frozen=True)
class Rules:
    """How to read: names of fields, unit of offsets, and whether to check, repair or take everything as given."""

    names: Fields
    offsets: str = "codepoints"
    normalise: bool = False
    as_given: bool = False
    report: Report = field(default_factory=Report)
    only: frozenset[str] | None = None  # the segmentations to read; None: all
    keep: Sequence[str] = ()  # fields of documents that are kept as metadata
    hints: bool = True  # whether whoever reads the messages can use the options of the command line


def get(document: Mapping[str, Any], key: str, names: Fields) -> Any:
    """Return a field under one of its names; None where it is missing or null."""
    return value_of(document, names[key])


class Place:
    """Where we are, for messages, and what was noticed there."""

    def __init__(self, where: str, text: str | None, length: int | None, rules: Rules) -> None:
        self.where, self.text, self.length, self.rules = where, text, length, rules
        self.counted = False  # the length was counted from a string of gaps
        self.names: tuple[str, ...] = ()  # of all segmentations of the document, asked for or not
        self.problems: list[Problem] = []
        self._moved: Callable[[int], int | None] | None = None

    def wrong(self, what: str, expected: str = "", hint: str = "") -> NoReturn:
        """Refuse a value here."""
        raise InputError(what, where=self.where, expected=expected, hint=hint)

    def moved(self, offset: int) -> int | None:
        """Return an offset in code points; the table of a text is made once."""
        if self.text is None:
            self.wrong(f"offsets in {OFFSETS[self.rules.offsets]} need the text of the document", "a text")
        if self._moved is None:
            self._moved = places(self.text, self.rules.offsets)
        return self._moved(offset)


def forms(document: Mapping[str, Any], place: Place) -> dict[str, tuple[Any, str]]:
    """Return the segmentations of a document by name, each with the word for it in messages."""
    names = place.rules.names
    found = [(key, name) for key in FORMS[1:] for name in names[key] if document.get(name) is not None]
    several = get(document, "segmentations", names)
    if several is not None:
        beside = [name for _, name in found if name != "spans"]  # labelled spans are something else
        if beside:
            place.wrong(
                f"a document has both {names['segmentations'][0]} and {beside[0]}",
                "one segmentation, or segmentations by name",
            )
        return _several(several, place)
    if len(found) > 1:
        place.wrong(
            f"a document has both {found[0][1]} and {found[1][1]}", "one segmentation, or segmentations by name"
        )
    if not found:
        keys = fields_of(document)
        near = next(filter(None, (did_you_mean(str(key), FORMS) for key in document)), "")
        place.wrong(f"a document has no segmentation (it has {keys}){near}", ", ".join(FORMS[:-1]) + " or string")
    key, name = found[0]
    place.names = (ONLY,)
    return {ONLY: ({key: document[name]}, name)}


def _several(several: Any, place: Place) -> dict[str, tuple[Any, str]]:
    """Return segmentations by name, those that were asked for."""
    called = place.rules.names["segmentations"][0]
    if not isinstance(several, Mapping) or not several:
        place.wrong(f"{called} is {shown(several)}", "an object of segmentations by name")
    place.names = _names(several, called, place)
    named = zip(place.names, several.values(), _entries(called, place.names, several), strict=True)
    return {name: (form, word) for name, form, word in named if _is_asked(name, place.rules)}


def _names(given: Mapping[Any, Any], called: str, place: Place) -> tuple[str, ...]:
    """Return the names of segmentations or levels as strings, no two of them the same."""
    names = tuple(map(str, given))
    for number, (name, key) in enumerate(zip(names, given, strict=True)):
        if not name:
            place.wrong(f"{called} has the name {shown(key)}", "a name that is not empty")
        refuse_half(name, f"a name in {called}", place.where)
        if name in names[:number]:
            place.wrong(f"{called} has the name {shown(name)} twice, as a number too", "different names")
    return names


def _entries(called: str, names: tuple[str, ...], given: Mapping[Any, Any]) -> list[str]:
    """Return the words for the entries of an object of forms, in messages.

    Where texts may not be quoted, an object that does not hold forms may have texts for names: they are counted.
    """
    if may_quote_now() or all(map(_may_be_form, given.values())):
        return [f"{called}.{name}" for name in names]
    return [f"{called}[{number}]" for number in range(len(names))]


def _may_be_form(own: Any) -> bool:
    if isinstance(own, str):
        return not set(own) - {"0", "1"}
    return isinstance(own, Mapping) or (
        isinstance(own, (list, tuple)) and not any(isinstance(one, str) for one in own)
    )


def _is_asked(name: str, rules: Rules) -> bool:
    return rules.only is None or name in rules.only


def is_string(form: Any) -> bool:
    """Tell a 0/1 string, alone or under its name: it may say how long the text is."""
    return isinstance(form, str) or (isinstance(form, Mapping) and "string" in form)


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
    if isinstance(form, Mapping):
        return _levels(kind, form, called, place)
    return [(called, _read(kind, form, called, place))]


def _levels(kind: str, form: Mapping[Any, Any], called: str, place: Place) -> list[tuple[str, list[Segment]]]:
    """Return levels by label."""
    if not form:
        place.wrong(f"{called} is {shown(form)}", f"a list of {kind}, or an object of them by label")
    out, labels = [], _names(form, called, place)
    for label, own, at in zip(labels, form.values(), _entries(called, labels, form), strict=True):
        if label == "*":
            place.wrong(f"{called} has a level called '*'", "another name: '*' stands for all labels together")
        out.append((at, [(start, end, label, n) for start, end, _, n in _read(kind, own, at, place)]))
    return out


def _read(kind: str, form: Any, called: str, place: Place) -> list[Segment]:
    """Return the segments that one form of a segmentation stands for."""
    if kind == "string":
        return _segments_between(_string(form, called, place), called, place)
    if not isinstance(form, (list, tuple)):
        place.wrong(f"{called} is {shown(form)}", f"a list of {kind}")
    if kind == "boundaries":
        return _segments_between(_boundaries(form, called, place), called, place)
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
        label = get(value, "label", names)
        label = UNLABELLED if label is None else label
    elif isinstance(value, (list, tuple)) and len(value) in (2, 3):
        start, end, label = (*value, UNLABELLED)[:3] if len(value) == 2 else value
    else:
        hint = ""
        if isinstance(value, int) and place.names == (ONLY,):
            hint = f'"boundaries": [...] or "masses": [...]   instead of "{called}", for a list of numbers'
        elif isinstance(value, int):
            hint = f'"{called}": {{"boundaries": [...]}} or {{"masses": [...]}}   for a list of numbers'
        place.wrong(
            f"{called}[{number}] is {shown(value)}", "[start, end], [start, end, label] or an object", hint
        )
    if not isinstance(label, str) or label in ("", "*"):
        place.wrong(
            f"{called}[{number}].label is {shown(label)}", "a string (not '*', which stands for all labels)"
        )
    at = f"{called}[{number}]"
    return _offset(start, f"{at}.start", place), _offset(end, f"{at}.end", place), label, number


def _segments_between(edges: list[int], called: str, place: Place) -> list[Segment]:
    """Return the segments between boundaries."""
    if place.length is None:
        place.wrong(f"{called} need the length of the text", "a text or a length with them")
    if place.length == 0 and not edges:
        return []
    if not place.rules.as_given:
        numbers = list(range(len(edges)))
        if place.rules.normalise:
            numbers = _tidy(edges, called, place)
        reached = 0
        for number in numbers:
            if not reached < edges[number] < place.length:
                place.wrong(
                    f"{called}[{number}] is {edges[number]}", f"growing boundaries, 0 < b < {place.length}"
                )
            reached = edges[number]
        edges = [edges[number] for number in numbers]
    return [(a, b, UNLABELLED, n) for n, (a, b) in enumerate(pairwise([0, *edges, place.length]))]


def _tidy(edges: list[int], called: str, place: Place) -> list[int]:
    """Return which boundaries there are, in their order and each once, and say what that changed."""
    order = sorted(range(len(edges)), key=edges.__getitem__)
    if order != list(range(len(edges))):
        place.problems.append(problem_at("sorted boundaries", place.where, {"at": called}))
    again = [number for one, number in pairwise(order) if edges[one] == edges[number]]
    if again:
        values = {"at": f"{called}[{again[0]}]", "boundary": edges[again[0]]}
        place.problems.append(problem_at("repeated boundary", place.where, values, number=len(again)))
    left = set(again)
    return [number for number in order if number not in left]


def _string(form: Any, called: str, place: Place) -> list[int]:
    """Return the boundaries of a 0/1 string: one character per gap, or per unit (1 on a segment's last).

    Without a text or a length every string of the document is one of gaps.
    """
    if not isinstance(form, str) or set(form) - {"0", "1"}:
        place.wrong(f"{called} is {shown(form)}", "a string of 0 and 1")
    if place.length is None:
        place.length, place.counted = len(form) + 1, True
    gaps = max(place.length - 1, 0)
    if place.counted and len(form) != gaps:
        place.wrong(
            f"{called} has {len(form)} characters, another string of the document {gaps}",
            "strings of one length, one character per gap; beside a text or a length, one per unit",
        )
    if len(form) not in (gaps, place.length):
        place.wrong(
            f"{called} has {len(form)} characters, the text {place.length} units",
            f"{gaps} characters (one a gap) or {place.length} (one a unit)",
        )
    return [n for n, c in enumerate(form, start=1) if c == "1" and n < place.length]


def whole_number(value: Any, called: str, place: Place) -> int:
    """Return a number of units."""
    whole = as_whole(value)
    if whole is None or not 0 <= whole <= FARTHEST:
        place.wrong(f"{called} is {shown(value)}", "a whole number, not negative")
    return whole


def _offset(value: Any, called: str, place: Place) -> int:
    """Return an offset in code points."""
    whole = as_whole(value)
    if whole is None:
        place.wrong(f"{called} is {shown(value)}", "a whole number")
    if abs(whole) > FARTHEST:
        place.wrong(f"{called} is {shown(whole)}", "an offset into a text")
    if place.rules.offsets == "codepoints":
        return whole
    moved = place.moved(whole)
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
    if not isinstance(found, Mapping) and len(place.names) > 1:
        place.wrong(
            f"ptime is {shown(found)}, the document has {len(place.names)} segmentations", "seconds by name"
        )
    named = found if isinstance(found, Mapping) else {place.names[0]: found}
    for name, value in named.items():
        if str(name) not in place.names:
            near = did_you_mean(name, place.names)
            place.wrong(
                f"ptime is of {shown(name)}, which is not a segmentation of the document{near}", "their names"
            )
        sound = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= LONGEST
        if not sound:
            place.wrong(f"ptime of {str(name)!r} is {shown(value)}", "seconds, not negative")
    return {str(name): float(value) for name, value in named.items()}
