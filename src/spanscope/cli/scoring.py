"""Commands that score: eval, demo, score."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from spanscope.cli.app import app
from spanscope.cli.options import (
    Beta,
    Ceilings,
    Columns,
    Cutoffs,
    Digits,
    Examples,
    ExtraDocs,
    FieldNames,
    Folder,
    Format,
    Gates,
    GoldName,
    Intervals,
    Labels,
    Level,
    Mapping_,
    Measures,
    Meta,
    MissingDocs,
    Normalise,
    OffsetUnit,
    Only,
    Output,
    Page,
    ProtocolName,
    Repair,
    RepeatedIds,
    Resamples,
    Scheme,
    Seed,
    TagNames,
    TextShown,
    Thresholds,
    UndefinedAs,
    Worst,
    cutoffs,
    form_of,
    listed,
    pairs,
    usage,
)
from spanscope.cli.writing import gate, note_problems, put_page, put_text, write


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
    corpus: Folder = None,
    ci: Intervals = True,
    resamples: Resamples = 1000,
    level: Level = 0.95,
    seed: Seed = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse texts that do not agree.")] = False,
    meta: Meta = None,
    fail_under: Gates = None,
    fail_over: Ceilings = None,
    format_: Format = None,
    output: Output = None,
    html: Page = None,
    digits: Digits = None,
    examples: Examples = 0,
    worst: Worst = 0,
    matches: Annotated[bool, typer.Option("--matches", help="Put every match and error into the JSON.")] = False,
    documents: Annotated[bool, typer.Option("--documents", help="Put figures by document into the JSON.")] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Put the counts into the JSON, for compare and plan.")
    ] = False,
) -> None:
    """Score predictions against gold, or the segmentations of one file against each other."""
    from spanscope.evaluate import evaluate
    from spanscope.gate import read_gate
    from spanscope.progress import Bar
    from spanscope.settings import Ci

    if gold == pred == "-":
        usage("GOLD and PRED cannot both be standard input")
    form = form_of(format_, output)
    if pred is None and not _tagged(gold):
        unfit = {
            "--labels": labels,
            "--thresholds": thresholds,
            "--matches": matches,
            "--documents": documents,
            "--examples": examples,
            "--strict": strict,
            "--fail-under": fail_under,
            "--fail-over": fail_over,
            "--scheme": scheme,
            "--repair": repair != "conlleval",
            "--columns": columns,
            "--tag-names": tag_names,
            "--map": map_,
            "--text": text != "full",
            "--k": k,
            "--corpus": corpus,
            "--worst": worst,
            "--keep": keep,
            "--html": html,
        }
        if given := next((option for option, value in unfit.items() if value), None):
            usage(f"{given} is not for segmentations of one file: it needs GOLD and PRED")
        asked = {
            "undefined": undefined,
            "missing": missing,
            "extra": extra,
            "repeated": repeated,
            "offsets": offsets,
            "ci": Ci(resamples, level, seed) if ci else False,
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
    for floor in [*(fail_under or []), *(fail_over or [])]:
        read_gate(floor)  # a gate that cannot be read is refused before the work, not after
    if (matches or documents or keep) and form != "json":
        usage("--matches, --documents and --keep go into the JSON: add --format json")
    if not ci and (resamples, level, seed) != (1000, 0.95, 0):
        usage("--resamples, --level and --seed are of intervals, and --no-ci asks for none")
    if worst and form not in ("table", "json"):
        usage("--worst goes into the table or the JSON")
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
            corpus=corpus,
            ci=Ci(resamples, level, seed) if ci else False,
            strict=strict,
            meta=pairs("--meta", meta),
            progress=bar,
        )
    options: dict[str, Any] = {"matches": matches, "documents": documents, "kept": keep} if form == "json" else {}
    write(result, form, output, digits=digits, examples=examples, worst=worst, **options)
    if html is not None:
        put_page(result, html)
    gate(result, fail_under, fail_over)


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
def score(
    predictions: Annotated[str, typer.Argument(metavar="PREDICTIONS", help="Queries with retrieved passages.")],
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="Queries with gold snippets.")],
    k: Annotated[int, typer.Option("--k", help="Passages considered for recall and nDCG.")] = 10,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Write the figures here, as JSON.")] = None,
    protocol: ProtocolName = None,
    corpus: Folder = None,
) -> None:
    """Score retrieved passages as the legal script is called; --protocol legal gives its own figures."""
    import json

    from spanscope.errors import InputError
    from spanscope.evaluate import evaluate
    from spanscope.report.legal import block, figures

    if protocol not in (None, "passages", "legal"):
        usage(f"score has no protocol {protocol[:40]!r}: passages (ours) or legal (the script's)")
    asked: dict[str, Any] = {"protocol": protocol or "passages", "k": k, "corpus": corpus}
    try:
        result = evaluate(gold, predictions, **asked, errors=False, ci=False)
    except InputError as error:
        if "swapped" in error.hint:
            usage("PREDICTIONS come first here, then GOLD")
        raise
    note_problems(result)
    found = figures(result, k)
    typer.echo(block(found))
    if output is not None:
        put_text(json.dumps(found, indent=2) + "\n", output)


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
    put_text(render(found, form, digits=4 if digits is None else digits), output)
