"""The command that lists what most systems agree on against gold."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from spanscope.cli.app import command
from spanscope.cli.convert import READ
from spanscope.cli.declared import Typed, files_beside, options, typed_options
from spanscope.cli.options import Output, TableFormat, form_of, usage
from spanscope.cli.shared import named_runs, with_name
from spanscope.cli.writing import check_outputs, put_text

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="GOLD RUN...", help="Gold, then the predictions of two systems or more; NAME=FILE names a system."
    ),
]
AtLeast = Annotated[
    int | None,
    typer.Option("--at-least", metavar="N", help="How many systems must agree. [default: more than half]"),
]
Missing = Annotated[
    str,
    typer.Option(
        "--missing",
        help="What to do with documents that a run does not have: error, "
        "or skip (the run is not counted for them).",
    ),
]
Decide = Annotated[
    str | None,
    typer.Option(
        "--decide",
        metavar="FILE",
        help="Also write every case to this file, so that somebody can decide it; --to sets the format.",
    ),
]


@command()
@options("to", *(name for name in READ if name not in ("normalise", "corpus")))
def audit(
    files: Files,
    at_least: AtLeast = None,
    missing: Missing = "error",
    decide: Decide = None,
    format_: TableFormat = None,
    output: Output = None,
    *,
    asked: Typed,
) -> None:
    """List possible errors in gold: spans on which most systems agree with each other but not with gold."""
    from spanscope.commands.audit import audit as audit_
    from spanscope.report import FORMS, render

    if len(files) < 3:
        usage("audit takes gold and two runs or more")
    gold, *others = files
    runs = [(None if path == file else name, path) for file in others for name, path in named_runs(file)]
    check_outputs({"-o": output, "--decide": decide}, [gold, *(path for _, path in runs), *files_beside(asked)])
    form, given = form_of(format_, output, FORMS), typed_options(asked)
    to = given.pop("to", None)
    if to is not None and decide is None:
        usage("--to is the format of --decide")
    found = audit_(gold, *(with_name(*run) for run in runs), at_least=at_least, missing=missing, **given)  # type: ignore[arg-type]  # as typed
    if decide is not None:
        done = found.decide.save(decide, to=to)
        typer.echo(f"wrote {decide}: {done.form}", err=True)
    if found.problems:
        kinds = Counter(problem.kind for problem in found.problems)
        typer.echo(f"data problems: {', '.join(f'{number:,} {kind}' for kind, number in kinds.items())}", err=True)
    put_text(render(found, form), output)
