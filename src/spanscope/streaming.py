"""Files that are read a block at a time, counted by one process or several, and put together."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spanscope.data import Corpus, Problem
from spanscope.engines import local, processes
from spanscope.errors import InputError, MeasureError, plural
from spanscope.io.blocks import ROOM, Pair, Stream, Unordered, dealt, in_order
from spanscope.io.fields import fields
from spanscope.io.jsonl import is_lines
from spanscope.io.source import STDIN, Source, peek
from spanscope.load import Progress, load_both
from spanscope.portions import Portion, portion, result
from spanscope.result import KEEPING, Result
from spanscope.settings import Settings

HEAD = 1 << 22  # bytes in which the first line of JSON Lines ends
LARGE = 1_500_000_000  # bytes of both files from which spans are not kept, unless asked for


@dataclass(frozen=True)
class Task:
    """What is done to a block; it can be sent to another process."""

    settings: Settings
    strict: bool
    errors: bool
    ordered: bool = False

    def __call__(self, pair: Pair) -> Portion:
        """Read and count a block of both files."""
        ours, theirs, settings = load_both(*pair, self.settings, _silent)
        if self.ordered and _differ(ours, theirs):
            raise Unordered
        return portion(ours, theirs, settings, strict=self.strict, errors=self.errors)


def in_blocks(gold: Any, pred: Any, jobs: int, memory: str | None) -> bool:
    """Tell whether spans are let go of once counted: as asked, else for several processes and large files."""
    if memory is not None and memory not in KEEPING:
        raise MeasureError(f"memory={memory!r}", expected=" or ".join(KEEPING))
    if jobs < 1:
        raise MeasureError(f"jobs={jobs!r}", expected="1 or more")
    if memory == "spans":
        if jobs > 1:
            raise MeasureError(
                "several processes give back counts, not spans", hint="--memory counts, or --jobs 1"
            )
        return False
    able = can_stream(gold) and can_stream(pred)
    if jobs > 1 and not able:
        odd = gold if not can_stream(gold) else pred
        raise InputError(
            "cannot be read by several processes",
            where=str(odd) if isinstance(odd, (str, Path)) else "the input",
            expected="two files of JSON Lines",
        )
    return memory is not None or jobs > 1 or (able and size_of(gold, pred) > LARGE)


def streamed(gold: Any, pred: Any, task: Task, jobs: int, meta: Mapping[str, str], told: Progress) -> Result:
    """Return the result of counting block by block; of inputs that have no lines, as one block."""
    said = ""
    hashes: tuple[str | None, str | None]
    if can_stream(gold) and can_stream(pred):
        parts, hashes, said = stream(gold, pred, task, jobs, told)
    else:
        ours, theirs, settings = load_both(gold, pred, task.settings, told)
        parts, hashes = (
            [portion(ours, theirs, settings, strict=task.strict, errors=task.errors)],
            (
                ours.sha256,
                theirs.sha256,
            ),
        )
    sides = (gold, gold if pred is None else pred)
    paths = [str(source) if isinstance(source, (str, Path)) else None for source in sides]
    notes = [Problem("other order", str(pred), said)] if said else []
    return result(parts, list(zip(paths, hashes, strict=True)), meta, told, notes)


def can_stream(source: Any) -> bool:
    """Tell whether a source can be read in blocks: a file of JSON Lines."""
    if not isinstance(source, (str, Path)) or not str(source):
        return False
    head = peek(source, HEAD)
    return bool(head.strip()) and is_lines(Source(str(source), head, ""))


def size_of(*sources: Any) -> int:
    """Return the bytes of the sources that are files."""
    out = 0
    for source in sources:
        if isinstance(source, (str, Path)) and str(source) != STDIN:
            try:
                out += Path(source).stat().st_size
            except (OSError, ValueError):  # whoever opens it says what is wrong
                continue
    return out


def stream(
    gold: str | Path, pred: str | Path, task: Task, jobs: int, told: Progress
) -> tuple[list[Portion], tuple[str, str], str]:
    """Count two files of JSON Lines in blocks: the portions, the hashes of the files, and what is to be said."""
    for path in (gold, pred):
        _openable(path)
    try:
        with closing(Stream(gold)) as ours, closing(Stream(pred)) as theirs:
            pairs = in_order(ours, theirs)
            parts = list(_run(replace(task, ordered=True), pairs, jobs, told, (ours, theirs)))
            return parts, (ours.sha256, theirs.sha256), ""
    except Unordered:
        if STDIN in (str(gold), str(pred)):
            raise InputError(
                "is in another order than the other file, and cannot be read again",
                where="<stdin>",
                expected="a file, or the documents in the same order",
            ) from None
    return _dealt(gold, pred, replace(task, ordered=False), jobs, told)


def _dealt(
    gold: str | Path, pred: str | Path, task: Task, jobs: int, told: Progress
) -> tuple[list[Portion], tuple[str, str], str]:
    """Count two files whose documents are in different orders, by way of temporary files."""
    names = fields(task.settings.field)["id"]
    files = 1 + size_of(gold, pred) // ROOM
    with (
        tempfile.TemporaryDirectory(prefix="spanscope-") as room,
        closing(Stream(gold)) as ours,
        closing(Stream(pred)) as theirs,
    ):
        pairs = dealt(ours, theirs, names, files, Path(room))
        parts = list(_run(task, pairs, jobs, told, (ours, theirs)))
        said = f"in another order than {gold}: the documents were dealt into {plural(files, 'temporary file')}"
        return parts, (ours.sha256, theirs.sha256), said


def _run(
    task: Task, pairs: Iterator[Pair], jobs: int, told: Progress, streams: tuple[Stream, Stream]
) -> Iterator[Portion]:
    total = size_of(*(stream.name for stream in streams))

    def tick() -> None:
        done = sum(stream.done for stream in streams)
        told("scoring", done, max(total, done))

    if jobs > 1:
        return processes.run(task, pairs, tick, jobs)
    return local.run(task, pairs, tick)


def _openable(path: str | Path) -> None:
    """Refuse a file that cannot be opened in the words of the reader of whole files."""
    from spanscope.io.source import open_source

    if str(path) != STDIN and not Path(path).is_file():
        open_source(path)


def _differ(ours: Corpus, theirs: Corpus) -> bool:
    """Tell whether the documents of a block are not the same ones in the same order."""
    return ours.ids != theirs.ids or ours.n_documents != theirs.n_documents


def _silent(_stage: str, _done: int, _total: int) -> None:
    """Say nothing."""
