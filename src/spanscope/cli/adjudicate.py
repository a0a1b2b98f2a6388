"""The command that lists what two annotators disagree on, and puts decided documents back into gold."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanscope.cli.app import command
from spanscope.cli.convert import READ
from spanscope.cli.declared import Typed, options, typed_options
from spanscope.cli.options import split_list, usage
from spanscope.cli.writing import check_outputs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanscope.commands.adjudicate import Adjudication


@command()
@options("to", "lossy", *(name for name in READ if name not in ("normalise", "corpus")))
def adjudicate(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="A B", help="Two annotators, or one file of two; with --into a decided list."),
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="The list to decide; with --into the new gold.")],
    into: Annotated[
        str | None, typer.Option("--into", help="Gold, into which a decided list is merged; -o is the result.")
    ] = None,
    names: Annotated[
        str | None, typer.Option("--names", help="Names of the annotators, in the order of their files: ANN,BEN.")
    ] = None,
    missing: Annotated[
        str, typer.Option("--missing", help="Documents that only one annotator has: error or skip.")
    ] = "error",
    *,
    asked: Typed,
) -> None:
    """List what two annotators disagree on, to be decided in Label Studio, Prodigy or doccano; merge what was."""
    if len(sources) > (1 if into else 2):
        usage("--into takes one decided list" if into else "two annotators are compared, not more")
    if sources.count("-") > 1:
        usage("only one source can be standard input")
    check_outputs({"-o": output}, [*sources, into])
    given = typed_options(asked)
    to, lossy = given.pop("to", None), given.pop("lossy", False)
    if into is not None:
        if names or missing != "error":
            usage("--names and --missing are of two annotators, and --into takes a decided list")
        _merge(sources[0], into, output, {"to": to, "lossy": lossy}, given)
        return
    if lossy:
        usage("--lossy is of --into: a list to decide leaves out what its form cannot hold, and says so")
    from spanscope.commands.adjudicate import adjudicate as adjudicate_

    found = adjudicate_(*sources, names=split_list(names), **{**given, "missing": missing})
    _show(found)
    done = found.save(output, to=to)
    typer.echo(f"wrote {output}: {done.form}", err=True)
    for loss in done.losses:
        typer.echo(f"not in the list: {loss.number:,} {loss.what} ({loss.became})", err=True)


def _merge(decided: str, gold: str, output: str, how: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Write gold with decided documents in it, and say what that changed."""
    from spanscope.commands.adjudicate import merge_decided
    from spanscope.commands.convert import convert
    from spanscope.errors import plural

    merged = merge_decided(decided, gold, **given)
    done = convert(merged.documents, output, **how)
    changed = f"{merged.added:,} spans added, {merged.removed:,} removed"
    typer.echo(f"wrote {output}: {done.form}, {plural(merged.decided, 'document')} decided, {changed}", err=True)
    if merged.undecided:
        stay = f"{plural(merged.undecided, 'span')} flagged as unsure or to be discussed stay as they are"
        typer.echo(stay, err=True)


def _show(found: Adjudication) -> None:
    """Print the kinds of disagreement, in colour on a terminal."""
    from spanscope.report.tables.adjudication import report, summary

    own = report(found)
    if not own.tables:
        typer.echo(summary(found))
    elif sys.stdout.isatty():
        from spanscope.report.terminal import show

        show(own)
    else:
        from spanscope.report import plain

        typer.echo(plain.text(own), nl=False)
