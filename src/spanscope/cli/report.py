"""Commands that make the page: report, view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spanscope.cli.app import app
from spanscope.cli.options import Force, Title, usage
from spanscope.cli.shared import Scoring, arguments, scoring
from spanscope.cli.writing import put_page

if TYPE_CHECKING:
    from spanscope.result import Result

Gold = Annotated[str, typer.Argument(metavar="GOLD", help="Gold documents (JSON, JSONL, CoNLL, .gz, or -).")]
Pred = Annotated[
    str | None, typer.Argument(metavar="PRED", help="Predicted documents; none if GOLD holds both as tags.")
]


@app.command()
@scoring("jobs", "memory", "engine", "master", "partitions")
def report(
    gold: Gold,
    pred: Pred = None,
    output: Annotated[str, typer.Option("--output", "-o", help="Write the page here.")] = "report.html",
    title: Title = None,
    force: Force = False,
    *,
    asked: Scoring,
) -> None:
    """Score predictions and write a page to look at the errors: one file, to be opened anywhere."""
    if not output.strip() or output == "-":
        usage("-o needs the name of a file")
    put_page(_scored(gold, pred, asked), output, title=title, force=force)


@app.command()
@scoring("jobs", "memory", "engine", "master", "partitions")
def view(gold: Gold, pred: Pred = None, title: Title = None, force: Force = False, *, asked: Scoring) -> None:
    """Score predictions and open the page in a browser, from a temporary file."""
    result = _scored(gold, pred, asked)
    from spanscope.viewer import show

    typer.echo(f"opened {show(result, title=title, force=force)}", err=True)


def _scored(gold: str, pred: str | None, asked: Scoring) -> Result:
    """Evaluate as the options of a command ask."""
    from spanscope.evaluate import evaluate
    from spanscope.io.tokens import has_tokens
    from spanscope.progress import Bar

    if gold == pred == "-":
        usage("GOLD and PRED cannot both be standard input")
    if pred is None and not has_tokens(gold):
        usage("PRED is missing: only a file of tagged tokens can hold gold and predictions")
    with Bar() as bar:
        return evaluate(gold, pred, **arguments(asked), memory="spans", progress=bar)
