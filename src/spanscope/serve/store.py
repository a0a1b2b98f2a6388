"""What the server remembers: an index in SQLite, and beside it a folder of files for every item.

An item is an upload, a run or a comparison; a row of the index is what makes it exist. Files are written
elsewhere, flushed, renamed to their place, and only then the row is added, in one transaction; an item is deleted
by deleting its row first. So whenever the process is killed, what has a row is whole, and what has none is swept
away when the folder is opened next.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from spanscope.errors import InputError
from spanscope.jsonable import JsonObject
from spanscope.serve.durable import put_in_place, size_of_tree

FORM = 1  # version of the index
OURS = 0x53706E73  # what SQLite calls the application of a database
PLACES = {"upload": "uploads", "run": "runs", "compare": "runs"}  # where the files of an item lie, by kind
WORKSHOPS = ("coming", "jobs")  # where files are made: nothing in them outlives the server
INDEX = "index.sqlite"
ASKED = "asked.json"  # in the folder of a job: what it was asked
SCHEMA = (
    "CREATE TABLE item (id TEXT PRIMARY KEY, kind TEXT NOT NULL, made REAL NOT NULL, "
    "size INTEGER NOT NULL, gone REAL, head TEXT NOT NULL)"
)


class Item(NamedTuple):
    """A thing that is remembered; `gone` is when it was deleted, while that can be undone."""

    id: str
    kind: str
    made: float
    size: int
    gone: float | None
    head: JsonObject


class Store:
    """The index and the folders of one folder of a user. Who opens it makes sure that nobody else has it open."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in {*PLACES.values(), *WORKSHOPS}:
            root.joinpath(name).mkdir(mode=0o700, exist_ok=True)
        path = root.joinpath(INDEX)
        path.touch(0o600)
        with _telling(path):
            self._index = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._prepare(path)
        self.unfinished: dict[str, JsonObject] = {}  # what jobs were asked that a kill of the server ended
        self._sweep()

    def _prepare(self, path: Path) -> None:
        ours, form = (self._ask(f"PRAGMA {name}")[0][0] for name in ("application_id", "user_version"))
        if (ours, form) == (0, 0) and not self._ask("SELECT name FROM sqlite_master"):
            self._index.executescript(
                f"BEGIN; {SCHEMA}; PRAGMA application_id = {OURS}; PRAGMA user_version = {FORM}; COMMIT;"
            )
        elif ours != OURS:
            raise InputError("is not an index of spanscope serve", where=str(path), hint="--folder OTHER")
        elif form != FORM:
            raise InputError(
                f"was written by another version of Spanscope (form {form})",
                where=str(path),
                expected=f"form {FORM}",
                hint="pip install --upgrade spanscope, or --folder OTHER for a folder of this version",
            )
        self._ask("PRAGMA synchronous = FULL")

    def _ask(self, words: str, *values: object) -> list[tuple[object, ...]]:
        return self._index.execute(words, values).fetchall()

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def place(self, kind: str, own: str) -> Path:
        """Return the folder of an item."""
        return self.root.joinpath(PLACES[kind], own)

    def items(self, kind: str) -> Iterator[Item]:
        """Yield the items of a kind, the oldest first, those that were deleted and not yet removed among them."""
        wanted = "SELECT id, kind, made, size, gone, head FROM item WHERE kind = ? ORDER BY made, rowid"
        for own, kind_, made, size, gone, head in self._index.execute(wanted, (kind,)).fetchall():
            yield Item(own, kind_, made, size, gone, json.loads(head))

    def size(self) -> int:
        """Return how many bytes all items have."""
        return int(self._index.execute("SELECT coalesce(sum(size), 0) FROM item").fetchone()[0])

    def add(self, item: Item, made: Path) -> None:
        """Take in an item whose files lie, flushed, in the folder `made`."""
        put_in_place(made, self.place(item.kind, item.id))
        row = (item.id, item.kind, item.made, item.size, item.gone, json.dumps(item.head))
        self._ask("INSERT INTO item (id, kind, made, size, gone, head) VALUES (?, ?, ?, ?, ?, ?)", *row)

    def set_head(self, own: str, head: JsonObject) -> None:
        """Write what is said of an item."""
        self._ask("UPDATE item SET head = ? WHERE id = ?", json.dumps(head), own)

    def set_gone(self, own: str, gone: float | None) -> None:
        """Delete an item so that it can be undone, or undo it."""
        self._ask("UPDATE item SET gone = ? WHERE id = ?", gone, own)

    def measure(self, kind: str, own: str) -> None:
        """Look how large an item is now: something was added to it or taken away."""
        self._ask("UPDATE item SET size = ? WHERE id = ?", size_of_tree(self.place(kind, own)), own)

    def drop(self, kind: str, ids: Iterable[str]) -> None:
        """Delete items for good: all rows in one transaction, then the files."""
        ids = list(ids)
        if ids:
            self._ask(f"DELETE FROM item WHERE id IN ({', '.join('?' * len(ids))})", *ids)
        for own in ids:
            shutil.rmtree(self.place(kind, own), ignore_errors=True)

    def _sweep(self) -> None:
        """Remove files that no row speaks of, and rows whose files somebody removed."""
        for name in WORKSHOPS:
            for path in self.root.joinpath(name).iterdir():
                self._give_up(path)
        rows = {(PLACES[str(kind)], str(own)) for own, kind in self._ask("SELECT id, kind FROM item")}
        there = {(name, path.name) for name in {*PLACES.values()} for path in self.root.joinpath(name).iterdir()}
        for name, own in there - rows:
            self._give_up(self.root.joinpath(name, own))
        for _, own in rows - there:
            self._ask("DELETE FROM item WHERE id = ?", own)

    def _give_up(self, path: Path) -> None:
        """Remove what was half made; of a job remember what it was asked, where that was written in full."""
        with suppress(OSError, ValueError):
            self.unfinished[path.name] = json.loads(path.joinpath(ASKED).read_bytes())
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Say what to do where an index cannot be read."""
    try:
        yield
    except sqlite3.Error as error:
        what = f"the index of what was kept cannot be read ({error})"
        raise InputError(what, where=str(path), hint="--folder OTHER, or move this folder away") from None


def new_item(own: str, kind: str, size: int, head: JsonObject) -> Item:
    """Return an item that is made now."""
    return Item(own, kind, time.time(), size, None, head)
