"""LegalBench-RAG's folder: benchmarks in JSON beside the corpus, whose files their places are in.

The published download has `corpus/` and `benchmarks/NAME.json`, one file for each of its four sources; smaller
ones have one benchmark beside the corpus. Places are checked against the texts, as with `corpus`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from spanscope.errors import named
from spanscope.io.archive import is_archive
from spanscope.io.folder import Folder, open_folder
from spanscope.io.head import Head, head_of
from spanscope.io.passages.library import Library
from spanscope.io.passages.queries import read_queries
from spanscope.io.passages.rows import Sides, wrong
from spanscope.io.read_options import ReadOptions

CORPUS, BENCHMARKS = "corpus", "benchmarks"  # folders in it


def is_folder_of_benchmarks(head: Head) -> bool:
    """Tell a folder with files in `corpus`, and beside them a JSON file of tests with snippets."""
    folder = open_folder(head.source)
    return bool(_with_tests(folder))


def read_folder(source: Any, options: ReadOptions) -> Sides:
    """Return the queries of a benchmark, their places checked against the files in the corpus."""
    folder = open_folder(source)
    if options.side == "pred":
        wrong(
            folder.name,
            "the pred side holds a benchmark",
            "gold first, then what was retrieved",
            "the two swapped",
        )
    name = _choose(folder, options.split)
    library = options.library or library_in(source)
    sides = read_queries(folder.source(name), replace(options, library=library))
    folder.open(name)
    for side in sides.values():
        side.sha256 = folder.sha256
    return sides


def library_in(source: Any) -> Library:
    """Return the files in the corpus of such a folder, or of an archive of one."""
    folder = open_folder(source)
    return Library(CORPUS, folder) if is_archive(source) else Library(Path(folder.source(CORPUS)))


def benchmarks_in(source: Any) -> list[str]:
    """Return the names of the benchmarks in a folder."""
    return sorted(_with_tests(open_folder(source)))


def _benchmarks(folder: Folder) -> dict[str, str]:
    """Return the JSON files beside the corpus, by the names of the benchmarks."""
    own = ("", BENCHMARKS)
    paths = [PurePosixPath(name) for name in folder.names]
    return {
        path.stem: str(path) for path in paths if path.suffix == ".json" and str(path.parent).strip(".") in own
    }


def _holds_tests(source: str) -> bool:
    """Tell a file of tests that have snippets."""
    first = next((one for one in head_of(source).records() if one.container == "tests"), None)
    return first is not None and isinstance(first.value, dict) and "snippets" in first.value


def _with_tests(folder: Folder) -> dict[str, str]:
    """Return the files beside the corpus that are benchmarks, by their names."""
    return {name: file for name, file in _benchmarks(folder).items() if _holds_tests(folder.source(file))}


def _choose(folder: Folder, split: str | None) -> str:
    """Return the benchmark that was asked for, or the only one."""
    found = _with_tests(folder)
    there = ", ".join(sorted(found))
    if split is not None and split not in found:
        wrong(folder.name, f"has no benchmark {named(split)}", there)
    if split is None and len(found) > 1:
        one = " or ".join(f"[[split={name}]]" for name in sorted(found)[:4])
        wrong(folder.name, f"holds {len(found)} benchmarks: {there}", "one of them", f"{one}   to read one")
    return found[split or next(iter(found))]
