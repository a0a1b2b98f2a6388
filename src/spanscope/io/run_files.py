"""The files of runs: those that a folder or a pattern stands for, and names that tell their paths apart."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path, PurePath
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.archive import is_archive
from spanscope.io.data_names import data_names
from spanscope.io.detect import formats_claiming
from spanscope.io.pipes import Held, mode_of
from spanscope.io.source import STDIN


def files_of_runs(source: Any) -> list[Any]:
    """Return the sources of the runs that a source stands for: a run each.

    A pattern stands for the files and folders that it matches, and a folder for all that is in it, in the order of
    the names, unless a format claims the folder as a whole, as brat's does: that is one run. Anything else is too.
    """
    if not isinstance(source, (str, Path)) or isinstance(source, Held) or str(source) in (STDIN, ""):
        return [source]
    own = str(source)
    if glob.has_magic(own) and not os.path.lexists(own):
        found = sorted(glob.iglob(own, recursive=True))  # noqa: PTH207
        if not found:
            raise InputError("no file matches", where=shown(own), expected="a pattern such as 'runs/*.jsonl'")
        return [one for path in found for one in files_of_runs(path)]
    if not stat.S_ISDIR(mode_of(own)) or is_archive(own) or formats_claiming(own):
        return [source]
    names = data_names(entry.name for entry in os.scandir(own))
    if not names:
        raise InputError("the folder is empty", where=shown(own), expected="a folder with a file or folder a run")
    return [one for name in sorted(names) for one in files_of_runs(os.path.join(own, name))]  # noqa: PTH118


def names_of_paths(paths: Sequence[str]) -> list[str]:
    """Return names for several paths: the parts of them that differ, without the ending that all have.

    >>> names_of_paths(["runs/bert/dev.jsonl", "runs/crf/dev.jsonl"])
    ['bert', 'crf']
    >>> names_of_paths(["out/a.jsonl", "out/b.jsonl"]), names_of_paths(["a.jsonl", "b/a.json"])
    (['a', 'b'], ['a.jsonl', 'b/a.json'])
    """
    parts = [PurePath(path).parts for path in paths]
    if len(set(parts)) < len(parts) or len(parts) < 2:
        return [PurePath(path).stem for path in paths] if len(parts) == 1 else list(paths)
    endings = {PurePath(path).suffix for path in paths}
    if len(endings) == 1:
        ending = endings.pop()
        parts = [(*own[:-1], own[-1].removesuffix(ending)) for own in parts]
    first = _count_shared(parts)
    last = _count_shared([own[first:][::-1] for own in parts])
    names = ["/".join(own[first : len(own) - last]) for own in parts]
    return names if all(names) and len(set(names)) == len(names) else list(paths)


def _count_shared(parts: Sequence[Sequence[str]]) -> int:
    """Return how many parts all have in common at their beginnings."""
    return sum(1 for _ in takewhile(lambda own: len(set(own)) == 1, zip(*parts, strict=False)))
