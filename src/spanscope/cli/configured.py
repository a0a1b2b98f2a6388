"""What a configuration file says, put where it was not typed: what is typed comes first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spanscope.cli.declared import DECLARED, OF_SIDES, Typed
from spanscope.cli.help import TYPED
from spanscope.cli.options import usage
from spanscope.errors import InputError, did_you_mean
from spanscope.io.configuration_file import find_configuration
from spanscope.settings.configuration import Configuration, configuration
from spanscope.settings.declaring import Form
from spanscope.settings.options import about

Gates = list[str] | None


def of_one_run(
    sides: tuple[str | None, str | None],
    run: str | None,
    config: str | None,
    asked: Typed,
    gates: tuple[Gates, Gates],
) -> tuple[tuple[str, str | None], Typed, tuple[Gates, Gates]]:
    """Return gold and one run, the options and the gates, as typed or else as the configuration file says."""
    found = _find(config)
    gold, pred = sides
    if gold is not None and run is not None:
        usage("--run names a run of the configuration file, and cannot be combined with GOLD")
    if gold is None:
        gold, pred = _gold_of(found), _run_of(found, run)
    under, over = gates
    if "fail_under" not in TYPED.get():
        under = [*found.fail_under] or None
    if "fail_over" not in TYPED.get():
        over = [*found.fail_over] or None
    return (gold, pred), fill(asked, found), (under, over)


def of_all_runs(files: list[str], config: str | None, asked: Typed) -> tuple[list[str], Typed]:
    """Return gold and all runs with their names, and the options, as typed or else as the file says."""
    found = _find(config)
    if files:
        return files, fill(asked, found)
    if not found.runs:
        raise InputError(
            "names no runs", where=found.path, expected="predictions as NAME = FILE in a table [runs]"
        )
    runs = [f"{name}={path}" for name, path in found.runs.items()]
    return [_gold_of(found), *runs], fill(asked, found)


def _find(config: str | None) -> Configuration:
    path = find_configuration(Path.cwd()) if config is None else Path(config)
    if path is None:
        usage("GOLD is missing: name it, or write a configuration file (spanscope init)")
    return configuration(path)


def _gold_of(found: Configuration) -> str:
    if found.gold is None:
        raise InputError("names no gold", where=found.path, expected='gold = "FILE"')
    return found.gold


def _run_of(found: Configuration, run: str | None) -> str | None:
    """Return the file of the run that was asked for, or of the only one there is."""
    if run is not None and run not in found.runs:
        names = ", ".join(found.runs)
        raise InputError(
            f"no run is called {run!r}{did_you_mean(run, found.runs)}", where=found.path, expected=names
        )
    if run is None and len(found.runs) > 1:
        raise InputError(
            f"there are {len(found.runs)} runs",
            where=found.path,
            expected="one of them: " + ", ".join(found.runs),
            hint="--run NAME, or spanscope leaderboard for all of them",
        )
    return next(iter(found.runs.values()), None) if run is None else found.runs[run]


def fill(asked: Typed, found: Configuration) -> Typed:
    """Return the options as typed, those that were not as the file says, and in the head of the report which file.

    An option that the command does not have is left out: one file is for several commands.
    """
    own = {name: value for name, value in found.options.items() if name in asked and name not in TYPED.get()}
    filled = {**asked, **{name: _as_typed(name, value) for name, value in own.items()}}
    return {**filled, "meta": [*(filled["meta"] or []), f"configuration={found.path}"]}


def _as_typed(name: str, value: Any) -> Any:
    """Return a value as it would have been typed: what becomes of it is said in one place."""
    if name == "ci":
        return value
    form: Form = about(DECLARED[OF_SIDES.get(name, ("", name))[1]][0]).form
    if form in ("repeated", "pairs") and isinstance(value, str):
        return [value]
    if form == "repeated":
        return [str(one) for one in value]
    if form == "pairs":
        return [f"{key}={own}" for key, own in value.items()]
    if form == "pair list":
        return ",".join(f"{key}={own}" for key, own in value.items())
    if form in ("list", "cutoffs", "steps") and isinstance(value, list):
        return ",".join(map(str, value))
    return str(value) if form in ("cutoffs", "text") else value
