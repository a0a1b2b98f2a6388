"""The command that ranks systems: leaderboard."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import Typed, arguments, files_beside, options, source_of_side
from spanscope.cli.options import Config, Digits, Output, TableFormat, Trials, form_of, usage
from spanscope.cli.shared import files_or_configured, gold_and_systems, with_name
from spanscope.cli.writing import check_outputs, put_html, write

Names = Annotated[
    list[str] | None,
    typer.Option(
        "--name",
        help="The name of a run; repeat the option for each run, in order. [default: what differs in their paths]",
    ),
]
NameBy = Annotated[
    str | None,
    typer.Option(
        "--name-by",
        metavar="KEY",
        help="Name systems by this entry in the meta of result files; runs that share it belong to one system.",
    ),
]
Show = Annotated[
    list[str] | None,
    typer.Option(
        "--show", metavar="KEY", help="A column from the meta of result files, such as cost; repeatable."
    ),
]


Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[GOLD RUN...]",
        help="Gold, then the runs: files, folders and patterns (NAME=FILE names a system); or only result files. "
        "[default: those of the configuration file]",
        show_default=False,
    ),
]


@command()
@options(without=("by", "train", "thresholds", "ci", "strict"))
def leaderboard(
    files: Files = None,
    config: Config = None,
    names: Names = None,
    name_by: NameBy = None,
    show: Show = None,
    trials: Trials = 10_000,
    format_: TableFormat = None,
    output: Output = None,
    digits: Digits = None,
    html: Annotated[
        str | None, typer.Option("--html", help="Also write the tables as a page to this file.")
    ] = None,
    *,
    asked: Typed,
) -> None:
    """Rank systems on the same gold, with intervals; systems that do not differ significantly share a letter."""
    from spanscope.cli.options import page_or_report
    from spanscope.cli.progress import Bar
    from spanscope.commands.leaderboard import leaderboard as leaderboard_
    from spanscope.report import FORMS

    files, asked = files_or_configured(files, config, asked)
    output, html = page_or_report(output, html, format_)
    gold, runs = gold_and_systems(files)
    check_outputs(
        {"-o": output, "--html": html}, [gold, *(path for _, path in runs), *files_beside(asked)], asked["corpus"]
    )
    form = form_of(format_, output, FORMS)
    if digits is not None and form not in ("table", "markdown", "latex"):
        usage(f"--digits is for tables; {form} always has all digits")
    sides = [with_name(name, source_of_side(path, "pred", asked)) for name, path in runs]
    own = None if gold is None else source_of_side(gold, "gold", asked)
    more: dict[str, Any] = {"names": names, "name_by": name_by, "show": show or (), "trials": trials}
    with Bar() as bar:
        found = leaderboard_(own, *sides, progress=bar, **more, **arguments(asked))
    write(found, form, output, digits=digits)
    if html is not None:
        put_html(found, html)
