"""Commands about how sure figures are: compare, plan."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from spanscope.cli.app import app
from spanscope.cli.options import (
    Beta,
    Columns,
    Cutoffs,
    Digits,
    ExtraDocs,
    FieldNames,
    Folder,
    Labels,
    Level,
    Mapping_,
    Measures,
    Meta,
    MissingDocs,
    Normalise,
    OffsetUnit,
    Output,
    ProtocolName,
    Repair,
    RepeatedIds,
    Resamples,
    Scheme,
    Seed,
    TableFormat,
    TagNames,
    UndefinedAs,
    cutoffs,
    form_of,
    listed,
    pairs,
    usage,
)
from spanscope.cli.writing import put_text


@app.command()
def compare(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="GOLD RUN RUN...", help="Gold and runs (NAME=FILE names one), or result files alone."
        ),
    ],
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
    normalise: Normalise = False,
    scheme: Scheme = None,
    repair: Repair = "conlleval",
    columns: Columns = None,
    tag_names: TagNames = None,
    map_: Mapping_ = None,
    k: Cutoffs = None,
    corpus: Folder = None,
    trials: Annotated[int, typer.Option("--trials", help="Of the randomisation test.", min=1)] = 10_000,
    resamples: Resamples = 1000,
    level: Level = 0.95,
    seed: Seed = 0,
    meta: Meta = None,
    format_: TableFormat = None,
    output: Output = None,
    digits: Digits = None,
) -> None:
    """Compare runs on the same gold: differences, intervals, p-values, what was fixed and what broke."""
    from spanscope.compare import compare as compare_
    from spanscope.io.results import is_result
    from spanscope.progress import Bar
    from spanscope.settings import Ci

    form = form_of(format_, output)
    if form not in ("table", "json", "csv", "markdown", "latex"):
        usage(f"a comparison has no format {form}: table, json, csv, markdown or latex")
    if digits is not None and form not in ("table", "markdown", "latex"):
        usage(f"--digits is for tables; {form} has every digit there is")
    runs = [_named(file) for file in files]
    gold = None if is_result(runs[0][1]) else files[0]
    asked: dict[str, Any] = {
        "protocol": protocol,
        "labels": listed(labels),
        "beta": beta,
        "undefined": undefined,
        "missing": missing,
        "extra": extra,
        "repeated": repeated,
        "offsets": None if offsets == "codepoints" else offsets,
        "field": pairs("--field", field),
        "normalise": normalise or None,
        "scheme": scheme,
        "repair": None if repair == "conlleval" else repair,
        "columns": pairs("--columns", listed(columns)),
        "tag_names": listed(tag_names),
        "mapping": pairs("--map", map_),
        "k": cutoffs(k),
        "corpus": corpus,
    }
    options = {name: value for name, value in asked.items() if value not in (None, {}, [])}
    with Bar() as bar:
        found = compare_(
            gold,
            *(runs if gold is None else runs[1:]),
            measures=measure,
            ci=Ci(resamples, level, seed),
            trials=trials,
            meta=pairs("--meta", meta),
            progress=bar,
            **options,
        )
    _show(found, form, output, 4 if digits is None else digits)


def _named(given: str) -> tuple[str, str]:
    """Return the name and the path of a run: NAME=FILE, unless a file of that whole name is there."""
    name, sign, path = given.partition("=")
    if sign and name and path and not Path(given).exists():
        return name, path
    return given, given


def _show(found: Any, form: str, output: str | None, digits: int) -> None:
    from rich.console import Console

    from spanscope.report.compare import render, show

    if output is None and form == "table" and sys.stdout.isatty():
        show(found, Console(), digits)
        return
    put_text(render(found, form, digits=digits), output)


@app.command()
def plan(
    result: Annotated[str, typer.Argument(metavar="RESULT", help="A result that kept its counts (eval --keep).")],
    detect: Annotated[float, typer.Option("--detect", help="The difference to be seen, such as 0.02.")],
    expect: Annotated[
        float | None, typer.Option("--expect", help="The figure to be expected, such as 0.75.")
    ] = None,
    rate: Annotated[str | None, typer.Option("--rate", help="Which rate; else F1, or the first.")] = None,
    average: Annotated[str, typer.Option("--average", help="micro, macro, weighted or document.")] = "micro",
    label: Annotated[str | None, typer.Option("--label", help="Of one label.")] = None,
    measure: Annotated[str | None, typer.Option("--measure", "-m", help="Which measure; else the first.")] = None,
    correlation: Annotated[
        float, typer.Option("--correlation", help="Assumed between the two runs, from document to document.")
    ] = 0.5,
    power: Annotated[float, typer.Option("--power", help="How often the difference shall be seen.")] = 0.8,
) -> None:
    """Say how many documents it takes to see a difference, from the counts of a pilot."""
    from spanscope.plan import plan as plan_

    found = plan_(
        result,
        detect=detect,
        expect=expect,
        rate=rate,
        average=average,
        label=label,
        measure=measure,
        correlation=correlation,
        power=power,
    )
    typer.echo(str(found))
