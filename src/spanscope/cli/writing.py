"""What commands print and write."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from spanscope.cli.options import usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spanscope.data.problems import Problem
    from spanscope.report.problems import Found
    from spanscope.results.agreement import Agreement
    from spanscope.results.compared import Compared
    from spanscope.results.gate_form import CheckedGate
    from spanscope.results.leaderboard import Leaderboard
    from spanscope.results.panel import Panel
    from spanscope.results.result import Result
    from spanscope.results.written import WrittenResult


def write(
    found: Result | Panel | Compared | Leaderboard | Agreement, form: str, output: str | None, **options: Any
) -> None:
    """Print the report of a result of any kind, in colour on a terminal, or write it to a file."""
    from spanscope.report import render, report_of

    if form == "github":
        put_summary(render(found, form, **options), output)
        annotate(found, options.get("gates", ()))
        return
    if form != "table" or output not in (None, "-"):
        note_problems(found, only_doubts=form == "table")
        if form != "table":
            note_few_groups(found)
    if output in (None, "-") and form == "table" and sys.stdout.isatty():
        from spanscope.report.terminal import show

        show(report_of(found, **options))
        return
    put_text(render(found, form, **options), output)


def note_problems(found: Found, *, only_doubts: bool = False) -> None:
    """Say on the side what is wrong with the data, first what puts the figures in doubt."""
    from spanscope.report.names import visible
    from spanscope.report.problems import any_listed, phrases_by_run, pick_phrases

    words = [
        (f"{visible(run)}: " if run else "") + ", ".join(own)
        for run, phrases in phrases_by_run(found).items()
        if (own := _phrases_with_cases(found, pick_phrases(phrases, doubtful=True) if only_doubts else phrases))
    ]
    if words:
        files = "FILE" if hasattr(found, "source") else "GOLD PRED" if not hasattr(found, "noted") else "A B"
        listed = any(map(any_listed, phrases_by_run(found).values()))
        more = f"; spanscope check {files} lists them all" if listed else ""
        typer.echo(f"data problems: {'; '.join(words)}{more}", err=True)


def note_few_groups(found: Result | WrittenResult | Panel | Compared | Leaderboard | Agreement) -> None:
    """Say on the side that groups are too few for intervals, as the notes of tables do."""
    from spanscope.report.few_groups import few_groups

    if said := few_groups(found):
        typer.echo(f"warning: {said}", err=True)


def note_read(problems: Iterable[Problem], asked: Mapping[str, Any]) -> None:
    """Say on the side what was wrong with data that were read and not scored; `asked` are the options typed."""
    from spanscope.report.problems import phrases_with_first
    from spanscope.results.problems import show_tally, tally
    from spanscope.settings.run_settings import may_quote

    found = show_tally(tally(problems), quotes=may_quote(asked.get("text", "full")))
    if found:
        typer.echo(f"data problems: {'; '.join(phrases_with_first(found))}", err=True)


def _phrases_with_cases(found: Found, phrases: Mapping[str, str]) -> list[str]:
    """Return the phrases, with the first case of a kind that `check` does not list."""
    from spanscope.report.problems import any_listed
    from spanscope.results.problems import Problems

    cases = found.problems.first if isinstance(found.problems, Problems) else {}
    return [
        words if any_listed([kind]) else ": ".join([words, *cases.get(kind, [])[:1]])
        for kind, words in phrases.items()
    ]


def check_outputs(
    outputs: Mapping[str, str | None], inputs: Sequence[str | None], corpus: str | None = None
) -> None:
    """Refuse before the work, not after, to write over an input, or where nothing can be written."""
    from spanscope.io.outputs import refuse_overwriting, refuse_printing

    for option, path in outputs.items():
        if path is not None and (not path.strip() or (option == "--html" and path == "-")):
            usage(f"{option} needs the name of a file")
    read = [path for path in inputs if path is not None]
    files = {option: path for option, path in outputs.items() if path not in (None, "-")}
    refuse_overwriting(files, read, corpus)
    refuse_printing(read, files)


def put_text(text: str, output: str | None) -> None:
    """Print a text, or write it to a file: whole or not at all."""
    if output in (None, "-"):
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        return
    from spanscope.io.target import put

    put(text, str(output))
    typer.echo(f"wrote {output}", err=True)


def put_summary(text: str, output: str | None) -> None:
    """Add a text to the summary of the step, where GitHub Actions has one and no file is named; else put it."""
    path = os.environ.get("GITHUB_STEP_SUMMARY") if output is None else None
    if not path:
        put_text(text, output)
        return
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(text)


def annotate(found: Result | Panel | Compared | Leaderboard | Agreement, gates: Sequence[CheckedGate]) -> None:
    """Say what is wrong as workflow commands, on the side: the runner reads them there too."""
    from spanscope.report.github import annotations_of

    for line in annotations_of(found, gates):
        typer.echo(line, err=True)


def put_page(result: Result | Compared | Panel, output: str, **options: Any) -> None:
    """Write the page of a result, and say how large it is where that matters."""
    from spanscope.viewer import LARGE, write

    size = write(result, output, command=typed_command(), **options)
    slow = f" ({size:,} bytes: a browser will be slow to open it)" if size > LARGE else ""
    typer.echo(f"wrote {output}{slow}", err=True)


def typed_command() -> str:
    """Return the command line as it was typed, for the page that comes of it."""
    import shlex

    return shlex.join(["spanscope", *sys.argv[1:]])


def put_html(found: Leaderboard, output: str) -> None:
    """Write the page of a leaderboard."""
    from spanscope.report.leaderboard_page import page_of

    put_text(page_of(found), output)


def check_gates(*gates: list[str] | None, form: str = "table") -> None:
    """Refuse a gate that cannot be read before the work, not after; and a report of gates where there is none."""
    given = [one for some in gates for one in some or []]
    if form == "junit" and not given:
        usage("--format junit writes a test case for each gate: add a gate, such as --fail-under f1=0.8")
    for one in given:
        from spanscope.results.gate_form import read_gate

        read_gate(one)


def gates_of_report(
    form: str, result: Result | Panel, floors: list[str] | None, ceilings: list[str] | None
) -> dict[str, Any]:
    """Return the gates, checked, for a report that tells of them; other reports come before the gates."""
    from spanscope.report import RUNNERS

    return {"gates": _check(result, floors, ceilings)} if form in RUNNERS else {}


def gate(
    result: Result | Panel | Agreement, floors: list[str] | None, ceilings: list[str] | None, form: str = "table"
) -> None:
    """Say which gates were missed, and end with 1 if any was."""
    end_at_gates(_check(result, floors, ceilings), form)


def end_at_gates(gates: Sequence[CheckedGate], form: str) -> None:
    """Say which gates were missed, unless annotations do, and end with 1 if any was."""
    failed = [one for one in gates if not one.passed]
    for one in failed if form != "github" else ():
        typer.echo(f"missed: {one}", err=True)
    if failed:
        raise typer.Exit(1)


def _check(
    result: Result | Panel | Agreement, floors: list[str] | None, ceilings: list[str] | None
) -> Sequence[CheckedGate]:
    if not (floors or ceilings):
        return []
    from spanscope.results.gate import checked_gates

    return checked_gates(result, floors or [], ceilings or [])
