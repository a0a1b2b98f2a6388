"""Commands about data and about Spanscope itself: check, measures, protocols."""

from __future__ import annotations

from typing import Annotated

import typer

from spanscope.cli.app import command
from spanscope.cli.completion import completing
from spanscope.cli.declared import OF_SIDES, Typed, arguments, flag_of, options, source_of_side, typed_options
from spanscope.cli.options import split_list, usage
from spanscope.cli.writing import check_outputs


@command()
@options(
    *("input", "fields", "offsets", "scheme", "columns", "ends", "annotator", "layer", "split", "label_names"),
    *("texts", *OF_SIDES, "corpus", "text"),
)
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Gold, then predictions.")],
    labels: Annotated[
        str | None,
        typer.Option("--labels", help="The labels that are allowed: A,B,C.", autocompletion=completing("labels")),
    ] = None,
    *,
    asked: Typed,
) -> None:
    """List every data problem with file and line; exit with 1 if there are any."""
    if files.count("-") > 1:
        usage("only one FILE can be standard input")
    check_outputs({}, files)
    from spanscope.commands.check import check as check_
    from spanscope.report.plain import list_rows
    from spanscope.report.tables.check import every_row, summary

    sides = [source_of_side(path, "pred" if number else "gold", asked) for number, path in enumerate(files)]
    if len(files) == 1 and (
        odd := [name for name in typed_options(asked) if OF_SIDES.get(name, ("",))[0] == "pred"]
    ):
        usage(f"{flag_of(odd[0])} is for predictions, and there are none")
    problems = check_(*sides, labels=split_list(labels), **arguments(asked))
    typer.echo(list_rows(every_row(problems)), nl=False)
    typer.echo(summary(problems), err=True)
    if problems:
        raise typer.Exit(1)


@command()
def measures(
    name: Annotated[
        str | None, typer.Argument(help="The measure to explain.", autocompletion=completing("measure"))
    ] = None,
) -> None:
    """List the measures, or explain one."""
    from spanscope.cli.shared import say_refused
    from spanscope.measures.registry import known_and_refused, parse

    if name is None:
        known, refused = known_and_refused()
        width = max(map(len, known))
        for definition in known.values():
            whose = f" ({definition.origin})" if definition.origin else ""
            typer.echo(f"{definition.name:<{width}} {definition.summary}{whose}")
        say_refused(refused)
        typer.echo("\nspanscope measures NAME   explains one", err=True)
        return
    chosen = parse(name)
    typer.echo(f"{chosen}\n\n{chosen.definition.doc}")


@command()
def protocols() -> None:
    """List the protocols: named sets of measures and settings."""
    from spanscope.cli.shared import say_refused
    from spanscope.settings.protocols import known_protocols

    known, refused = known_protocols()
    wide = max(map(len, known))
    for protocol in known.values():
        whose = f" ({protocol.origin})" if protocol.origin else ""
        typer.echo(f"{protocol.name:<{wide}} {protocol.summary}{whose}")
        for text in protocol.measures:
            typer.echo(f"{'':<{wide}}   {text}")
    say_refused(refused)
