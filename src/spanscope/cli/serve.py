"""The command that serves runs to a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from spanscope.cli.app import command
from spanscope.cli.declared import Typed, options


@command()
@options("text")
def serve(
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="Whose files can be scored.")] = ".",
    port: Annotated[
        int, typer.Option("--port", help="The next free one if taken; 0 for any.", min=0, max=65535)
    ] = 8765,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen at; others than loopback are a risk.")
    ] = "127.0.0.1",
    browse: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    limit: Annotated[str, typer.Option("--limit", help="Of one uploaded file.")] = "200MB",
    jobs: Annotated[int, typer.Option("--jobs", help="How many are worked on at a time.", min=1, max=64)] = 1,
    *,
    asked: Typed,
) -> None:
    """Score, look at and compare runs in a browser: drop files onto the page, or choose those in FOLDER."""
    from spanscope.cli.options import usage
    from spanscope.serve.limits import TEXTS, Limits, size_of
    from spanscope.serve.server import serve as serve_

    text = asked["text"]
    if text not in TEXTS:
        usage(f"--text {text[:40]!r} is none of {', '.join(TEXTS)}")
    limits = Limits(upload=size_of(limit), jobs=jobs, text=text)
    serve_(folder, host, port, limits, browse=browse, said=lambda line: typer.echo(line, err=True))
