"""What the server accepts and holds at most, and the errors it answers with."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass

from spanscope.errors import MeasureError, SpanscopeError, say_options, shown, speaking_to
from spanscope.jsonable import JsonObject
from spanscope.serve.tries import tries_of

HOUR, DAY = 3600.0, 86_400.0  # seconds
ANY = ("0.0.0.0", "::", "")  # every address of this machine
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}
LONE = re.compile("[\ud800-\udfff]")  # halves of characters: bytes of a name that are no text
TEXTS = ("none", "masked", "context", "full")  # how much of a text may be shown, least first


@dataclass(frozen=True)
class Limits:
    """Bounds that keep one browser tab from filling a disk or a machine."""

    upload: int = 200_000_000  # bytes of one file
    uploads: int = 200  # files held; the oldest that nothing needs goes first
    total: int = 5_000_000_000  # bytes of all that is kept; then uploads go, the oldest first
    days: float = 30.0  # after which an upload is removed
    undo: float = 24.0  # hours for which a run that was deleted can be had back
    runs: int = 1000  # held; then no other is taken in
    compared: int = 40  # comparisons held; the oldest goes first, for it can be made again
    jobs: int = 1  # at the same time
    queue: int = 32  # jobs that wait
    failures: int = 20  # failed jobs that are still told
    told: float = 3600.0  # seconds for which a failed job is told
    body: int = 64_000  # bytes of a JSON request
    seconds: float = 3600.0  # of one job
    files: int = 500  # listed of the folder
    entries: int = 20_000  # looked at while listing
    depth: int = 4  # folders below the folder
    text: str = "full"  # the most that a page may show of texts

    @property
    def keeps_texts(self) -> bool:
        """Tell whether texts may stay on the disk: copies of inputs, and uploads when the server stops."""
        return self.text not in ("none", "masked")

    def may_show(self, text: str) -> bool:
        """Tell whether what was made with so much of texts may be shown."""
        return TEXTS.index(text) <= TEXTS.index(self.text)


class Refused(Exception):
    """A request that is answered with an error: the HTTP status, and the error in the library's form."""

    def __init__(self, status: int, what: str, *, where: str = "", expected: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.status = status
        self.error: JsonObject = {
            "kind": "Refused",
            "what": what,
            "where": where,
            "expected": expected,
            "hint": hint,
        }


def error_as_json(error: BaseException, files: Mapping[str, str] | None = None) -> JsonObject:
    """Return an error as it goes into JSON: kind, what, where, expected, hint, and what the form can try.

    `files` has the names of gold and predictions by side, where a job read some.
    """
    if isinstance(error, SpanscopeError):
        names = ("what", "where", "expected", "hint")
        with speaking_to("form"):
            said = {n: say_options(getattr(error, n))[:2000] for n in names}
            return {"kind": type(error).__name__, **said, "tries": tries_of(error, files or {})}
    what = f"internal error: {type(error).__name__}"
    if isinstance(error, MemoryError):
        what = "there is not enough memory for this corpus"
    elif isinstance(error, ImportError):
        what = str(error)[:500]
    return {"kind": type(error).__name__, "what": what, "where": "", "expected": "", "hint": ""}


def size_of(text: str) -> int:
    """Return a size such as 200MB in bytes.

    >>> size_of("200MB"), size_of("1.5 gb"), size_of("4096")
    (200000000, 1500000000, 4096)
    """
    number = text.strip().upper().rstrip("KMGB")
    unit = text.strip().upper()[len(number) :]
    try:
        size = int(float(number) * UNITS[unit])
    except (KeyError, OverflowError, ValueError):
        size = 0
    if size <= 0:
        raise MeasureError(
            f"the limit is {shown(text)}", expected="a size such as 200MB, 2GB or a number of bytes"
        )
    return size


def size_in_words(size: int) -> str:
    """Return a size in words.

    >>> size_in_words(200_000_000), size_in_words(1_500), size_in_words(12)
    ('200 MB', '1.5 KB', '12 bytes')
    """
    for unit in ("GB", "MB", "KB"):
        if size >= UNITS[unit]:
            whole, rest = divmod(size * 10 // UNITS[unit], 10)
            return f"{whole}.{rest} {unit}" if rest else f"{whole} {unit}"
    return f"{size} bytes"


def is_loopback(host: str) -> bool:
    """Tell whether an address is reached from this machine only."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
