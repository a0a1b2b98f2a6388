"""Commands about forms of files: convert from one to another, and list them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from spanscope.cli.app import command
from spanscope.cli.completion import completing
from spanscope.cli.declared import Typed, options, typed_options
from spanscope.cli.writing import check_outputs, note_read

READ = (
    *("input", "fields", "offsets", "ends", "annotator", "layer", "split", "label_names", "texts"),
    "keep_fields",
    *("normalise", "scheme", "repair", "columns", "tag_names", "mapping", "corpus", "text"),
)


@command()
@options("to", "lossy", *READ)
def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="The file or folder to read, or - for standard input.")
    ],
    out: Annotated[str, typer.Argument(metavar="OUT", help="The file or folder to write.")],
    *,
    asked: Typed,
) -> None:
    """Convert a corpus to another format: without loss, or with --lossy and a list of what was lost."""
    check_outputs({}, [source])
    from spanscope.commands.convert import ASIDE
    from spanscope.commands.convert import convert as convert_
    from spanscope.errors import plural

    given = typed_options(asked)
    done = convert_(source, out, **given)
    note_read([one for one in done.problems if one.kind != ASIDE], given)  # what was left aside is lost
    typer.echo(
        f"wrote {out}: {done.form}, {plural(done.documents, 'document')}, {plural(done.spans, 'span')}", err=True
    )
    for loss in done.losses:
        typer.echo(f"lost: {loss}", err=True)


@command()
def formats(
    name: Annotated[
        str | None, typer.Argument(help="The format to explain.", autocompletion=completing("form"))
    ] = None,
) -> None:
    """List the formats that are read and written, or explain one with a sample."""
    from spanscope.cli.shared import say_refused
    from spanscope.commands.formats import explain, refused_formats
    from spanscope.commands.formats import formats as formats_
    from spanscope.report.tables.formats import lines_about, report

    if name is not None:
        typer.echo(lines_about(explain(name)))
    elif sys.stdout.isatty():
        from spanscope.report.terminal import show

        show(report(formats_()))
    else:
        from spanscope.report import plain

        typer.echo(plain.text(report(formats_())), nl=False)
    if name is None:
        say_refused(refused_formats())
