"""Where reports go."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from spanscope.errors import InputError


def put(text: str, path: str) -> None:
    """Write a text to a file: whole or not at all."""
    target = Path(path).resolve()  # through a link, to what it names
    partial = target.parent.joinpath(f".{target.name}.{os.getpid()}.tmp")
    if target.is_dir():
        raise InputError("cannot be written (Is a directory)", where=path)
    try:
        if target.exists() and not target.is_file():  # a pipe or a device
            target.write_text(text, encoding="utf-8", newline="")
        else:
            partial.write_text(text, encoding="utf-8", newline="")
            partial.replace(target)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise InputError(f"cannot be written ({error.strerror or error})", where=path) from None
