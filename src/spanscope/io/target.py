"""Where reports go: files that are written whole or not at all; and folders for temporary files."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from spanscope.errors import EngineError, InputError, shown
from spanscope.io.pipes import mode_of

DESCRIPTOR = re.compile(r"(?:/proc/self|/dev)/fd/(\d+)")  # /dev/stdout is a link to one
LINKS = 40  # that are followed


def put(content: str | bytes, path: str) -> None:
    """Write a text, as UTF-8, or bytes to a file, whole or not at all; into a pipe or a device as it is."""
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    refuse_unwritable(path)
    try:
        number = descriptor(path)
        if number is not None:
            if sys.stdout is not None:
                sys.stdout.flush()  # what was printed before comes before
            _write(os.dup(number), data)
        elif not _is_replaced(path):
            _write(os.open(path, os.O_WRONLY), data)
        else:
            _replace(data, Path(os.path.realpath(path)))
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from None


def put_folder(files: Mapping[str, bytes], path: str) -> None:
    """Write files into a new folder, which is there whole or not at all; one that holds something is refused."""
    target = Path(path)
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise InputError("is there already", where=path, expected="the name of a new folder, or an empty one")
        partial = target.parent.joinpath(f".spanscope-{os.urandom(6).hex()}.tmp")
        partial.mkdir()
        try:
            for name, data in files.items():
                partial.joinpath(name).write_bytes(data)
            if target.exists():
                target.rmdir()
            partial.replace(target)
        except BaseException:
            import shutil

            shutil.rmtree(partial, ignore_errors=True)
            raise
    except (OSError, ValueError) as error:
        raise _unwritable(path, getattr(error, "strerror", None) or str(error)) from None


def _is_replaced(path: str) -> bool:
    """Tell a file, or a name that is free, from pipes and devices."""
    mode = mode_of(path)
    return not mode or stat.S_ISREG(mode)


def _write(file: int, data: bytes) -> None:
    with os.fdopen(file, "wb") as out:
        out.write(data)


def _replace(data: bytes, target: Path) -> None:
    """Write a file beside the target, then give it the target's name; the mode of an old file stays."""
    partial = target.parent.joinpath(f".spanscope-{os.urandom(6).hex()}.tmp")
    mode = stat.S_IMODE(mode_of(target)) if target.exists() else None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        _write(os.open(partial, flags, 0o666 if mode is None else 0o600), data)  # a new file follows the umask
        if mode is not None:
            partial.chmod(mode)
        partial.replace(target)
    except BaseException:  # a signal too
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def refuse_unwritable(path: str) -> None:
    """Refuse a path that cannot be written, before the work that would be lost."""
    try:
        _look(path)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        raise _unwritable(path, getattr(error, "strerror", None) or str(error)) from None


def _look(path: str) -> None:
    """Raise OSError where a path cannot be written."""
    number = descriptor(path)
    if number is not None:
        os.fstat(number)
        return
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFDIR if path.endswith(("/", os.sep)) else 0
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if mode and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if _is_replaced(path):
        folder = Path(os.path.realpath(path)).parent
        folder.stat()
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, f"{os.strerror(errno.EACCES)} in its folder")


def _unwritable(path: str, reason: str) -> InputError:
    return InputError(f"cannot be written ({reason})", where=path if path.isprintable() else shown(path))


def descriptor(path: str) -> int | None:
    """Return the number of the open file that a path such as /dev/stdout stands for."""
    for _ in range(LINKS):
        if found := DESCRIPTOR.fullmatch(path):
            return int(found[1])
        try:
            path = str(Path(path).parent.joinpath(Path(path).readlink()))
        except (OSError, ValueError):
            return None
    return None


# ---------------------------------------------------------------- temporary files


def temporary_folder(prefix: str = "spanscope-") -> str:
    """Return a new folder that only this user can look into."""
    import tempfile

    try:
        return tempfile.mkdtemp(prefix=prefix)
    except OSError as error:
        raise no_room(error) from None


@contextmanager
def passing_folder() -> Iterator[Path]:
    """Yield a folder for temporary files, and remove it at the end with all that is in it."""
    import shutil

    folder = temporary_folder()
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def no_room(error: OSError) -> EngineError:
    """Say that temporary files cannot be written."""
    return EngineError(
        f"temporary files cannot be written ({error.strerror or error})",
        expected="a folder for temporary files that has room",
        hint="TMPDIR=FOLDER   before the command",
    )
