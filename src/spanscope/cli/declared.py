"""Flags of the command line, made from the declarations of options; and what was typed, made into their values."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from dataclasses import Field
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from spanscope.cli.completion import completing
from spanscope.cli.options import cutoffs, pairs, split_list, usage
from spanscope.settings.declaring import Form, Option
from spanscope.settings.options import ALL, OF_ONE, Ci, Running, about, grouped, options_of
from spanscope.settings.reading import Reading

Typed = dict[str, Any]  # options by name, as they were typed
TEXTS = ("texts", "gold_texts", "pred_texts")  # options that name files which are read beside the sources
TITLES = {group: (group.__doc__ or "").split(":")[0].rstrip(".") for group in (*ALL, *OF_ONE)}
DECLARED: dict[str, tuple[Field[Any], str]] = {  # every option with the title of its group
    name: (one, TITLES[group]) for group in (*ALL, *OF_ONE) for name, one in options_of(group).items()
}
DEFAULTS: Typed = {name: one.default for name, (one, _) in DECLARED.items()} | {"ci": True}  # None of all others
OF_SPARK = {
    "master": Annotated[
        str | None,
        typer.Option(
            "--master",
            help="Address of Spark: local[4], spark://HOST:7077 or sc://HOST. [default: "
            "SPARK_MASTER, or this machine]",
            show_default=False,
            rich_help_panel=TITLES[Running],
        ),
    ],
    "partitions": Annotated[
        int | None,
        typer.Option(
            "--partitions",
            help="Number of Spark partitions. [default: by size]",
            min=1,
            rich_help_panel=TITLES[Running],
        ),
    ],
}
INTERVALS = Annotated[
    bool,
    typer.Option(
        "--ci/--no-ci",
        help="Confidence intervals by a bootstrap over documents.",
        show_default=False,
        rich_help_panel=TITLES[Ci],
    ),
]
TYPES: dict[Form, Any] = {
    "repeated": list[str] | None,
    "pairs": list[str] | None,
    "whole": int,
    "number": float | None,
    "flag": bool,
}
OF_SIDES = {  # options that gold and predictions can have of their own: the side and the option
    f"{side}_{name}": (side, name)
    for name, one in options_of(Reading).items()
    if about(one).by_side
    for side in ("gold", "pred")
}
AFTER: dict[type, Sequence[str]] = {Reading: tuple(OF_SIDES), Running: tuple(OF_SPARK)}  # what else a group has
SCORING = tuple(  # what commands that score have, in the order of the help
    name
    for group in ALL
    for name in (*(("ci",) if group is Ci else ()), *options_of(group), *AFTER.get(group, ()))
)


def flag_of(name: str) -> str:
    """Return the flag of an option."""
    if name in OF_SIDES:
        side, of = OF_SIDES[name]
        return f"--{side}-{flag_of(of)[2:]}"
    if name not in DECLARED:
        return f"--{name}"
    return about(DECLARED[name][0]).flag or f"--{name.replace('_', '-')}"


def _annotation(name: str) -> Any:
    """Return the type of an option of the command line, with its flag and its help."""
    if name == "ci":
        return INTERVALS
    if name in OF_SPARK:
        return OF_SPARK[name]
    if name in OF_SIDES:
        side, of = OF_SIDES[name]
        whose = "gold" if side == "gold" else "the predictions"
        own = typer.Option(
            flag_of(name),
            help=f"Like {flag_of(of)}, only for {whose}.",
            show_default=False,
            rich_help_panel=TITLES[Reading],
        )
        return Annotated[TYPES.get(about(DECLARED[of][0]).form, str | None), own]
    one, title = DECLARED[name]
    said = about(one)
    flags = [flag_of(name), *([said.short] if said.short else [])]
    if said.form == "flag" and one.default:
        flags = [f"{flags[0]}/--no-{flags[0][2:]}"]
    text = " ".join(part for part in (said.help, _example(said), _usual(said, one.default)) if part)
    own = typer.Option(
        *flags,
        help=text,
        min=said.least,
        show_default=False,
        rich_help_panel=title,
        autocompletion=None if said.form in ("flag", "whole", "number", "pairs") else completing(name),
    )
    return Annotated[TYPES.get(said.form, str | None), own]


def _example(said: Option) -> str:
    return f"Example: {said.example}" if said.example else ""


def _usual(said: Option, default: Any) -> str:
    """Return what holds where nothing is given; a flag says it by its name."""
    usual = said.usual or ("" if default is None or said.form == "flag" else str(default))
    return f"[default: {usual}]" if usual else ""


def options(*names: str, without: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command declared options after its own: those named, else all of scoring. It gets them as `asked`."""
    chosen = [name for name in names or SCORING if name not in without]

    def add(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        keyword = inspect.Parameter.KEYWORD_ONLY

        @wraps(command)
        def run(**given: Any) -> None:
            _load_numpy()
            asked = {name: given.pop(name, DEFAULTS.get(name)) for name in chosen}
            command(**given, asked=asked)

        own = [one for one in inspect.signature(command).parameters.values() if one.name != "asked"]
        kept = [one.replace(annotation=hints[one.name], kind=keyword) for one in own]
        kept += [
            inspect.Parameter(name, keyword, annotation=_annotation(name), default=DEFAULTS.get(name))
            for name in chosen
        ]
        run.__signature__ = inspect.Signature(kept)  # type: ignore[attr-defined]  # what the program reads
        run.__annotations__ = {one.name: one.annotation for one in kept}
        return run

    return add


def _load_numpy() -> None:
    """Load NumPy, which whatever has these options needs, where that is cheapest.

    Few calls are open here: Python 3.11 asks the system for memory, and gives it back, at each call for which a
    piece of its stack is just too short, and deep within other imports there were a thousand such calls. And the
    threads of OpenBLAS need not spin for 2**26 cycles each, as they do by default, when there is nothing to do.
    """
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")  # a power of two: the shortest there is
    import numpy  # noqa: F401


def files_beside(asked: Typed) -> list[str | None]:
    """Return the files with texts of documents that were typed, which no output may replace."""
    return [asked.get(name) for name in TEXTS]


def typed_options(asked: Typed) -> dict[str, Any]:
    """Return the options that were typed, as values of what they stand for."""
    return {name: _value(name, value) for name, value in asked.items() if value != DEFAULTS.get(name)}


def _value(name: str, typed: Any) -> Any:
    flag, name = flag_of(name), OF_SIDES.get(name, ("", name))[1]
    if name not in DECLARED:
        return typed
    made: dict[Form, Callable[[Any], Any]] = {
        "list": split_list,
        "repeated": list,
        "pairs": lambda text: pairs(flag, text),
        "pair list": lambda text: pairs(flag, split_list(text)),
        "cutoffs": cutoffs,
        "steps": lambda text: text if text == "exact" else split_list(text),
    }
    return made.get(about(DECLARED[name][0]).form, lambda value: value)(typed)


def arguments(asked: Typed) -> dict[str, Any]:
    """Return what was typed as keywords of the library; what was not typed is left to it."""
    given = {name: value for name, value in typed_options(asked).items() if name not in OF_SIDES}
    sure = {name: given.pop(name) for name in options_of(Ci) if name in given}
    wanted = given.pop("ci", True)
    if not wanted and sure:
        usage(f"--{min(sure)} is about intervals, and --no-ci turns them off")
    spark = {name: given.pop(name) for name in OF_SPARK if name in given}
    if spark and given.get("engine") != "spark":
        usage(f"--{min(spark)} is about Spark: add --engine spark")
    if spark:
        from spanscope.engines.choice import Spark

        given["engine"] = Spark(**spark)
    out = grouped(given)
    if "resamples" in asked and (sure or not wanted):
        out["ci"] = Ci(**sure) if wanted else False
    return out


def source_of_side(path: Any, side: str, asked: Typed) -> Any:
    """Return a source with the options that were typed for its side alone."""
    typed = typed_options(asked)
    own = {name: typed[key] for key, (whose, name) in OF_SIDES.items() if whose == side and key in typed}
    if not own:
        return path
    from spanscope.settings.by_side import source

    return source(path, **own)
