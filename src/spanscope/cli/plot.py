"""The command that draws: plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import OF_SIDES, Typed, arguments, options, source_of_side, typed_options
from spanscope.cli.options import GoldName, usage
from spanscope.cli.shared import gold_and_runs, named_run
from spanscope.cli.writing import check_outputs, note_problems
from spanscope.settings.options import Asking, declared
from spanscope.settings.reading import Reading

if TYPE_CHECKING:
    from spanscope.results.compared import Compared
    from spanscope.results.panel import Panel
    from spanscope.results.result import Result
    from spanscope.results.written import WrittenResult

    Drawn = Result | WrittenResult | Compared | Panel

Target = Annotated[str, typer.Option("--output", "-o", help="The file: its ending, .svg, .png or .pdf, decides.")]
Inches = Annotated[float | None, typer.Option("--width", help="In inches; else as the content asks for.")]
Tall = Annotated[float | None, typer.Option("--height", help="In inches; else as the content asks for.")]
Points = Annotated[float, typer.Option("--font-size", help="Of the type, in points.")]
Title = Annotated[str | None, typer.Option("--title", help="Another title.")]
Untitled = Annotated[bool, typer.Option("--no-title", help="No title: papers have captions.")]
Style = Annotated[str, typer.Option("--style", help="light, dark or print (black and grey).")]
Document = Annotated[str | None, typer.Option("--document", help="Which document's segments; else the first.")]
KINDS = ("curve", "labels", "confusion", "compare", "segments", "cutoffs", "confidence", "calibration")
FILES = {"compare": "GOLD RUN RUN...", "segments": "FILE, or GOLD PRED"}  # of the other kinds, see below
USUAL = "GOLD PRED, or RESULT.json"


@command()
@options(
    *(
        *declared(Asking),
        "beta",
        "undefined",
        "repeated",
        "thresholds",
        "min_score",
        "k",
        "join",
        "allow_different_texts",
    ),
    *(*declared(Reading), *OF_SIDES, "text"),
)
def plot(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=", ".join(KINDS))],
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="GOLD PRED, a result (JSON), GOLD RUN RUN... or FILE.")
    ],
    output: Target,
    gold_name: GoldName = None,
    document: Document = None,
    width: Inches = None,
    height: Tall = None,
    font_size: Points = 9.0,
    title: Title = None,
    no_title: Untitled = False,
    style: Style = "light",
    *,
    asked: Typed,
) -> None:
    """Draw a figure for a paper: curve, labels, confusion, compare, segments, cutoffs, confidence, calibration."""
    _check(kind, files, {"gold": gold_name, "document": document} | typed_options(asked))
    if no_title and title is not None:
        usage("--title and --no-title do not go together")
    from spanscope.io.target import put
    from spanscope.report import figures

    figures.check()
    ending = figures.ending_of(output)
    check_outputs({"-o": output}, [named_run(file)[1] for file in files])
    look = figures.Look(style, width, height, font_size, "" if no_title else title)
    found = _score(kind, files, gold_name, asked)
    note_problems(found)
    more = {"document": document} if kind == "segments" else {}
    content, lacking = figures.to_bytes(figures.KINDS[kind](found, look=look, **more), ending)
    put(content, output)
    if lacking and ending != ".svg":
        typer.echo(f"the type lacks {' '.join(lacking[:10])}: boxes in {ending}, text in .svg", err=True)
    typer.echo(f"wrote {output}", err=True)


def _check(kind: str, files: list[str], given: dict[str, Any]) -> None:
    """Refuse kinds that there are not, other numbers of files, and options that nothing would read."""
    from spanscope.errors import did_you_mean, shown

    if kind not in KINDS:
        usage(f"no figure is called {shown(kind)}{did_you_mean(kind, KINDS)} ({', '.join(KINDS)})")
    least, most = {"compare": (2, 1000), "segments": (1, 2)}.get(kind, (1, 2))
    if not least <= len(files) <= most:
        usage(f"{kind} takes {FILES.get(kind, USUAL)}; here are {len(files)} files")
    alone = kind == "segments" and len(files) == 1
    read_by = {
        "labels": kind not in ("segments", "cutoffs"),
        "input": kind not in ("segments", "cutoffs"),
        "columns": kind not in ("segments", "cutoffs"),
        "k": kind in ("cutoffs", "compare"),
        "gold": alone,
        "document": kind == "segments",
    }
    for name, read in read_by.items():
        if given.get(name) is not None and not read:
            where = f"{kind} with two files" if name == "gold" and kind == "segments" else kind
            usage(f"--{name} is not for {where}")


def _score(kind: str, files: list[str], gold: str | None, asked: Typed) -> Drawn:
    """Score what the figure is about, or take it from a result that was written."""
    from spanscope.cli.progress import Bar
    from spanscope.io.pipes import hold_all
    from spanscope.io.results import is_result

    if kind != "compare":  # which names the files of its runs
        files = list(hold_all(*files))
    if kind != "compare" and any(map(is_result, files)):
        return _written(kind, files, asked)
    scored = arguments(asked)
    with Bar() as bar:
        if kind == "compare":
            from spanscope.commands.compare import compare

            first, runs = gold_and_runs(files)
            own = [(name, source_of_side(run, "pred", asked)) for name, run in runs]
            return compare(source_of_side(first, "gold", asked), *own, progress=bar, **scored)
        if kind == "segments" and len(files) == 1:
            from spanscope.commands.panel import panel

            return panel(files[0], gold, ci=False, progress=bar, **scored)
        from spanscope.commands.evaluate import evaluate

        pred = source_of_side(files[1], "pred", asked) if len(files) > 1 else None
        if kind == "segments" and not {"measures", "protocol"} & scored.keys():
            scored = {**scored, "protocol": "segments"}
        return evaluate(source_of_side(files[0], "gold", asked), pred, progress=bar, **scored)


def _written(kind: str, files: list[str], asked: Typed) -> WrittenResult:
    """Return a result as it was written, where it holds what the figure shows."""
    from spanscope.errors import InputError
    from spanscope.io.results import read_result
    from spanscope.results.written import restore_result

    if len(files) > 1 or typed_options(asked):
        raise InputError("a result has its own measures and settings", expected="no options or files beside it")
    if kind == "segments":
        raise InputError(
            "a result holds figures, and no segments to draw",
            where=files[0],
            expected="FILE, or GOLD PRED",
            hint="spanscope plot segments GOLD PRED",
        )
    return restore_result(*read_result(files[0]))
