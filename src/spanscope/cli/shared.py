"""What several commands do with what was typed: runs by name, and the segmentations of one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from spanscope.cli.declared import OF_SIDES, OF_SPARK, Typed, arguments, flag_of, typed_options
from spanscope.cli.options import split_list, usage

if TYPE_CHECKING:
    from spanscope.errors import PluginError
    from spanscope.results.panel import Panel

TWO_SIDED = (  # options that need gold and predictions in two files
    *("labels", "by", "train", "thresholds", "k", "join", "strict", "errors", "allow_different_texts"),
    *("scheme", "repair", "columns", "tag_names", "mapping", "corpus", "scores"),
    *("jobs", "engine", *OF_SPARK, *OF_SIDES),
)


def may_hold_both(source: str, asked: Typed) -> bool:
    """Tell a file that may hold gold and predictions: tagged tokens, spans of several annotators, or queries."""
    from spanscope.errors import quoting
    from spanscope.families import TOKENS
    from spanscope.io.detect import recognise
    from spanscope.io.head import head_of
    from spanscope.io.tokens.tag_rules import TagRules
    from spanscope.settings.run_settings import may_quote

    given = typed_options(asked)
    rules, fields = TagRules(columns=given.get("columns"), input=given.get("input")), given.get("fields")
    with quoting(may_quote(asked["text"])):
        if _is_about_segments(given):
            return False
        known = recognise(source, fields, rules)
        either = known.family == TOKENS.name or known.several
        return either or known.holds_both(head_of(source), fields or {})


def _is_about_segments(given: Mapping[str, Any]) -> bool:
    """Tell whether measures or a protocol of segmentations were asked for, whatever a file looks like."""
    named = [*given.get("measures", []), given.get("protocol", "")]
    return any(name.startswith(("segments", "rt-seg")) for name in named)


def named_run(given: str) -> tuple[str, str]:
    """Return the name and the path of a run: NAME=FILE, unless a file of that whole name is there."""
    from spanscope.io.pipes import mode_of
    from spanscope.io.surrogates import legible

    name, sign, path = given.partition("=")
    if sign and name and path and not mode_of(given):
        return name, path
    return legible(given), given


def named_runs(given: str) -> list[tuple[str, str]]:
    """Return the name and the path of every file of a run: NAME=FILE,FILE,... are several of one system."""
    from spanscope.io.pipes import mode_of

    name, path = named_run(given)
    if "," not in path or mode_of(path):
        return [(name, path)]
    files = path.split(",")
    if "" in files:
        usage(f"{given}: there is an empty file name between two commas; write NAME=FILE,FILE")
    return [(name, file) for file in files]


def files_or_configured(files: list[str] | None, config: str | None, asked: Typed) -> tuple[list[str], Typed]:
    """Return what was typed, or gold and all runs of the configuration file, with its options."""
    if files and config is None:
        return files, asked
    from spanscope.cli.configured import of_all_runs  # which a command that is given its files does not need

    return of_all_runs(files or [], config, asked)


def gold_and_runs(files: list[str]) -> tuple[str | None, list[tuple[str, str]]]:
    """Return gold, and the runs with their names; no gold where the first file is a result."""
    from spanscope.io.pipes import hold, refuse_pipe_twice
    from spanscope.io.results import is_result

    first, *others = map(named_runs, files)
    runs = [run for own in others for run in own]
    refuse_pipe_twice(path for _, path in (*first, *runs))
    name, path = first[0]
    gold = hold(path)
    if is_result(gold):
        return None, [(name, gold), *first[1:], *runs]
    return gold if path == files[0] else files[0], runs  # gold has no name


def gold_and_systems(files: list[str]) -> tuple[str | None, list[tuple[str | None, str]]]:
    """Return gold, and files, folders and patterns of runs with the names that were given to them.

    There is no gold where the first of them is a result, or stands for results.
    """
    from spanscope.io.pipes import hold, refuse_pipe_twice
    from spanscope.io.results import is_result
    from spanscope.io.run_files import files_of_runs

    first, *others = [
        [(None if path == file else name, path) for name, path in named_runs(file)] for file in files
    ]
    runs = [run for own in others for run in own]
    refuse_pipe_twice(path for _, path in (*first, *runs))
    name, path = first[0]
    gold = hold(path)
    if is_result(files_of_runs(gold)[0]):
        return None, [(name, gold), *first[1:], *runs]
    return gold if name is None else files[0], runs  # gold has no name


def with_name(name: str | None, run: Any) -> Any:
    """Return a run with the name that it was given."""
    return run if name is None else (name, run)


def score_panel(
    source: str, gold: str | None, only: str | None, asked: Typed, views: Mapping[str, Any], **more: Any
) -> Panel:
    """Score the segmentations of one file against each other; refuse options that they have no use for."""
    from spanscope.cli.progress import Bar
    from spanscope.commands.panel import panel
    from spanscope.errors import quoting
    from spanscope.families import SEGMENTS
    from spanscope.io.detect import formats_claiming, recognise
    from spanscope.io.folder import is_folder
    from spanscope.io.head import head_of
    from spanscope.io.pipes import is_file
    from spanscope.io.tokens.tag_rules import TagRules
    from spanscope.settings.run_settings import may_quote

    given = [option for option, value in views.items() if value]
    typed = typed_options(asked)
    given += [f"--{'no-' * (typed[name] is False)}{flag_of(name)[2:]}" for name in TWO_SIDED if name in typed]
    if given:
        usage(f"{given[0]} needs GOLD and PRED, and does not apply to several segmentations in one file")
    options: dict[str, Any] = arguments(asked) | more
    rules, meant = TagRules(input=typed.get("input")), _is_about_segments(typed)
    with quoting(may_quote(asked["text"])):
        found = SEGMENTS.name if meant else recognise(source, typed.get("fields"), rules).family
    known = head_of(source).is_json or formats_claiming(source)
    there = is_file(source) or (is_folder(source) and known)
    if source != "-" and there and found != SEGMENTS.name:
        or_ = "" if known else ", or --input conll if it contains both columns of tags"
        needed = (
            "so it needs a second file with predictions, on the command line or under [runs] of the configuration"
        )
        usage(f"PRED is missing: {source} contains only one side, {needed}{or_}")
    with Bar() as bar:
        return panel(source, gold, only=split_list(only), progress=bar, **options)


def say_refused(refused: Sequence[PluginError]) -> None:
    """Say below a list which packages add something that cannot be used."""
    for one in refused:
        typer.echo(f"{one}", err=True)
