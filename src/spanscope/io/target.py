"""Where reports go."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from spanscope.errors import InputError


def put(content: str | bytes, path: str) -> None:
    """Write a text, as UTF-8, or bytes to a file: whole or not at all."""
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    target = Path(path).resolve()  # through a link, to what it names
    partial = target.parent.joinpath(f".{target.name}.{os.getpid()}.tmp")
    if target.is_dir():
        raise InputError("cannot be written (Is a directory)", where=path)
    try:
        if target.exists() and not target.is_file():  # a pipe or a device
            target.write_bytes(data)
        else:
            partial.write_bytes(data)
            partial.replace(target)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise InputError(f"cannot be written ({error.strerror or error})", where=path) from None
