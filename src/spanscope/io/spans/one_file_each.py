"""Formats with a file for each document: the files of a folder, by annotator, or one file alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io.data_names import is_companion
from spanscope.io.folder import EXPORTS, is_folder, open_folder
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import BOM
from spanscope.io.spans.reading import ALONE

UNTOUCHED = "INITIAL_CAS"  # INCEpTION's document before anybody annotated it


class File(NamedTuple):
    """A file: its document's id, unless it came alone; whose it is; its name in messages; its bytes."""

    id: str | None
    annotator: str
    name: str
    data: bytes

    @property
    def text(self) -> str:
        """Return what the file says."""
        return decode(self.data, self.name)


class Files(NamedTuple):
    """The files of a source, what it is called, the hash of them all, and what else lies in the folder."""

    found: Sequence[File]
    name: str
    sha256: str
    others: Mapping[str, int]

    def by_annotator(self) -> dict[str, list[int]]:
        """Return the places of each annotator's files."""
        out: dict[str, list[int]] = {}
        for number, file in enumerate(self.found):
            out.setdefault(file.annotator, []).append(number)
        return out


def open_files(source: Any, suffixes: tuple[str, ...]) -> Files:
    """Return the files of a folder with these endings, or the one file that the source is.

    A document alone has no id, so that it pairs with the document of another file whatever both are called.
    """
    if not is_folder(source):
        file = open_source(source)
        return Files([File(None, ALONE, file.name, file.data)], file.name, file.sha256, {})
    folder = open_folder(source)
    data = [name for name in folder.names if name.endswith(suffixes) and not is_companion(name)]
    wanted = [name for name in data if PurePosixPath(name).stem != UNTOUCHED]
    found = []
    for name, (annotator, own) in zip(wanted, annotators_and_documents(wanted, Path(source).name), strict=True):
        found.append(File(own, annotator, f"{folder.name}/{name}", folder.open(name, text=False).data))
    refuse_none(found, suffixes, folder.name)
    others = sum(not name.endswith(suffixes) and not is_companion(name) for name in folder.names)
    aside = {"files of other formats": others, "documents as they were before annotation": len(data) - len(wanted)}
    return Files(found, folder.name, folder.sha256, aside)


def refuse_none(found: Sequence[object], suffixes: Sequence[str], where: str) -> None:
    """Refuse a folder without any file of a format that it was said to be in."""
    if not found:
        what = f"has no file whose name ends with {' or '.join(suffixes)}"
        raise InputError(what, where=where, expected="at least one document")


def annotators_and_documents(names: Sequence[str], folder: str = "") -> list[tuple[str, str]]:
    """Return the annotator and the document of each file, by its name in a folder that is called so.

    INCEpTION has a folder for each document and in it a file for each annotator. Elsewhere, folders beside each
    other with documents of the same names are those of annotators; all other files are of one.

    >>> annotated(["d1.txt/ann.tsv", "d1.txt/ben.tsv"])
    [('ann', 'd1.txt'), ('ben', 'd1.txt')]
    >>> annotated(["ann/d1.ann", "ben/d1.ann"]), annotated(["x/d1.ann", "d2.ann"])
    ([('ann', 'd1'), ('ben', 'd1')], [('', 'x/d1'), ('', 'd2')])
    """
    inner = [PurePosixPath(name).parts for name in names]
    within = [next((at + 1 for at, part in enumerate(parts) if part in EXPORTS), 0) for parts in inner]
    rest = [parts[at:] for parts, at in zip(inner, within, strict=True)]
    exported = folder in EXPORTS or (bool(names) and all(within))
    if all(len(parts) == 2 for parts in rest) and (exported or all("." in parts[0] for parts in rest)):
        return [(PurePosixPath(last).stem, first) for first, last in rest]
    stems = [stem_of(name) for name in names]
    own = [stem.partition("/") for stem in stems]
    if all(slash for _, slash, _ in own) and len({last for _, _, last in own}) < len(own):
        return [(first, last) for first, _, last in own]
    return [(ALONE, stem) for stem in stems]


def note_left_aside(corpus: Corpus, numbers: Mapping[str, int], options: ReadOptions, by: str = "spans") -> None:
    """Note how many things of which kinds a source holds that its spans, or whatever it has, cannot."""
    before = len(options.report.problems)
    for what, number in sorted(numbers.items()):
        options.report.left_aside(what, number, corpus.name, by)
    corpus.problems[:0] = options.report.problems[before:]


def stem_of(name: str) -> str:
    """Return the id of a document by its file: the path in the folder without the last suffix.

    >>> stem_of("more/d1.ann")
    'more/d1'
    """
    path = PurePosixPath(name)
    return path.with_suffix("").as_posix() if path.suffix else name


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines of a text with their numbers, without their ends."""
    for number, line in enumerate(text.split("\n"), start=1):
        yield number, line.removesuffix("\r")


def decode(data: bytes, name: str) -> str:
    """Return the text of a file in UTF-8, line ends as they are."""
    try:
        return data.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("is not text in UTF-8", where=f"{name}:{line}", expected="UTF-8") from None


def each_side(
    files: Files, read: Callable[[Sequence[int]], Corpus], options: ReadOptions, aside: Mapping[str, int]
) -> dict[str, Corpus]:
    """Return the corpus of each annotator's files; what was left aside is noted with the first."""
    out = {annotator: read(rows) for annotator, rows in files.by_annotator().items()}
    note_left_aside(next(iter(out.values())), {**files.others, **aside}, options)
    return {ALONE: next(iter(out.values()))} if len(out) == 1 else out
