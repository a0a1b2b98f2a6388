"""The command that lists what two annotators disagree on, and puts decided documents back into gold."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanscope.cli.app import command
from spanscope.cli.convert import READ
from spanscope.cli.declared import Typed, files_beside, options, typed_options
from spanscope.cli.options import split_list, usage
from spanscope.cli.writing import check_outputs, note_read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spanscope.commands.adjudicate import Adjudication

OF_TWO = "--names, --missing and --allow-different-texts"
Names = Annotated[
    str | None, typer.Option("--names", help="Names of the annotators, in the order of their files: ANN,BEN.")
]
Missing = Annotated[
    str,
    typer.Option("--missing", help="What to do with documents that only one annotator has: error or skip."),
]


@command()
@options("to", "lossy", "allow_different_texts", *(name for name in READ if name not in ("normalise", "corpus")))
def adjudicate(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="A B", help="Files of two annotators, or one file with both; with --into the decided list."
        ),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", help="The list of cases to write; with --into the new gold.")
    ],
    into: Annotated[
        str | None, typer.Option("--into", help="Gold to merge the decisions into; -o names the new file.")
    ] = None,
    names: Names = None,
    missing: Missing = "error",
    *,
    asked: Typed,
) -> None:
    """List what two annotators disagree on, for decisions in an annotation tool; --into merges the decisions."""
    if len(sources) > (1 if into else 2):
        usage("--into takes one decided list" if into else "exactly two annotators can be compared")
    if sources.count("-") > 1:
        usage("only one source can be standard input")
    check_outputs({"-o": output}, [*sources, into, *files_beside(asked)])
    given = typed_options(asked)
    to, lossy = given.pop("to", None), given.pop("lossy", False)
    if into is not None:
        if names or missing != "error" or "allow_different_texts" in given:
            usage(f"{OF_TWO} are for two annotators, and --into takes a decided list")
        _merge(sources[0], into, output, {"to": to, "lossy": lossy}, given)
        return
    if lossy:
        usage("--lossy belongs to --into: a list to decide leaves out what its format cannot hold, and reports it")
    from spanscope.commands.adjudicate import adjudicate as adjudicate_

    found = adjudicate_(*sources, names=split_list(names), **{**given, "missing": missing})
    _show(found)
    note_read(found.problems, given)
    _write(found, output, to)


def _write(found: Adjudication, output: str, to: str | None) -> None:
    """Write the list of cases, and say what it cannot hold."""
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
        stay = f"{plural(merged.undecided, 'span')} flagged as unsure or for discussion left unchanged"
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
