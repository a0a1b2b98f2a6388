"""Commands about how sure figures are: compare, plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import Typed, arguments, files_beside, options, source_of_side
from spanscope.cli.options import (
    Config,
    Digits,
    Force,
    GoldName,
    Only,
    Output,
    RunFormat,
    Title,
    Trials,
    form_of,
    page_or_report,
    usage,
)
from spanscope.cli.shared import files_or_configured, gold_and_runs, named_runs, score_panel
from spanscope.cli.writing import check_outputs, end_at_gates, put_page, write

if TYPE_CHECKING:
    from spanscope.results.compared import Compared
    from spanscope.results.gate_form import CheckedGate


Worse = Annotated[
    float | None,
    typer.Option(
        "--fail-if-worse",
        metavar="[MARGIN]",
        help="Exit with 1 if the headline figure of a run is worse than the baseline's by more than "
        "MARGIN [default: 0].",
    ),
]
NotBetter = Annotated[
    bool,
    typer.Option(
        "--fail-if-not-better",
        help="Exit with 1 unless the headline figure of every run is significantly better than the baseline's.",
    ),
]


@command()
@options(
    without=(
        "thresholds",
        "ci",
        "strict",
    )
)
def compare(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GOLD RUN RUN...]",
            help="Gold, then the runs (NAME=FILE names a run); or only result files; or one file "
            "with several segmentations. "
            "[default: those of the configuration file]",
            show_default=False,
        ),
    ] = None,
    config: Config = None,
    trials: Trials = 10_000,
    margin: Annotated[
        float | None,
        typer.Option(
            "--margin",
            help="Report which runs are not worse than the baseline by more "
            "than this margin, judged by the interval.",
        ),
    ] = None,
    format_: RunFormat = None,
    output: Output = None,
    digits: Digits = None,
    gold_name: GoldName = None,
    only: Only = None,
    html: Annotated[
        str | None, typer.Option("--html", help="Also write the page of the comparison to this file.")
    ] = None,
    title: Title = None,
    force: Force = False,
    fail_if_worse: Worse = None,
    fail_if_not_better: NotBetter = False,
    *,
    asked: Typed,
) -> None:
    """Compare runs on the same gold: differences, intervals, p-values, errors fixed and errors introduced."""
    from spanscope.cli.progress import Bar
    from spanscope.commands.compare import compare as compare_
    from spanscope.report import OF_RUNS, RUNNERS

    files, asked = files_or_configured(files, config, asked)
    output, html = page_or_report(output, html, format_)
    read = [path for file in files for _, path in named_runs(file)]
    check_outputs({"-o": output, "--html": html}, [*read, *files_beside(asked)], asked["corpus"])
    form = form_of(format_, output, OF_RUNS)
    if digits is not None and form not in ("table", "markdown", "github", "latex"):
        usage(f"--digits is for tables; {form} always has all digits")
    if form == "junit" and fail_if_worse is None and not fail_if_not_better:
        usage("--format junit writes a test case for each gate: add --fail-if-worse or --fail-if-not-better")
    _check_page(html, {"--title": title is not None, "--force": force})
    if [path for file in files for _, path in named_runs(file)].count("-") > 1:
        usage("only one of GOLD and the runs can be standard input")
    gold, runs, given = _runs(files, gold_name, only, asked)
    with Bar() as bar:
        found = compare_(gold, *runs, trials=trials, margin=margin, progress=bar, **given)
    told = {"gates": _check_gates(found, fail_if_worse, not_better=fail_if_not_better)} if form in RUNNERS else {}
    write(found, form, output, digits=digits, **told)
    if html is not None:
        put_page(found, html, title=title, force=force)
    end_at_gates(_check_gates(found, fail_if_worse, not_better=fail_if_not_better), form)


def _check_gates(found: Compared, margin: float | None, *, not_better: bool) -> list[CheckedGate]:
    """Return the gates on how the runs stand to the baseline, checked."""
    from spanscope.results.compared_gate import check_better, check_not_worse

    made = [] if margin is None else check_not_worse(found, margin)
    return made + (check_better(found) if not_better else [])


def _runs(
    files: list[str], gold_name: str | None, only: str | None, asked: Typed
) -> tuple[Any, list[tuple[str, Any]], dict[str, Any]]:
    """Return gold, the runs and the other keywords; of one file with several segmentations the panel of them."""
    gold, runs = gold_and_runs(files)
    given: dict[str, Any] = arguments(asked)
    if gold is not None and not runs:
        common = asked["missing"] == "common"
        panel = score_panel(gold, gold_name, only, {**asked, "missing": "skip"} if common else asked, {}, ci=False)
        kept = ("ci", "meta", *(["missing"] if common else []))
        return panel, [], {name: given[name] for name in kept if name in given}
    if gold_name is not None or only is not None:
        usage("--gold and --only name segmentations of a single FILE; here are several files")
    sides = [(name, source_of_side(path, "pred", asked)) for name, path in runs]
    return (None if gold is None else source_of_side(gold, "gold", asked)), sides, given


def _check_page(html: str | None, given: dict[str, bool]) -> None:
    """Refuse options of a page where none is written."""
    odd = [option for option, there in given.items() if there]
    if html is None and odd:
        usage(f"{odd[0]} is an option of the page: add --html FILE")


Correlation = Annotated[
    float | None,
    typer.Option(
        "--correlation",
        help="Assumed correlation between the two runs over documents; with two results it is measured. "
        "[default: 0.5]",
    ),
]
Power = Annotated[
    float, typer.Option("--power", help="Power: the probability of finding the difference significant.")
]


@command()
def plan(
    results: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULT [RESULT]",
            help="A result file that kept its counts (eval --keep), or two on the same documents.",
        ),
    ],
    detect: Annotated[float, typer.Option("--detect", help="The difference to be detected, such as 0.02.")],
    expect: Annotated[
        float | None, typer.Option("--expect", help="The figure expected of the new system, such as 0.75.")
    ] = None,
    rate: Annotated[
        str | None,
        typer.Option("--rate", help="Plan for this rate, such as recall. [default: that of the headline figure]"),
    ] = None,
    average: Annotated[
        str | None,
        typer.Option(
            "--average", help="micro, macro, weighted or document. [default: that of the headline figure]"
        ),
    ] = None,
    label: Annotated[str | None, typer.Option("--label", help="Plan for the figure of this label.")] = None,
    measure: Annotated[
        str | None, typer.Option("--measure", "-m", help="The measure to plan for. [default: the first one]")
    ] = None,
    correlation: Correlation = None,
    power: Power = 0.8,
) -> None:
    """Estimate how many documents are needed to detect a difference, from one or two pilot results."""
    from spanscope.commands.plan import plan as plan_

    if len(results) > 2:
        usage(f"a plan takes one result file or two, not {len(results)}")
    check_outputs({}, results)
    found = plan_(
        *results,
        detect=detect,
        expect=expect,
        rate=rate,
        average=average,
        label=label,
        measure=measure,
        correlation=correlation,
        power=power,
    )
    from spanscope.report.problems import phrases_by_kind

    if found.problems:
        words = ", ".join(phrases_by_kind(found.problems, found.found.pilot).values())
        typer.echo(f"data problems of the pilot: {words}", err=True)
    typer.echo(str(found))
