"""The command line: each command is one library call, and the words around it."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanscope.options import (
    Beta,
    Ceilings,
    Columns,
    Cutoffs,
    Digits,
    Examples,
    ExtraDocs,
    FieldNames,
    Format,
    Gates,
    GoldName,
    Labels,
    Mapping_,
    Measures,
    Meta,
    MissingDocs,
    Normalise,
    OffsetUnit,
    Only,
    Output,
    ProtocolName,
    Repair,
    RepeatedIds,
    Scheme,
    TagNames,
    TextShown,
    Thresholds,
    UndefinedAs,
    cutoffs,
    form_of,
    listed,
    pairs,
    usage,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from spanscope.result import Result

app = typer.Typer(
    name="spanscope",
    help="Score spans of text: figures that can be trusted, explained and looked at.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command("eval")
def eval_(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Gold documents (JSON, JSONL, .gz, or -).")],
    pred: Annotated[
        str | None, typer.Argument(metavar="PRED", help="Predicted documents; none if GOLD holds segmentations.")
    ] = None,
    measure: Measures = None,
    protocol: ProtocolName = None,
    labels: Labels = None,
    beta: Beta = None,
    undefined: UndefinedAs = None,
    missing: MissingDocs = None,
    extra: ExtraDocs = None,
    repeated: RepeatedIds = None,
    offsets: OffsetUnit = "codepoints",
    field: FieldNames = None,
    thresholds: Thresholds = None,
    gold_name: GoldName = None,
    only: Only = None,
    normalise: Normalise = False,
    scheme: Scheme = None,
    repair: Repair = "conlleval",
    columns: Columns = None,
    tag_names: TagNames = None,
    map_: Mapping_ = None,
    text: TextShown = "full",
    k: Cutoffs = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse texts that do not agree.")] = False,
    meta: Meta = None,
    fail_under: Gates = None,
    fail_over: Ceilings = None,
    format_: Format = None,
    output: Output = None,
    digits: Digits = None,
    examples: Examples = 0,
    matches: Annotated[bool, typer.Option("--matches", help="Put every match and error into the JSON.")] = False,
    documents: Annotated[bool, typer.Option("--documents", help="Put figures by document into the JSON.")] = False,
) -> None:
    """Score predictions against gold, or the segmentations of one file against each other."""
    from spanscope.evaluate import evaluate
    from spanscope.gate import read_gate
    from spanscope.progress import Bar

    if gold == pred == "-":
        usage("GOLD and PRED cannot both be standard input")
    form = form_of(format_, output)
    if pred is None and not _tagged(gold):
        unfit = (labels, thresholds, matches, documents, examples, strict, fail_under, fail_over)
        if any(unfit):
            usage(
                "--labels, --thresholds, --matches, --documents, --examples, --strict and gates need GOLD and PRED"
            )
        asked = {
            "undefined": undefined,
            "missing": missing,
            "extra": extra,
            "repeated": repeated,
            "offsets": offsets,
        }
        more = {
            "beta": beta,
            "field": pairs("--field", field),
            "meta": pairs("--meta", meta),
            "only": listed(only),
        }
        _panel(gold, gold_name, measure, protocol, normalise, form, output, digits, {**asked, **more})
        return
    if gold_name is not None or only is not None:
        usage("--gold and --only name segmentations of a single FILE; here GOLD and PRED are two")
    for gate in [*(fail_under or []), *(fail_over or [])]:
        read_gate(gate)  # a gate that cannot be read is refused before the work, not after
    if (matches or documents) and form != "json":
        usage("--matches and --documents go into the JSON: add --format json")
    if examples and form != "table":
        usage("--examples go into the table; for all errors: --matches --format json")
    if digits is not None and form not in ("table", "markdown", "latex", "seqeval"):
        usage(f"--digits is for tables; {form} has every digit there is")
    with Bar() as bar:
        result = evaluate(
            gold,
            pred,
            measure,
            protocol=protocol,
            labels=listed(labels),
            beta=beta,
            undefined=undefined,  # type: ignore[arg-type]
            missing=missing,  # type: ignore[arg-type]
            extra=extra,  # type: ignore[arg-type]
            repeated=repeated,  # type: ignore[arg-type]
            offsets=offsets,  # type: ignore[arg-type]
            field=pairs("--field", field),
            thresholds="exact" if thresholds == "exact" else listed(thresholds),  # type: ignore[arg-type]
            normalise=normalise,
            scheme=scheme,
            repair=repair,
            columns=pairs("--columns", listed(columns)),
            tag_names=listed(tag_names),
            mapping=pairs("--map", map_),
            text=text,  # type: ignore[arg-type]
            k=cutoffs(k),
            strict=strict,
            meta=pairs("--meta", meta),
            progress=bar,
        )
    options: dict[str, Any] = {"matches": matches, "documents": documents} if form == "json" else {}
    _write(result, form, output, digits=digits, examples=examples, **options)
    _gate(result, fail_under, fail_over)


@app.command()
def demo(
    what: Annotated[
        str, typer.Argument(metavar="[spans|segments]", help="Which corpus: spans or segments.")
    ] = "spans",
    examples: Examples = 5,
    format_: Format = None,
    output: Output = None,
) -> None:
    """Score a corpus that ships with Spanscope: 50 software requirements, or 8 reasoning traces."""
    from importlib.resources import files

    folder = files("spanscope") / "examples"
    if what == "segments":
        traces = str(folder / "traces.jsonl")
        typer.echo(f"$ spanscope eval {traces}\n", err=True)
        eval_(traces, format_=format_, output=output)
        return
    if what != "spans":
        usage(f"there is no demo of {what[:40]!r}: spans or segments")
    gold, pred = (str(folder / f"requirements.{side}.jsonl") for side in ("gold", "pred"))
    typer.echo(f"$ spanscope eval {gold} {pred} --examples {examples}\n", err=True)
    shown = examples if form_of(format_, output) == "table" else 0
    eval_(gold, pred, format_=format_, output=output, examples=shown)


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Gold, then predictions.")],
    labels: Annotated[str | None, typer.Option("--labels", help="The labels there may be: A,B,C.")] = None,
    offsets: OffsetUnit = "codepoints",
    field: FieldNames = None,
    scheme: Scheme = None,
) -> None:
    """List every problem of a corpus with file and line; exit 1 if there are any."""
    if files.count("-") > 1:
        usage("only one FILE can be standard input")
    from spanscope.check import check as check_
    from spanscope.errors import plural

    problems = check_(*files, labels=listed(labels), offsets=offsets, field=pairs("--field", field), scheme=scheme)  # type: ignore[arg-type]
    for problem in problems:
        typer.echo(f"{problem}")
    if problems:
        kinds: dict[str, int] = {}
        for problem in problems:
            kinds[problem.kind] = kinds.get(problem.kind, 0) + problem.number
        words = ", ".join(f"{n:,} x {kind}" for kind, n in kinds.items())
        typer.echo(f"{plural(len(problems), 'problem')}: {words}", err=True)
        raise typer.Exit(1)
    typer.echo("no problems", err=True)


@app.command()
def measures(name: Annotated[str | None, typer.Argument(help="A measure, to explain it.")] = None) -> None:
    """List the measures, or explain one."""
    from spanscope.measure import known, parse

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
    from spanscope.protocols import PROTOCOLS

    for protocol in PROTOCOLS.values():
        typer.echo(f"{protocol.name:<12} {protocol.summary}")
        for text in protocol.measures:
            typer.echo(f"{'':<12}   {text}")


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Score spans of text: figures that can be trusted, explained and looked at."""
    if show:
        from spanscope import __version__

        typer.echo(f"spanscope {__version__}")
        raise typer.Exit


@app.command()
def score(
    predictions: Annotated[str, typer.Argument(metavar="PREDICTIONS", help="Queries with retrieved passages.")],
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Queries with gold snippets.")],
    k: Annotated[int, typer.Option("--k", help="Passages considered for recall and nDCG.")] = 10,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Write the figures here, as JSON.")] = None,
    protocol: ProtocolName = None,
) -> None:
    """Score retrieved passages as the legal script is called; --protocol legal gives its own figures."""
    from spanscope.report.legal import block, figures

    found = figures(predictions, gold, k, protocol)
    typer.echo(block(found))
    if output is not None:
        import json

        _put(json.dumps(found, indent=2) + "\n", output)


def _tagged(source: str) -> bool:
    """Tell a file of tagged tokens, which may hold gold and predictions."""
    from spanscope.io.tokens import has_tokens

    return has_tokens(source)


def _panel(
    source: str,
    gold: str | None,
    measures: list[str] | None,
    protocol: str | None,
    normalise: bool,
    form: str,
    output: str | None,
    digits: int | None,
    options: dict[str, Any],
) -> None:
    """Score the segmentations of one file against each other."""
    from rich.console import Console

    from spanscope.io.segments import has_segments
    from spanscope.panel import panel
    from spanscope.progress import Bar
    from spanscope.report.panel import problems, render, show

    if digits is not None and form not in ("table", "markdown", "latex", "seqeval"):
        usage(f"--digits is for tables; {form} has every digit there is")
    asked = any(name.startswith(("segments", "rt-seg")) for name in [*(measures or []), protocol or ""])
    if source != "-" and Path(source).is_file() and not (asked or has_segments(source, options["field"])):
        usage(f"PRED is missing: {source} holds no segmentations, so it needs predictions beside it")
    with Bar() as bar:
        found = panel(source, gold, measures, protocol=protocol, normalise=normalise, progress=bar, **options)
    if form != "table" and found.problems:
        typer.echo(f"data problems: {problems(found)}; spanscope check FILE lists them all", err=True)
    if output is None and form == "table" and sys.stdout.isatty():
        show(found, Console(), 4 if digits is None else digits)
        return
    _put(render(found, form, digits=4 if digits is None else digits), output)


def _write(result: Result, form: str, output: str | None, **options: Any) -> None:
    """Print the report, in colour on a terminal, or write it to a file."""
    if form != "table" and result.problems:
        words = ", ".join(f"{n:,} x {kind}" for kind, n in result.problems.number.items())
        typer.echo(f"data problems: {words}; spanscope check GOLD PRED lists them all", err=True)
    if output in (None, "-") and form == "table":
        from rich.console import Console

        from spanscope.report.terminal import show

        if sys.stdout.isatty():
            digits = 4 if options["digits"] is None else options["digits"]
            show(result, Console(), digits=digits, examples=options["examples"])
            return
    from spanscope.report import render

    _put(render(result, form, **options), output)


def _put(text: str, output: str | None) -> None:
    """Print a text, or write it to a file: whole or not at all."""
    if output in (None, "-"):
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        return
    from spanscope.io.target import put

    put(text, str(output))
    typer.echo(f"wrote {output}", err=True)


def _gate(result: Result, floors: list[str] | None, ceilings: list[str] | None) -> None:
    from spanscope.gate import missed

    failed = missed(result, floors or [], ceilings or [])
    for one in failed:
        typer.echo(f"missed: {one}", err=True)
    if failed:
        raise typer.Exit(1)


def main() -> None:
    """Run the command line; whatever goes wrong ends in a sentence and an exit code, not in a traceback."""
    if hasattr(signal, "SIGPIPE"):  # `spanscope ... | head` ends as every other command does
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that cannot show a character shows a question mark
        sys.stdout.reconfigure(errors="replace")
    sys.exit(_guarded(app))


def _guarded(run: Callable[[], Any]) -> int:
    from spanscope.errors import SpanscopeError

    try:
        run()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 2
    except SpanscopeError as error:
        typer.echo(f"{error}", err=True)
        return 2
    except (ImportError, MemoryError) as error:
        typer.echo(f"error: {error or 'not enough memory for this corpus'}", err=True)
        return 2
    except Exception as error:
        if os.environ.get("SPANSCOPE_DEBUG"):
            raise
        typer.echo(
            f"internal error: {type(error).__name__}: {error}\n"
            "  try       SPANSCOPE_DEBUG=1 for the traceback, and report it with the command",
            err=True,
        )
        return 2
    return 0
