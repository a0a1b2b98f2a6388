"""The command that places the quotes of a model in the documents it was asked about."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import Typed, options
from spanscope.cli.options import Digits, TableFormat, form_of, usage
from spanscope.cli.writing import check_outputs, put_text

if TYPE_CHECKING:
    from spanscope.results.located import Located

LINES = (".jsonl", ".ndjson")


@command()
@options("text")
def locate(
    texts: Annotated[str, typer.Argument(metavar="TEXTS", help="The documents, with id and text.")],
    outputs: Annotated[
        str | None, typer.Argument(metavar="OUTPUT", help="The model's output for each document.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="The file to write: the corpus with offsets if the name ends in .jsonl, otherwise the report.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="TEXTS is gold: propose repairs for wrong offsets, as a diff.")
    ] = False,
    fuzzy: Annotated[
        float,
        typer.Option(
            "--fuzzy",
            min=0.5,
            max=1,
            help="Lowest similarity at which a quote that differs slightly is placed; 1 accepts "
            "only exact quotes.",
        ),
    ] = 0.75,
    order: Annotated[
        str,
        typer.Option("--order", help="The order in which the model listed its quotes: auto, text, label or none."),
    ] = "auto",
    hints: Annotated[
        str, typer.Option("--offsets", help="How to use the model's own offsets: hint or ignore.")
    ] = "hint",
    missing: Annotated[
        str,
        typer.Option(
            "--missing",
            help="What to do with documents without an output: error, or empty (as if nothing was found).",
        ),
    ] = "error",
    repair_json: Annotated[
        bool, typer.Option("--repair-json", help="Repair broken JSON, and count the outputs that needed it.")
    ] = False,
    format_: TableFormat = None,
    digits: Digits = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-under",
            help="Exit with 1 if a figure is below its minimum: grounded=0.95. Repeat the option for several.",
        ),
    ] = None,
    fail_over: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-over",
            help="Exit with 1 if a figure is above its maximum: not_found=0.02, not_found[ORG]=0. "
            "Repeat the option for several.",
        ),
    ] = None,
    *,
    asked: Typed,
) -> None:
    """Turn the quotes of a language model into spans with offsets, and report every decision."""
    check_outputs({"-o": output}, [texts, outputs])
    if check:
        _propose(texts, outputs, output, asked)
        return
    if outputs is None:
        usage("OUTPUT is missing: a second file, with the answers of the model")
    if texts == outputs == "-":
        usage("only one of TEXTS and OUTPUT can be standard input")
    from spanscope.report import FORMS

    corpus = output is not None and Path(output).suffix in LINES
    form = form_of(format_, None if corpus else output, FORMS)
    from spanscope.commands.locate import locate as locate_
    from spanscope.results.located_gate import missed_gates, read_gates

    gates = read_gates(fail_under or [], fail_over or [])
    given: dict[str, Any] = {"fuzzy": fuzzy, "order": order, "offsets": hints}  # as typed: it refuses others
    given |= {"missing": missing, "repair_json": repair_json}
    found = locate_(texts, outputs, text=asked["text"], **given)
    if corpus:
        _put_corpus(found, str(output))
    _show(found, form, None if corpus else output, digits)
    failed = missed_gates(found, gates)
    for one in failed:
        typer.echo(f"missed: {one}", err=True)
    if failed:
        raise typer.Exit(1)


def _show(found: Located, form: str, output: str | None, digits: int | None) -> None:
    """Print the report, in colour on a terminal, or write it to a file."""
    from spanscope.report import render, report_of

    if output is None and form == "table" and sys.stdout.isatty():
        from spanscope.report.terminal import show

        show(report_of(found, digits=digits))
    else:
        put_text(render(found, form, digits=digits), output)


def _put_corpus(found: Located, output: str) -> None:
    import msgspec

    put_text("".join(msgspec.json.encode(one).decode() + "\n" for one in found.records()), output)


def _propose(texts: str, outputs: str | None, output: str | None, asked: Typed) -> None:
    """Print repairs of gold whose offsets do not fit as a diff, and end with 1 where there are any."""
    if outputs is not None:
        usage("--check reads one file: gold, whose spans have texts of their own")
    from spanscope.commands.repairs import propose_repairs

    diff, number = propose_repairs(texts, text=asked["text"])
    if diff:
        put_text(diff, output)
    typer.echo(number, err=True)
    if diff:
        raise typer.Exit(1)
