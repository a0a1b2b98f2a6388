"""The page of a result where it is wanted: below the cell of a notebook, or in a browser."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from spanscope import viewer
from spanscope.arguments import whole
from spanscope.io.target import put, temporary_folder
from spanscope.report import html, leaderboard_page, report_of
from spanscope.results.compared import Compared
from spanscope.results.leaderboard import Leaderboard
from spanscope.results.panel import Panel
from spanscope.results.result import Result
from spanscope.system.notebook import in_notebook


def show(found: Any, height: int, **options: Any) -> Path | None:
    """Show the page of a result of any kind; options as in `viewer.render`.

    A page in a notebook has an origin of its own (`sandbox`): it cannot reach the notebook that shows it.
    """
    height = whole("height", height, 100, 10_000)
    if in_notebook():
        from IPython.display import HTML, display

        display(HTML(frame(page_of(found, **options), height)))
        return None
    import webbrowser

    path = Path(temporary_folder()).joinpath("report.html")
    put(page_of(found, **options), str(path))
    webbrowser.open(path.as_uri())
    return path


def page_of(found: Any, **options: Any) -> str:
    """Return the page of a result: one to look around in where there is one, else its tables."""
    if isinstance(found, (Result, Compared, Panel)):
        return viewer.render(found, **options)
    return leaderboard_page.page_of(found) if isinstance(found, Leaderboard) else html.page(report_of(found))


def frame(page: str, height: int) -> str:
    """Return a page within another.

    It is a data address, not `srcdoc`: there a link to a part of the page would lead out of it.
    """
    data = base64.b64encode(page.encode()).decode()
    look = f"width:100%;height:{height}px;border:1px solid #8884;border-radius:6px"
    allowed = "allow-scripts allow-downloads allow-popups"
    return (
        f'<div><iframe title="Spanscope report" sandbox="{allowed}" style="{look}" '
        f'src="data:text/html;charset=utf-8;base64,{data}"></iframe></div>'
    )
