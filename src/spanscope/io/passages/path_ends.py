"""Paths of one file that begin in different folders: c/d1.txt is the end of /data/corpus/c/d1.txt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection


def same_ends(gold: Collection[str], pred: Collection[str]) -> dict[str, str]:
    """Return the gold path for each predicted one of which one is the end of the other, where just one is.

    >>> same_ends(["c/d1.txt", "c/d2.txt"], ["/data/c/d1.txt", "d2.txt", "d3.txt"])
    {'/data/c/d1.txt': 'c/d1.txt', 'd2.txt': 'c/d2.txt'}
    """
    by_name: dict[str, list[str]] = defaultdict(list)
    for name in gold:
        by_name[_last(name)].append(name)
    found: dict[str, list[str]] = defaultdict(list)
    for name in pred:
        own = [one for one in by_name.get(_last(name), ()) if _is_end(one, name) or _is_end(name, one)]
        if len(own) == 1:
            found[own[0]].append(name)
    return {names[0]: one for one, names in found.items() if len(names) == 1}


def _last(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _is_end(short: str, long: str) -> bool:
    short, long = (path.replace("\\", "/").removeprefix("./") for path in (short, long))
    return long == short or long.endswith(f"/{short.removeprefix('/')}")
