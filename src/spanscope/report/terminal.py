"""Reports on a terminal: rich colours the lines, which are laid out for its width."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from spanscope.report.layout import lines_of
from spanscope.report.table import Report


def show(report: Report, console: Console | None = None) -> None:
    """Print a report, in as many columns as the terminal has."""
    console = console or Console()
    lines = (Text.assemble(*line) for line in lines_of(report, console.width, console.width))
    console.print(Text("\n").join(lines), soft_wrap=True)  # the lines fit, and the signature stays one
