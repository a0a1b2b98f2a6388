"""A project's configuration: its gold, its runs, its gates, and options by the names they are declared with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spanscope.errors import InputError, did_you_mean, shown
from spanscope.io.configuration_file import read_configuration
from spanscope.settings.options import ALL, about, options_of
from spanscope.settings.reading import Reading
from spanscope.settings.value_types import TYPES, in_words, is_of

OWN: dict[str, tuple[type, ...]] = {  # what is no option of scoring
    "gold": (str,),
    "runs": (dict, list, str),
    "fail_under": (list, str),
    "fail_over": (list, str),
}
OPTIONS: dict[str, tuple[type, ...]] = {
    **{name: TYPES[about(one).form] for group in ALL for name, one in options_of(group).items()},
    **{
        f"{side}_{name}": TYPES[about(one).form]
        for name, one in options_of(Reading).items()
        if about(one).by_side
        for side in ("gold", "pred")
    },
    "ci": (bool,),
}
PATHS = (
    "corpus",
    "texts",
    "gold_texts",
    "pred_texts",
    "train",
    "tune",
    "tune_gold",
)  # options that name a file or a folder


@dataclass(frozen=True)
class Configuration:
    """What a configuration file says; its paths are as seen from where the program runs."""

    path: str
    gold: str | None
    runs: Mapping[str, str]
    fail_under: tuple[str, ...]
    fail_over: tuple[str, ...]
    options: Mapping[str, Any]


def configuration(path: Path) -> Configuration:
    """Read a configuration file; a key that nothing declares, or a value of another type, is refused."""
    name, found = _seen_from_here(path), read_configuration(path)
    known = {**OWN, **OPTIONS}
    for key, value in found.items():
        if key not in known:
            raise InputError(
                f"no setting is called {shown(key)}{did_you_mean(key, known)}",
                where=name,
                hint="the options of spanscope eval --help, with _ for -, and gold, runs, fail_under, fail_over",
            )
        types = known[key]
        if list in types and isinstance(value, str):
            continue  # one stands for a list of one
        if not is_of(value, types):
            raise InputError(f"{key} is {shown(value)}", where=name, expected=in_words(types))
        if isinstance(value, list) and not all(is_of(one, (str, int, float)) for one in value):
            raise InputError(f"{key} is {shown(value)}", where=name, expected="a list of texts or numbers")
    options = {key: value for key, value in found.items() if key in OPTIONS}
    options |= {key: _path_beside(path, options[key]) for key in PATHS if key in options}
    gold = found.get("gold")
    return Configuration(
        name,
        None if gold is None else _path_beside(path, gold),
        _runs(found.get("runs", {}), path, name),
        _several(found.get("fail_under", [])),
        _several(found.get("fail_over", [])),
        options,
    )


def _several(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def _runs(value: Any, path: Path, name: str) -> dict[str, str]:
    """Return the runs by name: a table of names and files, a list of files, or one file."""
    if not isinstance(value, dict):
        value = {Path(one).stem: one for one in _several(value)} if _differ(value) else dict.fromkeys(value)
        value = {key: own or key for key, own in value.items()}
    for key, own in value.items():
        if not isinstance(own, str) or not key:
            raise InputError(f"the run {shown(key)} is {shown(own)}", where=name, expected="the name of a file")
    return {key: _path_beside(path, own) for key, own in value.items()}


def _differ(value: Any) -> bool:
    stems = [Path(one).stem for one in _several(value)]
    return len({*stems}) == len(stems)


def _path_beside(path: Path, value: str) -> str:
    """Return a path of the file as it is seen from where the program runs."""
    return _seen_from_here(path.parent.joinpath(value))


def _seen_from_here(path: Path) -> str:
    try:
        near = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return near if not near.startswith(os.pardir + os.sep + os.pardir) else str(path)
