"""A configuration file for what stands in a folder: which file is gold, which are runs, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from spanscope.errors import InputError, SpanscopeError
from spanscope.families import family_of
from spanscope.io.configuration_file import OWN
from spanscope.io.detect import recognise
from spanscope.io.file_names import guess_side, holds_data
from spanscope.io.format import Format
from spanscope.io.results import is_result

DEEPEST, MOST_LOOKED_AT = 4, 5000  # folders below, and files looked at
OUTSIDE = ("node_modules", "__pycache__", "venv", "site-packages", "build", "dist")
BEGINNING = """# Made by spanscope init. spanscope eval, compare and leaderboard read this file if they are called
# without files. Paths are relative to this file. You can add any option of spanscope eval.
"""
LOCATE = "; for the output of a language model write it under [runs] and add locate = true"


@dataclass(frozen=True)
class Found:
    """A configuration that was made up, as it is written, and the reasons, a sentence each."""

    text: str
    why: tuple[str, ...]


def init(folder: str | Path) -> Found:
    """Look for gold and runs in a folder and return a configuration that names them."""
    root = Path(folder)
    if not root.is_dir():
        raise InputError("is not a folder", where=str(folder), expected="a folder with gold and predictions")
    known, unread = _formats(root)
    gold, why = _choose_gold(known, str(folder))
    family = known[gold].family
    runs = {name: one for name, one in known.items() if name != gold and one.family == family}
    sure = [name for name in runs if guess_side(name) == "pred"]
    chosen = sure or [name for name in runs if guess_side(name) == "data"]
    for name in chosen:
        said = (
            "its name says predictions"
            if sure
            else "no file is named as predictions, and it has the same kind of data as gold"
        )
        why.append(f"run {name}: {said} ({known[name].name})")
    why += [f"left out {name}: {_reason(name, known, family)}" for name in known if name not in (gold, *chosen)]
    why += [f"left out {name}: {reason}" for name, reason in unread.items()]
    if not chosen:
        why.append("no predictions were found: add them to the file, under [runs]")
    return Found(_text(gold, family, chosen), tuple(why))


def _formats(root: Path) -> tuple[dict[str, Format], dict[str, str]]:
    """Return the data files of a folder with their formats, and those that no format claims with the reason."""
    known, unread = {}, {}
    for name in sorted(islice(_names(root), MOST_LOOKED_AT), key=lambda name: (name.count("/"), name)):
        path = str(root.joinpath(name))
        try:
            if is_result(path):
                unread[name] = "it is a result file"
            else:
                known[name] = recognise(path)
        except SpanscopeError as error:
            unread[name] = error.what + (LOCATE if "[[locate]]" in error.hint else "")
    return known, unread


def _names(folder: Path, above: str = "", deep: int = 0) -> Iterator[str]:
    """Yield the names of data files below a folder; hidden ones, links and folders of tools are passed over."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink() or path.name in OUTSIDE:
            continue
        if path.is_dir() and deep < DEEPEST:
            yield from _names(path, f"{above}{path.name}/", deep + 1)
        elif path.is_file() and holds_data(path.name):
            yield f"{above}{path.name}"


def _choose_gold(known: dict[str, Format], folder: str) -> tuple[str, list[str]]:
    """Return which file is gold, and why."""
    named = [name for name in known if guess_side(name) == "gold"]
    if not named:
        raise InputError(
            "no file is named as gold",
            where=folder,
            expected="a name such as gold.jsonl, truth.json or qrels.txt",
            hint=f'write {OWN} yourself, with gold = "FILE" and a table [runs]',
        )
    gold = named[0]
    why = [f"gold {gold}: its name says gold ({known[gold].name})"]
    if len(named) > 1:
        others = ", ".join(named[1:4]) + (" ..." if len(named) > 4 else "")
        why = [f"gold {gold}: the first of {len(named)} whose names say gold; the others are {others}"]
    return gold, why


def _reason(name: str, known: dict[str, Format], family: str) -> str:
    if known[name].family != family:
        return f"it contains {known[name].family}, while gold contains {family}"
    return "its name says gold too" if guess_side(name) == "gold" else "its name does not say predictions"


def _text(gold: str, family: str, runs: list[str]) -> str:
    lines = [BEGINNING, f"gold = {json.dumps(gold, ensure_ascii=False)}"]
    lines.append(f'protocol = "{family_of(family).protocol}"  # the default for {family}')
    lines.append('# fail_under = ["f1=0.75"]  # exit code 1 if F1 is lower')
    lines += ["", "[runs]"]
    names: set[str] = set()
    for run in runs:
        name = run if Path(run).stem in names else Path(run).stem
        names.add(name)
        lines.append(f"{json.dumps(name, ensure_ascii=False)} = {json.dumps(run, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"
