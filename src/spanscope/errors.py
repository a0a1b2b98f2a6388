"""The exceptions people meet, and the form of their message.

    SpanscopeError
     ├── InputError      a file, line or field is not what it should be
     ├── DocumentError   documents are missing, unknown or repeated
     ├── MeasureError    a measure, parameter, protocol or rate is not what it should be
     ├── PluginError     a package that adds to Spanscope cannot be used
     └── EngineError     the work could not be carried out where it was sent

A message says where, what is wrong with the value, what was expected and what to do:

    gold.jsonl:17: spans[2].end is 140, past the end of the text (128 characters)
      expected  0 <= start <= end <= 128
      try       --offsets utf16   if the offsets come from JavaScript or Java

Options in hints are written [[offsets=utf16]] and said in the language of the caller: a keyword in Python, a flag
on the command line, a field of the form in the browser.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


_QUOTING: ContextVar[bool] = ContextVar("quoting", default=True)  # whether messages may quote documents
Caller = Literal["python", "flags", "form"]
_CALLER: ContextVar[Caller] = ContextVar("caller", default="python")
OPTION = re.compile(r"\[\[([a-z_]+)(?:=(.*?))?\]\]")
_speakers: list[Callable[[str, str, Caller], str]] = []  # whoever declares the options says them
LONGEST = 460  # characters of a message: more cannot be read, and data must not flood a terminal


class SpanscopeError(Exception):
    """Anything Spanscope refuses, with a message a user can act on."""

    def __init__(self, what: str, *, where: str = "", expected: str = "", hint: str = "") -> None:
        self.what = what
        self.where = where
        self.expected = expected
        self.hint = hint
        super().__init__(what, where, expected, hint)

    def __str__(self) -> str:
        return self.message()

    def message(self) -> str:
        """Return the message: `where: what`, then what was expected and what to try, a line each."""
        parts = [self.where, self.what, say_options(self.expected), say_options(self.hint)]
        if sum(map(len, parts)) > LONGEST:
            parts = [_cut(part, LONGEST // 4) for part in parts]
        where, what, expected, hint = parts
        lines = [f"{where}: {what}" if where else what]
        if expected:
            lines.append(f"  expected  {expected}")
        if hint:
            lines.append(f"  try       {hint}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.what, self.where, self.expected, self.hint))


class InputError(SpanscopeError):
    """A file, a line or a field is not what it should be."""


class DocumentError(SpanscopeError):
    """Documents are missing from one side, unknown to the other, or repeated."""


class MeasureError(SpanscopeError):
    """A measure, a parameter, a protocol or a rate is not what it should be."""


class PluginError(SpanscopeError):
    """A package that adds to Spanscope cannot be used: it fails, or adds what it must not."""


class EngineError(SpanscopeError):
    """The work could not be carried out where it was sent."""


def _rebuild(kind: type[SpanscopeError], what: str, where: str, expected: str, hint: str) -> SpanscopeError:
    return kind(what, where=where, expected=expected, hint=hint)


def add_speaker(speak: Callable[[str, str, Caller], str]) -> None:
    """Let somebody who knows the options say them: by name, value and caller."""
    _speakers[:] = [speak]


@contextmanager
def speaking_to(caller: Caller) -> Iterator[None]:
    """Say options in the language of a caller, as long as this lasts."""
    before = _CALLER.set(caller)
    try:
        yield
    finally:
        _CALLER.reset(before)


def say_options(text: str) -> str:
    """Return a text with its options in the language of the caller."""

    def say(found: re.Match[str]) -> str:
        name, value = found[1], found[2] or ""
        return _speakers[0](name, value, _CALLER.get()) if _speakers else f"{name}={value}".rstrip("=")

    return OPTION.sub(say, text) if "[[" in text else text


@contextmanager
def quoting(allowed: bool) -> Iterator[None]:
    """Let messages quote what documents hold, or not, as long as this lasts.

    Where they may not, an error leaves without the errors that led to it, which a traceback would print and which
    may say anything; one that is not ours is marked, for whoever would print what it says.
    """
    before = _QUOTING.set(allowed)
    try:
        yield
    except SpanscopeError as error:
        if not allowed:
            error.__cause__ = error.__context__ = None
        raise
    except Exception as error:
        if not allowed:
            error.__dict__["may_quote_texts"] = False
        raise
    finally:
        _QUOTING.reset(before)


def shown(value: object, limit: int = 60) -> str:
    """Return a value of the data for a message; where texts may not be quoted, only what kind of value it is."""
    return named(value, limit) if _QUOTING.get() else kind_of_value(value)


def as_it_is(text: str) -> str:
    """Return a text of the data without quotation marks; where it may not be quoted, only how long it is."""
    return text if _QUOTING.get() else kind_of_value(text)


def may_quote_now() -> bool:
    """Tell whether messages may quote what documents hold."""
    return _QUOTING.get()


def kind_of_value(value: object) -> str:
    """Return what a value is, and nothing of what it says.

    >>> kind_of_value("John"), kind_of_value([1, 2]), kind_of_value(3), kind_of_value("")
    ('a string of 4 characters', 'a list of 2 values', '3', 'an empty string')
    """
    if value is None or isinstance(value, (bool, int, float)):
        return named(value)
    if isinstance(value, str):
        return _string_of(len(value))
    if isinstance(value, (list, tuple)):
        return f"a list of {plural(len(value), 'value')}"
    if isinstance(value, dict):
        return f"an object of {plural(len(value), 'field')}"
    return f"a value of type {type(value).__name__}"


@lru_cache(1000)
def _string_of(length: int) -> str:
    return f"a string of {plural(length, 'character')}" if length else "an empty string"


def fields_of(value: Mapping[Any, object]) -> str:
    """Return the names of the first fields of an object for a message, or how many it has."""
    if not _QUOTING.get():  # an object may have texts for names
        return plural(len(value), "field")
    return ", ".join(str(key)[:30] for key in list(value)[:8]) or "nothing"


def named(value: object, limit: int = 60) -> str:
    """Return the repr of a name, a label or an option for a message, cut so that no flood reaches a terminal."""
    if isinstance(value, (str, bytes)) and len(value) > limit:
        return f"{value[:limit]!r}... ({len(value):,} long)"
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print whole numbers of more than 4,300 digits
        return "a number of thousands of digits"
    except Exception:  # an object that cannot say what it is
        return f"an object of the type {type(value).__name__}"
    return text if len(text) <= limit else f"{text[:limit]}..."


def document_name(name: str, *, is_text: bool) -> str:
    """Return the name of a document for a message; that of a query without an id is a text, and may be private."""
    return shown(name) if is_text else named(name)


def _cut(text: str, limit: int) -> str:
    """Cut the middle out of a text that is too long to read: its ends say most."""
    return text if len(text) <= limit else f"{text[: limit - 30]} ... {text[-25:]}"


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the nearest known name, or nothing; nothing is near what is no text."""
    if not isinstance(name, str):
        return ""
    near = get_close_matches(name[:80], list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def plural(number: int, noun: str) -> str:
    """Return `1 span`, `2 spans`, `1,000 queries`."""
    many = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else many}"
