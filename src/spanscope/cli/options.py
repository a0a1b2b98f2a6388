"""Options that only the command line has: what is written where, and how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from spanscope.cli.completion import completing

Gates = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-under",
        help="Exit with 1 if a figure is below its minimum: micro_f1=0.75, recall[PERSON]=0.9, "
        "average_precision=0.8, f1[source=news]=0.7 (a slice; source=* for all). Repeat the option for several.",
    ),
]
Ceilings = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-over",
        help="Exit with 1 if an error or distance is above its maximum: segments.pk:document_pk=0.3, "
        "calibration_error=0.05. Repeat the option for several.",
    ),
]
GoldName = Annotated[
    str | None,
    typer.Option(
        "--gold",
        help="Name of the segmentation in FILE that is gold. [default: the one called Gold, if there is one]",
    ),
]
Only = Annotated[str | None, typer.Option("--only", help="Score only these segmentations of FILE: A,B,C.")]
RunFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        autocompletion=completing("format"),
        help="table, json, csv, markdown, latex, github or junit. [default: by the ending of the file in -o]",
    ),
]
TableFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        autocompletion=completing("format"),
        help="table, json, csv, markdown or latex. [default: by the ending of the file in -o]",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        autocompletion=completing("format"),
        help="table, json, csv, markdown, latex, github, junit, or the layout of another tool: "
        "reqflow-csv, conlleval, seqeval, "
        "trec_eval, squad, trec-run, qrels.",
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", help="Write the report to this file; NAME.html writes the page, as with --html."
    ),
]
Digits = Annotated[int | None, typer.Option("--digits", min=0, max=12, help="Decimals in tables. [default: 4]")]
Examples = Annotated[int, typer.Option("--examples", "-n", min=0, help="Show this many errors below the tables.")]
Worst = Annotated[
    int, typer.Option("--worst", help="Show this many documents, the ones with the lowest figure first.", min=0)
]
Trials = Annotated[
    int, typer.Option("--trials", help="Number of random permutations in the paired randomisation test.", min=1)
]
Page = Annotated[str | None, typer.Option("--html", help="Also write the page (spanscope report) to this file.")]
Title = Annotated[str | None, typer.Option("--title", help="Title of the page. [default: the names of the files]")]
Force = Annotated[bool, typer.Option("--force", help="Put all documents into the page, however large it gets.")]


Config = Annotated[
    str | None,
    typer.Option(
        "--config",
        help="The configuration file. [default: spanscope.toml or pyproject.toml, when GOLD is not given]",
    ),
]


def usage(message: str) -> NoReturn:
    """Refuse an option, with the usage above the message."""
    raise typer.BadParameter(message)


def split_list(text: str | None) -> list[str] | None:
    """Return what stands between commas."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def pairs(option: str, given: list[str] | None) -> dict[str, str]:
    """Return key=value options as a mapping."""
    for text in given or []:
        if "=" not in text or text.startswith("="):
            usage(f"{option} {text[:60]!r} is not of the form key=value")
    return dict(text.split("=", 1) for text in given or [])


def page_or_report(output: str | None, html: str | None, given: str | None) -> tuple[str | None, str | None]:
    """Return where the report and the page go: a name that ends in .html means the page."""
    if output is None or given is not None or Path(output).suffix not in (".html", ".htm"):
        return output, html
    if html is not None:
        usage("-o and --html both name the page")
    return None, output


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
        usage(f"the ending of -o {shown(output)} does not name a format: add --format ({', '.join(known)})")
    return given or SUFFIXES.get(suffix, "table")


def cutoffs(text: str | None) -> list[int] | None:
    """Return cutoffs between commas."""
    try:
        return None if text is None else [int(one) for one in split_list(text) or []]
    except ValueError:
        usage(f"--k {text!r} is neither a number of passages nor a list of numbers")
