"""Commands that make the page: report, view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanscope.cli.app import app
from spanscope.cli.options import (
    Beta,
    Columns,
    Cutoffs,
    ExtraDocs,
    FieldNames,
    Folder,
    Force,
    Intervals,
    Labels,
    Level,
    Mapping_,
    Measures,
    Meta,
    MissingDocs,
    Normalise,
    OffsetUnit,
    ProtocolName,
    Repair,
    RepeatedIds,
    Resamples,
    Scheme,
    Seed,
    TagNames,
    TextShown,
    Thresholds,
    Title,
    UndefinedAs,
    cutoffs,
    listed,
    pairs,
    usage,
)
from spanscope.cli.writing import put_page

if TYPE_CHECKING:
    from spanscope.result import Result

Gold = Annotated[str, typer.Argument(metavar="GOLD", help="Gold documents (JSON, JSONL, CoNLL, .gz, or -).")]
Pred = Annotated[
    str | None, typer.Argument(metavar="PRED", help="Predicted documents; none if GOLD holds both as tags.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse texts that do not agree.")]


@app.command()
def report(
    gold: Gold,
    pred: Pred = None,
    output: Annotated[str, typer.Option("--output", "-o", help="Write the page here.")] = "report.html",
    title: Title = None,
    force: Force = False,
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
    strict: Strict = False,
    meta: Meta = None,
) -> None:
    """Score predictions and write a page to look at the errors: one file, to be opened anywhere."""
    asked = dict(locals())
    if not output.strip() or output == "-":
        usage("-o needs the name of a file")
    put_page(_scored(asked), output, title=title, force=force)


@app.command()
def view(
    gold: Gold,
    pred: Pred = None,
    title: Title = None,
    force: Force = False,
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
    strict: Strict = False,
    meta: Meta = None,
) -> None:
    """Score predictions and open the page in a browser, from a temporary file."""
    result = _scored(dict(locals()))
    from spanscope.viewer import show

    typer.echo(f"opened {show(result, title=title, force=force)}", err=True)


def _scored(asked: dict[str, Any]) -> Result:
    """Evaluate as the options of a command ask."""
    from spanscope.evaluate import evaluate
    from spanscope.io.tokens import has_tokens
    from spanscope.progress import Bar
    from spanscope.settings import Ci

    gold, pred, steps = asked["gold"], asked["pred"], asked["thresholds"]
    if gold == pred == "-":
        usage("GOLD and PRED cannot both be standard input")
    if pred is None and not has_tokens(gold):
        usage("PRED is missing: only a file of tagged tokens can hold gold and predictions")
    same = ("protocol", "beta", "undefined", "missing", "extra", "repeated", "offsets", "normalise")
    more = ("scheme", "repair", "text", "corpus", "strict")
    with Bar() as bar:
        return evaluate(
            gold,
            pred,
            asked["measure"],
            labels=listed(asked["labels"]),
            field=pairs("--field", asked["field"]),
            thresholds="exact" if steps == "exact" else listed(steps),  # type: ignore[arg-type]
            columns=pairs("--columns", listed(asked["columns"])),
            tag_names=listed(asked["tag_names"]),
            mapping=pairs("--map", asked["map_"]),
            k=cutoffs(asked["k"]),
            ci=Ci(asked["resamples"], asked["level"], asked["seed"]) if asked["ci"] else False,
            meta=pairs("--meta", asked["meta"]),
            progress=bar,
            **{name: asked[name] for name in (*same, *more)},
        )
