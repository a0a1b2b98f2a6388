"""Zip archives: the names of their members that are data, and their bytes. Nothing is ever written to a path."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from spanscope.errors import InputError
from spanscope.io.data_names import data_names
from spanscope.io.pipes import Held, byte_size, first_bytes, is_file, open_path
from spanscope.io.source import MOST_RATIO, MOST_UNPACKED, STDIN
from spanscope.io.surrogates import legible

if TYPE_CHECKING:
    import zipfile

    from _typeshed import WriteableBuffer

MAGIC = (b"PK\x03\x04", b"PK\x05\x06")  # the first bytes of an archive, and of one without members
OFFICE = ("[Content_Types].xml", "xl/", "word/")  # what documents of Office are archives of
READ = 1 << 20  # bytes read at once
LAST, MOST_COMMENT = 22, 1 << 16  # bytes of the record at the end of an archive, and of the comment behind it
LOCKED = 1  # the flag of a member that needs a password
AGAIN = "make the archive again: it is damaged, or only a part of it"


def is_archive(path: Any) -> bool:
    """Tell a zip archive by its first bytes: a file, or a pipe whose bytes are held."""
    if not isinstance(path, (str, Path)) or str(path) == STDIN or not (isinstance(path, Held) or is_file(path)):
        return False
    if isinstance(path, Held) and isinstance(path.file, _Member):
        return False  # archives in archives are refused by whoever opens them
    try:
        return first_bytes(path, 4).startswith(MAGIC)
    except (OSError, ValueError):
        return False


def members_of(path: str | Path) -> tuple[str, ...]:
    """Return the names of the members of an archive that are files, sorted; refuse one that holds too much."""
    with _open_zip(path) as archive:
        infos = [one for one in archive.infolist() if not one.is_dir()]
    name, size = legible(path), byte_size(path)
    total = sum(one.file_size for one in infos)
    if total > max(MOST_UNPACKED, MOST_RATIO * size):
        raise InputError(
            f"{size:,} bytes unpack to {total:,}",
            where=name,
            expected=f"at most {MOST_UNPACKED:,} bytes, or {MOST_RATIO} times the size of the file",
            hint=f"unzip {name}   first, and give the folder",
        )
    names = tuple(sorted({one.filename for one in infos}))
    if len(names) < len(infos):
        raise InputError("has two members of one name", where=name, expected="every name once", hint=AGAIN)
    if any(one.startswith(OFFICE) for one in names):
        hint = "save it as CSV UTF-8, or as plain text"
        raise InputError("is a document of Office", where=name, expected="a file of data", hint=hint)
    return names


def member(path: str | Path, name: str) -> Held:
    """Return a member of an archive, to be opened like any file."""
    return Held(f"{legible(path)}/{name}", file=_Member(path, name))


def only_member(path: Any) -> Held | None:
    """Return the only member of an archive that is data; None for what is no archive, or one of several files."""
    if not is_archive(path):
        return None
    names = data_names(members_of(path))
    if not names:
        what = "is an archive without any file of data"
        raise InputError(what, where=legible(path), expected="at least one file")
    return member(path, names[0]) if len(names) == 1 else None


def sha256_of(path: str | Path) -> str:
    """Return the hash of the bytes of an archive itself."""
    with open_path(path) as file:
        out = hashlib.sha256()
        while part := file.read(READ):
            out.update(part)
    return out.hexdigest()


class _Member:
    """A member of an archive, which is opened from the first byte on as often as anybody likes."""

    def __init__(self, path: str | Path, name: str) -> None:
        self.path, self._name = path, name
        with _open_zip(path) as archive:
            self._info = archive.getinfo(name)

    def size(self) -> int:
        """Return how many bytes it unpacks to."""
        return self._info.file_size

    def open(self) -> IO[bytes]:
        """Return its bytes."""
        where = f"{legible(self.path)}/{self._name}"
        if self._info.flag_bits & LOCKED:
            hint = f"unzip {legible(self.path)}   with the password, and give the folder"
            raise InputError("needs a password", where=where, expected="an archive without one", hint=hint)
        return io.BufferedReader(_Reader(open_path(self.path), self._info, where))


class _Reader(io.RawIOBase):
    """The bytes of a member; what is wrong with them is said as of any input."""

    def __init__(self, raw: IO[bytes], info: zipfile.ZipInfo, where: str) -> None:
        import zipfile  # which few files need

        self._raw, self._where, self._begun = raw, where, False
        self._file: IO[bytes] = _guard(lambda: zipfile.ZipFile(raw).open(info), where)  # noqa: SIM115

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = _guard(lambda: self._file.read(len(view)), self._where)
        if not self._begun and data.startswith(MAGIC):
            hint = "unzip the outer archive, and give the folder or the inner one"
            raise InputError("is an archive in an archive", where=self._where, expected="files of data", hint=hint)
        self._begun = True
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
            self._raw.close()
        super().close()


@contextmanager
def _open_zip(path: str | Path) -> Iterator[zipfile.ZipFile]:
    import zipfile

    with open_path(path) as file:
        archive: zipfile.ZipFile = _guard(lambda: zipfile.ZipFile(file), legible(path))
        if _has_more(file, archive):
            what = "has bytes before or after the archive, which readers of archives ignore"
            raise InputError(what, where=legible(path), expected="one archive alone", hint=AGAIN)
        yield archive


def _has_more(file: IO[bytes], archive: zipfile.ZipFile) -> bool:
    """Tell a file in which something stands before the first member, or behind the end of the archive."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - LAST - MOST_COMMENT))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    begun = min((one.header_offset for one in archive.infolist()), default=0)
    return begun > 0 or at < 0 or len(tail) - at != LAST + len(archive.comment)


def _guard(work: Callable[[], Any], where: str) -> Any:
    try:
        return work()
    except InputError:
        raise
    except Exception as error:  # damaged archives raise errors of many kinds
        reason = str(error).replace("\n", " ")[:120] or type(error).__name__
        raise InputError(f"is not a whole zip archive ({reason})", where=where, hint=AGAIN) from None
