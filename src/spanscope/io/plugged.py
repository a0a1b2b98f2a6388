"""Formats that packages add: each a `Format` or a `Writer` at an entry point, checked and watched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import PluginError, SpanscopeError
from spanscope.io.format import ALL, Format
from spanscope.io.losses import Document
from spanscope.io.read_options import ReadOptions
from spanscope.io.writer import Writer, Written
from spanscope.plugins import Plugin, load_all, load_named

Row = Format | Writer


def plugged_format(name: str, taken: Collection[str]) -> Format | None:
    """Return the format that a package adds under a name; `taken` are names of our own, which none may have."""
    return load_named("readers", name, lambda one: _format_of(one, taken))


def plugged_formats(taken: Collection[str]) -> tuple[list[Format], list[PluginError]]:
    """Return the formats that packages add, and what is wrong with those that cannot be used."""
    return load_all("readers", lambda one: _format_of(one, taken))


def plugged_writer(name: str, taken: Collection[str]) -> Writer | None:
    """Return the form to write that a package adds under a name."""
    return load_named("writers", name, lambda one: _writer_of(one, taken))


def plugged_writers(taken: Collection[str]) -> tuple[list[Writer], list[PluginError]]:
    """Return the forms to write that packages add, and what is wrong with those that cannot be used."""
    return load_all("writers", lambda one: _writer_of(one, taken))


def _format_of(one: Plugin, taken: Collection[str]) -> Format:
    found = one.load()
    if not isinstance(found, Format):
        raise one.refusal(f"{one.target} is no spanscope.io.format.Format")
    _check_row(one, found, taken)
    return found._replace(
        reader=_watched_reader(one, found),
        whole=_watched_claim(one, found.whole)
        if found.whole is not Format._field_defaults["whole"]
        else found.whole,
        record=None if found.record is None else _watched_claim(one, found.record),
        origin=one.origin,
    )


def _writer_of(one: Plugin, taken: Collection[str]) -> Writer:
    found = one.load()
    if not isinstance(found, Writer):
        raise one.refusal(f"{one.target} is no spanscope.io.writer.Writer")
    _check_row(one, found, taken)
    return found._replace(write=_watched_write(one, found), origin=one.origin)


def _check_row(one: Plugin, row: Row, taken: Collection[str]) -> None:
    if row.name != one.name:
        raise one.refusal(f"what stands at {one.target} is called {row.name!r}")
    if row.name in taken:
        raise one.refusal("Spanscope has one of this name itself")
    if row.family not in ALL:
        raise one.refusal(f"its family is {row.family!r}, and there are {', '.join(ALL)}")


def _watched_claim(one: Plugin, claim: Callable[..., bool]) -> Callable[..., bool]:
    """Return a claim whose exceptions are said of the package."""

    def ask(*given: Any) -> bool:
        try:
            return bool(claim(*given))
        except Exception as error:
            raise one.failure(error) from error

    return ask


def _watched_reader(one: Plugin, row: Format) -> Callable[[Any, ReadOptions], Any]:
    """Return the reader; its own exceptions and what is no corpus are said of the package, bad input is not."""

    def read(source: Any, options: ReadOptions) -> Any:
        try:
            found = row.reader(source, options)
        except SpanscopeError:
            raise
        except Exception as error:
            raise one.failure(error) from error
        if row.family in ("spans", "segments") and not _are_corpora(found):
            raise one.refusal(f"its reader returns {type(found).__name__} instead of corpora by annotator")
        return found

    return read


def _are_corpora(found: object) -> bool:
    return isinstance(found, Mapping) and all(isinstance(one, Corpus) for one in found.values())


def _watched_write(one: Plugin, row: Writer) -> Callable[[Sequence[Document]], Written]:
    def write(documents: Sequence[Document]) -> Written:
        try:
            made: object = row.write(documents)
        except SpanscopeError:
            raise
        except Exception as error:
            raise one.failure(error) from error
        if isinstance(made, bytes) or (row.folder and isinstance(made, dict)):
            return made
        raise one.refusal(f"its writer returns {type(made).__name__} instead of bytes")

    return write
