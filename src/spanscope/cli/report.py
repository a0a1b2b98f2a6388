"""Commands that make the page: report, view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import Typed, arguments, files_beside, options, source_of_side
from spanscope.cli.options import Force, GoldName, Only, Title, usage
from spanscope.cli.shared import may_hold_both, score_panel
from spanscope.cli.writing import check_outputs, note_problems, put_page, typed_command

if TYPE_CHECKING:
    from spanscope.results.panel import Panel
    from spanscope.results.result import Result

Gold = Annotated[
    str,
    typer.Argument(
        metavar="GOLD", help="The file with gold: any format of `spanscope formats`, or - for standard input."
    ),
]
Pred = Annotated[
    str | None,
    typer.Argument(metavar="PRED", help="The file with predictions; leave it out if GOLD contains both."),
]

NOT_OF_PAGES = (
    "errors",
    "by",
    "train",
    "jobs",
    "memory",
    "engine",
    "master",
    "partitions",
)  # a page needs the spans


@command()
@options(without=NOT_OF_PAGES)
def report(
    gold: Gold,
    pred: Pred = None,
    output: Annotated[str, typer.Option("--output", "-o", help="Write the page to this file.")] = "report.html",
    title: Title = None,
    force: Force = False,
    gold_name: GoldName = None,
    only: Only = None,
    *,
    asked: Typed,
) -> None:
    """Score predictions and write an HTML page for inspecting the errors: one file that opens anywhere."""
    if not output.strip() or output == "-":
        usage("-o needs the name of a file")
    check_outputs({"-o": output}, [gold, pred, *files_beside(asked)], asked["corpus"])
    result = _score(gold, pred, gold_name, only, asked)
    note_problems(result)
    put_page(result, output, title=title, text=asked["text"], force=force)


@command()
@options(without=NOT_OF_PAGES)
def view(
    gold: Gold,
    pred: Pred = None,
    title: Title = None,
    force: Force = False,
    gold_name: GoldName = None,
    only: Only = None,
    *,
    asked: Typed,
) -> None:
    """Score predictions and open the page in a browser, without keeping it."""
    result = _score(gold, pred, gold_name, only, asked)
    note_problems(result)
    from spanscope.viewer import no_browser, write_and_open

    shown = asked["text"]
    path, opened = write_and_open(result, title=title, text=shown, force=force, command=typed_command())
    typer.echo(f"opened {path}" if opened else no_browser(path.as_uri()), err=True)


def _score(gold: str, pred: str | None, gold_name: str | None, only: str | None, asked: Typed) -> Result | Panel:
    """Evaluate as the options of a command ask; the segmentations of one file against each other."""
    from spanscope.cli.progress import Bar
    from spanscope.commands.evaluate import evaluate
    from spanscope.io.pipes import hold_all
    from spanscope.settings.options import Running

    if gold == pred == "-":
        usage("GOLD and PRED cannot both be standard input")
    gold, pred = hold_all(gold, pred)
    if pred is None and not may_hold_both(gold, asked):
        return score_panel(gold, gold_name, only, asked, {})
    if gold_name is not None or only is not None:
        usage("--gold and --only name segmentations of a single FILE; here GOLD and PRED are two")
    with Bar() as bar:
        both = source_of_side(gold, "gold", asked), source_of_side(pred, "pred", asked)
        return evaluate(*both, **arguments(asked), run=Running(memory="spans"), progress=bar)
