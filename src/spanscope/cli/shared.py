"""The options that every command which scores has: declared once, and turned into arguments of `evaluate` once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, get_type_hints

from spanscope.cli import options as o

if TYPE_CHECKING:
    from spanscope.results.panel import Panel

SCORING: dict[str, tuple[Any, Any]] = {
    "measure": (o.Measures, None),
    "protocol": (o.ProtocolName, None),
    "labels": (o.Labels, None),
    "beta": (o.Beta, None),
    "undefined": (o.UndefinedAs, None),
    "missing": (o.MissingDocs, None),
    "extra": (o.ExtraDocs, None),
    "repeated": (o.RepeatedIds, None),
    "offsets": (o.OffsetUnit, "codepoints"),
    "field": (o.FieldNames, None),
    "thresholds": (o.Thresholds, None),
    "normalise": (o.Normalise, False),
    "scheme": (o.Scheme, None),
    "repair": (o.Repair, "conlleval"),
    "input": (o.Input, None),
    "columns": (o.Columns, None),
    "tag_names": (o.TagNames, None),
    "map_": (o.Mapping_, None),
    "text": (o.TextShown, "full"),
    "k": (o.Cutoffs, None),
    "corpus": (o.Folder, None),
    "join": (o.JoinedBy, None),
    "scores": (o.ScoresAre, None),
    "ci": (o.Intervals, True),
    "resamples": (o.Resamples, 1000),
    "level": (o.Level, 0.95),
    "seed": (o.Seed, 0),
    "strict": (o.Strict, False),
    "errors": (o.Errors, True),
    "jobs": (o.Jobs, 1),
    "memory": (o.Memory, None),
    "engine": (o.Engine, None),
    "master": (o.Master, None),
    "partitions": (o.Partitions, None),
    "meta": (o.Meta, None),
}
OF_SPARK = ("engine", "master", "partitions")
Scoring = Mapping[str, Any]  # the values of these options, as given
TWO_SIDED = (
    "labels",
    "thresholds",
    "strict",
    "errors",
    "scheme",
    "repair",
    "columns",
    "tag_names",
    "map_",
    "k",
    "corpus",
    "join",
    "scores",
    "jobs",
    "memory",
    "engine",
    "master",
    "partitions",
)


def scoring(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of scoring, but for some, after its own; it gets their values as `asked`."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command).parameters
        hints = get_type_hints(command, include_extras=True)
        shared = {name: one for name, one in SCORING.items() if name not in without}

        @wraps(command)
        def run(**given: Any) -> None:
            asked = {name: given.pop(name, default) for name, (_, default) in shared.items()}
            command(**given, asked=asked)

        keyword = inspect.Parameter.KEYWORD_ONLY
        kept = [
            one.replace(annotation=hints[one.name], kind=keyword) for one in own.values() if one.name != "asked"
        ]
        kept += [inspect.Parameter(n, keyword, annotation=kind, default=d) for n, (kind, d) in shared.items()]
        run.__signature__ = inspect.Signature(kept)  # type: ignore[attr-defined]  # what the program reads
        run.__annotations__ = {one.name: one.annotation for one in kept}
        return run

    return add


def arguments(asked: Scoring) -> dict[str, Any]:
    """Return the options of scoring that were given as arguments of `evaluate`; what was not is left to it."""
    usual = {name: default for name, (_, default) in SCORING.items()}
    given = {name: value for name, value in asked.items() if value != usual[name]}
    if not asked.get("ci", True) and (odd := given.keys() & {"resamples", "level", "seed"}):
        o.usage(f"--{min(odd)} is of intervals, and --no-ci asks for none")
    out = {"ci": _ci(asked)} if "resamples" in asked else {}
    out |= _engine({name: given[name] for name in OF_SPARK if name in given})
    for name, value in given.items():
        if name in MADE:
            key, make = MADE[name]
            out[key] = make(value)
        elif name not in ("ci", "resamples", "level", "seed", *OF_SPARK):
            out[name] = value
    return out


def _ci(asked: Scoring) -> Any:
    from spanscope.settings.settle import Ci

    return Ci(asked["resamples"], asked["level"], asked["seed"]) if asked.get("ci", True) else False


def _engine(given: dict[str, Any]) -> dict[str, Any]:
    """Return the engine: its name, or Spark with where it is and how documents are dealt."""
    others = {name: value for name, value in given.items() if name != "engine"}
    if not others:
        return given
    if given.get("engine") != "spark":
        o.usage(f"--{min(others)} is of Spark: add --engine spark")
    from spanscope.engines.choice import Spark

    return {"engine": Spark(**others)}


MADE: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "measure": ("measures", list),
    "labels": ("labels", o.listed),
    "field": ("field", lambda value: o.pairs("--field", value)),
    "thresholds": ("thresholds", lambda value: value if value == "exact" else o.listed(value)),
    "columns": ("columns", lambda value: o.pairs("--columns", o.listed(value))),
    "tag_names": ("tag_names", o.listed),
    "map_": ("mapping", lambda value: o.pairs("--map", value)),
    "k": ("k", o.cutoffs),
    "meta": ("meta", lambda value: o.pairs("--meta", value)),
}


def tagged(source: str, asked: Scoring) -> bool:
    """Tell a file of tagged tokens, which may hold gold and predictions."""
    from spanscope.errors import quoting
    from spanscope.families import TOKENS
    from spanscope.io.detect import recognise
    from spanscope.io.tokens.tag_rules import TagRules
    from spanscope.settings.settle import may_quote

    given = arguments(asked)
    rules = TagRules(columns=given.get("columns"), input=given.get("input"))
    with quoting(may_quote(asked["text"])):
        return not _is_about_segments(given) and recognise(source, given.get("field"), rules).family == TOKENS.name


def _is_about_segments(given: Mapping[str, Any]) -> bool:
    """Tell whether measures or a protocol of segmentations were asked for, whatever a file looks like."""
    named = [*given.get("measures", []), given.get("protocol", "")]
    return any(name.startswith(("segments", "rt-seg")) for name in named)


def named_run(given: str) -> tuple[str, str]:
    """Return the name and the path of a run: NAME=FILE, unless a file of that whole name is there."""
    from spanscope.io.pipes import mode_of

    name, sign, path = given.partition("=")
    if sign and name and path and not mode_of(given):
        return name, path
    return given, given


def gold_and_runs(files: list[str]) -> tuple[str | None, list[tuple[str, str]]]:
    """Return gold, and the runs with their names; no gold where the first file is a result."""
    from spanscope.io.pipes import held
    from spanscope.io.results import is_result

    first, *runs = map(named_run, files)
    gold = held(first[1])
    if is_result(gold):
        return None, [(first[0], gold), *runs]
    return gold if first[0] == files[0] else files[0], runs  # gold has no name


def scored_panel(
    source: str, gold: str | None, only: str | None, asked: Scoring, views: Mapping[str, Any]
) -> Panel:
    """Score the segmentations of one file against each other; refuse options that they have no use for."""
    from spanscope.cli.progress import Bar
    from spanscope.commands.panel import panel
    from spanscope.errors import quoting
    from spanscope.families import SEGMENTS
    from spanscope.io.detect import recognise
    from spanscope.io.head import head_of
    from spanscope.io.pipes import is_file
    from spanscope.io.tokens.tag_rules import TagRules
    from spanscope.settings.settle import may_quote

    given = [option for option, value in views.items() if value]
    for name in TWO_SIDED:
        if name in asked and asked[name] != SCORING[name][1]:
            given.append(f"--{'no-' * (asked[name] is False)}{name.strip('_').replace('_', '-')}")
    if given:
        o.usage(f"{given[0]} is not for segmentations of one file: it needs GOLD and PRED")
    options = arguments(asked)
    rules, meant = TagRules(input=options.get("input")), _is_about_segments(options)
    with quoting(may_quote(asked["text"])):
        found = SEGMENTS.name if meant else recognise(source, options.get("field"), rules).family
    if source != "-" and is_file(source) and found != SEGMENTS.name:
        more = "" if head_of(source).is_json else ", or --input conll if it holds tokens with both tags"
        o.usage(f"PRED is missing: {source} holds no segmentations, so it needs predictions beside it{more}")
    with Bar() as bar:
        return panel(source, gold, only=o.listed(only), progress=bar, **options)
