"""The options of the command line: their words and their help."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", help="A measure, e.g. 'spans.relaxed(threshold=0.8)'; repeat for several."),
]
ProtocolName = Annotated[
    str | None,
    typer.Option("--protocol", "-p", help="A named bundle of measures and settings (spanscope protocols)."),
]
Labels = Annotated[str | None, typer.Option("--labels", help="Score only these labels: A,B,C.")]
Beta = Annotated[float | None, typer.Option("--beta", help="Also give F-beta.")]
UndefinedAs = Annotated[str | None, typer.Option("--undefined", help="What 0/0 is: null, 0 or 1.")]
MissingDocs = Annotated[
    str | None, typer.Option("--missing", help="Documents PRED lacks: error, empty (nothing found) or skip.")
]
ExtraDocs = Annotated[str | None, typer.Option("--extra", help="Documents GOLD lacks: error or skip.")]
RepeatedIds = Annotated[
    str | None, typer.Option("--repeated", help="Repeated ids: error, or number to pair them in order.")
]
OffsetUnit = Annotated[str, typer.Option("--offsets", help="Unit of start and end: codepoints, utf16 or utf8.")]
FieldNames = Annotated[
    list[str] | None, typer.Option("--field", help="Another field name: label=category; repeat for several.")
]
Thresholds = Annotated[
    str | None, typer.Option("--thresholds", help="Steps of the curve: 0.3,0.5,0.8 or exact; else 21 in JSON.")
]
Meta = Annotated[list[str] | None, typer.Option("--meta", help="For the report's head: model=NAME; repeatable.")]
Gates = Annotated[
    list[str] | None,
    typer.Option("--fail-under", help="Exit 1 below a floor: micro_f1=0.75, recall[PERSON]=0.9; repeatable."),
]
Ceilings = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-over",
        help="Exit 1 above a ceiling of an error or distance: segments.pk:document_pk=0.3; repeatable.",
    ),
]
GoldName = Annotated[
    str | None,
    typer.Option("--gold", help="Which segmentation of FILE is gold; else one called Gold, else none."),
]
Only = Annotated[str | None, typer.Option("--only", help="Score only these segmentations of FILE: A,B,C.")]
Normalise = Annotated[
    bool,
    typer.Option("--normalise", help="Repair segmentations: sort, close gaps, extend to the end; all reported."),
]
TableFormat = Annotated[
    str | None, typer.Option("--format", "-f", help="table, json, csv, markdown, latex; else by -o's ending.")
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        help="table, json, csv, markdown, latex, or a tool's: reqflow-csv, conlleval, seqeval, trec_eval, squad.",
    ),
]
Output = Annotated[str | None, typer.Option("--output", "-o", help="Write the report here.")]
Digits = Annotated[int | None, typer.Option("--digits", min=0, max=12, help="Decimals in tables; 4 unless given.")]
Examples = Annotated[int, typer.Option("--examples", "-n", min=0, help="Show this many errors in the table.")]
Scheme = Annotated[
    str | None,
    typer.Option("--scheme", help="Of tags: IO, IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMES; else found out."),
]
Repair = Annotated[
    str, typer.Option("--repair", help="Ill-formed tags: conlleval (start a span), discard, strict or seqeval.")
]
Input = Annotated[
    str | None,
    typer.Option("--input", help="Format of the files, such as conll, tokens, spans or segments; else found out."),
]
Columns = Annotated[
    str | None,
    typer.Option("--columns", help="Of CoNLL files, from 0 or the end: token=0,gold=-2,pred=-1 or tag=3."),
]
TagNames = Annotated[
    str | None, typer.Option("--tag-names", help="Names of tags that are numbers: O,B-PER,I-PER.")
]
Mapping_ = Annotated[
    list[str] | None,
    typer.Option(
        "--map", help="Another name for a label on both sides: PER=PERSON; X= leaves it out; repeatable."
    ),
]
Intervals = Annotated[bool, typer.Option("--ci/--no-ci", help="Intervals by a bootstrap over documents.")]
Resamples = Annotated[int, typer.Option("--resamples", help="Of the documents, for intervals.", min=2)]
Level = Annotated[float, typer.Option("--level", help="Of intervals.")]
Seed = Annotated[int, typer.Option("--seed", help="Of the resamples.")]
Folder = Annotated[
    str | None,
    typer.Option("--corpus", help="The folder of the files that passages are from, to check places against."),
]
JoinedBy = Annotated[
    str | None, typer.Option("--join", help="What passages and answers are joined by: ids, texts or places.")
]
ScoresAre = Annotated[
    str | None,
    typer.Option("--scores", help="Of passages: similarities (highest first) or distances (lowest first)."),
]
Worst = Annotated[int, typer.Option("--worst", help="Show so many documents, the worst first.", min=0)]
Cutoffs = Annotated[str | None, typer.Option("--k", help="Cutoff of passages measures, or several: 1,5,10.")]
TextShown = Annotated[
    str,
    typer.Option(
        "--text", help="Text in the report: full, context (of errors, in pages), masked (x for letters) or none."
    ),
]
Jobs = Annotated[
    int,
    typer.Option("--jobs", "-j", help="Processes that read and count files of JSON Lines; same figures.", min=1),
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory", help="What is kept: spans, counts (of documents) or totals; else by the size of the files."
    ),
]
Engine = Annotated[
    str | None, typer.Option("--engine", help="local, or spark for Parquet and JSON Lines that Spark reads.")
]
Master = Annotated[
    str | None,
    typer.Option("--master", help="Of Spark: local[4], spark://HOST:7077, sc://HOST; else SPARK_MASTER, or here."),
]
Partitions = Annotated[
    int | None, typer.Option("--partitions", help="Of Spark, into which documents are dealt; else by size.", min=1)
]
Errors = Annotated[
    bool, typer.Option("--errors/--no-errors", help="Name the kind of every error, for the first measure.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse texts that do not agree.")]
Page = Annotated[str | None, typer.Option("--html", help="Also write the page (spanscope report) to this file.")]
Title = Annotated[str | None, typer.Option("--title", help="Of the page; else the names of the files.")]
Force = Annotated[
    bool, typer.Option("--force", help="Put every document into the page, and write it whatever its size.")
]


def usage(message: str) -> NoReturn:
    """Refuse an option, with the usage above the message."""
    raise typer.BadParameter(message)


def listed(text: str | None) -> list[str] | None:
    """Return what stands between commas."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def pairs(option: str, given: list[str] | None) -> dict[str, str]:
    """Return key=value options as a mapping."""
    for text in given or []:
        if "=" not in text or text.startswith("="):
            usage(f"{option} {text[:60]!r} is not of the form key=value")
    return dict(text.split("=", 1) for text in given or [])


def form_of(given: str | None, output: str | None, formats: Sequence[str] | None = None) -> str:
    """Return the format asked for, or the one the name of the output shows; `formats` are those there may be."""
    from spanscope.errors import did_you_mean, shown
    from spanscope.report import FORMATS, SUFFIXES

    known = FORMATS if formats is None else formats
    if output is not None and not output.strip():
        usage("-o needs the name of a file")
    if given is not None and given not in known:
        usage(f"no format is called {shown(given)}{did_you_mean(given, known)} ({', '.join(known)})")
    suffix = Path(output).suffix if output else ""
    if given is None and suffix and SUFFIXES.get(suffix) not in known:
        usage(f"which format -o {shown(output)} is does not show: add --format ({', '.join(known)})")
    return given or SUFFIXES.get(suffix, "table")


def cutoffs(text: str | None) -> list[int] | None:
    """Return cutoffs between commas."""
    try:
        return None if text is None else [int(one) for one in listed(text) or []]
    except ValueError:
        usage(f"--k {text!r} is no number of passages, and no list of them")
