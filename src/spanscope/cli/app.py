"""The program, to which commands are added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spanscope.cli.help import GroupedCommand

if TYPE_CHECKING:
    from collections.abc import Callable

app = typer.Typer(
    name="spanscope",
    help="Evaluate spans of text: score predictions against gold, compare systems, inspect errors.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def version(
    context: typer.Context,
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Evaluate spans of text: score predictions against gold, compare systems, inspect errors."""
    if show:
        from spanscope import __version__

        typer.echo(f"spanscope {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:  # as Typer does it by itself, whatever its version
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


def command(name: str | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a command to the program, with its options in titled groups."""
    return app.command(name, cls=GroupedCommand)
