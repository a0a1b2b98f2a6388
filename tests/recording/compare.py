"""Two recorded folders beside each other: changed figures are told from changed words and layout."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[\d,]*\d)?(?:\.\d+)?(?:[eE][-+]?\d+)?")
WIDEST = 160  # characters of a line that are shown


@dataclass(frozen=True)
class Changed:
    """A file that is not the same in both folders."""

    name: str
    figures: bool  # whether its numbers differ, and not only words and layout
    said: str
    lines: tuple[str, ...]


def compare(old: Path, new: Path, *, skip: Sequence[str] = (), most: int = 12) -> int:
    """Print how two folders differ, changed figures first; return 1 if they do."""
    before, after = (_files(folder, skip) for folder in (old, new))
    for folder, own, other in ((old, before, after), (new, after, before)):
        for name in sorted(own.keys() - other.keys()):
            print(f"only in {folder}: {name}")
    both = sorted(before.keys() & after.keys())
    changed = [made for name in both if (made := _changed(name, before[name], after[name], most))]
    for one in sorted(changed, key=lambda one: (not one.figures, one.name)):
        print(f"\n{'FIGURES' if one.figures else 'words'}  {one.name}: {one.said}")
        print("".join(f"    {line}\n" for line in one.lines), end="")
    figures, alone = sum(one.figures for one in changed), len(before.keys() ^ after.keys())
    print(
        f"{len(before)} and {len(after)} files: {len(both) - len(changed)} the same, "
        f"{figures} with other figures, "
        f"{len(changed) - figures} with other words or layout only, {alone} in one folder only"
    )
    return 1 if changed or alone else 0


def _files(folder: Path, skip: Sequence[str]) -> dict[str, Path]:
    if not folder.is_dir():
        raise SystemExit(f"{folder}: there is no such folder")
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path for name, path in found.items() if not any(word in name for word in skip)}


def _changed(name: str, old: Path, new: Path, most: int) -> Changed | None:
    """Return how a file differs; None where it does not."""
    bytes_ = [path.read_bytes() for path in (old, new)]
    if bytes_[0] == bytes_[1]:
        return None
    texts = [one.decode("utf-8", "replace") for one in bytes_]
    numbers = [NUMBER.findall(text) for text in texts]
    same = numbers[0] == numbers[1]
    lines = tuple(_difference(*(text.splitlines() for text in texts), most))
    return Changed(name, not same, _numbers_said(*numbers), lines)


def _numbers_said(old: list[str], new: list[str]) -> str:
    """Say whether two sequences of numbers are the same.

    >>> _numbers_said(["1", "0.5"], ["1", "0.25"])
    '1 of 2 numbers differ, first 0.5 -> 0.25 (the 2nd)'
    """
    if old == new:
        return f"all {len(old)} numbers are the same"
    if Counter(old) == Counter(new):
        return f"the same {len(old)} numbers in another order"
    if len(old) != len(new):
        gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
        return f"{len(old)} numbers became {len(new)}: {_some(gone)} gone, {_some(come)} new"
    at = [n for n, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    end = {1: "st", 2: "nd", 3: "rd"}.get(at[0] + 1, "th")
    first = f"first {old[at[0]]} -> {new[at[0]]} (the {at[0] + 1}{end})"
    return f"{len(at)} of {len(old)} numbers differ, {first}"


def _some(numbers: Counter[str]) -> str:
    shown = list(numbers.elements())
    return (" ".join(shown[:6]) + (" ..." if len(shown) > 6 else "")) or "none"


def _difference(old: list[str], new: list[str], most: int) -> Iterator[str]:
    """Return the first lines of a unified diff; of long lines, the places where they differ.

    What both have at their start and end is left out first: a diff of long files takes its time.
    """
    head = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    shorter = min(len(old), len(new)) - head
    tail = next((n for n in range(shorter) if old[-1 - n] != new[-1 - n]), shorter)
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(a) == len(b):
        lines = [line for x, y in zip(a, b, strict=True) if x != y for line in _both(x, y)]
    else:
        lines = [line[:WIDEST] for line in difflib.unified_diff(a[:400], b[:400], lineterm="", n=0)][2:]
    yield f"@@ from line {head + 1}"
    yield from lines[:most]
    if len(lines) > most:
        yield f"... {len(lines) - most} more lines"


def _both(old: str, new: str) -> tuple[str, str]:
    """Return two unlike lines as a diff shows them, long ones from a little before the place where they part."""
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, at - 40) if max(len(old), len(new)) > WIDEST else 0
    dots = "..." if start else ""
    return f"-{dots}{old[start : start + WIDEST]}", f"+{dots}{new[start : start + WIDEST]}"
