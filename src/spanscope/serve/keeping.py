"""The folder in which a server remembers: where it usually is, who may look into it, one server at a time."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from spanscope.errors import EngineError, InputError
from spanscope.serve.store import INDEX

LOCK = "lock"
OTHER = "--folder OTHER"


def usual_folder() -> Path:
    """Return the folder of this user in which the server remembers unless it is told another."""
    from platformdirs import user_data_path

    return user_data_path("spanscope", appauthor=False).joinpath("serve")


@contextmanager
def kept_folder(given: str | Path | None) -> Iterator[tuple[Path, Callable[[str], None]]]:
    """Yield the folder, private and locked, and how to write there under which address the server is reached."""
    path = Path(usual_folder() if given is None else given).expanduser().resolve()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_private(path)
        number = os.open(path.joinpath(LOCK), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as error:
        what = f"cannot be used to keep runs ({error.strerror or error})"
        raise InputError(what, where=str(path), hint=OTHER) from None
    with os.fdopen(number, "a+b") as file:
        _lock(file, path)

        def say(address: str) -> None:
            file.truncate(0)
            file.write(address.encode())
            file.flush()

        yield path, say


def _make_private(path: Path) -> None:
    """Refuse a folder that is for something else, or somebody else's; take rights of others away from ours."""
    about = path.stat()
    if hasattr(os, "geteuid") and about.st_uid != os.geteuid():
        raise InputError("belongs to another user", where=str(path), hint=OTHER)
    there = {one.name for one in path.iterdir()}
    if there and not there & {INDEX, LOCK}:
        raise InputError(
            "holds files that are not of spanscope serve",
            where=str(path),
            expected="an empty or new folder, in which runs are kept",
            hint=OTHER,
        )
    if stat.S_IMODE(about.st_mode) & 0o077:
        path.chmod(0o700)


def _lock(file: BinaryIO, path: Path) -> None:
    """Hold the folder until the file is closed, or the process ends in whatever way."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 20)  # a byte far behind the address, which others may then read
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        where = ""
        with suppress(OSError):
            file.seek(0)
            where = file.read(200).decode("utf-8", "replace")
        raise EngineError(
            f"another server keeps its runs in {path}",
            expected=f"the page of that server: {where}" if where else "one server for one folder",
            hint=OTHER,
        ) from None
