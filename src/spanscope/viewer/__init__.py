"""The page: a result as one HTML file that needs no server, no network and no other file."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from spanscope.errors import MeasureError
from spanscope.io.target import put
from spanscope.report.tables import Table, by_label, cutoffs, headline, others, visible
from spanscope.result import Result
from spanscope.settings import Problems
from spanscope.viewer import payload as payloads
from spanscope.viewer.packing import packed, unpacked
from spanscope.viewer.payload import BUDGET, PAGES, title_of

__all__ = ["filled", "packed", "render", "show", "static", "unpacked", "write"]

LARGE = BUDGET  # bytes above which a browser takes its time
MOST = 80_000_000  # bytes above which browsers fail
SHOWN = ("none", "masked", "context", "full")  # how much of a text may be shown, least first


def render(result: Result, *, title: str | None = None, text: str | None = None, force: bool = False) -> str:
    """Return the page of a result.

    title   shown above everything; else the names of the files.
    text    "full", "context" (60 characters around errors), "masked" or "none": as the evaluation was asked,
            or less.
    force   put every document into the page, whatever its size. Else documents beyond about 25 MB are left out,
            those without errors first, and the page says how many; a page above 80 MB is refused.
    """
    result = _withheld(result, text)
    found = payloads.payload(result, title, float("inf") if force else BUDGET)
    name = PAGES[found["family"]].__name__.rpartition(".")[2]
    page = filled(name, found["title"], static(result, found["title"]), packed(found))
    if len(page) > MOST and not force:
        raise MeasureError(
            f"the page has {len(page):,} bytes, more than browsers open",
            expected=f"at most {MOST:,}",
            hint="--text none, fewer documents, or --force",
        )
    return page


def filled(name: str, title: str, plain: str, data: str) -> str:
    """Return one of the pages with its title, its plain tables and its data put in."""
    page = files("spanscope.viewer").joinpath("pages", f"{name}.html").read_text(encoding="utf-8")
    parts = {"TITLE": escape(visible(title)), "STATIC": plain, "DATA": data}
    for place, part in parts.items():
        page = page.replace(f"<!--SPANSCOPE:{place}-->", part)
    return page


def write(result: Result, path: str | Path, **options: Any) -> int:
    """Write the page of a result to a file, whole or not at all; options as in `render`. Returns its bytes."""
    page = render(result, **options)
    put(page, str(path))
    return len(page.encode())


def show(result: Result, **options: Any) -> Path:
    """Write the page to a folder of its own among temporary files, open it in a browser, return where it is."""
    import webbrowser

    path = Path(tempfile.mkdtemp(prefix="spanscope-")).joinpath("report.html")
    write(result, path, **options)
    webbrowser.open(path.as_uri())
    return path


def static(result: Result, title: str | None = None) -> str:
    """Return the figures as plain HTML tables, for readers without JavaScript."""
    made = [headline(result), *cutoffs(result), others(result), by_label(result)]
    tables = "".join(_html(table) for table in made if table is not None and table.rows)
    line = escape(visible(result.signature()))
    return f"<h1>{escape(visible(title or title_of(result)))}</h1>{tables}<p><code>{line}</code></p>"


def _html(table: Table) -> str:
    """Return a table as HTML; texts from the data are escaped, and what is invisible in them is named."""
    heads = "".join(f'<th scope="col">{escape(visible(head))}</th>' for head in table.heads)
    rows = "".join(
        f'<tr><th scope="row">{escape(visible(row[0]))}</th>'
        + "".join(f"<td>{escape(visible(value))}</td>" for value in row[1:])
        + "</tr>"
        for row in table.rows
    )
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    caption = f"<caption>{escape(visible(table.title))}</caption>"
    return f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{note}"


def _withheld(result: Result, text: str | None) -> Result:
    """Return the result with no more of the texts than may be shown.

    Data problems quote texts; where the evaluation was free to, and the page is not, their cases are left out.
    """
    asked = result.settings.text
    if text is None or text == asked:
        return result
    if text not in SHOWN:
        raise MeasureError(f"text is {text!r}", expected=" or ".join(reversed(SHOWN)))
    if SHOWN.index(text) > SHOWN.index(asked):
        raise MeasureError(f"the evaluation was asked for text={asked!r}", expected="as much or less in its page")
    settings = replace(result.settings, text=text)  # type: ignore[arg-type]
    first = result.problems.first if settings.quotes else {kind: ["withheld"] for kind in result.problems.first}
    return replace(result, settings=settings, problems=Problems(result.problems.number, first))
