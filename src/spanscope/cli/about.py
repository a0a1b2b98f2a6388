"""Commands about data and about Spanscope itself: check, measures, protocols."""

from __future__ import annotations

from typing import Annotated

import typer

from spanscope.cli.app import app
from spanscope.cli.options import (
    Columns,
    FieldNames,
    Folder,
    Input,
    OffsetUnit,
    Scheme,
    TextShown,
    listed,
    pairs,
    usage,
)
from spanscope.cli.writing import check_outputs


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Gold, then predictions.")],
    labels: Annotated[str | None, typer.Option("--labels", help="The labels there may be: A,B,C.")] = None,
    offsets: OffsetUnit = "codepoints",
    field: FieldNames = None,
    scheme: Scheme = None,
    input_: Input = None,
    columns: Columns = None,
    corpus: Folder = None,
    text: TextShown = "full",
) -> None:
    """List every problem of a corpus with file and line; exit 1 if there are any."""
    if files.count("-") > 1:
        usage("only one FILE can be standard input")
    check_outputs({}, files)
    from spanscope.commands.check import check as check_
    from spanscope.report.plain import list_rows
    from spanscope.report.tables.check import every_row, summary

    problems = check_(
        *files,
        labels=listed(labels),
        offsets=offsets,  # type: ignore[arg-type]
        field=pairs("--field", field),
        scheme=scheme,
        input=input_,
        columns=pairs("--columns", listed(columns)),
        corpus=corpus,
        text=text,  # type: ignore[arg-type]
    )
    typer.echo(list_rows(every_row(problems)), nl=False)
    typer.echo(summary(problems), err=True)
    if problems:
        raise typer.Exit(1)


@app.command()
def measures(name: Annotated[str | None, typer.Argument(help="A measure, to explain it.")] = None) -> None:
    """List the measures, or explain one."""
    from spanscope.measures.registry import known, parse

    if name is None:
        width = max(map(len, known()))
        for definition in known().values():
            typer.echo(f"{definition.name:<{width}} {definition.summary}")
        typer.echo("\nspanscope measures NAME   explains one", err=True)
        return
    chosen = parse(name)
    typer.echo(f"{chosen}\n\n{chosen.definition.doc}")


@app.command()
def protocols() -> None:
    """List the protocols: named bundles of measures and settings."""
    from spanscope.settings.protocols import PROTOCOLS

    for protocol in PROTOCOLS.values():
        typer.echo(f"{protocol.name:<12} {protocol.summary}")
        for text in protocol.measures:
            typer.echo(f"{'':<12}   {text}")
