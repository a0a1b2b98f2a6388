"""The command that writes a configuration file: init."""

from __future__ import annotations

from typing import Annotated

import typer

from spanscope.cli.app import command
from spanscope.cli.options import usage


@command()
def init(
    folder: Annotated[
        str,
        typer.Argument(metavar="[FOLDER]", help="The folder with gold and predictions; the file is written here."),
    ] = ".",
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing configuration file.")] = False,
) -> None:
    """Write a configuration file for the gold and runs found in a folder, and explain each choice."""
    from pathlib import Path

    from spanscope.commands.init import init as init_
    from spanscope.io.configuration_file import OWN
    from spanscope.io.target import put

    path = Path(folder).joinpath(OWN)
    found = init_(folder)
    if path.exists() and not force:
        usage(f"{path} already exists; --force overwrites it")
    put(found.text, str(path))
    for line in found.why:
        typer.echo(line, err=True)
    typer.echo(f"wrote {path}; spanscope eval reads it in this folder and below", err=True)
