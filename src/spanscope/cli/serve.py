"""The command that serves runs to a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import Typed, options

Port = Annotated[
    int,
    typer.Option(
        "--port", help="Port to listen on; if it is taken, the next free one; 0 for any.", min=0, max=65535
    ),
]
Total = Annotated[
    str,
    typer.Option(
        "--total",
        help="Largest total size of what is kept. Above it the oldest uploads are removed, but never runs.",
    ),
]


@command()
@options("text")
def serve(
    data: Annotated[
        str,
        typer.Argument(metavar="[DATA]", help="The folder with files to score; it is never written to."),
    ] = ".",
    folder: Annotated[
        str | None,
        typer.Option(
            "--folder",
            help="Folder for runs, uploads, names and notes, readable only by you. [default: your data folder, "
            "such as ~/.local/share/spanscope/serve]",
            show_default=False,
        ),
    ] = None,
    port: Port = 8765,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; anything but loopback is a security risk.")
    ] = "127.0.0.1",
    browse: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    limit: Annotated[str, typer.Option("--limit", help="Largest size of one uploaded file.")] = "200MB",
    total: Total = "5GB",
    days: Annotated[
        float, typer.Option("--days", help="Days after which an uploaded file is removed.", min=0.01, max=36_500)
    ] = 30.0,
    jobs: Annotated[
        int, typer.Option("--jobs", help="Number of runs scored at the same time.", min=1, max=64)
    ] = 1,
    *,
    asked: Typed,
) -> None:
    """Score, inspect and compare runs in a browser: drop files onto the page, or choose files in DATA.

    Runs are kept until you delete them; uploads for 30 days. With --text masked or none no text stays on the disk.
    """
    from spanscope.cli.options import usage
    from spanscope.serve.limits import TEXTS, Limits, size_of
    from spanscope.serve.server import serve as serve_

    text = asked["text"]
    if text not in TEXTS:
        usage(f"--text {text[:40]!r} is not one of {', '.join(TEXTS)}")
    limits = Limits(upload=size_of(limit), total=size_of(total), days=days, jobs=jobs, text=text)
    serve_(data, folder, host, port, limits, browse=browse, said=lambda line: typer.echo(line, err=True))
