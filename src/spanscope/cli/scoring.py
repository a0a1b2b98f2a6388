"""Commands that score: eval, demo, score."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import Typed, arguments, files_beside, options, source_of_side, typed_options
from spanscope.cli.options import (
    Ceilings,
    Config,
    Digits,
    Examples,
    Format,
    Gates,
    GoldName,
    Only,
    Output,
    Page,
    Worst,
    form_of,
    page_or_report,
    usage,
)
from spanscope.cli.writing import (
    check_gates,
    check_outputs,
    gate,
    gates_of_report,
    note_problems,
    put_page,
    put_text,
    write,
)

OF_QUERIES = ("trec_eval", "squad", "trec-run", "qrels")  # formats that need what was read
NEEDS = {"spans": ("--matches", "--examples", "--html"), "counts": ("--keep", "--documents", "--worst")}


@command("eval")
@options()
def eval_(
    gold: Annotated[
        str | None,
        typer.Argument(
            metavar="[GOLD]",
            help="The file with gold: any format of `spanscope formats`, or - for standard input. "
            "[default: that of the configuration file]",
            show_default=False,
        ),
    ] = None,
    pred: Annotated[
        str | None,
        typer.Argument(metavar="[PRED]", help="The file with predictions; leave it out if GOLD contains both."),
    ] = None,
    run: Annotated[
        str | None, typer.Option("--run", help="Which run of the configuration file to score, if it has several.")
    ] = None,
    config: Config = None,
    gold_name: GoldName = None,
    only: Only = None,
    fail_under: Gates = None,
    fail_over: Ceilings = None,
    format_: Format = None,
    output: Output = None,
    html: Page = None,
    digits: Digits = None,
    examples: Examples = 0,
    worst: Worst = 0,
    matches: Annotated[bool, typer.Option("--matches", help="Include every match and error in the JSON.")] = False,
    documents: Annotated[
        bool, typer.Option("--documents", help="Include figures for each document in the JSON.")
    ] = False,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep", help="Include the counts of each document in the JSON, as compare and plan need them."
        ),
    ] = False,
    *,
    asked: Typed,
) -> None:
    """Score predictions against gold, or several segmentations in one file against each other."""
    from spanscope.io.pipes import hold_all

    if gold is None or config is not None or run is not None:
        from spanscope.cli.configured import of_one_run

        (gold, pred), asked, gates = of_one_run((gold, pred), run, config, asked, (fail_under, fail_over))
        fail_under, fail_over = gates
    if gold == pred == "-":
        usage("GOLD and PRED cannot both be standard input")
    output, html = page_or_report(output, html, format_)
    read = [gold, pred, asked["tune"], asked["tune_gold"], *files_beside(asked)]
    check_outputs({"-o": output, "--html": html}, read, asked["corpus"])
    form = form_of(format_, output)
    if digits is not None and form not in ("table", "markdown", "github", "latex", "seqeval"):
        usage(f"--digits is for tables; {form} always has all digits")
    show = _Shown(form, output, html, digits, examples, worst, matches, documents, keep, fail_under, fail_over)
    gold, pred = hold_all(gold, pred)
    if pred is None and not _may_hold_both(gold, asked):
        _score_segmentations(gold, gold_name, only, asked, show)
        return
    if gold_name is not None or only is not None:
        alone = "it contains spans: use --gold-annotator and --pred-annotator"
        here = alone if pred is None else "GOLD and PRED are two"
        usage(f"--gold and --only name segmentations of a single FILE; here {here}")
    _score_sides(gold, pred, asked, show)


class _Shown(NamedTuple):
    """What is shown of the figures, where it is written, and the gates that they must pass."""

    form: str
    output: str | None
    html: str | None
    digits: int | None
    examples: int
    worst: int
    matches: bool
    documents: bool
    keep: bool
    fail_under: list[str] | None
    fail_over: list[str] | None

    @property
    def views(self) -> dict[str, Any]:
        """The options that need more than figures, with what was given for them."""
        return {
            "--matches": self.matches,
            "--documents": self.documents,
            "--examples": self.examples,
            "--worst": self.worst,
            "--keep": self.keep,
            "--fail-under": self.fail_under,
            "--fail-over": self.fail_over,
            "--html": self.html,
        }


def _score_segmentations(gold: str, gold_name: str | None, only: str | None, asked: Typed, show: _Shown) -> None:
    """Score several segmentations in one file, and show what was asked for."""
    from spanscope.cli.shared import score_panel

    check_gates(show.fail_under, show.fail_over, form=show.form)
    views = show.views
    of_spans = {name: views.pop(name) for name in ("--matches", "--examples")}
    _check_views(views, show.form)
    refuse_unkept(views, asked["memory"], 1)
    found = score_panel(gold, gold_name, only, asked, of_spans)
    parts: dict[str, Any] = {"documents": show.documents, "kept": show.keep} if show.form == "json" else {}
    parts |= gates_of_report(show.form, found, show.fail_under, show.fail_over)
    write(found, show.form, show.output, digits=show.digits, worst=show.worst, **parts)
    if show.html is not None:
        put_page(found, show.html, text=asked["text"])
    gate(found, show.fail_under, show.fail_over, show.form)


def _score_sides(gold: str, pred: str | None, asked: Typed, show: _Shown) -> None:
    """Score predictions against gold, and show what was asked for."""
    from spanscope.cli.progress import Bar
    from spanscope.commands.evaluate import evaluate

    form = show.form
    check_gates(show.fail_under, show.fail_over, form=form)
    _check_views(show.views, form, errors=asked["errors"])
    needed = show.views | {f"--format {form}": form in OF_QUERIES}
    needed |= _gates_on_scores({"--fail-under": show.fail_under, "--fail-over": show.fail_over})
    given = arguments(asked | _memory_of_views(needed, gold, pred, asked))
    sides = source_of_side(gold, "gold", asked), source_of_side(pred, "pred", asked)
    with Bar() as bar:
        result = evaluate(*sides, **given, progress=bar)
    if show.examples and not result.settings.family.labelled:
        usage(f"--examples lists spans, and {result.settings.family.name} do not have any")
    parts = {"matches": show.matches, "documents": show.documents, "kept": show.keep} if form == "json" else {}
    parts |= gates_of_report(form, result, show.fail_under, show.fail_over)
    write(result, form, show.output, digits=show.digits, examples=show.examples, worst=show.worst, **parts)
    if show.html is not None:
        put_page(result, show.html)
    gate(result, show.fail_under, show.fail_over, form)


def _may_hold_both(gold: str, asked: Typed) -> bool:
    from spanscope.cli.shared import may_hold_both  # which runs with two files do not need

    return may_hold_both(gold, asked)


def _memory_of_views(views: dict[str, Any], gold: str, pred: str | None, typed: Typed) -> dict[str, Any]:
    """Return what memory must keep for the views, where that is not said."""
    memory, jobs = typed["memory"], typed["jobs"]
    kept = refuse_unkept(views, memory, jobs)
    if kept is None or memory == "spans":
        return {}
    if kept == "spans":
        return {"memory": "spans"}
    from spanscope.engines.sizes import uses_blocks

    return {"memory": "counts"} if uses_blocks(gold, pred, jobs, memory) else {}


def refuse_unkept(views: dict[str, Any], memory: str | None, jobs: int) -> str | None:
    """Return what the views need of the documents: spans, counts or nothing; refuse what memory does not keep.

    A view that needs the spans is one of those listed, or a tool's format.
    """
    needs = {option: kept for kept, own in NEEDS.items() for option in own}
    asked = [(option, needs.get(option, "spans")) for option, value in views.items() if value]
    others = ("--format ", "--fail-under ", "--fail-over ")  # those of tools, and gates on scores of predictions
    asked = [(option, kept) for option, kept in asked if option in needs or option.startswith(others)]
    if not asked:
        return None
    option, kept = min(asked, key=lambda one: one[1] != "spans")
    if memory == "totals" or (kept == "spans" and memory != "spans" and (memory == "counts" or jobs > 1)):
        given = f"--memory {memory}" if memory else f"--jobs {jobs}"
        what = "the spans" if kept == "spans" else "the counts of every document"
        usage(f"{option} needs {what}, which {given} does not keep")
    return kept


def _gates_on_scores(gates: dict[str, list[str] | None]) -> dict[str, Any]:
    """Return the gates on scores of predictions, which are told from the spans."""
    named = [(flag, one) for flag, own in gates.items() for one in own or ()]
    if not named:
        return {}
    from spanscope.results.gate_form import read_gate
    from spanscope.results.gated_figures import OF_SCORES

    return {f"{flag} {one}": True for flag, one in named if read_gate(one)[1]["rate"] in OF_SCORES}


def _check_views(views: dict[str, Any], form: str, *, errors: bool = True) -> None:
    """Refuse what the format has no room for, and lists of errors that nobody shall look at."""
    listing = [option for option in ("--matches", "--examples", "--html") if views.get(option)]
    if listing and not errors:
        usage(f"{listing[0]} lists errors, and --no-errors turns them off")
    if any(views.get(option) for option in ("--matches", "--documents", "--keep")) and form != "json":
        usage("--matches, --documents and --keep add to the JSON: add --format json")
    if views["--worst"] and form not in ("table", "json"):
        usage("--worst adds to the table or the JSON")
    if views.get("--examples") and form != "table":
        usage("--examples adds to the table; for all errors use --matches --format json")


@command()
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
        eval_(gold=traces, format_=format_, output=output)
        return
    if what != "spans":
        usage(f"no demo is called {what[:40]!r}: spans or segments")
    gold, pred = (str(folder / f"requirements.{side}.jsonl") for side in ("gold", "pred"))
    typer.echo(f"$ spanscope eval {gold} {pred} --examples {examples}\n", err=True)
    shown = examples if form_of(format_, output) == "table" else 0
    eval_(gold=gold, pred=pred, format_=format_, output=output, examples=shown)


@command()
@options("protocol", "corpus", "join", "scores", "text")
def score(
    predictions: Annotated[
        str, typer.Argument(metavar="PREDICTIONS", help="File of queries with retrieved passages.")
    ],
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="File of queries with gold snippets.")],
    k: Annotated[int, typer.Option("--k", help="Number of passages considered for recall and nDCG.")] = 10,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write the figures to this file, as JSON.")
    ] = None,
    *,
    asked: Typed,
) -> None:
    """Score retrieved passages, called like the legal script score.py; --protocol legal gives its figures."""
    import json

    from spanscope.commands.evaluate import evaluate
    from spanscope.errors import InputError
    from spanscope.report.legal import block, figures
    from spanscope.settings.options import grouped

    protocol = asked["protocol"]
    if protocol not in (None, "passages", "legal"):
        usage(f"score has no protocol {protocol[:40]!r}: passages (ours) or legal (the script's)")
    check_outputs({"-o": output}, [predictions, gold], asked["corpus"])
    given = typed_options(asked) | {"protocol": protocol or "passages", "k": k, "errors": False}
    try:
        result = evaluate(gold, predictions, **grouped(given), ci=False)
    except InputError as error:
        if "swapped" in error.hint:
            usage("PREDICTIONS come first here, then GOLD")
        raise
    note_problems(result)
    found = figures(result, k)
    typer.echo(block(found))
    if output is not None:
        put_text(json.dumps(found, indent=2) + "\n", output)
