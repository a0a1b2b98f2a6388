"""The command that draws: plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import OF_SIDES, Typed, arguments, options, source_of_side, typed_options
from spanscope.cli.options import GoldName, usage
from spanscope.cli.shared import gold_and_runs, gold_and_systems, named_run, named_runs, with_name
from spanscope.cli.writing import check_outputs, note_few_groups, note_problems
from spanscope.settings.options import Asking, options_of
from spanscope.settings.reading import Reading

if TYPE_CHECKING:
    from spanscope.report.figures.style import Look
    from spanscope.results.compared import Compared
    from spanscope.results.leaderboard import Leaderboard
    from spanscope.results.panel import Panel
    from spanscope.results.result import Result
    from spanscope.results.written import WrittenResult

    Scored = Result | WrittenResult
    Drawn = Scored | dict[str, Scored] | Compared | Leaderboard | Panel

Target = Annotated[
    str, typer.Option("--output", "-o", help="The file to write; its ending, .svg, .png or .pdf, sets the format.")
]
Inches = Annotated[
    float | None, typer.Option("--width", help="Width in inches. [default: what the content needs]")
]
Tall = Annotated[
    float | None, typer.Option("--height", help="Height in inches. [default: what the content needs]")
]
Points = Annotated[
    float | None,
    typer.Option(
        "--font-size", help="Font size in points. [default: 9; 8 with --size column]", show_default=False
    ),
]
Size = Annotated[
    str | None,
    typer.Option("--size", help="Width for a paper with two columns: column (3.35 inches) or page (6.9 inches)."),
]
Averaged = Annotated[
    str | None,
    typer.Option(
        "--average", help="The average that a curve shows: micro or macro. [default: micro]", show_default=False
    ),
]
Title = Annotated[str | None, typer.Option("--title", help="Another title.")]
Untitled = Annotated[
    bool, typer.Option("--no-title", help="Leave out the title, for papers, where the caption replaces it.")
]
Style = Annotated[str, typer.Option("--style", help="Colours: light, dark or print (black and grey).")]
Document = Annotated[
    str | None, typer.Option("--document", help="The document whose segments are drawn. [default: the first]")
]
KINDS = (
    "curve",
    "labels",
    "confusion",
    "compare",
    "leaderboard",
    "critical-difference",
    "segments",
    "cutoffs",
    "confidence",
    "calibration",
)
RANKED = ("leaderboard", "critical-difference")
OF_RUNS = ("compare", *RANKED)
FILES = {  # of the other kinds, see below
    "curve": "GOLD PRED, GOLD RUN RUN..., or results",
    "compare": "GOLD RUN RUN...",
    **dict.fromkeys(RANKED, "GOLD RUN..., or results"),
    "segments": "FILE, or GOLD PRED",
}
USUAL = "GOLD PRED, or RESULT.json"


@command()
@options(
    *(
        *options_of(Asking),
        "beta",
        "undefined",
        "repeated",
        "thresholds",
        "min_score",
        "k",
        "join",
        "allow_different_texts",
    ),
    *(*options_of(Reading), *OF_SIDES, "text"),
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
    font_size: Points = None,
    size: Size = None,
    average: Averaged = None,
    title: Title = None,
    no_title: Untitled = False,
    style: Style = "light",
    *,
    asked: Typed,
) -> None:
    """Draw a figure for a paper; docs/figures.md shows the kinds."""
    _check(kind, files, {"gold": gold_name, "document": document, "average": average} | typed_options(asked))
    if no_title and title is not None:
        usage("--title and --no-title do not go together")
    from spanscope.io.target import put
    from spanscope.report import figures

    figures.check()
    ending = figures.ending_of(output)
    check_outputs({"-o": output}, [path for file in files for _, path in named_runs(file)])
    look = _look(size, style, width, height, font_size, "" if no_title else title)
    found = _score(kind, files, gold_name, asked)
    for one in found.values() if isinstance(found, dict) else [found]:
        note_problems(one)
        note_few_groups(one)
    more = {"document": document} if kind == "segments" else {"average": average} if average else {}
    content, lacking = figures.to_bytes(figures.KINDS[kind](found, look=look, **more), ending)
    put(content, output)
    if lacking and ending != ".svg":
        drawn = f"they are boxes in {ending}; .svg shows them"
        typer.echo(f"the font has no glyphs for {' '.join(lacking[:10])}: {drawn}", err=True)
    typer.echo(f"wrote {output}", err=True)


def _look(
    size: str | None,
    style: str,
    width: float | None,
    height: float | None,
    points: float | None,
    title: str | None,
) -> Look:
    """Return how the figure looks, as it was asked for."""
    from spanscope.report.figures.style import USUAL_TYPE, Look

    if size is None:
        return Look(style, width, height, USUAL_TYPE if points is None else points, title)
    if width is not None:
        usage("--size already sets the width: give only one of the two")
    return Look.for_paper(size, style, height, points, title)


def _check(kind: str, files: list[str], given: dict[str, Any]) -> None:
    """Refuse kinds that there are not, other numbers of files, and options that nothing would read."""
    from spanscope.errors import did_you_mean, shown

    if kind not in KINDS:
        usage(f"no figure is called {shown(kind)}{did_you_mean(kind, KINDS)} ({', '.join(KINDS)})")
    numbers = {"compare": (2, 1000), "curve": (1, 100), "segments": (1, 2), **dict.fromkeys(RANKED, (1, 1000))}
    least, most = numbers.get(kind, (1, 2))
    if not least <= len(files) <= most:
        usage(f"{kind} takes {FILES.get(kind, USUAL)}; here are {len(files)} files")
    alone = kind == "segments" and len(files) == 1
    read_by = {
        "labels": kind not in ("segments", "cutoffs"),
        "input": kind not in ("segments", "cutoffs"),
        "columns": kind not in ("segments", "cutoffs"),
        "k": kind in ("cutoffs", *OF_RUNS),
        "gold": alone,
        "document": kind == "segments",
        "average": kind == "curve",
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

    if kind not in OF_RUNS:  # which names the files of its runs
        files = list(hold_all(*files))
    if kind == "curve" and len(several := _runs_of(files)) > 1:
        return _several(several, files[0], asked)
    if kind not in OF_RUNS and any(map(is_result, files)):
        return _read_written(kind, files, asked)
    scored = arguments(asked)
    with Bar() as bar:
        if kind == "compare":
            from spanscope.commands.compare import compare

            first, runs = gold_and_runs(files)
            own = [(name, source_of_side(run, "pred", asked)) for name, run in runs]
            return compare(source_of_side(first, "gold", asked), *own, progress=bar, **scored)
        if kind in RANKED:
            from spanscope.commands.leaderboard import leaderboard

            found, systems = gold_and_systems(files)
            sides = [with_name(name, source_of_side(path, "pred", asked)) for name, path in systems]
            of_gold = None if found is None else source_of_side(found, "gold", asked)
            return leaderboard(of_gold, *sides, progress=bar, **scored)
        if kind == "segments" and len(files) == 1:
            from spanscope.commands.panel import panel

            return panel(files[0], gold, ci=False, progress=bar, **scored)
        from spanscope.commands.evaluate import evaluate

        pred = source_of_side(files[1], "pred", asked) if len(files) > 1 else None
        if kind == "segments" and not {"measures", "protocol"} & scored.keys():
            scored = {**scored, "protocol": "segments"}
        return evaluate(source_of_side(files[0], "gold", asked), pred, progress=bar, **scored)


def _runs_of(files: list[str]) -> list[tuple[str | None, str]]:
    """Return the runs of a curve with the names they were given; those of folders and patterns one by one."""
    from spanscope.io.pipes import hold
    from spanscope.io.results import is_result
    from spanscope.io.run_files import files_of_runs

    if "-" in files or len(files) < 2:
        return []
    each = zip(files, map(named_run, files), strict=True)
    named = [(None if path == file else name, hold(path)) for file, (name, path) in each]
    alone = named if is_result(files_of_runs(named[0][1])[0]) else named[1:]
    return [(name, hold(one)) for name, path in alone for one in files_of_runs(path)]


def _several(runs: list[tuple[str | None, str]], gold: str, asked: Typed) -> dict[str, Scored]:
    """Return the runs of a curve by name: scored one by one, or taken from results that were written."""
    from spanscope.cli.progress import Bar
    from spanscope.commands.evaluate import evaluate
    from spanscope.io.results import is_result
    from spanscope.io.run_files import names_of_paths

    paths = [path for _, path in runs]
    called = names_of_paths(paths)
    names = [short if given is None else given for (given, _), short in zip(runs, called, strict=True)]
    if len(set(names)) < len(names):
        usage("two runs have the same name: NAME=FILE names them")
    if any(map(is_result, paths)):
        return {name: _read_written("curve", [path], asked) for name, path in zip(names, paths, strict=True)}
    scored = arguments(asked)
    out: dict[str, Scored] = {}
    with Bar() as bar:
        for name, path in zip(names, paths, strict=True):
            sides = source_of_side(gold, "gold", asked), source_of_side(path, "pred", asked)
            out[name] = evaluate(*sides, progress=bar, **scored)
    return out


def _read_written(kind: str, files: list[str], asked: Typed) -> WrittenResult:
    """Return a result as it was written, where it holds what the figure shows."""
    from spanscope.errors import InputError
    from spanscope.io.results import read_result
    from spanscope.results.written import restore_result

    if len(files) > 1 or typed_options(asked):
        raise InputError("a result has its own measures and settings", expected="no options or files with it")
    if kind == "segments":
        raise InputError(
            "a result holds figures, and no segments to draw",
            where=files[0],
            expected="FILE, or GOLD PRED",
            hint="spanscope plot segments GOLD PRED",
        )
    return restore_result(*read_result(files[0]))
