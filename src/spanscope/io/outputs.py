"""Outputs that would destroy what is read: refused before the work."""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from spanscope.errors import InputError, named
from spanscope.io.opening import open_source
from spanscope.io.pipes import is_file, matches, mode_of
from spanscope.io.source import STDIN
from spanscope.io.surrogates import legible
from spanscope.io.target import descriptor, refuse_unwritable

ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


def refuse_overwriting(
    outputs: Mapping[str, str], inputs: Iterable[str | Path], corpus: str | Path | None = None
) -> None:
    """Refuse outputs, by option, that cannot be written, are one file, or are a file that is read.

    Files are the same by their path with links followed, or by device and inode, whatever their names. Of an input
    that is a folder or a pattern every file may be read, of the folder `corpus` those that the inputs name.
    """
    read = [one for given in inputs for one in (matches(given) or [str(given)])]
    written: dict[str, set[object]] = {}
    for option, path in outputs.items():
        refuse_unwritable(path)
        number = descriptor(path)
        own = _identity(path) if number is None else _identities(number)
        for source in read:
            if own & _identity(source) or _inside(path, source):
                raise _overwriting_error(path, source, option)
        if corpus is not None and _inside(path, str(corpus)) and _may_be_named(path, read):
            raise _overwriting_error(path, f"{Path(path).name} of {corpus}", option)
        for other, same in written.items():
            if own & same:
                raise InputError(f"{other} and {option} would both write it", where=path, expected="a file each")
        written[option] = own


def refuse_printing(inputs: Iterable[str | Path], outputs: Mapping[str, str]) -> None:
    """Refuse standard output that goes into an input (`>> gold.jsonl`), or into another output."""
    own: set[object] = set()
    with suppress(ValueError, AttributeError):  # there is none, or it is no file
        own = _identities(sys.stdout.fileno())
    for source in map(str, inputs):
        if own & _identity(source):
            raise _overwriting_error("<stdin>" if source == STDIN else source, source, "standard output")
    for option, path in outputs.items():
        if descriptor(path) is None and own & _identity(path):
            what = f"{option} and standard output would both write it"
            raise InputError(what, where=path, expected="a file each")


def _identities(number: int) -> set[object]:
    """Return what an open file is known by; nothing for pipes and devices."""
    try:
        return _known_by(os.fstat(number))
    except OSError:
        return set()


def _overwriting_error(path: str, source: str, option: str) -> InputError:
    what = "an input" if path in (source, "<stdin>") else f"the input {named(source)}"
    return InputError(
        f"is {what}, and {option} would overwrite it", where=path, expected="another name for the output"
    )


def _identity(path: str) -> set[object]:
    """Return what a file is known by; nothing for pipes and devices, which are not overwritten."""
    try:
        if path == STDIN:
            return _known_by(os.fstat(sys.stdin.fileno()))
        found = _known_by(Path(path).stat())
    except FileNotFoundError:
        return {legible(os.path.realpath(path))}  # as results know it
    except (OSError, ValueError, AttributeError):  # whoever opens it says what is wrong
        return set()
    return found and {*found, legible(os.path.realpath(path))}


def _known_by(found: os.stat_result) -> set[object]:
    return {(found.st_dev, found.st_ino)} if stat.S_ISREG(found.st_mode) else set()


def _inside(path: str, folder: str) -> bool:
    """Tell a file that is there, in a folder."""
    if not (stat.S_ISDIR(mode_of(folder)) and is_file(path)):
        return False
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _may_be_named(path: str, inputs: Iterable[str]) -> bool:
    """Tell whether an input may name a file; of inputs that can be read only once this cannot be known."""
    import json

    name = unicodedata.normalize("NFC", Path(os.path.realpath(path)).name)
    sought = (name, json.dumps(name, ensure_ascii=False)[1:-1])
    return any(not is_file(source) or any(one in _plain(source) for one in sought) for source in inputs)


def _plain(source: str) -> str:
    """Return what a file holds in one form of Unicode, letters that JSON wrote as numbers among it."""
    import json

    text = open_source(source).data.decode("utf-8", "replace")
    return unicodedata.normalize("NFC", ESCAPED.sub(lambda found: str(json.loads(f'"{found[0]}"')), text))
