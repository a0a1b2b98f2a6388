"""What commands print and write."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from spanscope.cli.options import usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spanscope.report.problems import Found
    from spanscope.results.agreement import Agreement
    from spanscope.results.compared import Compared
    from spanscope.results.leaderboard import Leaderboard
    from spanscope.results.panel import Panel
    from spanscope.results.result import Result


def write(
    found: Result | Panel | Compared | Leaderboard | Agreement, form: str, output: str | None, **options: Any
) -> None:
    """Print the report of a result of any kind, in colour on a terminal, or write it to a file."""
    from spanscope.report import render, report_of

    if form != "table" or output not in (None, "-"):
        note_problems(found, only_doubts=form == "table")
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
        if (own := _told(found, pick_phrases(phrases, doubtful=True) if only_doubts else phrases))
    ]
    if words:
        files = "FILE" if hasattr(found, "source") else "GOLD PRED" if not hasattr(found, "noted") else "A B"
        listed = any(map(any_listed, phrases_by_run(found).values()))
        more = f"; spanscope check {files} lists them all" if listed else ""
        typer.echo(f"data problems: {'; '.join(words)}{more}", err=True)


def _told(found: Found, phrases: Mapping[str, str]) -> list[str]:
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


def put_page(result: Result | Compared | Panel, output: str, **options: Any) -> None:
    """Write the page of a result, and say how large it is where that matters."""
    from spanscope.viewer import LARGE, write

    size = write(result, output, **options)
    slow = f" ({size:,} bytes: browsers will take their time)" if size > LARGE else ""
    typer.echo(f"wrote {output}{slow}", err=True)


def put_html(found: Leaderboard, output: str) -> None:
    """Write the tables of a result as a page that needs no script."""
    from spanscope.report import report_of
    from spanscope.report.html import page

    put_text(page(report_of(found)), output)


def check_gates(*gates: list[str] | None) -> None:
    """Refuse a gate that cannot be read before the work, not after."""
    for one in [one for some in gates for one in some or []]:
        from spanscope.results.gate_form import read_gate

        read_gate(one)


def gate(result: Result | Panel | Agreement, floors: list[str] | None, ceilings: list[str] | None) -> None:
    """Say which gates were missed, and end with 1 if any was."""
    if not (floors or ceilings):
        return
    from spanscope.results.gate import missed_gates

    failed = missed_gates(result, floors or [], ceilings or [])
    for one in failed:
        typer.echo(f"missed: {one}", err=True)
    if failed:
        raise typer.Exit(1)
