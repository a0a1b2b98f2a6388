"""What callers give as keywords, checked: whatever it is, it is taken, or refused in words.

A keyword of a wrong type must not end in a TypeError far from where it was given, and one that is almost right
(`strict="no"`, `jobs="2"`) must not be taken for something else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from operator import index
from pathlib import Path
from typing import Any

from spanscope.errors import MeasureError, named
from spanscope.system.notebook import CellBar, in_notebook

WHOLE = "whole characters (a text was cut inside an emoji or rare character)"
MOST_RESAMPLES = 1_000_000  # far beyond what an interval or a p-value needs; the time grows with it


def half_of(text: str) -> tuple[str, int] | None:
    """Return the first half of a surrogate pair in a text, which no file can hold, and where it stands."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return ascii(text[error.start]).strip("'"), error.start
    return None


def refuse_half(name: str, value: Any) -> None:
    """Refuse a text with half of a surrogate pair, as which Python takes a typed byte that is not UTF-8."""
    found = half_of(value) if isinstance(value, str) else None
    if found is None:
        return
    half, at = found
    has = "have" if name[-1] == "s" else "has"
    if half.startswith(r"\udc") and half >= r"\udc80":
        raise MeasureError(f"{name} {has} the byte 0x{half[4:]} at character {at}", expected="UTF-8")
    raise MeasureError(f"{name} {has} {half}, half of a surrogate pair, at character {at}", expected=WHOLE)


def as_whole(value: Any) -> int | None:
    """Return a whole number of Python's or of NumPy's; None for anything else, True and arrays among it."""
    try:
        return None if isinstance(value, bool) else int(index(value))
    except TypeError:
        return None


def identifier(value: Any) -> str | None:
    """Return an id as a text, which a whole number may be too; None for anything else.

    Python refuses to write whole numbers of more than 4,300 digits.
    """
    if isinstance(value, str):
        return value
    number = as_whole(value)
    try:
        return None if number is None else str(number)
    except ValueError:
        return None


def holds(value: Any) -> bool:
    """Tell whether a value holds anything; an array, which has no truth of its own, by its length."""
    return len(value) > 0 if hasattr(value, "__len__") and hasattr(value, "dtype") else bool(value)


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number from `least` to `most`."""
    number = as_whole(value)
    if number is None or number < least or (most is not None and number > most):
        up_to = f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
        raise MeasureError(f"{name} is {named(value)}", expected=f"a whole number, {up_to}")
    return number


def real(name: str, value: Any, expected: str, fits: Callable[[float], bool]) -> float:
    """Return a finite number that fits; `expected` says which do."""
    try:
        number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:  # a whole number that no float can hold
        number = math.inf
    if not (math.isfinite(number) and fits(number)):
        raise MeasureError(f"{name} is {named(value)}", expected=expected)
    return number


def number(name: str, value: Any) -> float:
    """Return a finite number."""
    return real(name, value, "a number", lambda _: True)


def level_of(value: Any) -> float:
    """Return the level of an interval."""
    return real("level", value, "a number between 0 and 1, such as 0.95", lambda level: 0 < level < 1)


def flag(name: str, value: Any) -> bool:
    """Return True or False: nothing else, because the text "no" would count as true."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):  # NumPy's have these names
        raise MeasureError(f"{name} is {named(value)}", expected="True or False")
    return bool(value)


def one_of(name: str, value: Any, choices: Iterable[str]) -> Any:
    """Return one of some words."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        raise MeasureError(f"{name} is {named(value)}", expected=" or ".join(known))
    return value


def of_type(name: str, value: Any, kinds: type | tuple[type, ...], expected: str) -> Any:
    """Return a value of some types, or None where none was given."""
    if value is not None and not isinstance(value, kinds):
        raise MeasureError(f"{name} is {named(value)}", expected=expected)
    return value


def words(name: str, value: Any, expected: str) -> list[str]:
    """Return a list of texts, of which there may be none; a text alone is no list of its letters."""
    listed = isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, type))
    out: list[Any] = list(value) if listed and getattr(value, "ndim", 1) == 1 else [None]
    if not all(isinstance(one, str) for one in out):
        raise MeasureError(f"{name} {'is' if name[-1] != 's' else 'are'} {named(value)}", expected=expected)
    for one in out:
        refuse_half(name, one)
    return out


def field_name(name: str, value: Any) -> str:
    """Return the name of a field of documents."""
    if not isinstance(value, str) or not value:
        raise MeasureError(
            f"{name} is {named(value)}", expected="the name of a field of documents, such as author"
        )
    refuse_half(name, value)
    return value


def label_names(given: Any) -> list[str]:
    """Return the labels that figures shall be about."""
    labels = words("labels", given, "a list of different names")
    if not labels or len(set(labels)) < len(labels):
        raise MeasureError(f"labels are {named(given)}", expected="a list of different names")
    if "*" in labels:
        raise MeasureError("'*' cannot be a label", expected="another name: '*' stands for all labels together")
    return labels


def folder_name(given: Any) -> str | None:
    """Return the name of a folder."""
    path = of_type("corpus", given, (str, Path), "the path of a folder")
    return None if path is None else str(path)


def mapping(name: str, value: Any, expected: str, kinds: tuple[type, ...] = (str,)) -> dict[str, Any]:
    """Return a mapping of texts to values of some types; nothing of None."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise MeasureError(f"{name} is {named(value)}", expected=expected)
    for key, own in value.items():
        if not isinstance(key, str) or not isinstance(own, kinds) or isinstance(own, bool):
            raise MeasureError(f"{name} has {named(own)} for {named(key)}", expected=expected)
        refuse_half(name, key)
        refuse_half(name, own)
    return dict(value)


def heading(meta: Any) -> dict[str, str]:
    """Return what stands in the head of a report: texts and numbers by name."""
    expected = 'texts or numbers by name, e.g. {"model": "NAME"}'
    out: dict[str, str] = {}
    for key, own in mapping("meta", meta, expected, (object,)).items():
        try:
            out[key] = str(own)
        except Exception:  # a number of thousands of digits, or an object that cannot say what it is
            raise MeasureError(f"meta has {named(own)} for {named(key)}", expected=expected) from None
        refuse_half("meta", out[key])
    return out


def listener(progress: Any) -> Callable[[str, int, int], None]:
    """Return what is called with stage, done and total: in a notebook a bar, where nobody else listens."""
    if progress is None:
        return CellBar() if in_notebook() else keep_silent
    if not callable(progress) or isinstance(progress, type):
        raise MeasureError(
            f"progress is {named(progress)}", expected="a function of (stage, done, total), or None"
        )
    heard: Callable[[str, int, int], None] = progress
    return heard


def keep_silent(_stage: str, _done: int, _total: int) -> None:
    """Say nothing to whoever does not listen."""


def as_list(value: Any) -> Sequence[Any]:
    """Return what was given as one or several: a text or any other single thing makes a list of one."""
    several = isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, type))
    return list(value) if several and getattr(value, "ndim", 1) == 1 else [value]
