"""Results in a notebook that is run: tables, pages below the cells, and the progress bar."""

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import spanscope
from spanscope.arguments import keep_silent, listener
from spanscope.system import notebook
from spanscope.viewer.inline import frame, page_of
from tests.cli import GOLD, PRED
from tests.support import needs
from tests.viewer.conftest import Opened

FILES = f"{str(GOLD)!r}, {str(PRED)!r}"
RUNS = f"{str(GOLD)!r}, ('a', {str(PRED)!r}), ('b', {str(GOLD)!r})"
CELLS = (
    f"import spanscope\nresult = spanscope.evaluate({FILES}, 'spans.exact', ci=False)\nresult",
    "result.show(height=480)",
    "from spanscope.arguments import listener\ntype(listener(None)).__name__",
    f"spanscope.leaderboard({RUNS}, measures='spans.exact', trials=20).show()",
)


@pytest.fixture(scope="module")
def outputs() -> list[list[Any]]:
    """Return what the cells of a notebook put out, run by a kernel of its own."""
    client, form = needs("nbclient"), needs("nbformat").v4
    needs("ipykernel")
    book = form.new_notebook(cells=[form.new_code_cell(cell) for cell in CELLS])
    client.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    return [cell.outputs for cell in book.cells]


def html_of(outputs: list[Any]) -> str:
    return "".join(one["data"]["text/html"] for one in outputs if "text/html" in one.get("data", {}))


def page_in(html: str) -> str:
    found = re.search(r'src="data:text/html;charset=utf-8;base64,([^"]+)"', html)
    assert found is not None
    return base64.b64decode(found[1]).decode()


@pytest.fixture(scope="module")
def result() -> spanscope.Result:
    return spanscope.evaluate(str(GOLD), str(PRED), "spans.exact", ci=False)


def test_a_cell_shows_the_figures_and_opens_the_rest(outputs: list[list[Any]], result: spanscope.Result) -> None:
    html = html_of(outputs[0])
    assert re.search(rf"<td[^>]*>{result.value():.4f}</td>", html.partition("<details>")[0])
    assert result.signature() in html.partition("<details>")[2]


def test_the_page_is_below_its_cell(outputs: list[list[Any]]) -> None:
    html = html_of(outputs[1])
    assert 'sandbox="allow-scripts allow-downloads allow-popups"' in html
    assert "height:480px" in html
    assert "<title>requirements.pred.jsonl against requirements.gold.jsonl</title>" in page_in(html)
    assert [one for one in outputs[1] if one.output_type == "stream"] == []  # and nothing is complained of
    assert "<caption>Leaderboard: spans.exact</caption>" in page_in(html_of(outputs[3]))


def test_who_listens_to_progress_in_a_notebook(outputs: list[list[Any]]) -> None:
    assert outputs[2][0]["data"]["text/plain"] == "'CellBar'"
    assert listener(None) is keep_silent


class Cell:
    """Stands for the front end: what is drawn in a cell, one after the other."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def display(self, html: Any, display_id: bool = False) -> "Cell":
        assert display_id
        self.drawn.append(html)
        return self

    def update(self, html: Any) -> None:
        self.drawn.append(html)


def test_a_bar_says_how_far_its_stage_is() -> None:
    needs("IPython")
    cell = Cell()
    with (
        mock.patch("IPython.display.display", cell.display),
        mock.patch("IPython.display.HTML", str),
        mock.patch.object(notebook, "PAUSE", 0.0),
    ):
        bar = notebook.CellBar(patience=0.0)
        for done in (1, 2, 4):
            bar("reading <x>", done, 4)
        silent = notebook.CellBar(patience=60.0)
        silent("scoring", 1, 2)
    words = ["reading &lt;x&gt; 25 %", "reading &lt;x&gt; 50 %"]
    assert cell.drawn == [
        f'<progress value="{done}" max="4" aria-label="{said}"></progress> {said}'
        for done, said in enumerate(words, start=1)
    ] + [""]


def test_outside_of_a_notebook_a_browser_is_asked(result: spanscope.Result) -> None:
    assert not notebook.in_notebook()
    with mock.patch("webbrowser.open") as opened:
        path = result.show(title="Mine")
    assert isinstance(path, Path)
    assert opened.call_args.args == (path.as_uri(),)
    assert "<title>Mine</title>" in path.read_text(encoding="utf-8")


def test_the_page_works_within_another(
    in_both: Callable[..., Opened], result: spanscope.Result, tmp_path: Path
) -> None:
    """Its links and its address stay inside of it, whatever it is not allowed."""
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><title>N</title>{frame(page_of(result), 600)}", encoding="utf-8")
    page = in_both(path).go(testid=None)
    inner = page.page.frame_locator("iframe")
    assert inner.get_by_test_id("f1").first.inner_text() == f"{result.value():.4f}"
    inner.get_by_role("navigation").get_by_role("link", name="Errors").click()
    errors = sum(one["count"] for one in result.errors().values())
    assert f"{errors} listed" in inner.locator(".hits").inner_text().replace("\u2009", "")
    inner.get_by_role("navigation").get_by_role("link", name="Overview").click()
    inner.get_by_role("heading", name="Labels").wait_for()
    assert page.page.url == path.as_uri()
    assert page.complaints == []
