"""Files that are read a block at a time, counted by one process or several, and put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from spanscope.arguments import keep_silent
from spanscope.arithmetic import Ints, Keys
from spanscope.data.problems import Problem
from spanscope.engines import local
from spanscope.engines.left_out import Unlike, leave_out_of_all
from spanscope.engines.load import Progress, formats_of, load_both
from spanscope.engines.partial_sums import (
    Keeper,
    Portion,
    common_settings,
    count_portion,
    keep_portions,
    make_result,
    total_portion,
)
from spanscope.engines.pipeline import note_odd_inputs
from spanscope.engines.sizes import can_cut, is_large, most_documents, size_of
from spanscope.errors import DocumentError, InputError, MeasureError, quoting
from spanscope.findings.slices import Forms
from spanscope.io.detect import by_name
from spanscope.io.folder import is_folder, sources_in
from spanscope.io.format import Format
from spanscope.io.line_blocks import PACKED, ROOM, AnyStream, Pair, Unordered, deal_by_id, pair_in_order
from spanscope.io.line_stream import Stream
from spanscope.io.opening import holds_table, is_packed
from spanscope.io.part_stream import open_stream
from spanscope.io.parts import notes_on
from spanscope.io.pipes import is_file
from spanscope.io.source import STDIN
from spanscope.io.surrogates import path_of
from spanscope.io.target import no_room, passing_folder
from spanscope.results.result import Result
from spanscope.settings.options import Running
from spanscope.settings.run_settings import Settings
from spanscope.sides.lacking import place_lacks

AGAIN = 256_000_000  # bytes of files that are read once more, whole, to say what is wrong with them
SWOLLEN = 64  # how many times its size a packed file counts there
KEYS = 1 << 22  # keys of documents that are looked through at once


@dataclass(frozen=True)
class Task:
    """What is done to a block; it can be sent to another process."""

    settings: Settings
    strict: bool
    errors: bool
    ordered: bool = False
    formats: tuple[str, ...] = ()  # the names of those of both sides: blocks may show less than whole files
    forms: Forms | None = None  # texts of the training data, where spans are sliced by whether they were seen

    def __call__(self, item: tuple[Pair, bool]) -> Portion:
        """Read and count a block of both files; keep the counts, or only the totals."""
        with quoting(self.settings.quotes):
            return self._count(*item)

    def _count(self, pair: Pair, totals: bool) -> Portion:
        known = [by_name(name) for name in self.formats]
        ours, theirs, settings = load_both(pair.gold, pair.pred, self.settings, keep_silent, known)
        if self.ordered and ours.n_documents != theirs.n_documents:
            raise Unordered("not as many documents as")
        if self.ordered and ours.ids != theirs.ids:
            raise Unordered("not in the order of")
        part = count_portion(
            ours,
            theirs,
            settings,
            strict=self.strict,
            errors=self.errors,
            first=pair.first,
            lacking=not self.ordered,
            whole=False,
            forms=self.forms,
        )
        lines = (getattr(side, "numbers", None) for side in (pair.gold, pair.pred))
        part = replace(part, lacks=place_lacks(part.lacks, *lines))
        if totals:
            return total_portion(part)
        return replace(part, order=_gold_lines(getattr(pair.gold, "numbers", None), ours.ids, part.names))


def evaluate_blocks(
    gold: Any, pred: Any, task: Task, running: Running, meta: Mapping[str, str], progress: Progress
) -> Result:
    """Return the result of counting block by block; of inputs that have no lines, as one block."""
    most = most_documents(running.memory, task.settings)
    sides = (gold, gold if pred is None else pred)
    paths = list(map(path_of, sides))
    formats = _formats_of_lines(gold, pred, task.settings, running.jobs)
    if formats is not None:
        task = replace(task, formats=tuple(one.name for one in formats))
        try:
            parts, hashes, notes = _count_files(gold, pred, task, running.jobs, most, progress)
            read = list(zip(paths, hashes, strict=True))
            opened = [note for path in (gold, pred) for note in notes_on(path)]
            return make_result(parts, read, meta, progress, [*notes, *opened, *note_odd_inputs(*read)])
        except Unlike:  # what is decided from the data needs all of it
            if STDIN in (str(gold), str(pred)) or is_large(gold, pred):
                raise
        except (InputError, DocumentError, MeasureError):
            # Of several things that are wrong, the reader of whole files names the same one, whatever the blocks.
            if STDIN in (str(gold), str(pred)) or sum(map(_unpacked_size, (gold, pred))) > AGAIN:
                raise
    ours, theirs, settings = load_both(gold, pred, task.settings, progress)
    part = count_portion(ours, theirs, settings, strict=task.strict, errors=task.errors, forms=task.forms)
    hashed = list(zip(paths, (ours.sha256, theirs.sha256), strict=True))
    odd = [] if pred is None else note_odd_inputs(*hashed)
    return make_result(keep_portions([part], most), hashed, meta, progress, odd)


def _formats_of_lines(gold: Any, pred: Any, settings: Settings, jobs: int) -> tuple[Format, ...] | None:
    """Return the formats of two files that can be read in blocks; None where one is read whole, by one process."""
    if not (can_cut(gold) and can_cut(pred)):
        return None
    formats = formats_of((gold, pred), settings)
    sides = zip(("gold", "pred"), (gold, pred), formats, strict=True)
    whole = [
        (path, one)
        for side, path, one in sides
        if not one.in_blocks or "texts" in settings.of(side).left_open  # all of which must be known at once
    ]
    if whole and jobs > 1:
        path, one = whole[0]
        raise InputError(
            f"is in the format {one.name}, which is read whole, and not by several processes",
            where=str(path),
            expected="two files of JSON Lines, whose lines are documents",
            hint="without [[jobs]]",
        )
    return None if whole else formats


CountedFiles = tuple[
    list[Portion], tuple[str, str], list[Problem]
]  # portions, hashes of the files, what was noted


def _count_files(
    gold: str | Path, pred: str | Path, task: Task, jobs: int, most: int | None, progress: Progress
) -> CountedFiles:
    """Count two files of JSON Lines in blocks, and keep totals only from more than `most` documents on."""
    for path in (gold, pred):
        _check_openable(path)
    try:
        with closing(_stream(gold, "gold", task)) as ours, closing(_stream(pred, "pred", task)) as theirs:
            pairs = pair_in_order(ours, theirs)
            tick = _report_bytes(progress, "reading and scoring", size_of(gold, pred), ours, theirs)
            with closing(Seen()) as seen:
                parts = _run(replace(task, ordered=True), pairs, jobs, most, tick, seen.add)
                _refuse_repeats(parts, seen)
            return parts, (ours.sha256, theirs.sha256), []
    except Unordered as reason:
        if STDIN in (str(gold), str(pred)):
            other = pred if str(gold) == STDIN else gold
            raise InputError(
                f"the documents are {reason} {other}, and cannot be read again",
                where="<stdin>",
                expected="a file, or the same documents in the same order, each id once",
            ) from None
        why = str(reason)
    return _count_dealt(gold, pred, replace(task, ordered=False), jobs, most, progress, why)


def _count_dealt(
    gold: str | Path, pred: str | Path, task: Task, jobs: int, most: int | None, progress: Progress, why: str
) -> CountedFiles:
    """Count two files whose documents are in different orders, by way of temporary files."""
    sides = zip(("gold", "pred"), task.formats, strict=True)
    names = [by_name(name).id_names(task.settings.of(side).field) for side, name in sides]
    with (
        passing_folder() as room,
        closing(_stream(gold, "gold", task)) as ours,
        closing(_stream(pred, "pred", task)) as theirs,
    ):
        files = 1 + (_size_unpacked(ours, gold) + _size_unpacked(theirs, pred)) // ROOM
        pairs = deal_by_id(
            ours, theirs, names, files, room, _report_bytes(progress, "dealing", size_of(gold, pred), ours, theirs)
        )
        parts = _run(task, pairs, jobs, most, _report_pairs(progress, files))
        values = {"why": why, "gold": str(gold), "files": files}
        note = Problem("other order", str(pred), side="pred", values=values)
        return parts, (ours.sha256, theirs.sha256), [note]


def _stream(path: str | Path, side: str, task: Task) -> AnyStream:
    """Open a file whose documents are read some at a time."""
    return open_stream(path, task.settings.of(side).field)


def _size_unpacked(stream: AnyStream, path: str | Path) -> int:
    """Return about how many bytes the documents of a file take while they are read."""
    if not isinstance(stream, Stream) and stream.is_table:
        return stream.unpacked
    return size_of(path) * (PACKED if is_packed(path) else 1)


def _report_bytes(progress: Progress, stage: str, total: int, *streams: AnyStream) -> Callable[[], None]:
    """Return a function that says how many bytes of the files are read."""

    def tick() -> None:
        done = sum(stream.done for stream in streams)
        progress(stage, done, max(total, done))

    return tick


def _report_pairs(progress: Progress, number: int) -> Callable[[], None]:
    """Return a function that says how many pairs of files are scored."""
    done = count(1)
    return lambda: progress("scoring", next(done), number)


def _run(
    task: Task,
    pairs: Iterator[Pair],
    jobs: int,
    most: int | None,
    tick: Callable[[], None],
    seen: Callable[[Keys], None] | None = None,
) -> list[Portion]:
    """Count every pair, and keep what is to be kept as it comes; `seen` takes the keys of all ids."""
    keeper = Keeper(most, seen)
    items = ((pair, keeper.totals) for pair in pairs)  # asked for when a block is sent, so that it can change
    if jobs > 1:
        from spanscope.engines import processes  # with all that several processes need

        found = processes.run(task, items, tick, jobs)
    else:
        found = local.run(task, items, tick)
    with closing(found):  # where one portion is refused, the processes end here, before temporary files go
        for part in found:
            keeper.add(part)
    parts = list(leave_out_of_all(keeper.parts))
    common_settings(parts)
    return parts


class Seen:
    """The keys of all documents, in a temporary file once there are many: is one of them repeated?"""

    def __init__(self) -> None:
        import tempfile

        self._file = tempfile.SpooledTemporaryFile(max_size=8 * KEYS)  # noqa: SIM115

    def add(self, keys: Keys) -> None:
        """Take keys in."""
        try:
            self._file.write(keys.tobytes())
        except OSError as error:
            raise no_room(error) from None

    def repeats(self) -> bool:
        """Tell whether a key occurs twice, looking at a share of the keys at a time."""
        shares = 1 + self._file.tell() // (8 * KEYS)
        return any(self._repeats_in(share, shares) for share in range(shares))

    def _repeats_in(self, share: int, shares: int) -> bool:
        self._file.seek(0)
        found = []
        while data := self._file.read(8 * KEYS):
            keys = np.frombuffer(data, dtype=np.uint64)
            found.append(keys[keys % np.uint64(shares) == share])
        keys = np.sort(np.concatenate(found)) if found else np.zeros(0, dtype=np.uint64)
        return bool((keys[1:] == keys[:-1]).any())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _refuse_repeats(parts: Sequence[Portion], seen: Seen) -> None:
    """Raise Unordered where an id occurs in two blocks: dealt by ids, such documents stand together."""
    if any(part.content for part in parts):
        if not all(part.content for part in parts):
            raise Unordered("without ids here and there, as in")
        return
    if seen.repeats():
        raise Unordered("with an id that is repeated, as in")


def _gold_lines(numbers: Sequence[int] | None, ids: Sequence[str] | None, names: Sequence[str]) -> Ints | None:
    """Return on which line of gold every document stands, where lines are not in the order of the file.

    The documents are those of gold, perhaps without some; a repeated id may have got a number.
    """
    if numbers is None or ids is None or len(numbers) != len(ids):
        return None
    rows = iter(zip(ids, numbers, strict=True))
    found = (next((line for one, line in rows if name == one or name.startswith(f"{one}#")), 0) for name in names)
    return np.fromiter(found, np.int64, len(names))


def _unpacked_size(path: str | Path) -> int:
    """Return how many bytes a file may have where it is read whole; a packed one far more than it seems."""
    if is_folder(path):
        return sum(map(_unpacked_size, sources_in(path)))
    return size_of(path) * (SWOLLEN if is_packed(path) or holds_table(path) else 1)


def _check_openable(path: str | Path) -> None:
    """Refuse a file that cannot be opened in the words of the reader of whole files."""
    from spanscope.io.opening import open_source

    if str(path) != STDIN and not (is_file(path) or is_folder(path)):
        open_source(path)
