"""The page: a result as one HTML file that needs no server, no network and no other file."""

from __future__ import annotations

import sys
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from spanscope.arguments import refuse_half
from spanscope.errors import MeasureError
from spanscope.io.outputs import refuse_overwriting
from spanscope.io.target import put, temporary_folder
from spanscope.report import html, report_of
from spanscope.report.names import visible
from spanscope.report.problems import WITHHELD, doubts
from spanscope.report.tables.scores import main_tables
from spanscope.results.compared import Compared
from spanscope.results.panel import Panel
from spanscope.results.problems import Problems
from spanscope.results.result import Result
from spanscope.settings.run_settings import Settings
from spanscope.viewer import compare, panels
from spanscope.viewer import payload as payloads
from spanscope.viewer.packing import pack, unpack
from spanscope.viewer.payload import BUDGET, FORM, title_of

__all__ = ["fill_page", "pack", "render", "show", "static", "unpack", "warning", "write"]

LARGE = BUDGET  # bytes above which a browser takes its time
MOST_BYTES = 80_000_000  # bytes above which browsers fail
STATIC = '<main id="static">'  # where the plain tables begin
LOUD = "padding:8px 20px;background:#b3261e;color:#fff;font-weight:600"
SHOWN = compare.SHOWN  # how much of a text may be shown, least first


def render(
    result: Result | Compared | Panel,
    *,
    title: str | None = None,
    text: str | None = None,
    force: bool = False,
    command: str | None = None,
) -> str:
    """Return the page of a result, of runs that were compared, or of several segmentations.

    title   shown above everything; else the names of the files.
    text    "full", "context" (60 characters around errors), "masked" or "none": as the evaluation was asked,
            or less.
    force   put every document into the page, whatever its size. Else documents beyond about 25 MB are left out,
            those without errors first, and the page says how many; a page above 80 MB is refused.
    command the command line that the page is made by, which the page shows.
    """
    refuse_half("title", title)
    budget = float("inf") if force else BUDGET
    if isinstance(result, Compared):
        result = compare.withhold_texts(result, text)
        found, name = compare.payload(result, FORM, title, budget), "compare"
    elif isinstance(result, Panel):
        result = panels.withhold_texts(result, _show_less(result.settings, text))
        found, name = panels.payload(result, FORM, title, budget), "segments"
    else:
        result = _withhold(result, text)
        found = payloads.payload(result, title, budget)
        name = result.settings.family.page
    found |= stamp(command)
    page = fill_page(name, found["title"], static(result, found["title"]), pack(found), warning(result))
    if len(page) > MOST_BYTES and not force:
        raise MeasureError(
            f"the page has {len(page):,} bytes, more than browsers open",
            expected=f"at most {MOST_BYTES:,}",
            hint="[[text=none]], fewer documents, or --force",
        )
    return page


def stamp(command: str | None = None) -> dict[str, str]:
    """Return when a page is written, and by which command: SOURCE_DATE_EPOCH holds where it is set."""
    import os
    from datetime import UTC, datetime

    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return {"date": f"{now:%Y-%m-%d %H:%M} UTC", **({} if command is None else {"command": command})}


def fill_page(name: str, title: str, plain: str, data: str, above: str = "") -> str:
    """Return one of the pages with its title, its plain tables and its data put in, and what stands above all."""
    page = files("spanscope.viewer").joinpath("pages", f"{name}.html").read_text(encoding="utf-8")
    parts = {"TITLE": escape(visible(title)), "STATIC": plain, "DATA": data}
    for place, part in parts.items():
        page = page.replace(f"<!--SPANSCOPE:{place}-->", part)
    return page.replace(STATIC, above + STATIC, 1)


def warning(result: Result | Compared | Panel) -> str:
    """Return what puts the figures in doubt as HTML that stays above the page, whatever is looked at."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in doubts(result, told=True))
    return f'<aside aria-label="Data problems" style="{LOUD}">{lines}</aside>' if lines else ""


def write(result: Result | Compared | Panel, path: str | Path, **options: Any) -> int:
    """Write the page of a result to a file, whole or not at all; options as in `render`. Returns its bytes."""
    refuse_overwriting({"the page": str(path)}, _read_files(result), _settings(result).corpus)
    page = render(result, **options)
    put(page, str(path))
    return len(page.encode())


def _read_files(result: Result | Compared | Panel) -> list[str]:
    """Return the paths of what was read for a result."""
    if isinstance(result, Panel):
        paths = [result.source.path]
    elif isinstance(result, Compared):
        runs = [run for own in result.runs.values() for run in own]
        paths = [run.path for run in runs]
        paths += [one.path for run in runs if run.result is not None for one in run.result.inputs]
    else:
        paths = [one.path for one in result.inputs]
    return [path for path in paths if path is not None]


def _settings(result: Result | Compared | Panel) -> Settings:
    """Return the settings of a result; of several runs, which have the same, those of the first."""
    return result.first.settings if isinstance(result, Compared) else result.settings


def show(result: Result | Compared | Panel, **options: Any) -> Path:
    """Write the page to a folder of its own among temporary files, open it in a browser, return where it is.

    Where no browser can be opened, that is said on standard error, with the address.
    """
    path, opened = write_and_open(result, **options)
    if not opened:
        print(no_browser(path.as_uri()), file=sys.stderr)
    return path


def write_and_open(result: Result | Compared | Panel, **options: Any) -> tuple[Path, bool]:
    """Write the page among temporary files and open it; return where it is, and whether a browser was opened."""
    import webbrowser

    path = Path(temporary_folder()).joinpath("report.html")
    write(result, path, **options)
    return path, webbrowser.open(path.as_uri())


def no_browser(address: str) -> str:
    """Say that no browser was opened, and what to open."""
    return f"no browser could be opened here; the address is {address}"


def static(result: Result | Compared | Panel, title: str | None = None) -> str:
    """Return the figures as plain HTML tables, for readers without JavaScript."""
    report = report_of(result)
    if isinstance(result, Compared):
        usual = compare.title_of(result)
    elif isinstance(result, Panel):
        usual = panels.title_of(result)
    else:
        usual, report = title_of(result), report._replace(tables=main_tables(result))
    return html.text(report._replace(title=title or usual, above=()))  # the page has its warning already


def _withhold(result: Result, text: str | None) -> Result:
    """Return the result with no more of the texts than may be shown.

    Data problems quote texts; where the evaluation was free to, and the page is not, their cases are left out.
    """
    settings = _show_less(result.settings, text)
    if settings is result.settings:
        return result
    first = result.problems.first if settings.quotes else {kind: [WITHHELD] for kind in result.problems.first}
    located = None if result.located is None else replace(result.located, text=settings.text)
    return replace(result, settings=settings, located=located, problems=Problems(result.problems.number, first))


def _show_less(settings: Settings, text: str | None) -> Settings:
    """Return the settings with as much of the texts as is asked for now, which may not be more than before."""
    if text is None or text == settings.text:
        return settings
    wanted = compare.check_text(text)
    if SHOWN.index(wanted) > SHOWN.index(settings.text):
        raise MeasureError(
            f"the evaluation was asked for text={settings.text!r}", expected="as much or less in its page"
        )
    return replace(settings, text=wanted)
