"""The runs of a comparison: scored now, taken from results, or the methods of one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from spanscope.arguments import keep_silent, of_type, refuse_half
from spanscope.commands.evaluate import evaluate
from spanscope.engines.load import load_both
from spanscope.engines.pipeline import join_sides
from spanscope.errors import InputError, quoting
from spanscope.io.folder import is_folder
from spanscope.io.opening import open_source
from spanscope.io.pipes import hold
from spanscope.io.results import is_result, read_result
from spanscope.io.surrogates import path_of
from spanscope.results.panel import Panel
from spanscope.results.result import Result
from spanscope.results.runs import Run
from spanscope.results.saved_counts import SavedCounts, confirm, confirm_slices, restore_counts
from spanscope.results.written import settle_again
from spanscope.settings.by_side import Sourced, join_source, split_source
from spanscope.settings.options import Running
from spanscope.settings.run_settings import Settings
from spanscope.sides.fingerprint import fingerprint
from spanscope.stats.counted import Documents
from spanscope.stats.slicings import Slicing


class _Saved(NamedTuple):
    """A method of a panel's file: what its result holds, and what it is called in messages."""

    value: Any
    name: str


def methods_as_runs(gold: Any, runs: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """Return the methods of a panel, or of the file of one, as runs; anything else as it is."""
    if isinstance(gold, Panel) and not runs:
        if gold.gold is None:
            raise InputError("there is no gold segmentation", hint="--gold NAME   to say which one is gold")
        return None, tuple(gold.results.items())
    alone = runs[0] if gold is None and len(runs) == 1 else gold if not runs else None
    source: Any = alone[1] if isinstance(alone, tuple) and len(alone) == 2 else alone
    if is_result(source):
        value, name = read_result(source)
        if isinstance(value, dict) and isinstance(value.get("methods"), dict):
            return None, tuple((str(own), _Saved(one, f"{name}: {own}")) for own, one in value["methods"].items())
    return gold, runs


def with_names(runs: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return the runs with their names: a pair of a name and several files is a run for every file."""
    out = []
    for number, run in enumerate(runs, start=1):
        named = isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], str)
        name, held = run if named else (path_of(run) or f"run {number}", run)
        if named:
            refuse_half("the name of a run", name)
        out += [(name, one) for one in files_of_system(held)]
    return out


def files_of_system(source: Any) -> Sequence[Any]:
    """Return the files of one system: several where it is a list or tuple of paths, results and sources alone.

    No source is a list of strings, so that documents in memory are never taken for files.
    """
    several = isinstance(source, (list, tuple)) and len(source) > 0
    return source if several and all(isinstance(one, (str, Path, Sourced, Result)) for one in source) else [source]


def run_of(
    gold: Any, of_gold: Mapping[str, Any], source: Any, options: Mapping[str, Any], *, common: bool = False
) -> Run:
    """Score a run, or take what a result or a result file has of it.

    `common` says that documents which a run lacks are left out, whatever a run was scored with.
    """
    if isinstance(source, _Saved):
        if options:
            raise InputError("a result has its own measures and settings", expected="no others with it")
        return of_file(*source)
    source, of_pred = split_source(source)
    source = hold(source)
    ready = isinstance(source, Result)
    if ready or is_result(source):
        if options or of_gold or of_pred:
            raise InputError("a result has its own measures and settings", expected="no others with it")
        run = of_result(source) if ready else of_file(*read_result(source))
        if _is_other_gold(gold, run):
            raise InputError("the run was scored against another gold", where=run.path or "a run")
        return run
    if gold is None:
        raise InputError("there is no gold", expected="gold first, or result files alone (eval --keep)")
    of_type("run", options.get("run"), Running, "a Running")
    options = {**options, "missing": "skip"} if common else options
    return of_result(evaluate(join_source(gold, of_gold), join_source(source, of_pred), ci=False, **options))


def _is_other_gold(gold: Any, run: Run) -> bool:
    """Tell whether a run that was scored before had other gold than is given now.

    Files are told apart by their bytes, folders and objects by what they hold. Of queries, and where documents
    were left out, what a run holds of gold is not all there is, and only the runs are held against each other.
    """
    if gold is None:
        return False
    if isinstance(gold, (str, Path)) and not is_folder(gold):
        return open_source(gold).sha256 != run.gold
    how = run.settings
    if run.content is None or how.family.retrieves or how.missing != "error":
        return False
    with quoting(how.quotes):
        ours, theirs, how = load_both(gold, gold, how, keep_silent)
        comparison, _ = join_sides(ours, theirs, how, strict=False)
    return f"{fingerprint(comparison):016x}" != run.content


def of_result(result: Result) -> Run:
    """Return what a comparison needs of a result."""
    one, other = result.inputs
    return Run(
        other.path,
        result.names if result.kept == "totals" else tuple(result.names),
        result.settings,
        result.tables,
        result.counted,
        one.sha256,
        result.gold_content,
        result,
        result.settings.plain(),
        result.problems.number,
        result.signature(),
        result.meta,
        result.slicings,
    )


def of_file(value: Any, name: str) -> Run:
    """Return what a comparison needs of the data of a result file."""
    kept = restore_counts(value, name)
    settings = settle_again({**kept.settings, "ci": None}, kept.measures)
    confirm(kept, settings, value.get("rows"))
    slicings = _slicings_of_file(kept, settings, value)
    settings = replace(settings, by=tuple(own.by for own in slicings))
    try:
        problems = {str(kind): int(number) for kind, number in value["problems"]["number"].items()}
        signature = str(next(iter(value["signatures"].values())))
        meta = {str(key): str(own) for key, own in value["meta"].items()}
    except (AttributeError, KeyError, TypeError, ValueError, StopIteration):
        raise InputError("the result cannot be read", where=name, expected="a file as it was written") from None
    plain = dict(kept.settings)
    drawn = kept.keys if kept.groups is None else kept.groups
    counts = (kept.documents, settings, kept.tables, Documents(kept.tables, lambda: drawn))
    return Run(name, *counts, kept.gold, kept.content, None, plain, problems, signature, meta, slicings)


def _slicings_of_file(kept: SavedCounts, settings: Settings, value: Any) -> list[Slicing]:
    """Return the slices that a result file kept, which must count what the file says."""
    if not kept.slices:
        return []
    from spanscope.engines.slicing import slice_again  # what other runs need not wait for

    slicings = [slice_again(by, own, kept.tables[0], settings) for by, own in kept.slices.items()]
    confirm_slices(slicings, value.get("slices"), kept.name)
    return slicings
